/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cursor over bytes of unwind data: numbers of a fixed size, LEB128, and encoded pointers. A read
 * past the end, or of an unknown encoding, yields 0 and sets `bad`. The caller looks at `bad` after
 * it has read data that belongs together.
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

/*
 * Pointer encodings, LSB 5.0 core, 10.5.1. The low four bits are the format, the next three the
 * base.
 */
enum cfi_pointer {
	CFI_PE_ABSPTR = 0x00,
	CFI_PE_ULEB128 = 0x01,
	CFI_PE_UDATA2 = 0x02,
	CFI_PE_UDATA4 = 0x03,
	CFI_PE_UDATA8 = 0x04,
	CFI_PE_SLEB128 = 0x09,
	CFI_PE_SDATA2 = 0x0a,
	CFI_PE_SDATA4 = 0x0b,
	CFI_PE_SDATA8 = 0x0c,
	CFI_PE_FORMAT = 0x0f,
	CFI_PE_PCREL = 0x10,
	CFI_PE_DATAREL = 0x30,
	CFI_PE_BASE = 0x70,
	CFI_PE_INDIRECT = 0x80,
	CFI_PE_OMIT = 0xff,
};

/*
 * Reads the number of an encoded pointer, without its base. `format` is one of enum cfi_pointer's
 * formats. Signal-safe.
 */
static inline uint64_t cfi_formatted(struct cfi_cursor *in, unsigned int format)
{
	switch (format) {
	case CFI_PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)cfi_fixed(in, 4);
	case CFI_PE_ABSPTR:
	case CFI_PE_UDATA8:
	case CFI_PE_SDATA8:
		return cfi_fixed(in, 8);
	case CFI_PE_UDATA4:
		return cfi_fixed(in, 4);
	case CFI_PE_UDATA2:
		return cfi_fixed(in, 2);
	case CFI_PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)cfi_fixed(in, 2);
	case CFI_PE_ULEB128:
		return cfi_uleb(in);
	case CFI_PE_SLEB128:
		return (uint64_t)cfi_sleb(in);
	}
	in->bad = 1;
	return 0;
}

/*
 * Reads an encoded pointer as an address. CFI_PE_DATAREL counts from data_base. A pointer that is
 * indirect, or that counts from the text or the function, is bad: addresses of code or of unwind
 * data are never encoded so. Signal-safe.
 */
static inline uint64_t cfi_address(struct cfi_cursor *in, unsigned int encoding, uint64_t data_base)
{
	uint64_t here = (uint64_t)(uintptr_t)in->at + in->shift;
	uint64_t value;

	if (encoding == (CFI_PE_PCREL | CFI_PE_SDATA4)) /* nearly all */
		return here + (uint64_t)(int64_t)(int32_t)cfi_fixed(in, 4);
	value = cfi_formatted(in, encoding & CFI_PE_FORMAT);

	switch (encoding & (CFI_PE_BASE | CFI_PE_INDIRECT)) {
	case CFI_PE_ABSPTR:
		return value;
	case CFI_PE_PCREL:
		return value + here;
	case CFI_PE_DATAREL:
		return value + data_base;
	}
	in->bad = 1;
	return 0;
}

#endif
