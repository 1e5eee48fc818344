/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistics of parallel regions (struct profile_region). They are written by the thread that
 * encountered the region, which is thread 0 of its team.
 *
 * That thread finds by comparison why its team waited at a barrier. After a barrier of the team it
 * reads when the members arrived (struct profile_now.arrived). From its own arrival to the last
 * member's arrival a thread waits for its team: imbalance. After the last arrival all members wait
 * for the barrier itself. A member announces its arrival at barrier k in one of two places in turn.
 * It cannot arrive at barrier k + 2, and write to the same place again, before thread 0 has arrived
 * at k + 1. Thread 0 arrives there only after its comparison for k.
 *
 * The comparison costs one cache miss for each member. Where barriers follow each other after less
 * than about 5 us for each member, only a part of them is compared. A compared barrier then
 * represents the others.
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_H
#define OMPPROF_SAMPLER_CORE_REGION_H

#include <stdint.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/region_timing.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

enum { REGION_MAX_RECORDS = 16384 /* 16 MB of the profile */ };

/*
 * Bits of parallel_data, beside the execution that it names. REGION_TIMED: the members time this
 * execution. REGION_OTHER: its construct is another than that of the execution before it in the
 * same struct. A worker that only compares the next value (worker_run.h) has to see the latter.
 */
enum region_bits { REGION_TIMED = 1, REGION_OTHER = 2 };

/*
 * The value of parallel_data: the address of the struct, which is aligned, the number of the
 * execution, and bits. Any thread.
 */
static inline uint64_t region_pack(const struct region *region, uint32_t generation, uint32_t bits)
{
	return (uint64_t)(uintptr_t)region >> 6 << 22 | (uint64_t)generation << 2 | bits;
}

/*
 * The value of parallel_data for the region of the runtime's helpers (hidden_helper.h), which has
 * no struct region.
 */
#define REGION_OF_HELPERS 2

/* The struct that a value of parallel_data names. Any thread. */
static inline struct region *region_of(uint64_t packed)
{
	return (struct region *)(uintptr_t)(packed >> 22 << 6);
}

/* Any thread. */
static inline uint32_t region_generation(uint64_t packed)
{
	return packed >> 2 & REGION_GENERATIONS;
}

/* Any thread. */
static inline int region_is_timed(uint64_t packed)
{
	return (packed & REGION_TIMED) != 0;
}

/*
 * The number of executions that have ended, from the execution with this generation on.
 * Any thread.
 */
static inline uint32_t region_n_ended(const struct region *region, uint32_t generation)
{
	return (__atomic_load_n(&region->generation, __ATOMIC_ACQUIRE) - generation) &
	       REGION_GENERATIONS;
}

/*
 * When the execution with this generation and team size ended; 0 if that is not known any more.
 * n_ended, which is not 0, is the number of executions that have ended from this execution on.
 * Any thread.
 */
uint64_t region_end_of(
	const struct region *region, uint32_t generation, uint32_t n_threads, uint32_t n_ended);

/*
 * The sum of the ticks of all executions up to the execution with this generation, which counts up
 * to `now` while it lasts. Where that sum is not known any more, it contains *n_all - 1 later
 * executions, too; else *n_all is 1. While the execution lasts, the sum at the end before it is
 * used, not region->wall, which may change meanwhile.
 * Any thread.
 */
uint64_t region_wall_of(
	const struct region *region, uint32_t generation, uint64_t now, uint32_t *n_all);

/*
 * Finds the record of a region whose context has changed. A new record also gets the region that
 * the thread is in. Owning thread only.
 */
void region_find_record(struct thread *thread, struct region *region);

/*
 * An execution of a region begins that is not timed, `outer` being the enclosing region and its
 * generation. A member of the last execution may still read these fields. Owning thread only.
 */
