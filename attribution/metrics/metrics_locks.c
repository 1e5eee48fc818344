/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes: the sums over threads, and where they were waited for. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

static int compare_records(const void *left, const void *right)
{
	const struct profile_lock_record *a = left, *b = right;

	if (a->kind != b->kind)
		return metrics_order(a->kind, b->kind);
	return a->wait_id != b->wait_id ? metrics_order(a->wait_id, b->wait_id)
					: metrics_order(a->thread, b->thread);
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
	if (record->impl)
		lock->impl = record->impl;
	lock->hints |= record->hints;
	lock->n_threads++;
	metrics_add(&lock->n_acquired, record->n_acquired);
	metrics_add(&lock->n_estimated, record->n_estimated);
	metrics_add(&lock->n_contended, record->n_contended);
	metrics_add(&lock->wait_ns, record->wait_ns);
	metrics_add(&lock->n_held, record->n_held);
	metrics_add(&lock->held_ns, scale(record->held_ns, record->n_acquired, record->n_held));
	metrics_raise(&lock->max_held_ns, record->max_held_ns);
}

static int compare_pool(const void *key, const void *item)
{
	const struct metrics_lock *lock = key;
	const struct scale_blame_pool *pool = item;

	return lock->kind != pool->kind ? metrics_order(lock->kind, pool->kind)
					: metrics_order(lock->wait_id, pool->wait_id);
}

static const struct scale_blame_pool *find_pool(
	const struct metrics_work *work, const struct metrics_lock *lock)
{
	const struct blame_scale *scale = &work->tree->blame_scale;

	return bsearch(lock, scale->pools, scale->n_pools, sizeof(*scale->pools), compare_pool);
}

/*
 * The regions in preorder: those within a region follow it directly. So each region is a span of
 * places. `begin` and `end` are by region.
 */
struct spans {
	uint32_t *begin, *end;
	uint32_t *at; /* by place: the region */
	uint32_t *list;
};

static void spans_release(struct spans *spans)
{
	free(spans->begin);
	free(spans->end);
	free(spans->at);
	free(spans->list);
}

/* metrics.regions has outer regions before inner. Returns 0, or -1 when out of memory. */
static int spans_init(struct spans *spans, const struct metrics_work *work)
{
	const struct metrics_region *regions = work->metrics->regions;
	size_t n = work->metrics->n_regions;
	uint32_t free_place = 0;

	*spans = (struct spans){
		.begin = calloc(n + 1, sizeof(*spans->begin)),
		.end = calloc(n + 1, sizeof(*spans->end)),
		.at = calloc(n + 1, sizeof(*spans->at)),
		.list = calloc(work->profile->n_nodes + 1, sizeof(*spans->list)),
	};
	if (!spans->begin || !spans->end || !spans->at || !spans->list)
		return -1;
	/* First the number of regions within each region, itself included; then the spans. */
	for (size_t i = n; i-- > 0;) {
		spans->end[i]++;
		if (regions[i].outer != METRICS_NONE)
			spans->end[regions[i].outer] += spans->end[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *next = regions[i].outer == METRICS_NONE ? &free_place
								  : &spans->at[regions[i].outer];

		spans->begin[i] = *next;
		*next += spans->end[i];
		spans->end[i] += spans->begin[i];
		/* for now: where the next region within this region begins */
		spans->at[i] = spans->begin[i] + 1;
	}
	for (uint32_t i = 0; i < n; i++)
		spans->at[spans->begin[i]] = i;
	return 0;
}

static int compare_u32(const void *left, const void *right)
{
	return metrics_order(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* The wall time of the regions in which a pool was waited for; nested regions count once. */
static uint64_t wall_within(const struct metrics_work *work, const struct scale_blame_pool *pool,
	const struct spans *spans)
{
	uint64_t wall_ns = 0;
	uint32_t end = 0;
	size_t n = 0;

	for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
		const struct scale_blame_entry *entry = &work->tree->blame_scale.entries[i];
		uint32_t region = work->region_of[work->tree->place[entry->node]];

		if (!entry->is_blame && region != METRICS_NONE)
			spans->list[n++] = spans->begin[region];
	}
	qsort(spans->list, n, sizeof(*spans->list), compare_u32);
	for (size_t i = 0; i < n; i++) {
		uint32_t region = spans->at[spans->list[i]];

		if (spans->list[i] < end)
			continue;
		metrics_add(&wall_ns, work->metrics->regions[region].wall_ns);
		end = spans->end[region];
	}
	return wall_ns;
}

static int compare_locks(const void *left, const void *right)
{
	const struct metrics_lock *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return metrics_order(b->wait_ns, a->wait_ns);
	return a->kind != b->kind ? metrics_order(a->kind, b->kind)
				  : metrics_order(a->wait_id, b->wait_id);
}

static void place_lock(
	const struct metrics_work *work, struct metrics_lock *lock, const struct spans *spans)
{
	const struct scale_blame_pool *pool = find_pool(work, lock);

	/* The timed holds represent the others: their sum can be a little too long. */
	if (lock->wait_id && lock->held_ns > work->metrics->wall_ns)
		lock->held_ns = work->metrics->wall_ns;
	lock->node = METRICS_NONE;
	if (pool && pool->n) {
		lock->node = metrics_most_waited(work, pool);
		lock->within_ns = wall_within(work, pool, spans);
	}
	if (!lock->within_ns)
		lock->within_ns = work->metrics->wall_ns;
	if (lock->within_ns < lock->held_ns)
		lock->within_ns = lock->held_ns;
}

int metrics_make_locks(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	size_t n = profile->n_locks;
	struct profile_lock_record *records = calloc(n + 1, sizeof(*records));
	struct spans spans;
	int status = spans_init(&spans, work);

	metrics->locks = calloc(n + 1, sizeof(*metrics->locks));
	if (status || !records || !metrics->locks) {
		free(records);
		spans_release(&spans);
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
		place_lock(work, &metrics->locks[i], &spans);
	qsort(metrics->locks, metrics->n_locks, sizeof(*metrics->locks), compare_locks);
	free(records);
	spans_release(&spans);
	return 0;
}
