/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path for the events of executions that are not timed (region_timing.h). When such
 * executions follow one another, each member has the same events in the same order:
 *
 *   worker           sync_region_wait begin, sync_region_wait end, implicit_task end,
 *                    implicit_task begin
 *   encountering     sync_region_wait begin, sync_region_wait end, implicit_task end, parallel_end,
 *                    parallel_begin, implicit_task begin
 *   alone in a team  as encountering, but most runtimes have no sync_region_wait
 *
 * It is known in advance which data each of these events changes. So the thread keeps in `turn`
 * which of them came last. An event that arrives in the expected order writes the new turn and the
 * state of the thread's tasks, which a sample reads first. It defers all work that is not urgent.
 * Other threads wait for the code from the end of a barrier to parallel_end, and for the begin of
 * a worker's implicit task. The deferred work follows from the turn alone, except the length of
 * the execution (struct deferred_count). The deferred work is done
 *
 *   in turn:   by the begin of the next implicit task, when no thread waits for this one any more
 *   else:      by region_fast_flush, before the next of these: an event on the slow path
 *              (callback_enter.h), an event that is only counted (events_counted.c), a sample, the
 *              end of the thread or of the profile
 *
 * region_fast_flush leaves the same state as the slow path, so the slow path can continue from
 * there. It ends the turn. A new turn begins where an event on the slow path finds that the task is
 * suited (region_fast_begin). In the region's body nothing is deferred. A sample there leaves the
 * turn alone (region_fast_flush_if_left) and the execution stays on the fast path, unless a mutex
 * is asked for or held on the mutex fast path. On the slow path thread 0 runs up to twice as many
 * cache lines of code. They have to be fetched again if the body has evicted all else from the
 * caches.
 *
 * Other threads see a thread wait at the closing barrier from the barrier's begin until the thread
 * begins its next task, or until parallel_end. Up to parallel_end this is true except for moments.
 * After it, such a wait means that the thread is idle (blame.c).
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_FAST_H
#define OMPPROF_SAMPLER_CORE_REGION_FAST_H

#include <omp-tools.h>
#include <stdatomic.h>
#include <stddef.h>

#include "sampler/core/classify.h"
#include "sampler/core/handler.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/region_timing.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

/* The latest of the events in turn. */
enum {
	REGION_FAST_NONE,
	REGION_FAST_WORKS, /* implicit_task begin */
	REGION_FAST_WAITS,
	REGION_FAST_HAS_WAITED,
	REGION_FAST_HAS_ENDED, /* implicit_task end */
	REGION_FAST_BETWEEN,   /* parallel_end */
	REGION_FAST_HAS_BEGUN, /* parallel_begin */
};

/*
 * Does the work that the fast path has deferred, and ends the turn. The thread must not be in an
 * event, unless it is the calling thread. Signal-safe.
 */
void region_fast_flush(struct thread *thread);

/*
 * Does as region_fast_flush(), but keeps the turn if nothing is deferred. It is for callers that
 * change nothing that the fast path relies on. Signal-safe.
 */
static inline void region_fast_flush_if_left(struct thread *thread)
{
	if (thread->fast.turn > REGION_FAST_WORKS)
		region_fast_flush(thread);
}

/*
 * Adds the time and the counts of the execution that has ended, which region_fast_flush would do
 * otherwise. The thread must not be in an event, unless it is the calling thread. Signal-safe.
 */
void region_fast_count(struct thread *thread);

/*
 * A sample was not taken because an event in turn kept the handler out. Takes it now that the event
 * is over, and lets the handler in again. Owning thread only.
 */
void region_fast_take_pending(struct thread *thread);

/*
 * Lets the handler in again: at the end of region_fast_leave, or because the event was not in turn
 * after all. Owning thread only.
 */
static inline void region_fast_cancel(struct thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool = 0;
}

/*
 * Returns the thread's struct with the handler kept out, if three conditions hold: its turn is
 * `turn`, no mutex is asked for or held on the mutex fast path, and the phase of the program has
 * not changed. Otherwise returns NULL, and there is nothing to end. A caller that got the struct
 * ends with region_fast_leave or region_fast_cancel. It may write only to the thread's struct: a
 * child made by fork has a copy. Within another event the thread has no turn, so in_tool is 0.
 * Owning thread only.
 */
static inline struct thread *region_fast_enter(uint32_t turn)
{
	struct thread *thread = self_thread;

	if (!LIKELY(thread && thread->fast.turn == turn))
		return NULL;
	thread->gate.in_tool = 1;
	atomic_signal_fence(memory_order_seq_cst);
	if (LIKELY(((thread->fast.turn ^ turn) | thread->quick.phase | thread_has_news(thread)) ==
		    0))
		return thread;
	region_fast_cancel(thread);
	return NULL;
}

/*
 * Does as region_fast_enter() for events that write to the profile: NULL also while the tool is
 * off. Owning thread only.
 */
static inline struct thread *region_fast_enter_to_tell(uint32_t turn)
{
	return LIKELY(tool_is_on()) ? region_fast_enter(turn) : NULL;
}

/* Sets the next turn and lets the handler in again. Owning thread only. */
static inline void region_fast_leave(struct thread *thread, uint32_t next)
{
	thread->fast.turn = (uint8_t)next;
	if (LIKELY(!thread->gate.is_pending))
		region_fast_cancel(thread);
	else
		region_fast_take_pending(thread);
}

/* The task to which the turn belongs. Owning thread only. */
static inline struct task *region_fast_task(struct thread *thread)
{
	return &thread->tasks.at[thread->tasks.n - 1];
}

/* The task on top, whose turn this is, works from now on. Owning thread only. */
static inline void region_fast_works(
	struct thread *thread, const struct task *task, uint32_t closing)
{
	thread->fast.is_in_run = task->is_in_run;
	thread->fast.closing = closing;
	thread->fast.data = task->data;
}

/*
 * Begins the turn of the task on top. Its execution is not timed. Nothing is done unless the thread
 * has a leaf for the closing barrier, and nothing but the initial task is below the task. A thread
 * that encountered the region must also be able to recognize it when it encounters it again.
 * Owning thread only.
 */
static inline void region_fast_begin(
	struct thread *thread, const struct task *task, uint32_t closing)
{
	uint32_t n_below = task->is_in_run ? 0 : 1;

	if (!task->own || !closing || thread->tasks.n != n_below + 1)
		return;
	if (n_below && (task[-1].wait || task[-1].region || thread->regions.n != 1 ||
			       !task->region->own.record || !task->region->path.codeptr_ra ||
			       task->region->own.flags & ompt_parallel_league))
		return;
	region_fast_works(thread, task, closing);
	thread->fast.turn = REGION_FAST_WORKS;
}

#endif
