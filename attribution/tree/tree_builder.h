/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds an attributed tree: finds the child of a node that equals a given child, or adds it. Used
 * by attribute.c and merge.c. Knows nothing of profiles.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_TREE_BUILDER_H
#define OMPPROF_ATTRIBUTION_TREE_TREE_BUILDER_H

#include "attribution/tree/tree.h"

struct tree_builder {
	struct tree tree;     /* the caller takes it when done */
	uint32_t *last_child; /* by node */
	uint32_t *slots;      /* hash table: node index + 1, 0 if free */
	size_t n_slots;       /* a power of two */
	int is_out_of_memory; /* nothing has been added since */
};

/*
 * The values that tell the children of a node apart, which are the initial values of a new child.
 */
struct tree_builder_child {
	uint8_t kind;
	uint8_t flags; /* PROFILE_FRAME_EXACT tells two frames apart; the others are ORed */
	uint8_t class;
	uint32_t module;
	uint64_t addr;
};

/* Makes a tree of a root. On failure is_out_of_memory is set. */
void tree_builder_init(struct tree_builder *tree_builder);

/*
 * Makes tree.kept: from here on each node also has selected figures, which begin at 0. On failure
 * is_out_of_memory is set.
 */
void tree_builder_keep(struct tree_builder *tree_builder);

/*
 * Adds to the figures of node `out`, and with is_selected also to its selected figures, for which
 * tree.kept must be there.
 */
void tree_builder_count(struct tree_builder *tree_builder, uint32_t out,
	const struct tree_metrics *more, int is_selected);

/* Frees everything except the tree. */
void tree_builder_finish(struct tree_builder *tree_builder);

/*
 * Returns the index of the child of `parent` that equals *child, in constant time. If no child
 * does, *child is added after its siblings. Returns 0 when out of memory.
 */
uint32_t tree_builder_child(
	struct tree_builder *tree_builder, uint32_t parent, const struct tree_builder_child *child);

#endif
