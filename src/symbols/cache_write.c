/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a cache. Its parts grow in memory and are joined at the end; see cache.h. */
#include "profile/shared/hash.h"
#include "src/symbols/cache.h"

#include <stdlib.h>
#include <string.h>

#include "src/symbols/cache_internal.h"

struct part {
	char *items;
	size_t n, capacity, item_bytes;
};

struct cache_writer {
	struct part objects, witnesses, places, symbols, strings;
	uint32_t *slots; /* hash table: offset of the string + 1, or 0 for a free slot */
	size_t n_slots, n_strings;
	int has_failed;
};

/* Adds n zeroed items. Sets has_failed and returns NULL without memory or if it gets too large. */
static void *append(struct cache_writer *writer, struct part *part, size_t n)
{
	void *added;

	if (part->n + n > part->capacity) {
		size_t capacity = 2 * (part->n + n) + 64;
		char *items = writer->has_failed
				      ? NULL
				      : reallocarray(part->items, capacity, part->item_bytes);

		if (!items || capacity * part->item_bytes > 2 * (size_t)CACHE_MOST_BYTES) {
			part->items = items ? items : part->items;
			writer->has_failed = 1;
			return NULL;
		}
		part->items = items;
		part->capacity = capacity;
	}
	added = part->items + part->n * part->item_bytes;
	memset(added, 0, n * part->item_bytes);
	part->n += n;
	return added;
}

static uint32_t *find_slot(const struct cache_writer *writer, const char *text)
{
	size_t i = hash_mix(hash_text(HASH_START, text), 0) & (writer->n_slots - 1);

	while (writer->slots[i] &&
		strcmp(writer->strings.items + (writer->slots[i] - 1), text) != 0)
		i = (i + 1) & (writer->n_slots - 1);
	return &writer->slots[i];
}

/* Keeps half of the slots empty. Returns 0, or -1 when out of memory. */
static int make_slots(struct cache_writer *writer)
{
	size_t n_old = writer->n_slots;
	uint32_t *old = writer->slots;

	if (2 * writer->n_strings < n_old)
		return 0;
	writer->n_slots = n_old ? 2 * n_old : 1024;
	writer->slots = calloc(writer->n_slots, sizeof(*writer->slots));
	for (size_t i = 0; writer->slots && i < n_old; i++)
		if (old[i])
			*find_slot(writer, writer->strings.items + (old[i] - 1)) = old[i];
	free(old);
	return writer->slots ? 0 : -1;
}

/* The offset of the only copy of `text`. 0 for "", and when out of memory. */
static uint32_t add_string(struct cache_writer *writer, const char *text)
{
	size_t at = writer->strings.n, bytes;
	uint32_t *slot;
	char *copy;

	if (!text || !*text || writer->has_failed)
		return 0;
	if (make_slots(writer) != 0) {
		writer->n_slots = 0;
		writer->has_failed = 1;
		return 0;
	}
	slot = find_slot(writer, text);
	if (*slot)
		return *slot - 1;
	bytes = strlen(text) + 1;
	copy = append(writer, &writer->strings, bytes);
	if (!copy)
		return 0;
	memcpy(copy, text, bytes);
	*slot = (uint32_t)at + 1;
	writer->n_strings++;
	return (uint32_t)at;
}

static void free_writer(struct cache_writer *writer)
{
	free(writer->objects.items);
	free(writer->witnesses.items);
	free(writer->places.items);
	free(writer->symbols.items);
	free(writer->strings.items);
	free(writer->slots);
	free(writer);
}

struct cache_writer *cache_writer_begin(void)
{
	struct cache_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->objects.item_bytes = sizeof(struct kept_object);
	writer->witnesses.item_bytes = sizeof(struct kept_witness);
	writer->places.item_bytes = sizeof(struct kept_place);
	writer->symbols.item_bytes = sizeof(struct kept_symbol);
	writer->strings.item_bytes = 1;
	append(writer, &writer->strings, 1);
	return writer;
}

