/* SPDX-License-Identifier: Apache-2.0 */
/* The waits and the blame for them: the pools of the blame_scale as figures. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

static int compare_places(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static int compare_blame(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return compare_places(left, right);
}

/*
 * Adds up the amounts of each place and sorts them, the largest first. Returns how many there are.
 */
static size_t merge(struct metrics_blame *amounts, size_t n)
{
	size_t n_merged = 0;

	qsort(amounts, n, sizeof(*amounts), compare_places);
	for (size_t i = 0; i < n; i++) {
		if (n_merged && !compare_places(&amounts[n_merged - 1], &amounts[i]))
			amounts[n_merged - 1].ns =
				add_saturated(amounts[n_merged - 1].ns, amounts[i].ns);
		else
			amounts[n_merged++] = amounts[i];
	}
	qsort(amounts, n_merged, sizeof(*amounts), compare_blame);
	return n_merged;
}

uint32_t metrics_most_waited(const struct metrics_work *work, const struct scale_blame_pool *pool)
{
	size_t n = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];

		if (!entry->is_blame)
			work->scratch[n++] = (struct metrics_blame){
				.node = metrics_holder(work->tree, work->tree->place[entry->node]),
				.ns = entry->ns,
			};
	}
	return merge(work->scratch, n) ? work->scratch[0].node : METRICS_NONE;
}

/* Fills causes[] with the blame of a pool. Returns the number of entries. */
static size_t find_causes(const struct metrics_work *work, const struct scale_blame_pool *pool,
	struct metrics_blame *causes)
{
	size_t n = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];

		if (entry->is_blame && entry->ns)
			causes[n++] = (struct metrics_blame){
				.node = work->tree->place[entry->node],
				.thread = work->profile->nodes[entry->node].owner,
				.ns = entry->ns,
			};
	}
	return merge(causes, n);
}

static int compare_waits(const void *left, const void *right)
{
	const struct metrics_wait *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	return (a->wait_id > b->wait_id) - (a->wait_id < b->wait_id);
}

int metrics_make_waits(struct metrics_work *work)
{
	const struct blame_scale *blame_scale = &work->tree->blame_scale;
	struct metrics *metrics = work->metrics;
	size_t n_causes = 0;

	metrics->waits = calloc(blame_scale->n_pools + 1, sizeof(*metrics->waits));
	metrics->blame = calloc(work->profile->n_nodes + 1, sizeof(*metrics->blame));
	if (!metrics->waits || !metrics->blame)
		return -1;
	for (size_t p = 0; p < blame_scale->n_pools; p++) {
		const struct scale_blame_pool *pool = &blame_scale->pools[p];
		struct metrics_wait *wait = &metrics->waits[metrics->n_waits];

		if (!pool->wait_ns)
			continue;
		metrics->n_waits++;
		*wait = (struct metrics_wait){
			.kind = pool->kind,
			.wait_id = pool->wait_id,
			.region = pool->region,
			.node = metrics_most_waited(work, pool),
			.n = pool->n,
			.wait_ns = pool->wait_ns,
			.unblamed_ns = pool->wait_ns - pool->blamed_ns,
			.causes = metrics->blame + n_causes,
		};
		wait->n_causes = find_causes(work, pool, wait->causes);
		n_causes += wait->n_causes;
	}
	qsort(metrics->waits, metrics->n_waits, sizeof(*metrics->waits), compare_waits);
	return 0;
}
