/* SPDX-License-Identifier: Apache-2.0 */
/* Counted events, by place, kind and thread. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"
#include "profile/shared/event_names.h"

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_key(const void *left, const void *right)
{
	const struct metrics_event *a = left, *b = right;

	if (a->node != b->node)
		return order(a->node, b->node);
	if (a->event != b->event)
		return order(a->event, b->event);
	if (a->detail != b->detail)
		return order(a->detail, b->detail);
	return order(a->thread, b->thread);
}

size_t metrics_events_fold(struct metrics_event *events, size_t n)
{
	size_t n_left = 0;

	if (n)
		qsort(events, n, sizeof(*events), by_key);
	for (size_t i = 0; i < n; i++) {
		struct metrics_event *last = n_left ? &events[n_left - 1] : NULL;

		if (last && by_key(last, &events[i]) == 0) {
			last->n = add_saturated(last->n, events[i].n);
			last->n_looked = add_saturated(last->n_looked, events[i].n_looked);
			last->amount = add_saturated(last->amount, events[i].amount);
		} else {
			events[n_left++] = events[i];
		}
	}
	return n_left;
}

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
	metrics->n_events = metrics_events_fold(metrics->events, n);
	return 0;
}
