/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The quick way of the events of an execution that is not timed (region_timing.h). Of such executions, one after the other,
 * each member has the same events in the same order:
 *
 *   worker           sync_region_wait begin, sync_region_wait end, implicit_task end, implicit_task begin
 *   encountering     sync_region_wait begin, sync_region_wait end, implicit_task end, parallel_end,
 *                    parallel_begin, implicit_task begin
 *
 * and what each of them changes is known before it comes. So the thread keeps which of them came last, its turn, and
 * an event that finds its turn writes that and the state of the thread's tasks, which a sample looks at first, but
 * nothing else that is not in a hurry: others wait for what comes between
 * the end of a barrier and parallel_end on the one side, the begin of a worker's implicit task on the other. What is
 * left out follows from the turn alone, but for the length of the execution (struct owed); it is made up for
 *
 *   in its turn: by the begin of the next implicit task, when nobody waits for its thread any more
 *   else:        by region_fast_flush, before whatever comes first: an event in the full way (callback_enter.h), a sample, the end
 *
 * and region_fast_flush leaves all as the full way would have left it, so that this can go on. It ends the turn; another
 * begins where an event in the full way has found that the task is one of those (region_fast_begin). In the body, nothing has been
 * left out: a sample there leaves the turn alone (region_fast_flush_if_left), unless a mutex is asked for in its own quick way, and
 * the execution goes on in the quick way. In the full way thread 0 goes through up to twice as many lines of code, which are
 * gone where the body has put all else out of the caches.
 *
 * Others see a thread wait at the closing barrier from its begin until the thread begins its next task, or parallel_end:
 * up to the latter it does, but for moments, and after it that means that it is idle (blame.c).
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_FAST_H
#define OMPPROF_SAMPLER_CORE_REGION_FAST_H

#include <omp-tools.h>
#include <stdatomic.h>
#include <stddef.h>

#include "sampler/core/classify.h"
#include "sampler/core/handler.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/core/region_fast_code.h"

/* What came last, of the events in turn. */
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
 * Makes up for what the quick way has left out, and ends the turn. The thread must not be in an event, unless it is the
 * calling one.
 * Signal-safe.
 */
void region_fast_flush(struct thread *thread);

/* Likewise, but where nothing is left out the turn goes on. For what changes nothing that the quick way
   relies on. Signal-safe. */
static inline void region_fast_flush_if_left(struct thread *thread)
{
	if (thread->fast.turn > REGION_FAST_WORKS)
		region_fast_flush(thread);
}

/* The time of the execution that has ended, and what is counted of it; likewise. Signal-safe. */
void region_fast_count(struct thread *thread);

/* A sample was not taken because of an event in turn, which is over: the handler is let in again. Owning thread only. */
void region_fast_take_pending(struct thread *thread);

/* Lets the handler in again: the event was none of the turn after all, or after region_fast_leave. Owning thread only. */
static inline void region_fast_cancel(struct thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool = 0;
}

/* The thread's struct with the handler kept out, if it is this turn's, no mutex is asked for in its own quick way, and the
   phase of the program has not changed; otherwise NULL, and there is nothing to end. One that got it ends with region_fast_leave
   or region_fast_cancel. It may write to the thread's struct only: a child made by fork has a copy. In another event the thread
   has no turn: in_tool is 0. Owning thread only. */
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

/* Likewise, for events that write to the profile. Owning thread only. */
static inline struct thread *region_fast_enter_to_tell(uint32_t turn)
{
	return LIKELY(tool_is_on()) ? region_fast_enter(turn) : NULL;
}

/* The next turn is this one. Owning thread only. */
static inline void region_fast_leave(struct thread *thread, uint32_t next)
{
	thread->fast.turn = (uint8_t)next;
	if (LIKELY(!thread->gate.is_pending))
		region_fast_cancel(thread);
	else
		region_fast_take_pending(thread);
}

/* The task whose turn it is. Owning thread only. */
static inline struct task *region_fast_task(struct thread *thread)
{
	return &thread->tasks.at[thread->tasks.n - 1];
}

/* The task on top works from now on, in an execution that is not timed, of which its thread has a leaf for the closing
   barrier: its turn begins. Only the initial task may lie below it, and the thread that encountered the region can tell
   when it encounters it again. Owning thread only. */
static inline void region_fast_begin(struct thread *thread, const struct task *task)
{
	const struct context_note *note =
		&thread->waits.contexts[task->context % THREAD_N_CONTEXTS];
	uint32_t n_below = task->is_in_run ? 0 : 1;

	if (!task->own || note->context != task->context || !note->closing || task->n_threads < 2 ||
		thread->tasks.n != n_below + 1)
		return;
	if (n_below &&
		(task[-1].wait || task[-1].region || !task->region->own.record ||
			!task->region->own.memo || task->region->own.flags & ompt_parallel_league))
		return;
	thread->fast.is_in_run = task->is_in_run;
	thread->fast.closing = note->closing;
	thread->fast.codeptr = task->region->team.codeptr;
	thread->fast.data = task->data;
	thread->fast.turn = REGION_FAST_WORKS;
}

#endif
