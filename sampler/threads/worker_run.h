/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's time in executions of a region that are not timed (region_timing.h). To know when each of them began and ended it
 * would have to read what the thread that encountered it has just written: cache lines that move, 150 to 300 ns
 * each. Instead it counts them, in runs: executions of one region that follow each other without another in between
 * that it was no member of, as their generations show. The encountering thread sums up how long its executions took
 * (struct region.wall). What that came to from before the first of a run to after the last is the worker's time in
 * all of them, exactly; the rest of the time from the first one's begin to the last one's end it was idle.
 *
 * A run is settled where an execution is timed or is another region's, and when the thread ends. That of an
 * execution before, a member can read: it is not over before this member has come to its closing barrier.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WORKER_RUN_H
#define OMPPROF_SAMPLER_THREADS_WORKER_RUN_H

#include <stdint.h>

#include "sampler/core/region.h"
#include "sampler/core/thread.h"

/* The worker's execution that is not timed, whose task this is, begins another run. Owning thread only. */
void worker_run_begin_run(struct thread *thread, struct task *task);

/* The run goes on with the execution after the one whose task this is. Owning thread only. */
static inline void worker_run_expect(struct worker_run *run, const struct task *task)
{
	run->next = region_pack(task->region, (task->generation + 1) & REGION_GENERATIONS, 0);
}

/*
 * The worker becomes a member of an execution that is not timed, whose task this is.
 * Owning thread only.
 */
static inline void worker_run_begin(struct thread *thread, struct task *task)
{
	struct worker_run *run = &thread->regions.run;

	if (!run->n || run->region != task->region || run->own != task->own ||
		((run->generation + run->n) & REGION_GENERATIONS) != task->generation)
		worker_run_begin_run(thread, task);
	run->n++;
	run->n_threads = task->n_threads;
	worker_run_expect(run, task);
	thread->idle.is_idle = 0;
}

/* Whether the execution with this parallel_data goes on with the worker's run. Owning thread only. */
static inline int worker_run_goes_on(const struct thread *thread, uint64_t packed)
{
	return packed == thread->regions.run.next && thread->regions.run.n && thread->tasks.n == 0;
}

/* It does: with this task, which is the one before it again. Owning thread only. */
static inline void worker_run_go_on(struct thread *thread, const struct task *task)
{
	thread->idle.is_idle = 0;
	thread->regions.run.n++;
	worker_run_expect(&thread->regions.run, task);
}

/*
 * Adds the times of the run, if there is one; of an execution that lasts up to `now`. If the worker is idle
 * afterwards, it is since the last one's end.
 * The thread must not be in an event, unless it is the calling one. Any thread.
 */
void worker_run_flush(struct thread *thread, uint64_t now);

#endif
