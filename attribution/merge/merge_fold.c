/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the figures that several processes have of the same region, wait, mutex or task site; see
 * merge.h. Each list is sorted by the key of its entries, and entries of one key are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "attribution/tree/add_saturated.h"

#define NONE UINT32_MAX

/* Fewer new entries than this are not worth folding. */
enum { LEAST_FOLDED = 256 };

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_region_node(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;

	return order(a->node, b->node);
}

static int by_loss(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;
	int by_amount = order(metrics_lost(b), metrics_lost(a));

	return by_amount ? by_amount : order(a->node, b->node);
}

static int is_same_region(const void *left, const void *right)
{
	return by_region_node(left, right) == 0;
}

/* Adds a region. The lengths of `from` are taken over or freed. */
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

	return order(a->node, b->node);
}

/* Turns metrics_region.outer from a node into an index. */
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

/* A wait and the index of its first cause. */
struct placed_wait {
	struct metrics_wait wait;
	size_t first;
};

static int same_wait(const struct metrics_wait *a, const struct metrics_wait *b)
{
	if (a->kind != b->kind)
		return order(a->kind, b->kind);
	if (a->wait_id != b->wait_id)
		return order(a->wait_id, b->wait_id);
	return order(a->region, b->region);
}

/*
 * For one key, the entry with most of the waiting comes first: its node becomes the node of the
 * sum.
 */
static int by_wait(const void *left, const void *right)
{
	const struct placed_wait *a = left, *b = right;
	int by_key = same_wait(&a->wait, &b->wait);

	return by_key ? by_key : order(b->wait.wait_ns, a->wait.wait_ns);
}

static int by_length(const void *left, const void *right)
{
	const struct metrics_wait *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? order(b->wait_ns, a->wait_ns) : same_wait(a, b);
}

static int by_blame(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	if (a->ns != b->ns)
		return order(b->ns, a->ns);
	return a->node != b->node ? order(a->node, b->node) : order(a->thread, b->thread);
}

/*
 * Adds wait `from` to the last wait of the result, or appends it; its causes go to the end of
 * metrics.blame.
 */
