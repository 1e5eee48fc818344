/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoded pointers in unwind data, read by the cursor of cfi_read.h. An unknown encoding sets
 * `bad`, too.
 */
#ifndef OMPPROF_UNWINDER_CORE_CFI_POINTER_H
#define OMPPROF_UNWINDER_CORE_CFI_POINTER_H

#include <stdint.h>

#include "unwinder/core/cfi_read.h"

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
