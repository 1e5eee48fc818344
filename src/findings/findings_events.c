/* SPDX-License-Identifier: Apache-2.0 */
/* Counted events by their place in the source; see findings.h. */
#include <stdlib.h>

#include "attribution/tree/add_saturated.h"
#include "src/findings/findings.h"
#include "src/findings/order.h"

/* The events of one thread at one node, with the place of the node. */
struct placed {
	const struct metrics_event *event;
	const struct name_label *label;
	struct name_place place;
	uint32_t region;
};

static int compare_groups(const struct placed *a, const struct placed *b)
{
	return ORDER(ORDER_STRINGS(a->place.file, b->place.file), { a->place.line, b->place.line },
		ORDER_STRINGS(a->label->name, b->label->name),
		ORDER_STRINGS(a->label->function, b->label->function), { a->region, b->region },
		{ a->event->event, b->event->event }, { a->event->detail, b->event->detail });
}

static int by_group(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int order = compare_groups(a, b);

	return order ? order
		     : ORDER({ a->event->thread, b->event->thread },
			       { a->event->node, b->event->node });
}

static int by_count(const void *left, const void *right)
{
	const struct findings_event *a = left, *b = right;

	return ORDER({ b->n, a->n }, { a->node, b->node }, { a->event, b->event },
		{ a->detail, b->detail });
}

static struct placed *place_all(const struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct placed *placed = calloc(metrics->n_events + 1, sizeof(*placed));

	if (!placed)
		return NULL;
	for (size_t i = 0; i < metrics->n_events; i++) {
		uint32_t node = metrics->events[i].node;

		placed[i] = (struct placed){ &metrics->events[i], findings_label(figures, node),
			findings_place(figures, node), figures->region_of[node] };
		/* A construct's own line is in its label. */
		if (placed[i].place.line == 0)
			placed[i].place =
				(struct name_place){ placed[i].label->file, placed[i].label->line };
	}
	qsort(placed, metrics->n_events, sizeof(*placed), by_group);
	return placed;
}

/* Adds a thread's events at one node. The caller adds the nodes of a place thread by thread. */
static void add_to(struct findings *figures, struct findings_event *to,
	const struct metrics_event *from, size_t *n_threads)
{
	struct findings_event_thread *last = &figures->event_threads[*n_threads];

	to->n = add_saturated(to->n, from->n);
	to->n_looked = add_saturated(to->n_looked, from->n_looked);
	to->amount = add_saturated(to->amount, from->amount);
	if (to->n_threads && last[-1].thread == from->thread) {
		last--;
	} else {
		*last = (struct findings_event_thread){ .thread = from->thread };
		to->n_threads++;
		++*n_threads;
	}
	last->n = add_saturated(last->n, from->n);
	last->amount = add_saturated(last->amount, from->amount);
}

static struct findings_event begin_group(
	const struct findings *figures, const struct placed *placed)
{
	return (struct findings_event){
		.event = placed->event->event,
		.detail = placed->event->detail,
		.node = placed->event->node,
		.label = placed->label,
		.place = placed->place,
		.region = placed->region,
		.n_members = placed->region == UINT32_MAX
				     ? 1
				     : figures->regions[placed->region].sum.max_team,
	};
}

int findings_add_events(struct findings *figures)
{
	size_t n_all = figures->metrics->n_events, n = 0, n_threads = 0;
	struct placed *placed = place_all(figures);
	uint64_t most = 0;

	figures->events = calloc(n_all + 1, sizeof(*figures->events));
	figures->event_threads = calloc(n_all + 1, sizeof(*figures->event_threads));
	if (!placed || !figures->events || !figures->event_threads) {
		free(placed);
		return -1;
	}
	for (size_t i = 0; i < n_all; i++) {
		struct findings_event *last = n ? &figures->events[n - 1] : NULL;

		if (!last || compare_groups(&placed[i - 1], &placed[i]) != 0) {
			last = &figures->events[n++];
			*last = begin_group(figures, &placed[i]);
			last->first = n_threads;
			most = 0;
		}
		if (placed[i].event->n > most) {
			most = placed[i].event->n;
			last->node = placed[i].event->node;
		}
		add_to(figures, last, placed[i].event, &n_threads);
		if (last->n_threads > last->n_members)
			last->n_members = last->n_threads;
	}
	free(placed);
	qsort(figures->events, n, sizeof(*figures->events), by_count);
	figures->n_events = n;
	return 0;
}
