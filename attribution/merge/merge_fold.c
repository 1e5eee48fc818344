/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up the entries of several processes that are about the same thing; see merge_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"

#define NONE UINT32_MAX

/* fewer new entries are not worth folding */
enum { LEAST_FOLDED = 256 };

static int by_region_node(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;

	return metrics_order(a->node, b->node);
}

static int by_loss(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;
	int by_amount = metrics_order(metrics_lost(b), metrics_lost(a));

	return by_amount ? by_amount : metrics_order(a->node, b->node);
}

/* Adds a region, and takes over or frees the lengths of `from`. */
static void add_region(void *to, const void *from)
{
	struct metrics_region *region = to;
	const struct metrics_region *other = from;

	metrics_region_add(region, other);
	if (!region->lengths) {
		region->lengths = other->lengths;
		return;
	}
	metrics_lengths_add(&region->lengths, other->lengths);
	free(other->lengths);
}

struct node_index {
	uint32_t node, index;
};

static int by_node(const void *left, const void *right)
{
	const struct node_index *a = left, *b = right;

	return metrics_order(a->node, b->node);
}

/* Turns metrics_region.outer from a node into an index. Returns 0, or -1 when out of memory. */
static int find_outer(struct metrics *metrics)
{
	struct node_index *indices = calloc(metrics->n_regions + 1, sizeof(*indices));

	if (!indices)
		return -1;
	for (uint32_t i = 0; i < metrics->n_regions; i++)
		indices[i] = (struct node_index){ metrics->regions[i].node, i };
	qsort(indices, metrics->n_regions, sizeof(*indices), by_node);
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct node_index wanted = { metrics->regions[i].outer, 0 }, *found;

		if (wanted.node == NONE)
			continue;
		found = bsearch(&wanted, indices, metrics->n_regions, sizeof(*indices), by_node);
		metrics->regions[i].outer = found ? found->index : NONE;
	}
	free(indices);
	return 0;
}

static int same_wait(const struct metrics_wait *a, const struct metrics_wait *b)
{
	if (a->kind != b->kind)
		return metrics_order(a->kind, b->kind);
	if (a->wait_id != b->wait_id)
		return metrics_order(a->wait_id, b->wait_id);
	if (a->region != b->region || a->has_site != b->has_site)
		return a->region != b->region ? metrics_order(a->region, b->region)
					      : metrics_order(a->has_site, b->has_site);
	return a->has_site ? metrics_order(a->node, b->node) : 0;
}

/* The longest wait of a key comes first: its node becomes the node of the sum. */
static int by_wait(const void *left, const void *right)
{
	const struct merge_wait *a = left, *b = right;
	int by_key = same_wait(&a->wait, &b->wait);

	return by_key ? by_key : metrics_order(b->wait.wait_ns, a->wait.wait_ns);
}

static int by_length(const void *left, const void *right)
{
	const struct metrics_wait *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? metrics_order(b->wait_ns, a->wait_ns) : same_wait(a, b);
}

static int by_blame(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	if (a->ns != b->ns)
		return metrics_order(b->ns, a->ns);
	return a->node != b->node ? metrics_order(a->node, b->node)
				  : metrics_order(a->thread, b->thread);
}

/*
 * Adds a wait to the last wait of the result if they have the same key, else appends it. Its causes
 * go to the end of metrics.blame.
 */
static void add_wait(struct metrics *metrics, const struct merge_wait *from,
	const struct metrics_blame *causes, size_t *n_blame)
{
	struct metrics_wait *last = metrics->waits + metrics->n_waits;

	if (metrics->n_waits && same_wait(last - 1, &from->wait) == 0) {
		last--;
		last->n += from->wait.n;
		last->has_regions |= from->wait.has_regions;
		metrics_add(&last->wait_ns, from->wait.wait_ns);
		metrics_add(&last->unseen_ns, from->wait.unseen_ns);
		metrics_add(&last->unblamed_ns, from->wait.unblamed_ns);
		last->n_causes += from->wait.n_causes;
	} else {
		*last = from->wait;
		last->causes = metrics->blame + *n_blame;
		metrics->n_waits++;
	}
	if (from->wait.n_causes)
		memcpy(metrics->blame + *n_blame, causes + from->first,
			from->wait.n_causes * sizeof(*causes));
	*n_blame += from->wait.n_causes;
}

static int fold_waits(struct merge_figures *figures, struct metrics *metrics)
{
	struct merge_wait *waits = figures->waits.items;
	size_t n = figures->waits.n, n_blame = 0;

	metrics->waits = calloc(n + 1, sizeof(*metrics->waits));
	metrics->blame = calloc(figures->blame.n + 1, sizeof(*metrics->blame));
	if (!metrics->waits || !metrics->blame)
		return -1;
	if (n)
		qsort(waits, n, sizeof(*waits), by_wait);
	for (size_t i = 0; i < n; i++)
		add_wait(metrics, &waits[i], figures->blame.items, &n_blame);
	for (size_t i = 0; i < metrics->n_waits; i++)
		qsort(metrics->waits[i].causes, metrics->waits[i].n_causes, sizeof(*metrics->blame),
			by_blame);
	qsort(metrics->waits, metrics->n_waits, sizeof(*metrics->waits), by_length);
	return 0;
}

static int by_lock(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	return a->kind != b->kind ? metrics_order(a->kind, b->kind)
				  : metrics_order(a->wait_id, b->wait_id);
}

static int by_lock_wait(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? metrics_order(b->wait_ns, a->wait_ns) : by_lock(a, b);
}

