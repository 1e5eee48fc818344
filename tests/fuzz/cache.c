/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: any bytes are opened as a symbols.cache (src/symbols/cache.h), which is
 * asked for everything that it has. Its magic, version, key and sum are made right first, unless
 * the first byte is odd.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols/cache_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char key[] = "fuzz";

static void mend(uint8_t *bytes, size_t size)
{
	struct kept_header *header = (struct kept_header *)(void *)bytes;

	if (size < sizeof(*header))
		return;
	memcpy(header->magic, CACHE_MAGIC, sizeof(header->magic));
	header->version = CACHE_VERSION;
	memcpy(header->key, key, sizeof(key));
	header->sum = cache_sum(bytes, size);
}

static size_t ask(const struct cache *cache, size_t i)
{
	struct symbol list[SYMBOLS_MAX_DEPTH];
	struct cache_object object;
	enum cache_kind kind;
	uint64_t addr;
	size_t n = 0;

	if (cache_object(cache, i, &object) != 0)
		return 0;
	n += strlen(object.path) + strlen(object.note);
	for (size_t k = 0; k < object.n_witnesses; k++)
		n += strlen(object.witnesses[k].path);
	for (size_t p = 0; p < 4096 && cache_place(cache, i, p, &kind, &addr) == 0; p++) {
		int n_symbols = cache_find(cache, i, kind, addr, list);

		for (int k = 0; k < n_symbols; k++)
			n += strlen(list[k].name) + strlen(list[k].linkage) + strlen(list[k].file) +
			     strlen(list[k].decl_file);
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cache cache;
	size_t n = 0;
	uint8_t *bytes;

	if (size == 0)
		return 0;
	bytes = malloc(size);
	if (!bytes)
		return 0;
	memcpy(bytes, data + 1, size - 1);
	if (!(data[0] & 1))
		mend(bytes, size - 1);
	if (cache_open(&cache, bytes, size - 1, key) != 0)
		return 0;
	for (size_t i = 0; i < cache_n_objects(&cache) && i < 64; i++)
		n += ask(&cache, i);
	cache_close(&cache);
	return n == SIZE_MAX;
}
