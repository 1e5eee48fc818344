/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cache file holds, in this order: the header, then so many objects, witnesses, places and symbols as it
 * says, then strings, each with its end. Strings are named by where they begin; the first is "".
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
	uint64_t sum; /* of the file with 0 here */
	char key[CACHE_KEY_BYTES];
};

struct kept_object {
	uint32_t path, note; /* strings */
	uint32_t first_witness, n_witnesses;
	uint32_t first_place, n_places; /* by address, then kind */
	uint32_t has_lines;
	uint32_t build_id_bytes;
	uint8_t build_id[CACHE_MOST_ID_BYTES];
};

struct kept_witness {
	uint64_t path; /* string */
	struct cache_state state;
};

struct kept_place {
	uint64_t addr;
	uint32_t kind;
	uint32_t first_symbol, n_symbols;
	uint32_t reserved;
};

struct kept_symbol {
	uint32_t name, linkage, file, decl_file; /* strings */
	uint32_t line, decl_line, is_inlined;
	uint32_t reserved;
};

_Static_assert(sizeof(struct kept_header) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_object) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_place) % 8 == 0, "parts are aligned");
_Static_assert(sizeof(struct kept_symbol) % 8 == 0, "parts are aligned");

/* The sum of a cache, whatever its header has in that place. */
uint64_t cache_sum(const void *bytes, size_t size);

/* Below, at or above: as places are sorted. */
int cache_compare_place(uint64_t addr, uint32_t kind, const struct kept_place *place);

#endif
