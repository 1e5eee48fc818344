/* SPDX-License-Identifier: Apache-2.0 */
/* Members of quick executions; see worker_run.h. Not for the signal handler. */
#include "sampler/threads/worker_run.h"

#include <stddef.h>

#include "sampler/core/region.h"
#include "sampler/core/timeline.h"
#include "sampler/threads/wait_internal.h"

void worker_run_begin_run(struct thread *thread, struct task *task)
{
	const struct region *region = task->region;
	uint64_t begun = __atomic_load_n(&region->begun, __ATOMIC_RELAXED);

	/* The encountering thread may not have stored its begin yet. */
	if (!begun)
		begun = tool_time();
	worker_run_flush(thread, begun);
	wait_end_idle(thread, begun);
	thread->regions.run = (struct worker_run){
		.region = region,
		.own = task->own,
		.generation = task->generation,
		.begun = begun,
		.wall = region->wall,
	};
}

/*
 * The ticks of the run's executions. Where the ticks are known only for more executions (n_all),
 * the run gets a share by number, as its own part is not known exactly.
 */
static uint64_t part_of(const struct worker_run *run, uint64_t wall, uint32_t n_all)
{
	uint64_t sum = timing_between(run->wall, wall);

	return n_all > run->n ? (uint64_t)((double)sum * run->n / n_all) : sum;
}

/*
 * The ticks of all executions in the run. *end: when the last execution ended; `now` while it
 * lasts; 0: not known any more.
 */
static uint64_t sum_of(const struct worker_run *run, uint64_t now, uint64_t *end)
{
	const struct region *region = run->region;
	uint32_t last = (run->generation + run->n - 1) & REGION_GENERATIONS;
	uint32_t n_ended = region_n_ended(region, last);
	uint64_t wall = __atomic_load_n(&region->ends[last % REGION_N_ENDS].wall, __ATOMIC_RELAXED);
	uint64_t begun = __atomic_load_n(&region->begun, __ATOMIC_RELAXED);

	*end = n_ended ? region_end_of(region, last, run->n_threads, n_ended) : now;
	if (n_ended == 0)
		return part_of(run, __atomic_load_n(&region->wall, __ATOMIC_RELAXED), run->n) +
		       (begun ? timing_between(begun, now) : 0);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	/* The entry may have been used again meanwhile. */
	if (region_n_ended(region, last) < REGION_N_ENDS)
		return part_of(run, wall, run->n);
	return part_of(run, __atomic_load_n(&region->wall, __ATOMIC_RELAXED), run->n - 1 + n_ended);
}

void worker_run_flush(struct thread *thread, uint64_t now)
{
	struct worker_run *run = &thread->regions.run;
	uint64_t end, sum, between;

	if (!run->n)
		return;
	sum = sum_of(run, now, &end);
	between = timing_between(run->begun, end);
	if (end && sum > between)
		sum = between;
	if (run->own)
		wait_add_to_node(run->own, 0, sum, 0);
	if (end && run->n > 1) {
		wait_add_to_leaf(thread, wait_idle_leaf(thread), run->n - 1, between - sum,
			run->n == 2 ? between - sum : 0);
		timeline_wait(thread, PROFILE_IDLE_BETWEEN, thread->idle.between_leaf, run->begun,
			end, between - sum);
	}
	if (thread->idle.is_idle)
		thread->idle.since = end;
	run->n = 0;
}
