/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a cache. Any number in it may be wrong; see cache.h. */
#include "src/symbols/cache.h"

#include <stdlib.h>
#include <string.h>

#include "src/symbols/cache_internal.h"
#include "src/symbols/symbols_strings.h"

uint64_t cache_sum(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	const size_t sum_at = offsetof(struct kept_header, sum);
	uint64_t sum = size;

	for (size_t i = 0; i < size; i += sizeof(sum)) {
		size_t n = size - i < sizeof(sum) ? size - i : sizeof(sum);
		uint64_t word = 0;

		if (i != sum_at)
			memcpy(&word, at + i, n);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

int cache_compare_places(const void *left, const void *right)
{
	const struct kept_place *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/* Finds the parts of the file. Returns 0, or -1 if their sizes do not add up to its size. */
static int find_parts(struct cache *cache)
{
	const struct kept_header *header = cache->header;
	uint64_t at = sizeof(*header);

	cache->objects = (const void *)(cache->bytes + at);
	at += (uint64_t)header->n_objects * sizeof(*cache->objects);
	if (at > cache->size)
		return -1;
	cache->witnesses = (const void *)(cache->bytes + at);
	at += (uint64_t)header->n_witnesses * sizeof(*cache->witnesses);
	if (at > cache->size)
		return -1;
	cache->places = (const void *)(cache->bytes + at);
	at += (uint64_t)header->n_places * sizeof(*cache->places);
	if (at > cache->size)
		return -1;
	cache->symbols = (const void *)(cache->bytes + at);
	at += (uint64_t)header->n_symbols * sizeof(*cache->symbols);
	if (at > cache->size || header->string_bytes != cache->size - at)
		return -1;
	cache->strings = (const char *)(cache->bytes + at);
	return header->string_bytes && !cache->strings[header->string_bytes - 1] ? 0 : -1;
}

static int is_header(const struct kept_header *header, const char *key)
{
	return memcmp(header->magic, CACHE_MAGIC, sizeof(header->magic)) == 0 &&
	       header->version == CACHE_VERSION && strlen(key) < sizeof(header->key) &&
	       strncmp(header->key, key, sizeof(header->key)) == 0;
}

int cache_open(struct cache *cache, void *bytes, size_t size, const char *key)
{
	*cache = (struct cache){ .bytes = bytes, .size = size, .header = bytes };
	if (bytes && size >= sizeof(*cache->header) && size <= CACHE_MOST_BYTES &&
		is_header(cache->header, key) && cache_sum(bytes, size) == cache->header->sum &&
		find_parts(cache) == 0)
		return 0;
	cache_close(cache);
	return -1;
}

void cache_close(struct cache *cache)
{
	free(cache->bytes);
	*cache = (struct cache){ 0 };
}

/* The string that begins exactly here; NULL if none does, or if it is longer than NAME_MOST. */
static const char *string_at(const struct cache *cache, uint64_t at)
{
	size_t n = cache->header->string_bytes;

	if (at >= n || (at && cache->strings[at - 1]))
		return NULL;
	n -= at;
	if (n > NAME_MOST + 1)
		n = NAME_MOST + 1;
	return memchr(cache->strings + at, 0, n) ? cache->strings + at : NULL;
}

size_t cache_n_objects(const struct cache *cache)
{
	return cache->header ? cache->header->n_objects : 0;
}

static int read_witnesses(
	const struct cache *cache, const struct kept_object *kept, struct cache_object *object)
{
	if (kept->n_witnesses == 0 || kept->n_witnesses > CACHE_MOST_WITNESSES ||
		(uint64_t)kept->first_witness + kept->n_witnesses > cache->header->n_witnesses)
		return -1;
	for (size_t i = 0; i < kept->n_witnesses; i++) {
		const struct kept_witness *witness = &cache->witnesses[kept->first_witness + i];
		const char *path = string_at(cache, witness->path);

		if (!path)
			return -1;
		object->witnesses[i] = (struct cache_witness){ path, witness->state };
	}
	object->n_witnesses = kept->n_witnesses;
	return 0;
}

int cache_object(const struct cache *cache, size_t i, struct cache_object *object)
{
	const struct kept_object *kept = &cache->objects[i];

	if (kept->build_id_bytes > sizeof(kept->build_id) ||
		(uint64_t)kept->first_place + kept->n_places > cache->header->n_places)
		return -1;
	*object = (struct cache_object){
		.path = string_at(cache, kept->path),
		.note = string_at(cache, kept->note),
		.build_id = kept->build_id,
		.build_id_bytes = kept->build_id_bytes,
		.has_lines = kept->has_lines != 0,
	};
	return object->path && object->note ? read_witnesses(cache, kept, object) : -1;
}

static const struct kept_place *find_place(const struct cache *cache,
	const struct kept_object *object, enum cache_kind kind, uint64_t addr)
{
	const struct kept_place key = { .addr = addr, .kind = kind };

	return bsearch(&key, cache->places + object->first_place, object->n_places, sizeof(key),
		cache_compare_places);
}

static int read_symbol(
	const struct cache *cache, const struct kept_symbol *kept, struct symbol *symbol)
{
	*symbol = (struct symbol){
		.name = string_at(cache, kept->name),
		.linkage = string_at(cache, kept->linkage),
		.file = string_at(cache, kept->file),
		.decl_file = string_at(cache, kept->decl_file),
		.line = kept->line,
		.decl_line = kept->decl_line,
		.is_inlined = kept->is_inlined != 0,
	};
	return symbol->name && symbol->linkage && symbol->file && symbol->decl_file ? 0 : -1;
}

int cache_find(const struct cache *cache, size_t i, enum cache_kind kind, uint64_t addr,
	struct symbol *symbols)
{
	const struct kept_place *place = find_place(cache, &cache->objects[i], kind, addr);

	if (!place || place->n_symbols > SYMBOLS_MAX_DEPTH ||
		place->n_symbols < (kind == CACHE_FUNCTIONS) ||
		(uint64_t)place->first_symbol + place->n_symbols > cache->header->n_symbols)
		return -1;
	for (size_t k = 0; k < place->n_symbols; k++)
		if (read_symbol(cache, &cache->symbols[place->first_symbol + k], &symbols[k]) != 0)
			return -1;
	return (int)place->n_symbols;
}

int cache_place(
	const struct cache *cache, size_t i, size_t p, enum cache_kind *kind, uint64_t *addr)
{
	const struct kept_object *object = &cache->objects[i];
	const struct kept_place *place;

	if (p >= object->n_places)
		return -1;
	place = &cache->places[object->first_place + p];
	*kind = place->kind < CACHE_N_KINDS ? (enum cache_kind)place->kind : CACHE_FUNCTIONS;
	*addr = place->addr;
	return 0;
}
