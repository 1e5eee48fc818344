/* SPDX-License-Identifier: Apache-2.0 */
/* The loader's cache, /etc/ld.so.cache, in glibc's format since 2.2; see loader.h. */
#include <stdint.h>
#include <string.h>

#include "src/run/loader.h"
#include "src/symbols/machine.h"

struct header {
	char magic[20]; /* not terminated */
	uint32_t n;
	uint32_t n_strings;
	uint8_t flags;
	uint8_t unused[3];
	uint32_t extensions;
	uint32_t more[3];
};

/* Offsets of texts count from the header. */
struct entry {
	int32_t flags;
	uint32_t name;
	uint32_t path;
	uint32_t system;
	uint64_t processor; /* 0: any */
};

_Static_assert(sizeof(struct header) == 48, "as glibc has it");
_Static_assert(sizeof(struct entry) == 24, "as glibc has it");

/* The text at this offset, or NULL if it does not end within the cache. */
static const char *text_at(const char *cache, size_t bytes, uint32_t place)
{
	if (place >= bytes || !memchr(cache + place, '\0', bytes - place))
		return NULL;
	return cache + place;
}

const char *loader_cache_find(const char *cache, size_t bytes, const char *name)
{
	static const char magic[] = "glibc-ld.so.cache1.1";
	struct header header;
	struct entry entry;

	if (!cache || bytes < sizeof(header))
		return NULL;
	memcpy(&header, cache, sizeof(header));
	if (memcmp(header.magic, magic, sizeof(header.magic)) != 0 ||
		header.n > (bytes - sizeof(header)) / sizeof(entry))
		return NULL;
	for (uint32_t i = 0; i < header.n; i++) {
		const char *found;

		memcpy(&entry, cache + sizeof(header) + i * sizeof(entry), sizeof(entry));
		found = text_at(cache, bytes, entry.name);
		if (entry.flags == machine_host->cache_flags && entry.processor == 0 && found &&
			strcmp(found, name) == 0)
			return text_at(cache, bytes, entry.path);
	}
	return NULL;
}
