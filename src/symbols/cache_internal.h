/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a cache file, in this order: the header; the objects, witnesses, places and symbols,
 * whose numbers the header has; the strings, each with its terminating zero. A string is named by
 * the offset where it begins. The first string is "".
 */
#ifndef OMPPROF_SRC_SYMBOLS_CACHE_INTERNAL_H
#define OMPPROF_SRC_SYMBOLS_CACHE_INTERNAL_H

#include "src/symbols/cache.h"

#define CACHE_MAGIC "ompsyms"

enum { CACHE_VERSION = 1, CACHE_MOST_ID_BYTES = 64 };

struct kept_header {
	char magic[8];
	uint32_t version;
	uint32_t n_objects, n_witnesses, n_places, n_symbols, string_bytes;
	uint64_t sum; /* cache_sum() of the file */
	char key[CACHE_KEY_BYTES];
};

struct kept_object {
	uint32_t path, note; /* offsets of strings */
	uint32_t first_witness, n_witnesses;
	uint32_t first_place, n_places; /* sorted by address, then kind */
	uint32_t has_lines;
	uint32_t build_id_bytes;
	uint8_t build_id[CACHE_MOST_ID_BYTES];
};

struct kept_witness {
	uint64_t path; /* offset of a string */
	struct cache_state state;
};

struct kept_place {
	uint64_t addr;
	uint32_t kind;
	uint32_t first_symbol, n_symbols;
	uint32_t reserved;
};

struct kept_symbol {
	uint32_t name, linkage, file, decl_file; /* offsets of strings */
	uint32_t line, decl_line, is_inlined;
	uint32_t reserved;
};

_Static_assert(sizeof(struct kept_header) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_object) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_place) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_symbol) % 8 == 0, "parts are aligned");

/* The checksum of a file's bytes, in which header.sum counts as 0. */
uint64_t cache_sum(const void *bytes, size_t size);

/* Compares two struct kept_place for qsort() and bsearch(). */
int cache_compare_places(const void *left, const void *right);

#endif