void cache_writer_object(struct cache_writer *writer, const struct cache_object *object)
{
	struct kept_object *kept = append(writer, &writer->objects, 1);

	if (!kept)
		return;
	*kept = (struct kept_object){
		.path = add_string(writer, object->path),
		.note = add_string(writer, object->note),
		.first_witness = (uint32_t)writer->witnesses.n,
		.n_witnesses = (uint32_t)object->n_witnesses,
		.first_place = (uint32_t)writer->places.n,
		.has_lines = object->has_lines != 0,
		.build_id_bytes = (uint32_t)object->build_id_bytes,
	};
	if (object->build_id_bytes > sizeof(kept->build_id))
		writer->has_failed = 1;
	else if (object->build_id_bytes)
		memcpy(kept->build_id, object->build_id, object->build_id_bytes);
	for (size_t i = 0; i < object->n_witnesses; i++) {
		uint32_t path = add_string(writer, object->witnesses[i].path);
		struct kept_witness *witness = append(writer, &writer->witnesses, 1);

		if (witness)
			*witness = (struct kept_witness){ path, object->witnesses[i].state };
	}
}

static void add_symbol(struct cache_writer *writer, const struct symbol *symbol)
{
	struct kept_symbol kept = {
		.name = add_string(writer, symbol->name),
		.linkage = add_string(writer, symbol->linkage),
		.file = add_string(writer, symbol->file),
		.decl_file = add_string(writer, symbol->decl_file),
		.line = symbol->line,
		.decl_line = symbol->decl_line,
		.is_inlined = symbol->is_inlined != 0,
	};
	struct kept_symbol *added = append(writer, &writer->symbols, 1);

	if (added)
		*added = kept;
}

void cache_writer_add(struct cache_writer *writer, enum cache_kind kind, uint64_t addr,
	const struct symbol *symbols, size_t n)
{
	struct kept_place *place = append(writer, &writer->places, 1);

	if (!place || !writer->objects.n)
		return;
	*place = (struct kept_place){
		.addr = addr,
		.kind = kind,
		.first_symbol = (uint32_t)writer->symbols.n,
		.n_symbols = (uint32_t)n,
	};
	((struct kept_object *)(void *)writer->objects.items)[writer->objects.n - 1].n_places++;
	for (size_t i = 0; i < n; i++)
		add_symbol(writer, &symbols[i]);
}

/* Equal entries may both stay: a search finds either. */
static void sort_places(struct cache_writer *writer)
{
	struct kept_object *objects = (struct kept_object *)(void *)writer->objects.items;
	struct kept_place *places = (struct kept_place *)(void *)writer->places.items;

	for (size_t i = 0; i < writer->objects.n; i++)
		if (objects[i].n_places)
			qsort(places + objects[i].first_place, objects[i].n_places, sizeof(*places),
				cache_compare_places);
}

static char *copy_part(char *to, const struct part *part)
{
	if (part->n)
		memcpy(to, part->items, part->n * part->item_bytes);
	return to + part->n * part->item_bytes;
}

static void *put_together(struct cache_writer *writer, const char *key, size_t *size)
{
	const struct part *const parts[] = { &writer->objects, &writer->witnesses, &writer->places,
		&writer->symbols, &writer->strings };
	struct kept_header *header;
	char *to;

	*size = sizeof(*header);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		*size += parts[i]->n * parts[i]->item_bytes;
	header = *size <= CACHE_MOST_BYTES && strlen(key) < CACHE_KEY_BYTES ? calloc(1, *size)
									    : NULL;
	if (!header)
		return NULL;
	memcpy(header->magic, CACHE_MAGIC, sizeof(header->magic));
	header->version = CACHE_VERSION;
	header->n_objects = (uint32_t)writer->objects.n;
	header->n_witnesses = (uint32_t)writer->witnesses.n;
	header->n_places = (uint32_t)writer->places.n;
	header->n_symbols = (uint32_t)writer->symbols.n;
	header->string_bytes = (uint32_t)writer->strings.n;
	strcpy(header->key, key);
	to = (char *)(header + 1);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		to = copy_part(to, parts[i]);
	header->sum = cache_sum(header, *size);
	return header;
}

void *cache_writer_end(struct cache_writer *writer, const char *key, size_t *size)
{
	void *bytes = NULL;

	if (!writer->has_failed) {
		sort_places(writer);
		bytes = put_together(writer, key, size);
	}
	free_writer(writer);
	return bytes;
}