static void add_wait(struct metrics *metrics, const struct placed_wait *from,
	const struct metrics_blame *causes, size_t *n_blame)
{
	struct metrics_wait *last = metrics->waits + metrics->n_waits;

	if (metrics->n_waits && same_wait(last - 1, &from->wait) == 0) {
		last--;
		last->n += from->wait.n;
		last->wait_ns = add_saturated(last->wait_ns, from->wait.wait_ns);
		last->unblamed_ns = add_saturated(last->unblamed_ns, from->wait.unblamed_ns);
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
	size_t n = figures->waits.n, n_blame = 0;
	const struct metrics_wait *waits = figures->waits.items;
	const size_t *firsts = figures->firsts.items;
	struct placed_wait *placed = calloc(n + 1, sizeof(*placed));

	metrics->waits = calloc(n + 1, sizeof(*metrics->waits));
	metrics->blame = calloc(figures->blame.n + 1, sizeof(*metrics->blame));
	if (!placed || !metrics->waits || !metrics->blame) {
		free(placed);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		placed[i] = (struct placed_wait){ waits[i], firsts[i] };
	qsort(placed, n, sizeof(*placed), by_wait);
	for (size_t i = 0; i < n; i++)
		add_wait(metrics, &placed[i], figures->blame.items, &n_blame);
	free(placed);
	for (size_t i = 0; i < metrics->n_waits; i++)
		qsort(metrics->waits[i].causes, metrics->waits[i].n_causes, sizeof(*metrics->blame),
			by_blame);
	qsort(metrics->waits, metrics->n_waits, sizeof(*metrics->waits), by_length);
	return 0;
}

static int same_lock(const struct metrics_lock *a, const struct metrics_lock *b)
{
	return a->kind != b->kind ? order(a->kind, b->kind) : order(a->wait_id, b->wait_id);
}

static int by_lock(const void *left, const void *right)
{
	const struct merge_lock *a = left, *b = right;

	return same_lock(&a->lock, &b->lock);
}

static int is_same_lock(const void *left, const void *right)
{
	return by_lock(left, right) == 0;
}

static int by_lock_wait(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? order(b->wait_ns, a->wait_ns) : same_lock(a, b);
}

static void add_lock(void *left, const void *right)
{
	struct merge_lock *both = left;
	const struct merge_lock *other = right;
	struct metrics_lock *to = &both->lock;
	const struct metrics_lock *from = &other->lock;

	if (other->most_ns > both->most_ns) {
		both->most_ns = other->most_ns;
		to->node = from->node;
	}
	if (from->max_wait_ns > to->max_wait_ns) {
		to->max_wait_ns = from->max_wait_ns;
		to->codeptr = from->codeptr;
	}
	if (from->max_held_ns > to->max_held_ns)
		to->max_held_ns = from->max_held_ns;
	if (!to->impl)
		to->impl = from->impl;
	to->hints |= from->hints;
	to->n_threads += from->n_threads;
	to->n_acquired = add_saturated(to->n_acquired, from->n_acquired);
	to->n_contended = add_saturated(to->n_contended, from->n_contended);
	to->wait_ns = add_saturated(to->wait_ns, from->wait_ns);
	to->n_held = add_saturated(to->n_held, from->n_held);
	to->held_ns = add_saturated(to->held_ns, from->held_ns);
	to->within_ns = add_saturated(to->within_ns, from->within_ns);
}

static const struct merge_kind region_kind = { sizeof(struct metrics_region), by_region_node,
	is_same_region, add_region };
static const struct merge_kind lock_kind = { sizeof(struct merge_lock), by_lock, is_same_lock,
	add_lock };

static size_t n_entries(const struct merge_figures *figures)
{
	return figures->regions.n + figures->locks.n + figures->tasks.n + figures->awaits.n +
	       figures->targets.n + figures->devices.n;
}

static void fold_all(struct merge_figures *figures)
{
	merge_fold(&figures->regions, &region_kind);
	merge_fold(&figures->locks, &lock_kind);
	merge_tasks_fold(figures);
	merge_targets_fold(figures);
	figures->n_folded = n_entries(figures);
}

void merge_figures_fold(struct merge_figures *figures)
{
	if (n_entries(figures) >= 2 * figures->n_folded + LEAST_FOLDED)
		fold_all(figures);
}

/* Copies the mutexes without the field that was needed to add them up. */
static int hand_locks_over(struct merge_figures *figures, struct metrics *metrics)
{
	const struct merge_lock *locks = figures->locks.items;

	metrics->n_locks = figures->locks.n;
	metrics->locks = calloc(metrics->n_locks + 1, sizeof(*metrics->locks));
	if (!metrics->locks)
		return -1;
	for (size_t i = 0; i < metrics->n_locks; i++)
		metrics->locks[i] = locks[i].lock;
	qsort(metrics->locks, metrics->n_locks, sizeof(*metrics->locks), by_lock_wait);
	return 0;
}

int merge_figures_fold_mutexes(struct merge_figures *figures, struct metrics *metrics)
{
	merge_fold(&figures->locks, &lock_kind);
	return hand_locks_over(figures, metrics) == 0 ? fold_waits(figures, metrics) : -1;
}

/* The begin or the end of a process. */
struct edge {
	uint64_t ns;
	int64_t n_slots; /* negative at an end */
};

/* An end comes before a begin at the same moment: the new process took the place of the old. */
static int by_time(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->ns != b->ns)
		return order(a->ns, b->ns);
	return a->n_slots < b->n_slots ? -1 : a->n_slots > b->n_slots;
}

/*
 * Finds the time in which at least one process ran, and the most slots that there were at one time.
 */
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

/* The result has no phases if no process had any. */
static void hand_phases_over(struct merge_figures *figures, struct metrics *metrics)
{
	if (figures->phases.n <= 1)
		return;
	metrics->phases = figures->phases.items;
	metrics->n_phases = figures->phases.n;
	figures->phases = (struct merge_list){ 0 };
}

int merge_figures_finish(struct merge_figures *figures, struct metrics *metrics)
{
	*metrics = figures->sum;
	metrics->threads = figures->threads.items;
	metrics->n_threads = figures->threads.n;
	figures->threads = (struct merge_list){ 0 };
	hand_phases_over(figures, metrics);
	fold_all(figures);
	metrics->regions = merge_hand_over(
		&figures->regions, &metrics->n_regions, sizeof(struct metrics_region), by_loss);
	merge_tasks_finish(figures, metrics);
	merge_targets_finish(figures, metrics);
	metrics->n_events = metrics_events_fold(figures->events.items, figures->events.n);
	metrics->events = figures->events.items;
	figures->events = (struct merge_list){ 0 };
	if (hand_locks_over(figures, metrics) == 0 && find_outer(metrics) == 0 &&
		fold_waits(figures, metrics) == 0 && sweep(figures, metrics) == 0)
		return 0;
	metrics_release(metrics);
	return -1;
}
