/* SPDX-License-Identifier: Apache-2.0 */
/* A worker's runs of untimed executions; see worker_run.h. Not for the signal handler. */
#include "sampler/threads/worker_run.h"

#include <stddef.h>

#include "sampler/core/region.h"
#include "sampler/core/timeline.h"
#include "sampler/threads/wait_delay.h"
#include "sampler/threads/wait_internal.h"

/* The generation of the run's latest execution. */
static uint32_t last_of(const struct worker_run *run)
{
	return (run->generation + run->n - 1) & REGION_GENERATIONS;
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

/* The ticks of all executions in the run, up to `now` of an execution that still lasts. */
static uint64_t sum_of(const struct worker_run *run, uint64_t now)
{
	uint32_t n_all;
	uint64_t wall = region_wall_of(region_of(run->next), last_of(run), now, &n_all);

	return part_of(run, wall, run->n - 1 + n_all);
}

/* When the run's latest execution ended; `now` while it lasts; 0: not known any more. */
static uint64_t end_of(const struct worker_run *run, uint64_t now)
{
	const struct region *region = region_of(run->next);
	uint32_t last = last_of(run), n_ended = region_n_ended(region, last);

	return n_ended ? region_end_of(region, last, run->n_threads, n_ended) : now;
}

/* Adds the time of one run, and ends the run. */
static void flush_run(struct thread *thread, struct worker_run *run, uint64_t now)
{
	uint64_t end = end_of(run, now), sum = sum_of(run, now);

	if (end && sum > timing_between(run->begun, end))
		sum = timing_between(run->begun, end);
	if (run->own)
		wait_add_to_node(run->own, 0, sum, 0);
	thread->regions.runs.ticks += sum;
	run->n = 0;
}

/* The execution of this task does not continue the run at its place: another run begins there. */
static void begin_run(struct thread *thread, struct worker_run *run, const struct task *task)
{
	struct worker_runs *runs = &thread->regions.runs;
	uint64_t begun = __atomic_load_n(&task->region->begun, __ATOMIC_RELAXED);

	/* The encountering thread may not have stored its begin yet. */
	if (!begun)
		begun = tool_time();
	if (run->n)
		flush_run(thread, run, begun);
	if (!runs->n) {
		wait_end_idle(thread, begun);
		runs->begun = begun;
		runs->ticks = 0;
	}
	*run = (struct worker_run){
		.own = task->own,
		.closing = task->own ? wait_closing_leaf(thread, task->context) : 0,
		.context = task->context,
		.generation = task->generation,
		.thread_num = task->thread_num,
		.begun = begun,
		.wall = task->region->wall,
	};
}

void worker_run_begin(struct thread *thread, const struct task *task)
{
	struct worker_run *run = worker_run_of(thread, region_pack(task->region, 0, 0));

	if (!run->n || region_of(run->next) != task->region || run->own != task->own ||
		((run->generation + run->n) & REGION_GENERATIONS) != task->generation ||
		run->thread_num != task->thread_num)
		begin_run(thread, run, task);
	worker_run_go_on(thread, run, task);
}

void worker_run_begin_timed(struct thread *thread, const struct task *task)
{
	struct worker_runs *runs = &thread->regions.runs;

	/* Without a node of its own the time of an execution is not known at its end. */
	if (runs->n && (tool.settings.trace_bytes || !task->own ||
			       timing_between(runs->begun, task->begun) >= tool.thresholds.runs))
		worker_run_flush(thread, task->begun);
	if (!runs->n) {
		wait_end_idle(thread, task->begun);
		return;
	}
	runs->n++;
	runs->latest = NULL;
	runs->end = task->begun;
	thread->idle.is_idle = 0;
	thread->idle.since = 0;
}

void worker_run_flush(struct thread *thread, uint64_t now)
{
	struct worker_runs *runs = &thread->regions.runs;
	uint64_t end, idle;

	if (!runs->n)
		return;
	end = runs->latest ? end_of(runs->latest, now) : runs->end;
	for (uint32_t i = 0; i < THREAD_MAX_REGIONS; i++) {
		if (runs->at[i].n)
			flush_run(thread, &runs->at[i], now);
	}
	idle = wait_between(runs->begun, end, runs->ticks);
	if (end && runs->n > 1) {
		wait_add_to_leaf(
			thread, wait_idle_leaf(thread), runs->n - 1, idle, runs->n == 2 ? idle : 0);
		timeline_wait(thread, PROFILE_IDLE_BETWEEN, thread->idle.between_leaf, runs->begun,
			end, idle - wait_delay_idle(thread, idle));
	}
	if (thread->idle.is_idle)
		thread->idle.since = end;
	runs->n = 0;
}
