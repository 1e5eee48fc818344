/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes: the records of all threads together, and where they were waited for. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics_parts.h"

static int compare_records(const void *left, const void *right)
{
	const struct profile_lock_record *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->wait_id != b->wait_id)
		return a->wait_id < b->wait_id ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static uint64_t scale(uint64_t ns, uint64_t n_all, uint64_t n)
{
	unsigned __int128 scaled = n ? (unsigned __int128)ns * n_all / n : 0;

	return scaled < PROFILE_MOST_NS ? (uint64_t)scaled : PROFILE_MOST_NS;
}

static void add_record(struct metrics_lock *lock, const struct profile_lock_record *record)
{
	if (!lock->n_threads || record->max_wait_ns > lock->max_wait_ns) {
		lock->codeptr = record->codeptr;
		lock->max_wait_ns = record->max_wait_ns;
	}
	lock->n_threads++;
	lock->n_acquired = settle_add(lock->n_acquired, record->n_acquired);
	lock->n_contended = settle_add(lock->n_contended, record->n_contended);
	lock->wait_ns = settle_add(lock->wait_ns, record->wait_ns);
	lock->n_held = settle_add(lock->n_held, record->n_held);
	lock->held_ns = settle_add(
		lock->held_ns, scale(record->held_ns, record->n_acquired, record->n_held));
	if (record->max_held_ns > lock->max_held_ns)
		lock->max_held_ns = record->max_held_ns;
}

static const struct settle_pool *find_pool(
	const struct metrics_work *work, const struct metrics_lock *lock)
{
	const struct settle_pool *pools = work->settlement.pools;
	size_t low = 0, high = work->settlement.n_pools;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pools[middle].kind < lock->kind ||
			(pools[middle].kind == lock->kind && pools[middle].wait_id < lock->wait_id))
			low = middle + 1;
		else
			high = middle;
	}
	return low < work->settlement.n_pools && pools[low].kind == lock->kind &&
			       pools[low].wait_id == lock->wait_id
		       ? &pools[low]
		       : NULL;
}

/* Whether a region around this one is in the set of those marked `mark`. */
static int is_within(
	const struct metrics_work *work, const uint32_t *marks, uint32_t region, uint32_t mark)
{
	const struct metrics_region *regions = work->metrics->regions;

	for (uint32_t at = regions[region].outer; at != METRICS_NONE; at = regions[at].outer) {
		if (marks[at] == mark || marks[at] == mark + 1)
			return 1;
	}
	return 0;
}

/* The wall time of the regions with waits of a pool, each moment once. marks is by region. */
static uint64_t wall_within(const struct metrics_work *work, const struct settle_pool *pool,
	uint32_t *marks, uint32_t mark)
{
	uint64_t wall_ns = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct settle_entry *entry = &work->settlement.entries[i];
		uint32_t region = work->region_of[work->tree->place[entry->node]];

		if (!entry->is_blame && region != METRICS_NONE)
			marks[region] = mark;
	}
	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct settle_entry *entry = &work->settlement.entries[i];
		uint32_t region = work->region_of[work->tree->place[entry->node]];

		if (entry->is_blame || region == METRICS_NONE || marks[region] != mark)
			continue;
		if (!is_within(work, marks, region, mark))
			wall_ns = settle_add(wall_ns, work->metrics->regions[region].wall_ns);
		/* Seen; it goes on to stand for those within it. */
		marks[region] = mark + 1;
	}
	return wall_ns;
}

static int compare_locks(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->wait_id > b->wait_id) - (a->wait_id < b->wait_id);
}

static void place_lock(
	const struct metrics_work *work, struct metrics_lock *lock, uint32_t *marks, uint32_t mark)
{
	const struct settle_pool *pool = find_pool(work, lock);

	lock->node = METRICS_NONE;
	if (pool && pool->n) {
		lock->node = metrics_most_waited(work, pool);
		lock->within_ns = wall_within(work, pool, marks, mark);
	}
	if (!lock->within_ns)
		lock->within_ns = work->metrics->wall_ns;
}

int metrics_make_locks(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	size_t n = profile->n_locks;
	struct profile_lock_record *records = calloc(n + 1, sizeof(*records));
	uint32_t *marks = calloc(metrics->n_regions + 1, sizeof(*marks));

	metrics->locks = calloc(n + 1, sizeof(*metrics->locks));
	if (!records || !marks || !metrics->locks) {
		free(records);
		free(marks);
		return -1;
	}
	if (n)
		memcpy(records, profile->locks, n * sizeof(*records));
	qsort(records, n, sizeof(*records), compare_records);
	for (size_t i = 0; i < n; i++) {
		if (!i || records[i].kind != records[i - 1].kind ||
			records[i].wait_id != records[i - 1].wait_id)
			metrics->locks[metrics->n_locks++] =
				(struct metrics_lock){ .kind = records[i].kind,
					.wait_id = records[i].wait_id };
		add_record(&metrics->locks[metrics->n_locks - 1], &records[i]);
	}
	for (size_t i = 0; i < metrics->n_locks; i++)
		place_lock(work, &metrics->locks[i], marks, 2 * (uint32_t)i + 1);
	qsort(metrics->locks, metrics->n_locks, sizeof(*metrics->locks), compare_locks);
	free(records);
	free(marks);
	return 0;
}
