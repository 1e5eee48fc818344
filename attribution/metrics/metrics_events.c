/* SPDX-License-Identifier: Apache-2.0 */
/* Counted events, by place, kind and thread. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"
#include "profile/shared/event_names.h"

static int by_key(const void *left, const void *right)
{
	const struct metrics_event *a = left, *b = right;

	if (a->node != b->node)
		return metrics_order(a->node, b->node);
	if (a->event != b->event)
		return metrics_order(a->event, b->event);
	if (a->detail != b->detail)
		return metrics_order(a->detail, b->detail);
	return metrics_order(a->thread, b->thread);
}

static void add(void *left, const void *right)
{
	struct metrics_event *to = left;
	const struct metrics_event *from = right;

	metrics_add(&to->n, from->n);
	metrics_add(&to->n_looked, from->n_looked);
	metrics_add(&to->amount, from->amount);
}

const struct metrics_kind metrics_events = { sizeof(struct metrics_event), by_key, add, by_key };

static int is_counted(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_EVENT && node->event < 64 &&
	       events_all >> node->event & 1;
}

int metrics_make_events(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	size_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		n += (size_t)is_counted(&profile->nodes[i]);
	metrics->events = calloc(n + 1, sizeof(*metrics->events));
	if (!metrics->events)
		return -1;
	n = 0;
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (!is_counted(node))
			continue;
		metrics->events[n++] = (struct metrics_event){
			.node = work->tree->place[i],
			.thread = node->owner,
			.event = node->event,
			.detail = node->addr,
			.n = node->n_events,
			.n_looked = node->n,
			.amount = node->events,
		};
	}
	metrics->n_events = metrics_fold(metrics->events, n, &metrics_events);
	return 0;
}
