/* SPDX-License-Identifier: Apache-2.0 */
/* A tree with a hash table of its edges; see tree_builder.h. */
#include "attribution/tree/tree_builder.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"

#define NONE UINT32_MAX

/*
 * The flags that tell two frames apart: an exact address and a return address are looked up
 * differently.
 */
static uint8_t telling_flags(uint8_t kind, uint8_t flags)
{
	return kind == TREE_FRAME ? flags & PROFILE_FRAME_EXACT : 0;
}

static size_t hash(uint32_t parent, const struct tree_builder_child *child)
{
	uint8_t flags = telling_flags(child->kind, child->flags);
	uint64_t code = hash_mix(HASH_START, child->addr);

	code = hash_mix(code, (uint64_t)child->module << 32 | parent);
	return hash_mix(code, (uint64_t)child->kind << 16 | (uint64_t)flags << 8 | child->class);
}

static void add_slot(struct tree_builder *tree_builder, uint32_t index)
{
	const struct tree_node *node = &tree_builder->tree.nodes[index];
	size_t mask = tree_builder->n_slots - 1;
	struct tree_builder_child child = {
		.kind = node->kind,
		.flags = node->flags,
		.class = node->class,
		.module = node->module,
		.addr = node->addr,
	};
	size_t slot = hash(node->parent, &child);

	while (tree_builder->slots[slot & mask])
		slot++;
	tree_builder->slots[slot & mask] = index + 1;
}

/* Makes tree.kept long enough for `capacity` nodes; new elements are 0. */
static int make_kept(struct tree_builder *tree_builder, size_t capacity)
{
	struct tree *tree = &tree_builder->tree;
	size_t n_old = tree->kept ? tree->capacity : 0;
	uint32_t *kept = realloc(tree->kept, capacity * sizeof(*kept));

	if (!kept)
		return -1;
	memset(kept + n_old, 0, (capacity - n_old) * sizeof(*kept));
	tree->kept = kept;
	return 0;
}

/* Doubles the room for nodes, and makes twice as many slots as the room for nodes. */
static int make_room(struct tree_builder *tree_builder)
{
	size_t capacity = tree_builder->tree.capacity ? 2 * tree_builder->tree.capacity : 1024;
	struct tree_node *nodes;
	uint32_t *last_child;

	if (capacity >= NONE)
		return -1;
	nodes = realloc(tree_builder->tree.nodes, capacity * sizeof(*nodes));
	if (!nodes)
		return -1;
	tree_builder->tree.nodes = nodes;
	last_child = realloc(tree_builder->last_child, capacity * sizeof(*last_child));
	if (!last_child)
		return -1;
	tree_builder->last_child = last_child;
	if (tree_builder->tree.kept && make_kept(tree_builder, capacity) != 0)
		return -1;
	free(tree_builder->slots);
	tree_builder->slots = calloc(2 * capacity, sizeof(*tree_builder->slots));
	if (!tree_builder->slots)
		return -1;
	tree_builder->n_slots = 2 * capacity;
	tree_builder->tree.capacity = capacity;
	for (uint32_t i = 0; i < tree_builder->tree.n_nodes; i++)
		add_slot(tree_builder, i);
	return 0;
}

static uint32_t add_node(
	struct tree_builder *tree_builder, uint32_t parent, const struct tree_builder_child *child)
{
	uint32_t index = (uint32_t)tree_builder->tree.n_nodes;

	if (index == tree_builder->tree.capacity && make_room(tree_builder)) {
		tree_builder->is_out_of_memory = 1;
		return 0;
	}
	tree_builder->tree.nodes[index] = (struct tree_node){
		.parent = parent,
		.first_child = NONE,
		.next_sibling = NONE,
		.kind = child->kind,
		.flags = child->flags,
		.class = child->class,
		.module = child->module,
		.addr = child->addr,
	};
	tree_builder->last_child[index] = NONE;
	tree_builder->tree.n_nodes++;
	add_slot(tree_builder, index);
	if (parent == NONE)
		return index;
	if (tree_builder->last_child[parent] == NONE)
		tree_builder->tree.nodes[parent].first_child = index;
	else
		tree_builder->tree.nodes[tree_builder->last_child[parent]].next_sibling = index;
	tree_builder->last_child[parent] = index;
	return index;
}

void tree_builder_init(struct tree_builder *tree_builder)
{
	*tree_builder = (struct tree_builder){ 0 };
	add_node(tree_builder, NONE,
		&(struct tree_builder_child){ .kind = TREE_ROOT, .module = NONE });
}

void tree_builder_keep(struct tree_builder *tree_builder)
{
	if (tree_builder->is_out_of_memory || tree_builder->tree.kept)
		return;
	if (make_kept(tree_builder, tree_builder->tree.capacity) != 0)
		tree_builder->is_out_of_memory = 1;
}

void tree_builder_count(struct tree_builder *tree_builder, uint32_t out,
	const struct tree_metrics *more, int is_selected)
{
	struct tree *tree = &tree_builder->tree;

	if (sparse_metrics_add(&tree->figures, &tree->nodes[out].self, more) != 0 ||
		(is_selected && sparse_metrics_add(&tree->figures, &tree->kept[out], more) != 0))
		tree_builder->is_out_of_memory = 1;
}

void tree_builder_finish(struct tree_builder *tree_builder)
{
	free(tree_builder->last_child);
	free(tree_builder->slots);
	tree_builder->last_child = NULL;
	tree_builder->slots = NULL;
}

static int is_equal(
	const struct tree_node *node, uint32_t parent, const struct tree_builder_child *child)
{
	return node->addr == child->addr && node->parent == parent && node->kind == child->kind &&
	       node->class == child->class && node->module == child->module &&
	       telling_flags(node->kind, node->flags) == telling_flags(child->kind, child->flags);
}

uint32_t tree_builder_child(
	struct tree_builder *tree_builder, uint32_t parent, const struct tree_builder_child *child)
{
	size_t mask = tree_builder->n_slots - 1;
	size_t slot;

	if (tree_builder->is_out_of_memory)
		return 0;
	slot = hash(parent, child);
	for (; tree_builder->slots[slot & mask]; slot++) {
		uint32_t index = tree_builder->slots[slot & mask] - 1;

		if (is_equal(&tree_builder->tree.nodes[index], parent, child)) {
			tree_builder->tree.nodes[index].flags |= child->flags;
			return index;
		}
	}
	return add_node(tree_builder, parent, child);
}