static inline void region_begin_untimed(
	struct region *region, const struct region *outer, uint32_t outer_generation)
{
	if (region->team.is_quick)
		__atomic_store_n(&region->team.is_quick, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&region->outer, outer, __ATOMIC_RELAXED);
	__atomic_store_n(&region->outer_generation, outer_generation, __ATOMIC_RELAXED);
	__atomic_store_n(&region->begun, 0, __ATOMIC_RELAXED);
	region->weight = 0;
}

/* An execution of a region begins. Its context and record are set. Owning thread only. */
void region_begin(struct thread *thread, struct region *region);

/* The team of the execution is known: thread 0's implicit task begins. Owning thread only. */
void region_has_team(struct region *region, uint32_t n_threads);

/*
 * Thread 0's implicit task has passed a barrier of its team, at the time thread->waits.stamp. This
 * barrier represents `weight` barriers. Owning thread only.
 */
void region_passed_barrier(struct thread *thread, struct task *task, uint32_t weight);

/*
 * The ticks since the last thread of the team came to the barrier at which the task is. 0: a thread
 * has not come, or its arrival was not timed. Owning thread only.
 */
uint64_t region_since_arrivals(const struct task *task, uint64_t now);

_Static_assert(sizeof(struct region_timing) <= sizeof(((struct profile_region *)0)->own),
	"it is kept there");

/* The data that decide which executions of the region are timed. Owning thread only. */
static inline struct region_timing *region_timing_in(struct profile_region *record)
{
	return (struct region_timing *)(void *)record->own;
}

/*
 * From this mean length on all executions of a region are timed. It is lower with a trace, which
 * shows each wait in them. Any thread.
 */
static inline uint32_t region_all_from(void)
{
	return tool.settings.trace_bytes ? tool.thresholds.region_short
					 : tool.thresholds.region_medium;
}

/*
 * Sets when the execution began, in ticks; 0 means that the begin is not known yet.
 * Owning thread only.
 */
static inline void region_set_begin(struct region *region, uint64_t begun)
{
	__atomic_store_n(&region->begun, begun, __ATOMIC_RELAXED);
	region->own.looked = begun;
	if (region->own.record)
		region->own.record->open_since = begun;
}

/*
 * Finds and sets the begin of an execution that is not timed, when thread 0's implicit task begins.
 * It assumes that the way from the execution's begin to this point took as long as in a timed
 * execution. Returns the begin. Owning thread only.
 */
static inline uint64_t region_find_begin(struct region *region)
{
	uint64_t begun = tool_time() - region->own.fork_ticks;

	if (begun < region->last_end)
		begun = region->last_end;
	region_set_begin(region, begun);
	return begun;
}

/*
 * The latest execution has ended, and its end is stored. Whoever sees what later executions store
 * also sees the new generation. Owning thread only.
 */
static inline void region_next_generation(struct region *region)
{
	__atomic_store_n(&region->generation, (region->generation + 1) & REGION_GENERATIONS,
		__ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * Tells the members that the execution has ended at `now` and took this many ticks.
 * Owning thread only.
 */
static inline void region_note_end(struct region *region, uint64_t now, uint64_t ticks)
{
	struct region_end *end = &region->ends[region->generation % REGION_N_ENDS];
	uint64_t wall = region->wall + ticks;

	region->own.last_n_threads = region->team.n_threads;
	__atomic_store_n(&region->last_end, now, __ATOMIC_RELAXED);
	__atomic_store_n(&region->wall, wall, __ATOMIC_RELAXED);
	__atomic_store_n(&end->end, now, __ATOMIC_RELAXED);
	__atomic_store_n(&end->wall, wall, __ATOMIC_RELAXED);
	region_next_generation(region);
	if (region->own.record) {
		region->own.record->last_end = now;
		region->own.record->open_since = 0;
	}
}

/*
 * Adds the latest execution to the statistics of the region, which has a record, and to its timing.
 * Signal-safe.
 */
void region_count(const struct region *region, uint64_t ticks);

/* The execution has ended, for its whole team, from this call on. Owning thread only. */
void region_end(struct thread *thread, struct region *region);

/* In a child made by fork: forgets how many records there are. Owning thread only. */
void region_forget_all(void);

#endif
