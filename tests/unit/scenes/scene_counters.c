/* SPDX-License-Identifier: Apache-2.0 */
/* Counters for a made-up run; see scenes.h. */
#include <string.h>

#include "tests/unit/scenes/scenes.h"

/* A COUNTS node beside a SAMPLES node, for 3 GHz: of every third parent half an instruction per cycle, else 2. */
static void add_counts(struct build *b, const struct profile_node *samples)
{
	uint64_t cycles = 3 * samples->time_ns, key = samples->addr;
	uint32_t owner =
		build_segment_at(b, samples->parent / (PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES))
			->owner;
	uint32_t id = build_node(
		b, owner, samples->parent, PROFILE_NODE_COUNTS, 0, PROFILE_COUNTS_KEY(key, 0));
	int is_slow = samples->parent % 3 == 0;

	build_node_at(b, id)->time_ns = cycles;
	build_node_at(b, id)->events = is_slow ? cycles / 2 : 2 * cycles;
	build_node_at(b, id)->blame_ns = is_slow ? cycles / 50 : cycles / 5000;
	build_node_at(b, id)->spare = samples->n;
	id = build_node(
		b, owner, samples->parent, PROFILE_NODE_COUNTS, 0, PROFILE_COUNTS_KEY(key, 1));
	build_node_at(b, id)->time_ns = is_slow ? cycles / 4 * 3 : cycles / 20;
}

void scene_add_counters(struct build *b)
{
	static const char names[][PROFILE_COUNTER_BYTES] = { "cycles", "instructions",
		"LLC-load-misses", "page-faults", "stalled-cycles-backend", "r1c2" };
	struct profile_node samples[256];
	uint32_t n = 0, n_segments;

	n_segments = build_header(b)->n_segments;
	memcpy(build_header(b)->counters.names, names, sizeof(names));
	build_header(b)->counters.n = 6;
	build_header(b)->counters.counted = 0x1f;
	build_header(b)->counters.refusal = 2; /* ENOENT */
	build_thread_at(b, 1)->more.counters_open_ns = 1000;
	build_thread_at(b, 1)->more.counters_ran_ns = 250;
	for (uint32_t s = 1; s < n_segments; s++) {
		const struct profile_segment *segment = build_segment_at(b, s);
		const struct profile_node *nodes = (const struct profile_node *)segment;

		for (uint32_t i = 1; segment->kind == PROFILE_SEGMENT_NODES && i <= segment->used;
			i++)
			if (nodes[i].kind == PROFILE_NODE_SAMPLES && n < 256)
				samples[n++] = nodes[i];
	}
	for (uint32_t i = 0; i < n; i++)
		add_counts(b, &samples[i]);
}
