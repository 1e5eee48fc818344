/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a process, out of its call paths; see archive_member.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/archive/archive_internal.h"

struct work {
	uint8_t *file;
	size_t size;
	const struct profile_segment *segments;
	uint64_t *starts;
	uint32_t *numbers; /* of the segments of nodes, thread by thread */
	uint32_t n_numbers;
	struct part_path *paths;
	uint32_t n_paths;
	uint32_t *latest;  /* by path: the latest node that is it; 0: none yet */
	uint32_t expected; /* path of the next node, if it is the one after the former's */
};

static void take_paths(struct part_input *in, struct work *work)
{
	struct part_path *paths = work->paths;

	for (uint32_t i = 0; i < work->n_paths; i++) {
		uint32_t back = (uint32_t)part_take_limited(in, i);

		paths[i].parent = back ? i + 1 - back : 0;
	}
	for (uint32_t i = 0; i < work->n_paths; i++) {
		uint32_t what = (uint32_t)part_take_limited(in, UINT16_MAX);

		paths[i].kind = (uint8_t)what;
		paths[i].flags = (uint8_t)(what >> 8);
	}
	for (uint32_t i = 0; i < work->n_paths; i++)
		paths[i].module = (uint16_t)part_take_difference(in, i ? paths[i - 1].module : 0);
	for (uint32_t i = 0; i < work->n_paths; i++) {
		uint64_t value = part_take_number(in);

		paths[i].value = value >> 8 | value << 56;
	}
}

static void take_node(struct part_input *in, struct work *work, uint32_t id, uint32_t owner)
{
	struct profile_node node = { 0 };
	uint64_t index = part_take_difference(in, work->expected);
	const struct part_path *path;

	if (index >= work->n_paths) {
		in->has_failed = 1;
		return;
	}
	path = &work->paths[index];
	work->expected = (uint32_t)index + 1;
	if (path->parent) {
		node.parent = work->latest[path->parent - 1];
		in->has_failed |= !node.parent;
	}
	node.kind = path->kind;
	node.flags = path->flags;
	node.module = path->module;
	node.addr = path->value + part_base(work->starts, path, owner);
	work->latest[index] = id;
	memcpy(work->file + (size_t)id * sizeof(node), &node, sizeof(node));
}

/* Takes the paths of all nodes in the order of the part, or one figure of each. */
static void take_each(struct part_input *in, struct work *work, const struct part_figure *figure)
{
	for (uint32_t i = 0; i < work->n_numbers && !in->has_failed; i++) {
		uint32_t number = work->numbers[i];
		const struct profile_segment *segment = &work->segments[number];
		size_t n = part_records_of(segment, number, work->size).n;

		for (uint32_t k = 1; k <= n; k++) {
			uint32_t id = number * PART_NODE_SLOTS + k;
			uint64_t amount;

			if (!figure) {
				take_node(in, work, id, segment->owner);
				continue;
			}
			amount = part_take_number(in);
			memcpy(work->file + (size_t)id * PROFILE_NODE_BYTES + figure->offset,
				&amount, figure->bytes);
		}
	}
}

static void take_by_path(struct part_input *in, struct work *work)
{
	/* Each path is some node's. */
	work->n_paths = (uint32_t)part_take_limited(
		in, part_count_nodes(work->segments, work->numbers, work->n_numbers, work->size));
	work->paths = calloc((size_t)work->n_paths + 1, sizeof(*work->paths));
	work->latest = calloc((size_t)work->n_paths + 1, sizeof(*work->latest));
	in->has_failed |= !work->paths || !work->latest;
	if (in->has_failed)
		return;
	take_paths(in, work);
	take_each(in, work, NULL);
	for (size_t i = 0; i < part_n_figures; i++)
		take_each(in, work, &part_figures[i]);
}

static void take_as_is(struct part_input *in, const struct work *work)
{
	for (uint32_t i = 0; i < work->n_numbers && !in->has_failed; i++) {
		uint32_t number = work->numbers[i];
		struct part_records records =
			part_records_of(&work->segments[number], number, work->size);

		part_take_bytes(in, work->file + records.offset, records.n * records.bytes);
	}
}

void part_take_nodes(struct part_input *in, uint8_t *file, size_t size,
	const struct profile_segment *segments, uint32_t n_segments)
{
	struct work work = { .file = file, .size = size, .segments = segments };

	work.starts = part_find_starts(file, size, segments);
	work.numbers = part_sort_nodes(segments, n_segments, size, &work.n_numbers);
	in->has_failed |= !work.starts || !work.numbers;
	if (!in->has_failed && part_take_limited(in, PART_NODES_AS_IS) == PART_NODES_BY_PATH)
		take_by_path(in, &work);
	else if (!in->has_failed)
		take_as_is(in, &work);
	free(work.starts);
	free(work.numbers);
	free(work.paths);
	free(work.latest);
}
