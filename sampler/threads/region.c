/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of parallel regions; see region.h. Not for the signal handler. */
#include "sampler/core/region.h"

#include <stddef.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/core/phase.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"
#include "sampler/threads/wait.h"

static uint32_t n_records;

/*
 * The record of the REGION node, made at the first execution; NULL if there are too many, or
 * without space.
 */
static struct profile_region *record_of(const struct region *region, const struct region *outer)
{
	struct profile_node *node = writer_node(region->team.context);
	struct profile_region *record;
	uint64_t offset;

	if (node->spare)
		return writer_at(node->spare * PROFILE_REGION_BYTES);
	/* Looks first without a write, for which all threads would have to wait. */
	if (__atomic_load_n(&n_records, __ATOMIC_RELAXED) >= REGION_MAX_RECORDS)
		return NULL;
	if (__atomic_fetch_add(&n_records, 1, __ATOMIC_RELAXED) >= REGION_MAX_RECORDS) {
		__atomic_fetch_sub(&n_records, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	offset = writer_record_offset(PROFILE_SEGMENT_REGIONS, PROFILE_REGION_BYTES);
	if (!offset)
		return NULL;
	record = writer_at(offset);
	record->outer = outer ? outer->team.context : 0;
	record->min = UINT64_MAX;
	record->min_team = UINT32_MAX;
	__atomic_store_n(&record->node, region->team.context, __ATOMIC_RELEASE);
	node->spare = offset / PROFILE_REGION_BYTES;
	return record;
}

void region_find_record(struct thread *thread, struct region *region)
{
	region->own.record = region->team.context && !region->team.is_within
				     ? record_of(region, board_region(&thread->record->now))
				     : NULL;
}

void region_begin(struct thread *thread, struct region *region)
{
	const struct profile_now *published = &thread->record->now;
	struct profile_region *record = region->own.record;
	struct region_timing *timing = record ? region_timing_in(record) : NULL;

	if (region->team.n_threads == 0)
		region->team.n_threads = 1;
	region_begin_untimed(region, board_region(published), published->instance);
	region->weight = timing ? region_timing_begin(timing) : 1;
	if (region->weight > 1)
		region->timed_before = record->own_timed;
	if (region->weight)
		region_set_begin(region, wait_stamp(thread));
	if (!record && region->team.context && !region->team.is_within)
		thread->record->lost[PROFILE_LOST_REGIONS]++;
}

/*
 * When thread 0's implicit task begins, the other members have been called, so there is time now.
 * An execution that is not timed gets its begin here: now, less the ticks from the begin to here in
 * an execution that was timed.
 */
static void find_begin(struct region *region)
{
	const struct profile_region *record = region->own.record;

	if (!region->weight)
		region_find_begin(region);
	else if (record &&
		 region_timing_is_near(region_timing_in(region->own.record), region_all_from()))
		region->own.fork_ticks = timing_between(region->begun, tool_time());
}

/* Keeps the end of the previous execution, whose team was larger. */
static void note_left(struct region *region)
{
	struct region_left *left = &region->left[region->own.last_n_threads % REGION_N_LEFT];

	__atomic_store_n(&left->end, 0, __ATOMIC_RELAXED);
	__atomic_store_n(
		&left->generation, (region->generation - 1) & REGION_GENERATIONS, __ATOMIC_RELEASE);
	__atomic_store_n(&left->end, region->last_end, __ATOMIC_RELEASE);
}

void region_has_team(struct region *region, uint32_t n_threads)
{
	if (n_threads < region->own.last_n_threads)
		note_left(region);
	region->own.barrier = region->own.n_quick = 0;
	/* The members have the cache line by now: it is written only if the value differs. */
	if (region->team.n_threads != n_threads && n_threads)
		__atomic_store_n(&region->team.n_threads, n_threads, __ATOMIC_RELAXED);
	if (region->own.record && region->own.record->open_team != region->team.n_threads)
		region->own.record->open_team = region->team.n_threads;
	find_begin(region);
}

/* The arrivals of a team's members at one barrier. */
struct arrivals {
	uint64_t n;
	uint64_t sum;  /* of ticks before `end` */
	uint64_t last; /* ticks before `end` of the latest arrival */
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
	uint32_t which = task->barrier & 31, n_listed = board_n_listed();

	*arrivals = (struct arrivals){ 0 };
	for (uint32_t i = 0; i < n_listed && arrivals->n < task->n_threads; i++) {
		const struct profile_now *member = board_at(i);
		uint32_t instance;
		uint64_t arrived;

		if (!member || board_team(member, &instance) != task->region ||
			instance != task->generation)
			continue;
		arrived = BOARD_READ(member->arrived[which & 1]);
		if ((arrived >> 1 & 31) == which)
			add_arrival(arrivals, arrived, BOARD_READ(member->thread_num), end);
	}
}

uint64_t region_since_arrivals(const struct task *task, uint64_t now)
{
	struct arrivals arrivals;

	find_arrivals(task, now, &arrivals);
	return arrivals.n == task->n_threads ? arrivals.last : 0;
}

/*
 * The mean time between two barriers since the latest timed barrier. Decides whether the next
 * barriers are all timed.
 */
static uint64_t interval_of(struct region *region, uint32_t barrier, uint64_t now)
{
	uint32_t n = barrier - region->own.barrier;
	uint64_t interval = timing_between(region->own.looked, now) / (n ? n : 1);

	region->own.looked = now;
	region->own.barrier = barrier;
	region->own.n_quick = interval < tool.thresholds.quick ? region->own.n_quick + 1 : 0;
	if (region->team.is_quick != (region->own.n_quick >= TIMING_PATIENCE))
		__atomic_store_n(&region->team.is_quick, !region->team.is_quick, __ATOMIC_RELAXED);
	return interval;
}

void region_passed_barrier(struct thread *thread, struct task *task, uint32_t weight)
{
	struct region *region = (struct region *)task->region;
	struct profile_region *record = region->own.record;
	uint64_t now = thread->waits.stamp, interval = interval_of(region, task->barrier, now);
	struct arrivals arrivals;
	uint64_t release;

	weight *= region->weight;
	if (!record || !weight || tool_is_paused())
		return;
	if (weight == 1 && interval < (uint64_t)task->n_threads * tool.thresholds.compare_always) {
		if (!timing_is_chosen((uint32_t)region->own.n_compared++))
			return;
		weight = TIMING_OF;
	}
	find_arrivals(task, now, &arrivals);
	if (arrivals.n != task->n_threads)
		return;
	writer_count(&record->n_barriers, weight);
	if (arrivals.has_tasks) {
		writer_count(&record->starved, weight * arrivals.sum);
	} else {
		release = arrivals.n * arrivals.last;
		writer_count(&record->imbalance, weight * (arrivals.sum - release));
		writer_count(&record->release, weight * release);
	}
	if (arrivals.last_thread < sizeof(record->n_last) / sizeof(record->n_last[0]))
		record->n_last[arrivals.last_thread] += weight;
	else
		record->n_others += weight;
}

/* Adds the ticks of an execution that were in other phases than the phase of its begin. */
static void note_elsewhere(
	struct profile_region *record, const struct region *region, uint64_t ticks)
{
	writer_count(&record->elsewhere, ticks);
	writer_count(&record->team_elsewhere, ticks * region->team.n_threads);
}

void region_end(struct thread *thread, struct region *region)
{
	struct profile_region *record = region->own.record;
	uint64_t now = wait_stamp_again(thread);
	uint64_t ticks = region->begun ? timing_between(region->begun, now) : 0, elsewhere;

	wait_drop_stamp(thread);
	region_note_end(region, now, ticks);
	if (record && region->weight)
		record->own_timed = now;
	if (!record || (!ticks && tool_is_paused()))
		return;
	elsewhere = region->begun ? phase_elsewhere(thread, region->begun, now) : 0;
	if (elsewhere)
		note_elsewhere(record, region, elsewhere);
	region_count(region, ticks);
}

/* No thread reads `team` any more. */
static void clear_region(struct region *region)
{
	struct region_end *end = &region->ends[region->generation % REGION_N_ENDS];

	memset(&region->team, 0, sizeof(region->team));
	memset(&region->own, 0, sizeof(region->own));
	region->path.codeptr_ra = 0;
	__atomic_store_n(&region->outer, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&region->outer_generation, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&region->begun, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&region->last_end, 0, __ATOMIC_RELAXED);
	region->weight = 0;
	__atomic_store_n(&end->end, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&end->wall, region->wall, __ATOMIC_RELAXED);
	region_next_generation(region);
}

void thread_regions_clear(struct thread_regions *regions)
{
	regions->n = 0;
	memset(&regions->deferred, 0, sizeof(regions->deferred));
	memset(&regions->runs, 0, sizeof(regions->runs));
	memset(regions->codeptr, 0, sizeof(regions->codeptr));
	for (int i = 0; regions->at && i < THREAD_MAX_REGIONS; i++)
		clear_region(&regions->at[i]);
}

void region_forget_all(void)
{
	n_records = 0;
}
