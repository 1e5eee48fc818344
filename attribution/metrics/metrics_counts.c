/* SPDX-License-Identifier: Apache-2.0 */
/* Counters by thread and by region. */
#include "attribution/metrics/metrics_internal.h"

static void add_samples(struct metrics_counts *to, const struct profile_tree_node *node)
{
	metrics_add(&to->ns, node->time_ns);
}

static void add_counts(struct metrics_counts *to, const struct profile_tree_node *node)
{
	uint64_t *counters =
		to->counters + PROFILE_COUNTS_SET(node->addr) * PROFILE_COUNTERS_OF_NODE;

	for (uint32_t i = 0; i < PROFILE_COUNTERS_OF_NODE; i++)
		metrics_add(&counters[i], profile_count(node, i));
}

/* Waits and the runtime's code are leaves of their own in the tree. */
static int is_work(const struct tree_node *node)
{
	return node->kind != TREE_WAIT && node->kind != TREE_RUNTIME;
}

void metrics_add_counts(struct metrics_work *work)
{
	const struct profile *profile = work->profile;

	for (size_t i = 0; profile->header.counters.n && i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		uint32_t place = work->tree->place[i], region = work->region_of[place];
		struct metrics_thread *thread = &work->metrics->threads[node->owner];
		void (*add)(struct metrics_counts *, const struct profile_tree_node *) =
			node->kind == PROFILE_NODE_SAMPLES ? add_samples : add_counts;

		if (node->kind != PROFILE_NODE_SAMPLES && node->kind != PROFILE_NODE_COUNTS)
			continue;
		add(&thread->sampled, node);
		if (!is_work(&work->tree->nodes[place]))
			continue;
		add(&thread->work, node);
		if (region != METRICS_NONE)
			add(&work->metrics->regions[region].work, node);
	}
}
