/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of parallel regions; see region.h. Not for the signal handler. */
#include "sampler/region.h"

#include <stddef.h>

#include "profile/writer.h"
#include "sampler/team.h"
#include "sampler/tool.h"

/* About 5 us. */
#define COMPARE_ALWAYS_TICKS 12000

enum { COMPARED_OF = 8 };

static uint32_t n_records; /* made so far, by all threads */

static void count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

/* The record of the REGION node, made at the first execution; NULL if there are too many. */
static struct profile_region *record_of(const struct region *region)
{
	struct profile_node *node = writer_node(region->context);
	struct profile_region *record;
	uint64_t offset;

	if (node->spare)
		return writer_at(node->spare * PROFILE_REGION_BYTES);
	if (__atomic_fetch_add(&n_records, 1, __ATOMIC_RELAXED) >= REGION_MAX_RECORDS) {
		__atomic_fetch_sub(&n_records, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	offset = writer_record_offset(PROFILE_SEGMENT_REGIONS, PROFILE_REGION_BYTES);
	if (!offset)
		return NULL;
	record = writer_at(offset);
	record->outer = region->outer ? region->outer->context : 0;
	record->min = UINT64_MAX;
	record->min_team = UINT32_MAX;
	__atomic_store_n(&record->node, region->context, __ATOMIC_RELEASE);
	node->spare = offset / PROFILE_REGION_BYTES;
	return record;
}

void region_begin(struct thread *thread, struct region *region, uint64_t now)
{
	const struct profile_now *published = &thread->record->now;

	region->begun = region->looked = now;
	region->n_threads = 1;
	region->outer = team_region(published);
	region->outer_generation = published->instance;
	region->record = region->context ? record_of(region) : NULL;
	if (region->record)
		region->record->open_since = now;
	else if (region->context)
		thread->record->lost[PROFILE_LOST_REGIONS]++;
}

void region_has_team(struct region *region, uint32_t n_threads)
{
	__atomic_store_n(&region->n_threads, n_threads ? n_threads : 1, __ATOMIC_RELAXED);
	if (region->record)
		region->record->open_team = region->n_threads;
}

/* How many barriers this one stands for when it is compared; 0: it is not compared. */
static uint64_t weight_of(struct region *region, uint32_t n_threads, uint64_t now)
{
	uint64_t interval = now - region->looked, n = region->n_barriers++;

	region->looked = now;
	if (interval >= (uint64_t)n_threads * COMPARE_ALWAYS_TICKS)
		return 1;
	/* Evenly many of any that come at equal intervals; see capture.c. */
	return n * 0x9e3779b97f4a7c15ULL < UINT64_MAX / COMPARED_OF ? COMPARED_OF : 0;
}

/* The arrivals of a team's members at one barrier. */
struct arrivals {
	uint64_t n;
	uint64_t sum;  /* of ticks before `end` */
	uint64_t last; /* ticks before `end` */
	uint32_t last_thread;
	int has_tasks;
};

static void add_arrival(
	struct arrivals *arrivals, uint64_t arrived, uint32_t thread_num, uint64_t end)
{
	uint64_t before = end > arrived ? end - arrived : 0;

	arrivals->sum += before;
	arrivals->has_tasks |= (int)(arrived & 1);
	if (arrivals->n++ == 0 || before < arrivals->last) {
		arrivals->last = before;
		arrivals->last_thread = thread_num;
	}
}

static void find_arrivals(const struct task *task, uint64_t end, struct arrivals *arrivals)
{
	uint32_t which = task->barrier & 7, n_listed = team_n_listed();

	*arrivals = (struct arrivals){ 0 };
	for (uint32_t i = 0; i < n_listed && arrivals->n < task->n_threads; i++) {
		const struct profile_now *member = team_at(i);
		uint64_t arrived;

		if (!member || team_region(member) != task->region ||
			TEAM_READ(member->instance) != task->generation)
			continue;
		arrived = TEAM_READ(member->arrived[which & 1]);
		if ((arrived >> 1 & 7) == which)
			add_arrival(arrivals, arrived, TEAM_READ(member->thread_num), end);
	}
}

void region_passed_barrier(struct thread *thread, struct task *task, uint64_t now)
{
	struct region *region = (struct region *)task->region;
	struct profile_region *record = region->record;
	uint64_t weight = weight_of(region, task->n_threads, now);
	struct arrivals arrivals;

	if (!record || !weight)
		return;
	find_arrivals(task, now, &arrivals);
	if (arrivals.n < 2)
		return;
	count(&record->n_barriers, weight);
	if (arrivals.has_tasks) {
		count(&record->starved, weight * arrivals.sum);
	} else {
		count(&record->imbalance, weight * (arrivals.sum - arrivals.n * arrivals.last));
		count(&record->release, weight * arrivals.n * arrivals.last);
	}
	if (arrivals.last_thread < sizeof(record->n_last) / sizeof(record->n_last[0]))
		record->n_last[arrivals.last_thread] += (uint32_t)weight;
	else
		record->n_others += (uint32_t)weight;
}

/* The bucket of profile_region.lengths that so many ticks fall into. */
static uint32_t bucket_of(uint64_t ticks)
{
	uint64_t quarters = ticks >> 4;
	uint32_t octave, bucket;

	if (quarters < 8)
		return quarters < 4 ? 0 : (uint32_t)quarters - 4;
	octave = 61 - (uint32_t)__builtin_clzll(quarters);
	bucket = octave * 4 + (uint32_t)(quarters >> octave) - 4;
	return bucket < 128 ? bucket : 127;
}

void region_end(struct region *region, uint64_t now)
{
	struct profile_region *record = region->record;
	uint64_t ticks = now - region->begun;

	region->ends[region->generation % REGION_N_ENDS] = now;
	__atomic_store_n(&region->generation, region->generation + 1, __ATOMIC_RELEASE);
	if (!record)
		return;
	count(&record->n, 1);
	count(&record->wall, ticks);
	count(&record->team_wall, ticks * region->n_threads);
	record->min = ticks < record->min ? ticks : record->min;
	record->max = ticks > record->max ? ticks : record->max;
	if (region->n_threads < record->min_team)
		record->min_team = region->n_threads;
	if (region->n_threads > record->max_team)
		record->max_team = region->n_threads;
	record->lengths[bucket_of(ticks)]++;
	record->last_end = now;
	record->open_since = 0;
}

void region_forget_all(void)
{
	n_records = 0;
}
