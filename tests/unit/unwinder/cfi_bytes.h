/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hand-made unwind data for the tests of cfi_*.c: one CIE, one frame description, a search table.
 * The function is [BYTES_PC, BYTES_PC + BYTES_RANGE); the image is as if loaded at BYTES_ADDRESS.
 */
#ifndef OMPPROF_TESTS_UNIT_UNWINDER_CFI_BYTES_H
#define OMPPROF_TESTS_UNIT_UNWINDER_CFI_BYTES_H

#include "unwinder/core/cfi.h"

#include <stdint.h>
#include <string.h>

#define BYTES_ADDRESS 0x400000u
#define BYTES_PC      0x410000u
#define BYTES_RANGE   0x100u

struct bytes {
	uint8_t data[4096];
	size_t n;
	size_t cie; /* offsets */
	size_t fde;
};

/* What make_image is to write; 0 and NULL stand for the usual. */
struct recipe {
	unsigned int version;     /* 1 */
	const char *augmentation; /* "zR" */
	const uint8_t *cie_extra; /* augmentation data; usual: `encoding` */
	size_t n_cie_extra;
	unsigned int encoding;       /* of pc: pcrel sdata4 */
	unsigned int table_encoding; /* datarel sdata4 */
	int is_dwarf64;
	int is_debug_frame;
	uint32_t pc;                  /* BYTES_PC */
	unsigned int return_register; /* 16 */
	int data_align;               /* -8 */
	const uint8_t *cie_code;      /* def_cfa rsp+8; rip at cfa-8 */
	size_t n_cie_code;
	const uint8_t *code; /* of the function */
	size_t n_code;
};

static inline void put(struct bytes *b, uint64_t value, unsigned int n)
{
	memcpy(b->data + b->n, &value, n);
	b->n += n;
}

static inline void put_bytes(struct bytes *b, const void *from, size_t n)
{
	if (n)
		memcpy(b->data + b->n, from, n);
	b->n += n;
}

static inline void put_sleb(struct bytes *b, int64_t value)
{
	for (;;) {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		if ((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40))) {
			put(b, byte, 1);
			return;
		}
		put(b, byte | 0x80, 1);
	}
}

/* A pc by its encoding: absolute, or relative to its own place or to the image's begin. */
static inline void put_pointer(struct bytes *b, unsigned int encoding, uint64_t value)
{
	static const unsigned int size[16] = {
		[0] = 8, [2] = 2, [3] = 4, [4] = 8, [10] = 2, [11] = 4, [12] = 8
	};

	if ((encoding & 0x70) == 0x10)
		value -= BYTES_ADDRESS + b->n;
	if ((encoding & 0x70) == 0x30)
		value -= BYTES_ADDRESS;
	if ((encoding & 15) == 1 || (encoding & 15) == 9)
		put_sleb(b, (int64_t)value);
	else
		put(b, value, size[encoding & 15]);
}

/* The length of an entry is set when it is complete. */
static inline size_t begin_entry(struct bytes *b, int is_dwarf64)
{
	if (is_dwarf64)
		put(b, 0xffffffff, 4);
	put(b, 0, is_dwarf64 ? 8 : 4);
	return b->n;
}

static inline void end_entry(struct bytes *b, size_t begin, int is_dwarf64)
{
	uint64_t length;

	while ((b->n - begin) % 8 != 4)
		put(b, 0, 1);
	length = b->n - begin;
	memcpy(b->data + begin - (is_dwarf64 ? 8 : 4), &length, is_dwarf64 ? 8 : 4);
}

static inline void put_cie(struct bytes *b, const struct recipe *r, unsigned int encoding)
{
	static const uint8_t usual[] = { 0x0c, 7, 8, 0x90, 1 };
	unsigned int version = r->version ? r->version : 1;
	const char *augmentation = r->augmentation ? r->augmentation : "zR";
	size_t begin;

	b->cie = b->n;
	begin = begin_entry(b, r->is_dwarf64);
	put(b, r->is_debug_frame ? UINT64_MAX : 0, r->is_dwarf64 ? 8 : 4);
	put(b, version, 1);
	put_bytes(b, augmentation, strlen(augmentation) + 1);
	if (version == 4)
		put(b, 8, 2);
	put(b, 1, 1);
	put_sleb(b, r->data_align ? r->data_align : -8);
	put(b, r->return_register ? r->return_register : 16, 1);
	if (r->cie_extra) {
		put(b, r->n_cie_extra, 1);
		put_bytes(b, r->cie_extra, r->n_cie_extra);
	} else if (augmentation[0] == 'z') {
		put(b, 1, 1);
		put(b, encoding, 1);
	}
	if (r->cie_code)
		put_bytes(b, r->cie_code, r->n_cie_code);
	else
		put_bytes(b, usual, sizeof(usual));
	end_entry(b, begin, r->is_dwarf64);
}

static inline void put_fde(struct bytes *b, const struct recipe *r, unsigned int encoding)
{
	size_t begin;

	b->fde = b->n;
	begin = begin_entry(b, r->is_dwarf64);
	put(b, r->is_debug_frame ? b->cie : b->n - b->cie, r->is_dwarf64 ? 8 : 4);
	put_pointer(b, encoding, r->pc ? r->pc : BYTES_PC);
	put_pointer(b, encoding & 15, BYTES_RANGE);
	if (!r->augmentation || r->augmentation[0] == 'z')
		put(b, 0, 1);
	put_bytes(b, r->code, r->n_code);
	end_entry(b, begin, r->is_dwarf64);
}

/* Writes everything into b. */
static inline void make_bytes(struct bytes *b, const struct recipe *r)
{
	unsigned int encoding = r->encoding || r->augmentation ? r->encoding : 0x1b;
	unsigned int table = r->table_encoding ? r->table_encoding : 0x3b;
	size_t at;

	memset(b, 0, sizeof(*b));
	put(b, 1, 1);
	put(b, 0x1b, 1);
	put(b, 0x03, 1);
	put(b, table, 1);
	put(b, 0, 4);
	put(b, 1, 4);
	put_pointer(b, table, BYTES_PC);
	at = b->n;
	put_pointer(b, table, 0);
	put_cie(b, r, encoding);
	put_fde(b, r, encoding);
	put(b, 0, 4);
	memcpy(b->data + at, &b->fde, table == 0x3c ? 8 : 4);
}

static inline int open_bytes(struct cfi_image *image, const struct bytes *b)
{
	return cfi_image_init(image, b->data, b->n, BYTES_ADDRESS, BYTES_ADDRESS);
}

/* From a recipe to the row at an offset in the function: all steps, the first failure counts. */
static inline int row_of(struct bytes *b, struct cfi_image *image, const struct recipe *r,
	unsigned int offset, struct cfi_row *row)
{
	struct cfi_fde fde;
	int failure;

	make_bytes(b, r);
	failure = open_bytes(image, b);
	if (!failure)
		failure = cfi_find(image, BYTES_PC + offset, &fde);
	return failure ? failure : cfi_row_at(image, &fde, BYTES_PC + offset, row);
}

#endif
