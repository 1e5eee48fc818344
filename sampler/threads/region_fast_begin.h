/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of regions and implicit tasks on the region fast path; see region_fast.h. The function of
 * an event returns whether it was the event's turn; if it was not, nothing has happened.
 */
#ifndef OMPPROF_SAMPLER_THREADS_REGION_FAST_BEGIN_H
#define OMPPROF_SAMPLER_THREADS_REGION_FAST_BEGIN_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/core/capture.h"
#include "sampler/threads/construct.h"
#include "sampler/threads/encounter.h"
#include "sampler/threads/worker_run.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/region.h"
#include "sampler/threads/task_stack.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/region_fast.h"
#include "sampler/threads/wait.h"

/* The task waits at the closing barrier. Owning thread only. */
static inline void region_fast_task_waits(struct task *task)
{
	task->barrier++;
	task->sync = OWN_BARRIER;
	task->wait = PROFILE_BARRIER_CLOSING;
	task->wait_weight = task->n_above = 0;
	task->since = task->ticks_on_top = 0;
}

/*
 * sync_region_wait begin, of the closing barrier. In old runtimes, which do not tell barriers
 * apart, it is the only barrier without a place of its own in the user's code. Owning thread only.
 */
static inline int region_fast_wait(uint32_t kind, const void *codeptr_ra)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_WORKS);

	if (!LIKELY(thread))
		return 0;
	if (!LIKELY(kind == ompt_sync_region_barrier_implicit_parallel ||
		    (kind == 2 && (!codeptr_ra || region_fast_task(thread)->region->team.codeptr ==
							  (uint64_t)codeptr_ra)))) {
		region_fast_cancel(thread);
		return 0;
	}
	region_fast_task_waits(region_fast_task(thread));
	BOARD_WRITE(thread->record->now.leaf, thread->fast.closing);
	board_publish_wait(thread, PROFILE_BARRIER_CLOSING, 0);
	region_fast_leave(thread, REGION_FAST_WAITS);
	return 1;
}

/* sync_region_wait end, of the closing barrier. Owning thread only. */
static inline int region_fast_end_wait(void)
{
	struct thread *thread = region_fast_enter(REGION_FAST_WAITS);
	struct task *task;

	if (!LIKELY(thread))
		return 0;
	task = region_fast_task(thread);
	task->sync = OWN_NONE;
	task->wait = 0;
	region_fast_leave(thread, REGION_FAST_HAS_WAITED);
	return 1;
}

/* The worker's execution continues the run. Owning thread only. */
static inline struct task *region_fast_go_on(struct thread *thread, struct worker_run *run,
	ompt_data_t *task_data, unsigned int n_threads, unsigned int index)
{
	struct task *task =
		tasks_push_untimed(thread, run->next, task_data, n_threads, index, run->context);

	task->is_in_run = 1;
	task->own = run->own;
	worker_run_go_on(thread, run, task);
	board_publish_task(thread, task);
	board_publish_wait(thread, 0, 0);
	return task;
}

/*
 * The implicit task of the thread that encountered the region begins, in an execution that is not
 * timed. The thread's own nodes of the region are known. Owning thread only.
 */
static inline struct task *region_fast_begin_own(
	struct thread *thread, uint64_t packed, ompt_data_t *task_data, unsigned int n_threads)
{
	struct region *region = region_of(packed);
	struct task *task =
		tasks_push_untimed(thread, packed, task_data, n_threads, 0, region->team.context);

	task->base_cfa = region->team.base_cfa;
	task->is_inline = n_threads == 1 && region->team.is_users;
	task->own = region->own.node;
	board_publish_task(thread, task);
	board_publish_wait(thread, 0, 0);
	region_has_team(region, n_threads);
	task->begun = region->begun;
	return task;
}

/* implicit_task begin, of the encountering thread. Owning thread only. */
static inline int region_fast_begin_task_own(
	uint64_t packed, ompt_data_t *task_data, unsigned int n_threads)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_HAS_BEGUN);
	struct task *task;

	if (!LIKELY(thread))
		return 0;
	if (!LIKELY(packed == thread->regions.deferred.packed && task_data)) {
		region_fast_cancel(thread);
		return 0;
	}
	region_fast_count(thread);
	task = region_fast_begin_own(thread, packed, task_data, n_threads);
	region_fast_works(thread, task, task->region->own.closing);
	thread->record->n_callbacks++;
	region_fast_leave(thread, REGION_FAST_WORKS);
	return 1;
}

