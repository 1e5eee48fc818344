/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings; see symbols_strings.h. */
#include "src/symbols/symbols_strings.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/symbols/demangle.h"

enum { BLOCK_BYTES = 64 << 10, FIRST_SLOTS = 1024 };

struct strings_block {
	struct strings_block *next;
	size_t used_bytes, size_bytes;
	alignas(max_align_t) char data[];
};

static struct strings_block *add_block(struct strings *strings, size_t bytes)
{
	size_t size_bytes = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct strings_block *block = malloc(sizeof(*block) + size_bytes);

	if (!block)
		return NULL;
	block->used_bytes = 0;
	block->size_bytes = size_bytes;
	block->next = strings->blocks;
	strings->blocks = block;
	return block;
}

static void *allocate(struct strings *strings, size_t bytes, size_t align)
{
	struct strings_block *block = strings->blocks;
	size_t start = block ? (block->used_bytes + align - 1) & ~(align - 1) : 0;

	if (!block || start > block->size_bytes || bytes > block->size_bytes - start) {
		block = add_block(strings, bytes);
		start = 0;
	}
	if (!block)
		return NULL;
	block->used_bytes = start + bytes;
	return block->data + start;
}

/* The slot of `text`, or the empty slot where it belongs. */
static struct strings_slot *find_slot(struct strings_slot *slots, size_t n_slots, const char *text)
{
	size_t i = hash_mix(hash_text(HASH_START, text), 0) & (n_slots - 1);

	while (slots[i].text && strcmp(slots[i].text, text) != 0)
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

/* Keeps a quarter of the slots empty. Returns 0, or -1 when out of memory. */
static int make_room(struct strings *strings)
{
	size_t n_slots = strings->n_slots ? 2 * strings->n_slots : FIRST_SLOTS;
	struct strings_slot *slots;

	if (strings->n < strings->n_slots / 4 * 3)
		return 0;
	slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < strings->n_slots; i++)
		if (strings->slots[i].text)
			*find_slot(slots, n_slots, strings->slots[i].text) = strings->slots[i];
	free(strings->slots);
	strings->slots = slots;
	strings->n_slots = n_slots;
	return 0;
}

const char *strings_intern(struct strings *strings, const char *text)
{
	struct strings_slot *slot;
	size_t bytes;
	char *copy;

	if (!text || !*text)
		return "";
	if (make_room(strings) < 0)
		return "?";
	slot = find_slot(strings->slots, strings->n_slots, text);
	if (slot->text)
		return slot->text;
	bytes = strlen(text) + 1;
	copy = allocate(strings, bytes, 1);
	if (!copy)
		return "?";
	memcpy(copy, text, bytes);
	slot->text = copy;
	strings->n++;
	return copy;
}

const char *strings_demangle(struct strings *strings, const char *text)
{
	const char *name = strings_intern(strings, text), *readable = name;
	const struct strings_slot *slot;
	char *demangled;

	if (!*name || !strings->n_slots)
		return name;
	slot = find_slot(strings->slots, strings->n_slots, name);
	if (!slot->text || slot->readable)
		return slot->text ? slot->readable : name;
	demangled = demangle_name(name);
	if (demangled)
		readable = strings_intern(strings, demangled);
	free(demangled);
	/* The slots may have moved. */
	find_slot(strings->slots, strings->n_slots, name)->readable = readable;
	return readable;
}

void *strings_alloc(struct strings *strings, size_t bytes)
{
	return allocate(strings, bytes, alignof(max_align_t));
}

void strings_release(struct strings *strings)
{
	struct strings_block *next;

	for (struct strings_block *block = strings->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	free(strings->slots);
	*strings = (struct strings){ 0 };
}
