/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of regions and implicit tasks on the region fast path; see region_fast.h. The function of
 * an event returns whether it was the event's turn; if it was not, nothing has happened.
 */
#ifndef OMPPROF_SAMPLER_THREADS_REGION_FAST_BEGIN_H
#define OMPPROF_SAMPLER_THREADS_REGION_FAST_BEGIN_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/capture.h"
#include "sampler/threads/construct.h"
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
	const struct region *region;

	if (!LIKELY(thread))
		return 0;
	if (!LIKELY(kind == ompt_sync_region_barrier_implicit_parallel ||
		    (kind == 2 && (!codeptr_ra || thread->fast.codeptr == (uint64_t)codeptr_ra)))) {
		region_fast_cancel(thread);
		return 0;
	}
	region_fast_task_waits(region_fast_task(thread));
	BOARD_WRITE(thread->record->now.leaf, thread->fast.closing);
	board_publish_wait(thread, PROFILE_BARRIER_CLOSING, 0);
	/*
	 * The thread that encountered the region has time now. It reads the words of the stack, so
	 * that they are in its cache when it compares them at the next region's begin.
	 */
	if (!thread->fast.is_in_run) {
		region = region_fast_task(thread)->region;
		(void)path_cache_has_words(region->own.cached_path, region->own.enter_frame);
	}
	region_fast_leave(thread, REGION_FAST_WAITS);
	return 1;
}

/* sync_region_wait end, likewise. Owning thread only. */
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

/* implicit_task begin, of a worker or of the encountering thread. Owning thread only. */
static inline int region_fast_begin_task(
	uint64_t packed, ompt_data_t *task_data, unsigned int n_threads, unsigned int index)
{
	struct thread *thread =
		region_fast_enter_to_tell(index ? REGION_FAST_HAS_ENDED : REGION_FAST_HAS_BEGUN);
	struct task *task;

	if (!LIKELY(thread))
		return 0;
	/* The entry still has the data of the task that ended last. */
	task = &thread->tasks.at[thread->tasks.n];
	if (!LIKELY(packed ==
			    (index ? thread->regions.run.next : thread->regions.deferred.packed) &&
		    task->data == task_data && task->n_threads == n_threads &&
		    task->thread_num == index)) {
		region_fast_cancel(thread);
		return 0;
	}
	task_data->value = thread->tasks.data | task->context;
	if (index) {
		wait_end_in_run(task);
		thread->record->n_callbacks += REGION_FAST_HAS_ENDED - REGION_FAST_WORKS;
	}
	tasks_push_again(thread, region_generation(packed));
	board_publish_wait(thread, 0, 0);
	if (index) {
		BOARD_WRITE(thread->record->now.instance, task->generation);
		worker_run_go_on(thread, task);
	} else {
		board_publish_task(thread, task);
		task->begun = region_find_begin(thread->regions.deferred.region);
		region_fast_count(thread);
	}
	thread->record->n_callbacks++;
	region_fast_leave(thread, REGION_FAST_WORKS);
	return 1;
}

/* implicit_task end, likewise. Owning thread only. */
static inline int region_fast_end_task(const ompt_data_t *task_data)
{
	struct thread *thread = region_fast_enter(REGION_FAST_HAS_WAITED);

	if (!LIKELY(thread))
		return 0;
	/*
	 * A worker has no other task, and the address of its task_data may differ from the begin's.
	 */
	if (!LIKELY(thread->fast.is_in_run || thread->fast.data == task_data)) {
		region_fast_cancel(thread);
		return 0;
	}
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
	if (!LIKELY(!task->is_in_run && thread->regions.n > 0 &&
		    region == &thread->regions.at[thread->regions.n - 1] && ticks > 0 &&
		    ticks < tool.thresholds.region_at_once)) {
		region_fast_cancel(thread);
		return 0;
	}
	region_note_end(region, now, ticks);
	thread->record->n_callbacks += REGION_FAST_BETWEEN - REGION_FAST_WORKS;
	region->own.ended = thread->record->n_callbacks;
	thread->regions.deferred =
		(struct deferred_count){ .region = region, .own = task->own, .ticks = ticks };
	thread->regions.n--;
	board_publish_task(thread, NULL);
	board_publish_wait(thread, 0, 0);
	region_fast_leave(thread, REGION_FAST_BETWEEN);
	return 1;
}

/*
 * The capture: no event came since the end of the previous execution, so that only the words of the
 * stack have to be compared. Returns whether they are the same. Owning thread only.
 */
static inline int region_fast_capture(const struct thread *thread, const struct region *region)
{
	struct profile_thread *record = thread->record;
	uint64_t n = record->n_captures, weight = capture_weight(n), begin;
	int is_known;

	if (LIKELY(!weight))
		return path_cache_has_words(region->own.cached_path, region->own.enter_frame);
	begin = tool_ticks();
	is_known = path_cache_has_words(region->own.cached_path, region->own.enter_frame);
	if (!is_known)
		return 0;
	tool_add_ticks(&record->capture_ticks, n, begin, weight);
	capture_prepare();
	return 1;
}

/*
 * Whether the construct is encountered as it was just before, from the same frames, and the
 * execution is not to be timed. Owning thread only.
 */
static inline int region_fast_is_again(const struct thread *thread, const struct region *region,
	const ompt_frame_t *frame, int flags, uint64_t codeptr)
{
	return region->team.codeptr == codeptr && region->own.flags == flags && frame &&
	       region->own.enter_frame == (uint64_t)frame->enter_frame.ptr &&
	       region->own.exit_frame == (uint64_t)frame->exit_frame.ptr &&
	       !thread->clock.is_paused && !tool_is_paused() &&
	       !region_timing_is_chosen(region_timing_in(region->own.record)) &&
	       region_fast_capture(thread, region);
}

/* parallel_begin. Owning thread only. */
static inline int region_fast_begin_region(
	const ompt_frame_t *frame, ompt_data_t *parallel_data, int flags, const void *codeptr_ra)
{
	struct thread *thread = region_fast_enter_to_tell(REGION_FAST_BETWEEN);
	struct region *region;

	if (!LIKELY(thread))
		return 0;
	region = &thread->regions.at[thread->regions.n];
	if (!LIKELY(parallel_data &&
		    region_fast_is_again(thread, region, frame, flags, (uint64_t)codeptr_ra))) {
		region_fast_cancel(thread);
		return 0;
	}
	thread->regions.n++;
	thread->record->n_regions++;
	thread->record->n_captures++;
	region_timing_in(region->own.record)->n++;
	construct_count_region(region->team.node);
	__atomic_store_n(&region->begun, 0, __ATOMIC_RELAXED);
	thread->regions.deferred.packed = region_pack(region, region->generation, 0);
	parallel_data->value = thread->regions.deferred.packed;
	thread->record->n_callbacks++;
	region_fast_leave(thread, REGION_FAST_HAS_BEGUN);
	return 1;
}

#endif
