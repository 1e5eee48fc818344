/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's time in executions of regions that are not timed (region_timing.h). To know the begin
 * and end of each execution, the worker would have to read lines that the encountering thread has
 * just written, which takes 150 to 300 ns each. Instead the worker counts its executions, in runs:
 * a run is a series of executions of one region, with consecutive generations, in all of which the
 * worker was a member with the same number. The encountering thread sums up how long its executions
 * took (struct region.wall). The growth of this sum during the run is the worker's time in the
 * executions.
 *
 * Executions of several regions can take turns, so a worker has several runs. Their time is added
 * together: for the rest of the time from the first begin to the last end, the worker was idle. A
 * timed execution in between ends only the run of its own region, and its time is known.
 *
 * The times are added
 *
 * - when the worker begins a timed execution at least 10 ms (thresholds.h) after the first begin;
 *   with a trace, at each timed execution,
 * - when it follows a change of the phase, or gives the command to flush,
 * - at the end of the thread or of the profile.
 *
 * The time of one run is added when the worker begins an execution that does not continue it. A
 * member can read the sum as it was before its execution: the execution is not over before this
 * member has come to its closing barrier.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WORKER_RUN_H
#define OMPPROF_SAMPLER_THREADS_WORKER_RUN_H

#include <stdint.h>

#include "sampler/core/region.h"
#include "sampler/core/thread.h"

/* The place for a run of the region that this parallel_data names. Owning thread only. */
static inline struct worker_run *worker_run_of(struct thread *thread, uint64_t packed)
{
	_Static_assert(sizeof(struct region) % 64 == 0, "neighbours have places of their own");
	return &thread->regions.runs
			.at[(packed >> 22) / (sizeof(struct region) / 64) % THREAD_MAX_REGIONS];
}

/* The worker's execution of this task, which is not timed, begins. Owning thread only. */
void worker_run_begin(struct thread *thread, const struct task *task);

/*
 * Whether the execution with this parallel_data, in which the worker has this number, continues the
 * run. Owning thread only.
 */
static inline int worker_run_goes_on(const struct thread *thread, const struct worker_run *run,
	uint64_t packed, unsigned int thread_num)
{
	return packed == run->next && run->n && run->thread_num == (uint16_t)thread_num &&
	       thread->tasks.n == 0;
}

/* The execution of this task continues the run. Owning thread only. */
static inline void worker_run_go_on(
	struct thread *thread, struct worker_run *run, const struct task *task)
{
	struct worker_runs *runs = &thread->regions.runs;

	run->n++;
	run->n_threads = task->n_threads;
	run->next = region_pack(task->region, (task->generation + 1) & REGION_GENERATIONS, 0);
	runs->n++;
	runs->latest = run;
	thread->idle.is_idle = 0;
	thread->idle.since = 0;
}

/* A timed execution begins, of the thread's only task. Owning thread only. */
void worker_run_begin_timed(struct thread *thread, const struct task *task);

/* The timed execution has ended, and took so many ticks. Any thread. */
static inline void worker_run_end_timed(
	struct thread *thread, const struct task *task, uint64_t end, uint64_t ticks)
{
	struct worker_runs *runs = &thread->regions.runs;

	if (task != thread->tasks.at || !runs->n || runs->latest)
		return;
	runs->ticks += ticks;
	if (end)
		runs->end = end;
}

/*
 * Adds the times of the runs, if there are any, and of an execution that still lasts up to `now`.
 * An idle worker has been idle since the end of the last execution. The thread must not be in an
 * event, unless it is the calling thread. Any thread.
 */
void worker_run_flush(struct thread *thread, uint64_t now);

#endif
