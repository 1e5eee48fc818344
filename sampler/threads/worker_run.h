/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's time in executions of a region that are not timed (region_timing.h). To know the begin
 * and end of each execution, the worker would have to read lines that the encountering thread has
 * just written, which takes 150 to 300 ns each. Instead the worker counts its executions, in runs:
 * a run is a series of executions of one region, with consecutive generations, in all of which the
 * worker was a member. The encountering thread sums up how long its executions took (struct
 * region.wall). The growth of this sum during the run is the worker's time in the executions. For
 * the rest of the time from the first begin to the last end, the worker was idle.
 *
 * The times of a run are added when the next execution is timed or belongs to another region, and
 * when the thread ends. A member can read the sum as it was before its execution: the execution is
 * not over before this member has come to its closing barrier.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WORKER_RUN_H
#define OMPPROF_SAMPLER_THREADS_WORKER_RUN_H

#include <stdint.h>

#include "sampler/core/region.h"
#include "sampler/core/thread.h"

/* The worker's execution of this task begins another run. Owning thread only. */
void worker_run_begin_run(struct thread *thread, struct task *task);

/*
 * Notes which parallel_data continues the run: that of the execution after this task's.
 * Owning thread only.
 */
static inline void worker_run_expect(struct worker_run *run, const struct task *task)
{
	run->next = region_pack(task->region, (task->generation + 1) & REGION_GENERATIONS, 0);
}

/* The worker's execution of this task, which is not timed, begins. Owning thread only. */
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

/* Whether the execution with this parallel_data continues the worker's run. Owning thread only. */
static inline int worker_run_goes_on(const struct thread *thread, uint64_t packed)
{
	return packed == thread->regions.run.next && thread->regions.run.n && thread->tasks.n == 0;
}

/* The execution continues the run, with the previous task again. Owning thread only. */
static inline void worker_run_go_on(struct thread *thread, const struct task *task)
{
	thread->idle.is_idle = 0;
	thread->regions.run.n++;
	worker_run_expect(&thread->regions.run, task);
}

/*
 * Adds the times of the run, if there is a run, and of an execution that still lasts up to `now`.
 * An idle worker has been idle since the end of the last execution. The thread must not be in an
 * event, unless it is the calling thread. Any thread.
 */
void worker_run_flush(struct thread *thread, uint64_t now);

#endif
