/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cursor over bytes of unwind data: fixed-size numbers and LEB128. A read past the end yields 0
 * and sets `bad`. The caller looks at `bad` after it has read data that belongs together. Nothing
 * here knows the meaning of the numbers.
 */
#ifndef OMPPROF_UNWINDER_CORE_CFI_READ_H
#define OMPPROF_UNWINDER_CORE_CFI_READ_H

#include <stdint.h>
#include <string.h>

/* The most bytes of a 64-bit number as LEB128. */
#define CFI_LEB_BYTES 10

struct cfi_cursor {
	const uint8_t *at;
	const uint8_t *end;
	uint64_t shift; /* a byte's address minus its place in memory */
	int bad;
};

/* Reads one byte. Signal-safe. */
static inline uint8_t cfi_u8(struct cfi_cursor *in)
{
	if (in->at >= in->end) {
		in->bad = 1;
		return 0;
	}
	return *in->at++;
}

/*
 * Reads a little-endian number of n bytes, without sign extension. n is a constant of at most 8.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) uint64_t cfi_fixed(
	struct cfi_cursor *in, unsigned int n)
{
	uint64_t value = 0;

	if ((uint64_t)(in->end - in->at) < n) {
		in->bad = 1;
		in->at = in->end;
		return 0;
	}
	memcpy(&value, in->at, n);
	in->at += n;
	return value;
}

/* Skips n bytes. Signal-safe. */
static inline void cfi_skip(struct cfi_cursor *in, uint64_t n)
{
	if ((uint64_t)(in->end - in->at) < n) {
		in->bad = 1;
		in->at = in->end;
		return;
	}
	in->at += n;
}

/*
 * Reads a LEB128 number as 64 bits, without sign extension. *n_bits is the number of bits that its
 * bytes hold. Signal-safe.
 */
static inline uint64_t cfi_leb(struct cfi_cursor *in, unsigned int *n_bits)
{
	uint64_t value = 0;
	uint8_t byte;

	*n_bits = 0;
	for (int i = 0; i < CFI_LEB_BYTES; i++) {
		byte = cfi_u8(in);
		if (i == CFI_LEB_BYTES - 1 && byte > 1 && byte != 0x7f)
			break;
		value |= (uint64_t)(byte & 0x7f) << *n_bits;
		*n_bits += 7;
		if (!(byte & 0x80))
			return value;
	}
	in->bad = 1;
	return 0;
}

/* Reads an unsigned LEB128 number. Signal-safe. */
static inline uint64_t cfi_uleb(struct cfi_cursor *in)
{
	unsigned int n_bits;

	return cfi_leb(in, &n_bits);
}

/* Reads a signed LEB128 number. Signal-safe. */
static inline int64_t cfi_sleb(struct cfi_cursor *in)
{
	unsigned int n_bits;
	uint64_t value = cfi_leb(in, &n_bits);

	if (n_bits > 0 && n_bits < 64 && value >> (n_bits - 1) & 1)
		value |= ~(uint64_t)0 << n_bits;
	return (int64_t)value;
}

#endif
