/* SPDX-License-Identifier: Apache-2.0 */
/* Interned strings; see symbols_strings.h. */
#include "src/symbols/symbols_strings.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"

enum { BLOCK_BYTES = 64 << 10, FIRST_SLOTS = 1024 };

struct strings_block {
	struct strings_block *next;
	size_t used_bytes, size_bytes;
	alignas(max_align_t) char data[];
};

static size_t text_hash(const char *text)
{
	return hash_mix(hash_text(HASH_START, text), 0);
}

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

/* Allocates memory. `align` is a power of two, at most the alignment of max_align_t. */
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
static const char **find_slot(const char **slots, size_t n_slots, const char *text)
{
	size_t i = text_hash(text) & (n_slots - 1);

	while (slots[i] && strcmp(slots[i], text) != 0)
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

/* Keeps a quarter of the slots empty. Returns 0, or -1 when out of memory. */
static int make_room(struct strings *strings)
{
	size_t n_slots = strings->n_slots ? 2 * strings->n_slots : FIRST_SLOTS;
	const char **slots;

	if (strings->n < strings->n_slots / 4 * 3)
		return 0;
	slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < strings->n_slots; i++)
		if (strings->slots[i])
			*find_slot(slots, n_slots, strings->slots[i]) = strings->slots[i];
	free(strings->slots);
	strings->slots = slots;
	strings->n_slots = n_slots;
	return 0;
}

const char *strings_intern(struct strings *strings, const char *text)
{
	const char **slot;
	size_t bytes;
	char *copy;

	if (!text || !*text)
		return "";
	if (make_room(strings) < 0)
		return "?";
	slot = find_slot(strings->slots, strings->n_slots, text);
	if (*slot)
		return *slot;
	bytes = strlen(text) + 1;
	copy = allocate(strings, bytes, 1);
	if (!copy)
		return "?";
	memcpy(copy, text, bytes);
	*slot = copy;
	strings->n++;
	return copy;
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