/* implicit_task begin, of a worker. Owning thread only. */
static inline int region_fast_begin_task(
	uint64_t packed, ompt_data_t *task_data, unsigned int n_threads, unsigned int index)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_HAS_ENDED);
	struct worker_run *run;
	struct task *task;

	if (!LIKELY(thread))
		return 0;
	run = worker_run_of(thread, packed);
	if (!LIKELY(worker_run_goes_on(thread, run, packed, index) && run->closing && task_data &&
		    thread->fast.is_in_run)) {
		region_fast_cancel(thread);
		return 0;
	}
	wait_end_in_run(&thread->tasks.at[0]);
	thread->record->n_callbacks += REGION_FAST_HAS_ENDED - REGION_FAST_WORKS + 1;
	task = region_fast_go_on(thread, run, task_data, n_threads, index);
	region_fast_works(thread, task, run->closing);
	region_fast_leave(thread, REGION_FAST_WORKS);
	return 1;
}

/* implicit_task end, of any member of the team. Owning thread only. */
static inline int region_fast_end_task(const ompt_data_t *task_data)
{
	struct thread *thread = region_fast_enter(REGION_FAST_HAS_WAITED);

	if (!LIKELY(thread)) /* a team of one meets at no barrier */
		thread = region_fast_enter_to_tell(REGION_FAST_WORKS);
	if (!thread)
		return 0;
	/*
	 * A worker has no other task, and the address of its task_data may differ from the begin's.
	 */
	if (!LIKELY(thread->fast.is_in_run || thread->fast.data == task_data)) {
		region_fast_cancel(thread);
		return 0;
	}
	if (thread->fast.turn == REGION_FAST_WORKS) /* two of the events in turn did not come */
		thread->record->n_callbacks -= REGION_FAST_HAS_WAITED - REGION_FAST_WORKS;
	thread->tasks.n--;
	region_fast_leave(thread, REGION_FAST_HAS_ENDED);
	return 1;
}

/*
 * parallel_end. An execution in a pause, or a long execution, takes the slow path: a long execution
 * has to be counted in the region's timing before the next execution begins, and the fast path
 * counts it only later. Owning thread only.
 */
static inline int region_fast_end_region(void)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_HAS_ENDED);
	const struct task *task;
	struct region *region;
	uint64_t now, ticks;

	if (!LIKELY(thread))
		return 0;
	task = &thread->tasks.at[thread->tasks.n];
	region = (struct region *)task->region;
	now = tool_time();
	ticks = timing_between(task->begun, now);
	if (!LIKELY(thread->regions.n == 1 && ticks > 0 &&
		    ticks < tool.thresholds.region_at_once)) {
		region_fast_cancel(thread);
		return 0;
	}
	region_note_end(region, now, ticks);
	thread->record->n_callbacks += REGION_FAST_BETWEEN - REGION_FAST_WORKS;
	thread->regions.deferred =
		(struct deferred_count){ .region = region, .own = task->own, .ticks = ticks };
	thread->regions.n = 0;
	board_publish_task(thread, NULL);
	board_publish_wait(thread, 0, 0);
	region_fast_leave(thread, REGION_FAST_BETWEEN);
	return 1;
}

/*
 * Whether the construct is encountered as the construct of the i-th struct was, and the execution
 * is not to be timed. Owning thread only.
 */
static inline int region_fast_is_again(struct thread *thread, uint32_t i, const ompt_frame_t *frame,
	int flags, uint64_t codeptr_ra)
{
	const struct region *region = &thread->regions.at[i];

	return region->team.codeptr == codeptr_ra && region->own.closing && region->own.record &&
	       !region_timing_is_chosen(region_timing_in(region->own.record)) &&
	       !(thread->clock.is_paused | tool_is_paused() | (flags & ompt_parallel_league)) &&
	       !capture_weight(thread->record->n_captures) && frame &&
	       encounter_is_again(thread, i, frame, flags, codeptr_ra);
}

/*
 * parallel_begin. Looks only at the construct that followed the latest construct before.
 * Owning thread only.
 */
static inline int region_fast_begin_region(
	const ompt_frame_t *frame, ompt_data_t *parallel_data, int flags, const void *codeptr_ra)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_BETWEEN);
	struct thread_regions *regions;
	struct region *region;
	uint8_t i;

	if (!LIKELY(thread))
		return 0;
	regions = &thread->regions;
	i = regions->at[regions->latest].own.next;
	if (!LIKELY(parallel_data &&
		    region_fast_is_again(thread, i, frame, flags, (uint64_t)codeptr_ra))) {
		region_fast_cancel(thread);
		return 0;
	}
	region = &regions->at[i];
	regions->n = 1;
	regions->open[0] = regions->latest = i;
	thread->record->n_regions++;
	thread->record->n_captures++;
	region_timing_in(region->own.record)->n++;
	construct_count_region(region->team.node);
	region_begin_untimed(region, NULL, 0);
	regions->deferred.packed = region_pack(region, region->generation, 0);
	parallel_data->value = regions->deferred.packed;
	thread->record->n_callbacks++;
	region_fast_leave(thread, REGION_FAST_HAS_BEGUN);
	return 1;
}

#endif
