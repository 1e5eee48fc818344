/* SPDX-License-Identifier: Apache-2.0 */
/* The pools of blame_scale as figures: waits, and the blame for them. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

static int by_place(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	return a->node != b->node ? metrics_order(a->node, b->node)
				  : metrics_order(a->thread, b->thread);
}

static int by_amount(const void *left, const void *right)
{
	const struct metrics_blame *a = left, *b = right;

	return a->ns != b->ns ? metrics_order(b->ns, a->ns) : by_place(a, b);
}

static void add(void *to, const void *from)
{
	struct metrics_blame *sum = to;
	const struct metrics_blame *more = from;

	metrics_add(&sum->ns, more->ns);
	metrics_add(&sum->asleep_ns, more->asleep_ns);
}

const struct metrics_kind metrics_blames = { sizeof(struct metrics_blame), by_place, add,
	by_amount };

/* Adds up the amounts of each place, the largest first. Returns how many there are. */
static size_t merge(struct metrics_blame *amounts, size_t n)
{
	size_t n_left = metrics_fold(amounts, n, &metrics_blames);

	qsort(amounts, n_left, sizeof(*amounts), by_amount);
	return n_left;
}

uint32_t metrics_most_waited(const struct metrics_work *work, const struct scale_blame_pool *pool)
{
	size_t n = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];
		uint32_t leaf = work->tree->place[entry->node];

		if (!entry->is_blame)
			work->scratch[n++] = (struct metrics_blame){
				.node = metrics_holder(work->tree, leaf) ? leaf : 0,
				.ns = entry->ns,
			};
	}
	return merge(work->scratch, n) ? work->scratch[0].node : METRICS_NONE;
}

/* Whether two regions, or METRICS_NONE, are of different places in the source. */
static int differ(const struct metrics_work *work, uint32_t a, uint32_t b)
{
	const struct metrics_region *regions = work->metrics->regions;
	const struct tree_node *nodes = work->tree->nodes;

	if (a == b || a == METRICS_NONE || b == METRICS_NONE)
		return a != b;
	return nodes[regions[a].node].addr != nodes[regions[b].node].addr ||
	       nodes[regions[a].node].module != nodes[regions[b].node].module;
}

/* Whether threads of a pool waited in more regions than the region around the node `most`. */
static int waits_elsewhere(
	const struct metrics_work *work, const struct scale_blame_pool *pool, uint32_t most)
{
	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];
		uint32_t leaf = work->tree->place[entry->node];

		if (!entry->is_blame && differ(work, work->region_of[leaf], work->region_of[most]))
			return 1;
	}
	return 0;
}

/* Fills causes[] with the blame of a pool. Returns their number. */
static size_t find_causes(const struct metrics_work *work, const struct scale_blame_pool *pool,
	struct metrics_blame *causes)
{
	size_t n = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];
		const struct profile_tree_node *node = &work->profile->nodes[entry->node];

		if (entry->is_blame && entry->ns)
			causes[n++] = (struct metrics_blame){
				.node = entry->has_no_cpu ? METRICS_NO_CPU
							  : work->tree->place[entry->node],
				.thread = node->owner,
				.ns = entry->ns,
				.asleep_ns = node->flags & PROFILE_BLAME_ASLEEP ? entry->ns : 0,
			};
	}
	return merge(causes, n);
}

/* The part of a pool's time that samples tell, or by which samples of tasks on top can be off. */
static uint64_t find_unseen(const struct metrics_work *work, const struct scale_blame_pool *pool)
{
	uint64_t ns = 0;

	if (metrics_is_barrier(pool->kind) && pool->region != METRICS_NONE)
		ns = work->metrics->regions[work->region_of[pool->region]].unseen_ns;
	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];

		if (!entry->is_blame && work->profile->nodes[entry->node].flags & PROFILE_UNSEEN)
			metrics_add(&ns, entry->ns);
	}
	return ns < pool->wait_ns ? ns : pool->wait_ns;
}

static int compare_waits(const void *left, const void *right)
{
	const struct metrics_wait *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return metrics_order(b->wait_ns, a->wait_ns);
	if (a->kind != b->kind)
		return metrics_order(a->kind, b->kind);
	if (a->region != b->region)
		return metrics_order(a->region, b->region);
	return a->wait_id != b->wait_id ? metrics_order(a->wait_id, b->wait_id)
					: metrics_order(a->node, b->node);
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
			.has_site = pool->site != 0,
			.wait_id = pool->wait_id,
			.region = pool->region,
			.node = metrics_most_waited(work, pool),
			.n = pool->n,
			.wait_ns = pool->wait_ns,
			.unseen_ns = find_unseen(work, pool),
			.unblamed_ns = pool->wait_ns - pool->blamed_ns,
			.causes = metrics->blame + n_causes,
		};
		wait->has_regions = wait->wait_id && wait->node != METRICS_NONE &&
				    waits_elsewhere(work, pool, wait->node);
		wait->n_causes = find_causes(work, pool, wait->causes);
		n_causes += wait->n_causes;
	}
	qsort(metrics->waits, metrics->n_waits, sizeof(*metrics->waits), compare_waits);
	return 0;
}
