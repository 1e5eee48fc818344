/* SPDX-License-Identifier: Apache-2.0 */
/* A tree with a hash table of its edges; see tree_builder.h. */
#include "attribution/tree/tree_builder.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"

#define NONE UINT32_MAX

/* The flags that tell two frames apart: an address and a return address are looked up otherwise. */
static uint8_t telling_flags(uint8_t kind, uint8_t flags)
{
	return kind == TREE_FRAME ? flags & PROFILE_FRAME_EXACT : 0;
}

static size_t hash(uint32_t parent, const struct grow_child *child)
{
	uint8_t flags = telling_flags(child->kind, child->flags);
	uint64_t code = hash_mix(HASH_START, child->addr);

	code = hash_mix(code, (uint64_t)child->module << 32 | parent);
	return hash_mix(code, (uint64_t)child->kind << 16 | (uint64_t)flags << 8 | child->class);
}

static void add_slot(struct grower *grower, uint32_t index)
{
	const struct tree_node *node = &grower->tree.nodes[index];
	size_t mask = grower->n_slots - 1;
	struct grow_child child = {
		.kind = node->kind,
		.flags = node->flags,
		.class = node->class,
		.module = node->module,
		.addr = node->addr,
	};
	size_t slot = hash(node->parent, &child);

	while (grower->slots[slot & mask])
		slot++;
	grower->slots[slot & mask] = index + 1;
}

/* Makes tree.kept long enough for `capacity` nodes; what is new in it is 0. */
static int make_kept(struct grower *grower, size_t capacity)
{
	struct tree *tree = &grower->tree;
	size_t n_old = tree->kept ? tree->capacity : 0;
	uint32_t *kept = realloc(tree->kept, capacity * sizeof(*kept));

	if (!kept)
		return -1;
	memset(kept + n_old, 0, (capacity - n_old) * sizeof(*kept));
	tree->kept = kept;
	return 0;
}

/* Doubles the room for nodes; there are twice as many slots as there is room. */
static int make_room(struct grower *grower)
{
	size_t capacity = grower->tree.capacity ? 2 * grower->tree.capacity : 1024;
	struct tree_node *nodes;
	uint32_t *last_child;

	if (capacity >= NONE)
		return -1;
	nodes = realloc(grower->tree.nodes, capacity * sizeof(*nodes));
	if (!nodes)
		return -1;
	grower->tree.nodes = nodes;
	last_child = realloc(grower->last_child, capacity * sizeof(*last_child));
	if (!last_child)
		return -1;
	grower->last_child = last_child;
	if (grower->tree.kept && make_kept(grower, capacity) != 0)
		return -1;
	free(grower->slots);
	grower->slots = calloc(2 * capacity, sizeof(*grower->slots));
	if (!grower->slots)
		return -1;
	grower->n_slots = 2 * capacity;
	grower->tree.capacity = capacity;
	for (uint32_t i = 0; i < grower->tree.n_nodes; i++)
		add_slot(grower, i);
	return 0;
}

static uint32_t add_node(struct grower *grower, uint32_t parent, const struct grow_child *child)
{
	uint32_t index = (uint32_t)grower->tree.n_nodes;

	if (index == grower->tree.capacity && make_room(grower)) {
		grower->is_out_of_memory = 1;
		return 0;
	}
	grower->tree.nodes[index] = (struct tree_node){
		.parent = parent,
		.first_child = NONE,
		.next_sibling = NONE,
		.kind = child->kind,
		.flags = child->flags,
		.class = child->class,
		.module = child->module,
		.addr = child->addr,
	};
	grower->last_child[index] = NONE;
	grower->tree.n_nodes++;
	add_slot(grower, index);
	if (parent == NONE)
		return index;
	if (grower->last_child[parent] == NONE)
		grower->tree.nodes[parent].first_child = index;
	else
		grower->tree.nodes[grower->last_child[parent]].next_sibling = index;
	grower->last_child[parent] = index;
	return index;
}

void grow_init(struct grower *grower)
{
	*grower = (struct grower){ 0 };
	add_node(grower, NONE, &(struct grow_child){ .kind = TREE_ROOT, .module = NONE });
}

void grow_keep(struct grower *grower)
{
	if (grower->is_out_of_memory || grower->tree.kept)
		return;
	if (make_kept(grower, grower->tree.capacity) != 0)
		grower->is_out_of_memory = 1;
}

void grow_count(
	struct grower *grower, uint32_t out, const struct tree_metrics *more, int is_selected)
{
	struct tree *tree = &grower->tree;

	if (sparse_add(&tree->figures, &tree->nodes[out].self, more) != 0 ||
		(is_selected && sparse_add(&tree->figures, &tree->kept[out], more) != 0))
		grower->is_out_of_memory = 1;
}

void grow_finish(struct grower *grower)
{
	free(grower->last_child);
	free(grower->slots);
	grower->last_child = NULL;
	grower->slots = NULL;
}

static int is_equal(const struct tree_node *node, uint32_t parent, const struct grow_child *child)
{
	return node->addr == child->addr && node->parent == parent && node->kind == child->kind &&
	       node->class == child->class && node->module == child->module &&
	       telling_flags(node->kind, node->flags) == telling_flags(child->kind, child->flags);
}

uint32_t grow_child(struct grower *grower, uint32_t parent, const struct grow_child *child)
{
	size_t mask = grower->n_slots - 1;
	size_t slot;

	if (grower->is_out_of_memory)
		return 0;
	slot = hash(parent, child);
	for (; grower->slots[slot & mask]; slot++) {
		uint32_t index = grower->slots[slot & mask] - 1;

		if (is_equal(&grower->tree.nodes[index], parent, child)) {
			grower->tree.nodes[index].flags |= child->flags;
			return index;
		}
	}
	return add_node(grower, parent, child);
}
