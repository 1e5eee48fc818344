/* SPDX-License-Identifier: Apache-2.0 */
/* The call paths of a process, and which of them its nodes are; see archive_member.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/archive/archive_internal.h"

/* The nodes on their way into a part. */
struct work {
	const uint8_t *file;
	size_t size;
	const struct profile_segment *segments;
	uint64_t *starts;
	uint32_t *numbers; /* of the segments of nodes, thread by thread */
	uint32_t n_numbers;
	struct part_path *paths;
	uint32_t n_paths;
	uint32_t *next;  /* by path: the next in its list + 1 */
	uint32_t *first; /* by hash of a path: the first in its list + 1 */
	uint32_t hash_mask;
	uint32_t *latest;       /* by path: the latest node that is it, of any thread */
	uint32_t *path_of_node; /* by id: + 1; 0: of none that came before */
	size_t n_ids;
	uint32_t *ids; /* of the nodes, in their order; n_nodes of them */
	size_t n_nodes;
};

static void release(struct work *work)
{
	free(work->starts);
	free(work->numbers);
	free(work->paths);
	free(work->next);
	free(work->first);
	free(work->latest);
	free(work->path_of_node);
	free(work->ids);
}

static int begin(struct work *work, uint32_t n_segments)
{
	size_t n;

	work->starts = part_find_starts(work->file, work->size, work->segments);
	work->numbers = part_sort_nodes(work->segments, n_segments, work->size, &work->n_numbers);
	if (!work->starts || !work->numbers)
		return -1;
	n = part_count_nodes(work->segments, work->numbers, work->n_numbers, work->size);
	for (work->hash_mask = 255; work->hash_mask < n; work->hash_mask = work->hash_mask * 2 + 1)
		;
	work->paths = malloc((n + 1) * sizeof(*work->paths));
	work->next = malloc((n + 1) * sizeof(*work->next));
	work->latest = malloc((n + 1) * sizeof(*work->latest));
	work->ids = malloc((n + 1) * sizeof(*work->ids));
	work->first = calloc((size_t)work->hash_mask + 1, sizeof(*work->first));
	work->n_ids = (size_t)n_segments * PART_NODE_SLOTS;
	work->path_of_node = calloc(work->n_ids + 1, sizeof(*work->path_of_node));
	return work->paths && work->next && work->latest && work->ids && work->first &&
			       work->path_of_node
		       ? 0
		       : -1;
}

static uint32_t hash(const struct work *work, const struct part_path *path)
{
	uint64_t word = path->value * 0x9e3779b97f4a7c15u;

	word = (word ^ path->parent ^ (uint64_t)path->kind << 32 ^ (uint64_t)path->flags << 40 ^
		       (uint64_t)path->module << 48) *
	       0x9e3779b97f4a7c15u;
	return (uint32_t)(word >> 32) & work->hash_mask;
}

static int is_same(const struct part_path *a, const struct part_path *b)
{
	return a->value == b->value && a->parent == b->parent && a->module == b->module &&
	       a->kind == b->kind && a->flags == b->flags;
}

/* The index of the path, which is added if it is new. */
static uint32_t find_path(struct work *work, const struct part_path *path)
{
	uint32_t *list = &work->first[hash(work, path)];

	for (uint32_t i = *list; i; i = work->next[i - 1])
		if (is_same(&work->paths[i - 1], path))
			return i - 1;
	work->paths[work->n_paths] = *path;
	work->next[work->n_paths] = *list;
	*list = ++work->n_paths;
	return work->n_paths - 1;
}

static void read_node(const struct work *work, uint32_t id, struct profile_node *node)
{
	memcpy(node, work->file + (size_t)id * sizeof(*node), sizeof(*node));
}

/*
 * Notes which path the node is. Returns 0, or -1 if its parent would not be found again: that is the latest node of
 * the parent's path.
 */
