/* SPDX-License-Identifier: Apache-2.0 */
/* Counted events by their place in the source; see findings.h. */
#include <stdlib.h>

#include "attribution/tree/add_saturated.h"
#include "src/findings/findings.h"

/* A thread's events at a node, and the place of the node. */
struct placed {
	const struct metrics_event *event;
	const struct name_label *label;
	struct name_place place;
	uint32_t region;
};

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Strings are interned: equal strings have the same address. */
static int compare_groups(const struct placed *a, const struct placed *b)
{
	const uint64_t of_a[] = { (uintptr_t)a->place.file, a->place.line,
		(uintptr_t)a->label->name, (uintptr_t)a->label->function, a->region,
		a->event->event, a->event->detail };
	const uint64_t of_b[] = { (uintptr_t)b->place.file, b->place.line,
		(uintptr_t)b->label->name, (uintptr_t)b->label->function, b->region,
		b->event->event, b->event->detail };

	for (size_t i = 0; i < sizeof(of_a) / sizeof(of_a[0]); i++)
		if (of_a[i] != of_b[i])
			return order(of_a[i], of_b[i]);
	return 0;
}

static int by_group(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int by_place = compare_groups(a, b);

	if (by_place)
		return by_place;
	if (a->event->thread != b->event->thread)
		return order(a->event->thread, b->event->thread);
	return order(a->event->node, b->event->node);
}

static int by_count(const void *left, const void *right)
{
	const struct findings_event *a = left, *b = right;

	if (a->n != b->n)
		return order(b->n, a->n);
	if (a->node != b->node)
		return order(a->node, b->node);
	return a->event != b->event ? order(a->event, b->event) : order(a->detail, b->detail);
}

static struct placed *place_all(const struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct placed *placed = calloc(metrics->n_events + 1, sizeof(*placed));
	uint32_t *region = findings_find_regions(figures);

	for (size_t i = 0; placed && region && i < metrics->n_events; i++) {
		uint32_t node = metrics->events[i].node;

		placed[i] = (struct placed){ &metrics->events[i], findings_label(figures, node),
			findings_place(figures, node), region[node] };
		/* Regions and tasks have their line in the label. */
		if (placed[i].place.line == 0)
			placed[i].place =
				(struct name_place){ placed[i].label->file, placed[i].label->line };
	}
	if (!region) {
		free(placed);
		return NULL;
	}
	free(region);
	qsort(placed, metrics->n_events, sizeof(*placed), by_group);
	return placed;
}

/*
 * Adds the events that a thread counted at one node. The thread's events at earlier nodes of the
 * place are already added.
 */
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
