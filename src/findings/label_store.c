/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that are stored once; see label_store.h. */
#include "src/findings/label_store.h"

#include <stdlib.h>

#include "profile/shared/hash.h"

enum { LABELS_CHUNK = 256 };

struct name_tree_labels {
	struct name_label **chunks; /* of LABELS_CHUNK each */
	uint32_t *slots;            /* by hash: the label's number + 1; 0: free */
	size_t n_slots;             /* a power of two */
	size_t n;
};

static uint64_t hash_label(const struct name_label *label)
{
	uint64_t hash = hash_mix(label->line, (uintptr_t)label->name);

	hash = hash_mix(hash, (uintptr_t)label->module);
	hash = hash_mix(hash, (uintptr_t)label->file);
	hash = hash_mix(hash, (uintptr_t)label->decl_file);
	hash = hash_mix(hash, (uintptr_t)label->function);
	hash = hash_mix(hash, label->addr);
	return hash_mix(hash, (uint64_t)label->decl_line << 8 | label->kind);
}

/* Compares all members; name_tree_child compares fewer. */
static int is_equal(const struct name_label *a, const struct name_label *b)
{
	return a->kind == b->kind && a->name == b->name && a->module == b->module &&
	       a->file == b->file && a->line == b->line && a->decl_file == b->decl_file &&
	       a->decl_line == b->decl_line && a->function == b->function && a->addr == b->addr &&
	       a->offset == b->offset;
}

static struct name_label *label_at(const struct name_tree_labels *labels, size_t number)
{
	return &labels->chunks[number / LABELS_CHUNK][number % LABELS_CHUNK];
}

/* The slot of the label, or the free slot where it belongs. */
static size_t find(const struct name_tree_labels *labels, const struct name_label *label)
{
	size_t at = hash_label(label) & (labels->n_slots - 1);

	while (labels->slots[at] && !is_equal(label_at(labels, labels->slots[at] - 1), label))
		at = (at + 1) & (labels->n_slots - 1);
	return at;
}

/* Doubles the slots. */
static int rehash(struct name_tree_labels *labels)
{
	struct name_tree_labels larger = *labels;

	larger.n_slots = labels->n_slots ? 2 * labels->n_slots : 4 * LABELS_CHUNK;
	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (uint32_t i = 0; i < labels->n; i++)
		larger.slots[find(&larger, label_at(labels, i))] = i + 1;
	free(labels->slots);
	*labels = larger;
	return 0;
}

/* Adds a chunk; at most half of the slots stay full. */
static int grow(struct name_tree_labels *labels)
{
	size_t n_chunks = labels->n / LABELS_CHUNK;
	struct name_label **chunks = realloc(labels->chunks, (n_chunks + 1) * sizeof(*chunks));

	if (!chunks)
		return -1;
	labels->chunks = chunks;
	if (labels->n_slots < 2 * (labels->n + LABELS_CHUNK) && rehash(labels) != 0)
		return -1;
	chunks[n_chunks] = malloc(LABELS_CHUNK * sizeof(**chunks));
	return chunks[n_chunks] ? 0 : -1;
}

struct name_tree_labels *label_store_make(void)
{
	return calloc(1, sizeof(struct name_tree_labels));
}

const struct name_label *label_store_intern(
	struct name_tree_labels *labels, const struct name_label *label)
{
	size_t at = labels->n_slots ? find(labels, label) : 0;

	if (labels->n_slots && labels->slots[at])
		return label_at(labels, labels->slots[at] - 1);
	if (labels->n % LABELS_CHUNK == 0) {
		if (grow(labels) != 0)
			return NULL;
		at = find(labels, label);
	}
	*label_at(labels, labels->n) = *label;
	labels->slots[at] = (uint32_t)++labels->n;
	return label_at(labels, labels->n - 1);
}

void label_store_free(struct name_tree_labels *labels)
{
	if (!labels)
		return;
	for (size_t i = 0; i * LABELS_CHUNK < labels->n; i++)
		free(labels->chunks[i]);
	free(labels->chunks);
	free(labels->slots);
	free(labels);
}