static int add_node(struct work *work, uint32_t id, uint32_t owner)
{
	struct profile_node node;
	struct part_path path = { 0 };
	uint32_t index;

	read_node(work, id, &node);
	path.module = node.module;
	path.kind = node.kind;
	path.flags = node.flags;
	path.value = node.addr - part_base(work->starts, &path, owner);
	if (node.parent) {
		if (node.parent >= work->n_ids)
			return -1;
		path.parent = work->path_of_node[node.parent];
		if (!path.parent || work->latest[path.parent - 1] != node.parent)
			return -1;
	}
	index = find_path(work, &path);
	work->latest[index] = id;
	work->path_of_node[id] = index + 1;
	work->ids[work->n_nodes++] = id;
	return 0;
}

static int add_all(struct work *work)
{
	for (uint32_t i = 0; i < work->n_numbers; i++) {
		uint32_t number = work->numbers[i];
		const struct profile_segment *segment = &work->segments[number];
		size_t n = part_records_of(segment, number, work->size).n;

		for (uint32_t k = 1; k <= n; k++)
			if (add_node(work, number * PART_NODE_SLOTS + k, segment->owner) != 0)
				return -1;
	}
	return 0;
}

static void put_paths(struct part_output *out, const struct work *work)
{
	part_put_number(out, work->n_paths);
	for (uint32_t i = 0; i < work->n_paths; i++)
		part_put_number(out, work->paths[i].parent ? i + 1 - work->paths[i].parent : 0);
	for (uint32_t i = 0; i < work->n_paths; i++)
		part_put_number(out, (uint32_t)work->paths[i].flags << 8 | work->paths[i].kind);
	for (uint32_t i = 0; i < work->n_paths; i++)
		part_put_difference(out, work->paths[i].module, i ? work->paths[i - 1].module : 0);
	/* The kind of a wait or event is in the highest byte: it becomes the lowest. */
	for (uint32_t i = 0; i < work->n_paths; i++)
		part_put_number(out, work->paths[i].value << 8 | work->paths[i].value >> 56);
}

/* The field at `at` of all nodes, of 4 or 8 bytes. */
static void put_figures(struct part_output *out, const struct work *work, size_t at, size_t bytes)
{
	for (size_t i = 0; i < work->n_nodes; i++) {
		uint64_t figure = 0;

		memcpy(&figure, work->file + (size_t)work->ids[i] * PROFILE_NODE_BYTES + at, bytes);
		part_put_number(out, figure);
	}
}

static void put_by_path(struct part_output *out, const struct work *work)
{
	uint32_t expected = 0;

	put_paths(out, work);
	for (size_t i = 0; i < work->n_nodes; i++) {
		uint32_t path = work->path_of_node[work->ids[i]] - 1;

		part_put_difference(out, path, expected);
		expected = path + 1;
	}
	for (size_t i = 0; i < part_n_figures; i++)
		put_figures(out, work, part_figures[i].offset, part_figures[i].bytes);
}

/* Nodes as no writer makes them: all words of them. */
static void put_as_is(struct part_output *out, const struct work *work)
{
	for (uint32_t i = 0; i < work->n_numbers; i++) {
		uint32_t number = work->numbers[i];
		struct part_records records =
			part_records_of(&work->segments[number], number, work->size);

		part_put_bytes(out, work->file + records.offset, records.n * records.bytes);
	}
}

void part_put_nodes(struct part_output *out, const uint8_t *file, size_t size,
	const struct profile_segment *segments, uint32_t n_segments)
{
	struct work work = { .file = file, .size = size, .segments = segments };

	if (begin(&work, n_segments) != 0) {
		out->has_failed = 1;
	} else if (add_all(&work) == 0) {
		part_put_number(out, PART_NODES_BY_PATH);
		put_by_path(out, &work);
	} else {
		part_put_number(out, PART_NODES_AS_IS);
		put_as_is(out, &work);
	}
	release(&work);
}