/* The node of the sum is that of the process, or of the joined mutex, that waited longest. */
static void add_lock(void *left, const void *right)
{
	struct metrics_lock *to = left;
	const struct metrics_lock *from = right;

	if (from->most_ns > to->most_ns) {
		to->most_ns = from->most_ns;
		to->node = from->node;
	}
	if (from->max_wait_ns > to->max_wait_ns) {
		to->max_wait_ns = from->max_wait_ns;
		to->codeptr = from->codeptr;
	}
	metrics_raise(&to->max_held_ns, from->max_held_ns);
	if (!to->impl)
		to->impl = from->impl;
	to->hints |= from->hints;
	to->n_threads += from->n_threads;
	metrics_add(&to->n_acquired, from->n_acquired);
	metrics_add(&to->n_estimated, from->n_estimated);
	metrics_add(&to->n_contended, from->n_contended);
	metrics_add(&to->wait_ns, from->wait_ns);
	metrics_add(&to->n_held, from->n_held);
	metrics_add(&to->held_ns, from->held_ns);
	metrics_add(&to->within_ns, from->within_ns);
}

static const struct metrics_kind region_kind = { sizeof(struct metrics_region), by_region_node,
	add_region, by_loss };
static const struct metrics_kind lock_kind = { sizeof(struct metrics_lock), by_lock, add_lock,
	by_lock_wait };

static size_t n_entries(const struct merge_figures *figures)
{
	return figures->regions.n + figures->locks.n + figures->tasks.n + figures->awaits.n +
	       figures->targets.n + figures->devices.n;
}

static void fold_all(struct merge_figures *figures)
{
	merge_fold(&figures->regions, &region_kind);
	merge_fold(&figures->locks, &lock_kind);
	merge_fold(&figures->tasks, &metrics_tasks);
	merge_fold(&figures->awaits, &metrics_awaits);
	merge_fold(&figures->targets, &metrics_targets);
	merge_fold(&figures->devices, &metrics_devices);
	figures->n_folded = n_entries(figures);
}

void merge_figures_fold(struct merge_figures *figures)
{
	if (n_entries(figures) >= 2 * figures->n_folded + LEAST_FOLDED)
		fold_all(figures);
}

int merge_figures_fold_mutexes(struct merge_figures *figures, struct metrics *metrics)
{
	merge_fold(&figures->locks, &lock_kind);
	metrics->locks = merge_take_sorted(&figures->locks, &metrics->n_locks, &lock_kind);
	return fold_waits(figures, metrics);
}

/* The begin or the end of a process. */
struct edge {
	uint64_t ns;
	int64_t n_slots; /* negative at an end */
};

/* At one moment ends come first: the new process took the place of the old. */
static int by_time(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->ns != b->ns)
		return metrics_order(a->ns, b->ns);
	return a->n_slots < b->n_slots ? -1 : a->n_slots > b->n_slots;
}

/* Finds the merged wall time and slots. Returns 0, or -1 when out of memory. */
static int sweep(const struct merge_figures *figures, struct metrics *metrics)
{
	const struct merge_span *spans = figures->spans.items;
	size_t n = 2 * figures->spans.n;
	struct edge *edges = calloc(n + 1, sizeof(*edges));
	uint64_t wall_ns = 0;
	int64_t n_slots = 0, most = 1;

	if (!edges)
		return -1;
	for (size_t i = 0; i < figures->spans.n; i++) {
		edges[2 * i] = (struct edge){ spans[i].begin_ns, spans[i].n_slots };
		edges[2 * i + 1] = (struct edge){ spans[i].end_ns, -(int64_t)spans[i].n_slots };
	}
	qsort(edges, n, sizeof(*edges), by_time);
	for (size_t i = 0; i < n; i++) {
		if (i && n_slots > 0)
			wall_ns += edges[i].ns - edges[i - 1].ns;
		n_slots += edges[i].n_slots;
		if (n_slots > most)
			most = n_slots;
	}
	free(edges);
	metrics->wall_ns = wall_ns;
	metrics->n_slots = (uint32_t)most;
	return 0;
}

int merge_figures_finish(struct merge_figures *figures, struct metrics *metrics)
{
	*metrics = figures->sum;
	metrics->threads = merge_take(&figures->threads, &metrics->n_threads);
	/* The result has no phases if no process had any. */
	if (figures->phases.n > 1)
		metrics->phases = merge_take(&figures->phases, &metrics->n_phases);
	fold_all(figures);
	metrics->regions = merge_take_sorted(&figures->regions, &metrics->n_regions, &region_kind);
	metrics->tasks = merge_take_sorted(&figures->tasks, &metrics->n_tasks, &metrics_tasks);
	metrics->awaits = merge_take_sorted(&figures->awaits, &metrics->n_awaits, &metrics_awaits);
	metrics->targets =
		merge_take_sorted(&figures->targets, &metrics->n_targets, &metrics_targets);
	metrics->devices =
		merge_take_sorted(&figures->devices, &metrics->n_devices, &metrics_devices);
	merge_fold(&figures->events, &metrics_events);
	metrics->events = merge_take(&figures->events, &metrics->n_events);
	merge_fold(&figures->shares, &metrics_shares);
	metrics->shares = merge_take(&figures->shares, &metrics->n_shares);
	if (merge_figures_fold_mutexes(figures, metrics) == 0 && find_outer(metrics) == 0 &&
		sweep(figures, metrics) == 0 &&
		merge_collectives_finish(&figures->collectives, &metrics->ranks) == 0)
		return 0;
	metrics_release(metrics);
	return -1;
}
