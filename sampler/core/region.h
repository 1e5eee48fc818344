/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistics of parallel regions (struct profile_region): written by the thread that encountered the
 * region, which is thread 0 of its team.
 *
 * Why a barrier was waited at, it finds by comparison: after each barrier of the team it reads when the
 * members arrived (struct profile_now.arrived). From its own arrival to the last one's a thread waits for
 * its team: imbalance. From the last arrival on all wait for the barrier itself. A member announces its
 * arrival at barrier k in one of two places in turn; it cannot arrive at barrier k + 2, and write there
 * again, before thread 0 has arrived at k + 1, which is after the comparison for k.
 *
 * The comparison costs a cache miss a member. Of barriers that follow each other after less than about
 * 5 us a member only a part is compared, and then stands for the others.
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_H
#define OMPPROF_SAMPLER_CORE_REGION_H

#include <stdint.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/region_timing.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

enum { REGION_MAX_RECORDS = 16384 /* 16 MB of the file */ };

/*
 * What parallel_data says of an execution beside which it is: that its members time it, and that it is of another construct
 * than the one before it in its struct. A worker that only compares what comes next (worker_run.h) has to see the latter.
 */
enum region_bits { REGION_TIMED = 1, REGION_OTHER = 2 };

/* What parallel_data holds: where the struct lies, which is aligned, which execution it is, and bits. Any thread. */
static inline uint64_t region_pack(const struct region *region, uint32_t generation, uint32_t bits)
{
	return (uint64_t)(uintptr_t)region >> 6 << 22 | (uint64_t)generation << 2 | bits;
}

/* What parallel_data holds of the region of the runtime's helpers (hidden_helper.h), which is no struct region. */
#define REGION_OF_HELPERS 2

/* That again. Any thread. */
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

/* How many executions have ended from the one with this generation on. Any thread. */
static inline uint32_t region_n_ended(const struct region *region, uint32_t generation)
{
	return (__atomic_load_n(&region->generation, __ATOMIC_ACQUIRE) - generation) &
	       REGION_GENERATIONS;
}

/*
 * When the execution with this generation and size of team ended, from which on n_ended (not 0) have; 0: not
 * known any more.
 * Any thread.
 */
uint64_t region_end_of(
	const struct region *region, uint32_t generation, uint32_t n_threads, uint32_t n_ended);

/*
 * Finds the record of a region whose context has changed, and what it is begun in.
 * Owning thread only.
 */
void region_find_record(struct thread *thread, struct region *region);

/*
 * An execution of a region begins, whose context and record are set.
 * Owning thread only.
 */
void region_begin(struct thread *thread, struct region *region);

/*
 * Its team is known: thread 0's implicit task begins.
 * Owning thread only.
 */
void region_has_team(struct region *region, uint32_t n_threads);

/*
 * Thread 0's implicit task has passed a barrier of its team, now: at thread->waits.stamp. It stands for
 * `weight` barriers.
 * Owning thread only.
 */
void region_passed_barrier(struct thread *thread, struct task *task, uint32_t weight);

_Static_assert(sizeof(struct region_timing) <= sizeof(((struct profile_region *)0)->own),
	"it is kept there");

/* How often executions of the region are timed. Owning thread only. */
static inline struct region_timing *region_timing_in(struct profile_region *record)
{
	return (struct region_timing *)(void *)record->own;
}

/* The mean from which on all executions of a region are timed: a trace shows each wait in them. Any thread. */
static inline uint32_t region_all_from(void)
{
	return tool.settings.trace_bytes ? tool.thresholds.region_short
					 : tool.thresholds.region_medium;
}

/* The execution began then, in ticks; 0: that is not known yet. Owning thread only. */
static inline void region_set_begin(struct region *region, uint64_t begun)
{
	__atomic_store_n(&region->begun, begun, __ATOMIC_RELAXED);
	region->own.looked = begun;
	if (region->own.record)
		region->own.record->open_since = begun;
}

/* Likewise, of one that is not timed, when thread 0's implicit task begins: that was so long ago as it took to come
   here where it was timed. Returns that time. Owning thread only. */
static inline uint64_t region_find_begin(struct region *region)
{
	uint64_t begun = tool_time() - region->own.fork_ticks;

	if (begun < region->last_end)
		begun = region->last_end;
	region_set_begin(region, begun);
	return begun;
}

/*
 * Tells the members that the execution has ended, now, which took so many ticks.
 * Owning thread only.
 */
static inline void region_note_end(struct region *region, uint64_t now, uint64_t ticks)
{
	struct region_end *end = &region->ends[region->generation % REGION_N_ENDS];
	uint64_t wall = region->wall + ticks;

	__atomic_store_n(&region->last_end, now, __ATOMIC_RELAXED);
	__atomic_store_n(&region->wall, wall, __ATOMIC_RELAXED);
	__atomic_store_n(&end->end, now, __ATOMIC_RELAXED);
	__atomic_store_n(&end->wall, wall, __ATOMIC_RELAXED);
	__atomic_store_n(&region->generation, (region->generation + 1) & REGION_GENERATIONS,
		__ATOMIC_RELEASE);
	if (region->own.record) {
		region->own.record->last_end = now;
		region->own.record->open_since = 0;
	}
}

/*
 * Adds the execution that ended last to the statistics of the region, which has a record, and to its event_timing.
 * Signal-safe.
 */
void region_count(const struct region *region, uint64_t ticks);

/*
 * The execution has ended: for its whole team, from here on.
 * Owning thread only.
 */
void region_end(struct thread *thread, struct region *region);

/*
 * Forgets how many records there are: in a child made by fork.
 * Owning thread only.
 */
void region_forget_all(void);

#endif
