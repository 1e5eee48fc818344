/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What several processes say of the same region, wait, mutex or task site becomes one; see merge.h. Each
 * list is sorted by what an entry is of, and equal ones are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge_parts.h"
#include "attribution/settle.h"

#define NONE UINT32_MAX

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_region_node(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;

	return order(a->node, b->node);
}

static uint64_t lost_ns(const struct metrics_region *region)
{
	uint64_t sum = 0;

	for (size_t i = METRICS_USEFUL + 1; i < METRICS_N_CAUSES; i++)
		sum = settle_add(sum, region->cause_ns[i]);
	return sum;
}

static int by_loss(const void *left, const void *right)
{
	const struct metrics_region *a = left, *b = right;
	int by_amount = order(lost_ns(b), lost_ns(a));

	return by_amount ? by_amount : order(a->node, b->node);
}

static void fold_regions(struct merge_figures *figures, struct metrics *metrics)
{
	struct metrics_region *regions = figures->regions.items;
	size_t n = 0;

	if (!figures->regions.n)
		return;
	qsort(regions, figures->regions.n, sizeof(*regions), by_region_node);
	for (size_t i = 0; i < figures->regions.n; i++) {
		if (n && regions[n - 1].node == regions[i].node)
			metrics_region_add(&regions[n - 1], &regions[i]);
		else
			regions[n++] = regions[i];
	}
	qsort(regions, n, sizeof(*regions), by_loss);
	metrics->regions = regions;
	metrics->n_regions = n;
	figures->regions = (struct merge_list){ 0 };
}

struct node_index {
	uint32_t node, index;
};

static int by_node(const void *left, const void *right)
{
	const struct node_index *a = left, *b = right;

	return order(a->node, b->node);
}

/* The regions around regions are still nodes. */
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

/* A wait and where its causes begin. */
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

/* The one with most of the waiting first: its node stands for all. */
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

/* Adds wait `from` to the last of the result, or as a new one; causes go to the end of metrics.blame. */
static void add_wait(struct metrics *metrics, const struct placed_wait *from,
	const struct metrics_blame *causes, size_t *n_blame)
{
	struct metrics_wait *last = metrics->waits + metrics->n_waits;

	if (metrics->n_waits && same_wait(last - 1, &from->wait) == 0) {
		last--;
		last->n += from->wait.n;
		last->wait_ns = settle_add(last->wait_ns, from->wait.wait_ns);
		last->unblamed_ns = settle_add(last->unblamed_ns, from->wait.unblamed_ns);
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
	const struct metrics_lock *a = left, *b = right;
	int by_key = same_lock(a, b);

	return by_key ? by_key : order(b->wait_ns, a->wait_ns);
}

static int by_lock_wait(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? order(b->wait_ns, a->wait_ns) : same_lock(a, b);
}

static void add_lock(struct metrics_lock *to, const struct metrics_lock *from)
{
	if (from->max_wait_ns > to->max_wait_ns) {
		to->max_wait_ns = from->max_wait_ns;
		to->codeptr = from->codeptr;
	}
	if (from->max_held_ns > to->max_held_ns)
		to->max_held_ns = from->max_held_ns;
	to->n_threads += from->n_threads;
	to->n_acquired = settle_add(to->n_acquired, from->n_acquired);
	to->n_contended = settle_add(to->n_contended, from->n_contended);
	to->wait_ns = settle_add(to->wait_ns, from->wait_ns);
	to->n_held = settle_add(to->n_held, from->n_held);
	to->held_ns = settle_add(to->held_ns, from->held_ns);
	to->within_ns = settle_add(to->within_ns, from->within_ns);
}

static void fold_locks(struct merge_figures *figures, struct metrics *metrics)
{
	struct metrics_lock *locks = figures->locks.items;
	size_t n = 0;

	if (!figures->locks.n)
		return;
	qsort(locks, figures->locks.n, sizeof(*locks), by_lock);
	for (size_t i = 0; i < figures->locks.n; i++) {
		if (n && same_lock(&locks[n - 1], &locks[i]) == 0)
			add_lock(&locks[n - 1], &locks[i]);
		else
			locks[n++] = locks[i];
	}
	qsort(locks, n, sizeof(*locks), by_lock_wait);
	metrics->locks = locks;
	metrics->n_locks = n;
	figures->locks = (struct merge_list){ 0 };
}

static int by_site(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return order(a->node, b->node);
}

static int by_created(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return a->n_created != b->n_created ? order(b->n_created, a->n_created)
					    : order(a->node, b->node);
}

static void fold_tasks(struct merge_figures *figures, struct metrics *metrics)
{
	struct metrics_task *tasks = figures->tasks.items;
	size_t n = 0;

	if (!figures->tasks.n)
		return;
	qsort(tasks, figures->tasks.n, sizeof(*tasks), by_site);
	for (size_t i = 0; i < figures->tasks.n; i++) {
		if (n && tasks[n - 1].node == tasks[i].node)
			metrics_task_add(&tasks[n - 1], &tasks[i]);
		else
			tasks[n++] = tasks[i];
	}
	qsort(tasks, n, sizeof(*tasks), by_created);
	metrics->tasks = tasks;
	metrics->n_tasks = n;
	figures->tasks = (struct merge_list){ 0 };
}

/* A process begins or ends. */
struct edge {
	uint64_t ns;
	int64_t n_slots; /* more, or fewer */
};

/* An end before a begin at the same moment: one took the other's place. */
static int by_time(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->ns != b->ns)
		return order(a->ns, b->ns);
	return a->n_slots < b->n_slots ? -1 : a->n_slots > b->n_slots;
}

/* The time in which at least one process ran, and the most slots that there were at one time. */
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
	metrics->threads = figures->threads.items;
	metrics->n_threads = figures->threads.n;
	figures->threads = (struct merge_list){ 0 };
	fold_regions(figures, metrics);
	fold_locks(figures, metrics);
	fold_tasks(figures, metrics);
	if (find_outer(metrics) == 0 && fold_waits(figures, metrics) == 0 &&
		sweep(figures, metrics) == 0) {
		merge_figures_release(figures);
		return 0;
	}
	metrics_release(metrics);
	return -1;
}
