/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grows an attributed tree: finds the child of a node by what it stands for, or adds it. Used by
 * attribute.c. Knows nothing of profiles.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_TREE_BUILDER_H
#define OMPPROF_ATTRIBUTION_TREE_TREE_BUILDER_H

#include "attribution/tree/tree.h"

struct tree_builder {
	struct tree tree;     /* the caller takes it when done */
	uint32_t *last_child; /* by node */
	uint32_t *slots;      /* hash table: node index + 1, 0 if free */
	size_t n_slots;       /* a power of two */
	int is_out_of_memory; /* nothing was added since */
};

/* What tells the children of one node apart, and what a new one begins with. */
struct tree_builder_child {
	uint8_t kind;
	uint8_t flags; /* told apart by: PROFILE_FRAME_EXACT of frames; the others add up */
	uint8_t class;
	uint32_t module;
	uint64_t addr;
};

/* Makes a tree of a root. On failure is_out_of_memory is set. */
void tree_builder_init(struct tree_builder *tree_builder);

/* From here on each node has figures that are kept apart, tree.kept, which begin with nothing. Likewise. */
void tree_builder_keep(struct tree_builder *tree_builder);

/*
 * Adds to the figures of node `out`, and if it is selected to those that are kept apart, which there must be then.
 */
void tree_builder_count(struct tree_builder *tree_builder, uint32_t out,
	const struct tree_metrics *more, int is_selected);

/* Frees everything but the tree. */
void tree_builder_finish(struct tree_builder *tree_builder);

/*
 * Index of the child of `parent` that equals *child, in constant time; it is added, after its
 * siblings, if there is none. When out of memory, 0.
 */
uint32_t tree_builder_child(
	struct tree_builder *tree_builder, uint32_t parent, const struct tree_builder_child *child);

#endif
