/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The quick way of the events of an execution that is not timed (pace.h). Of such executions, one after the other, each
 * member has the same events in the same order:
 *
 *   worker           sync_region_wait begin, sync_region_wait end, implicit_task end, implicit_task begin
 *   encountering     sync_region_wait begin, sync_region_wait end, implicit_task end
 *
 * and what each of them changes is known before it comes. So the thread keeps at which of them it is, its turn, and an
 * event that finds its turn writes that and nothing else, after one comparison in the place of many. Afterwards all is
 * as the full way would have left it: at any event, sample or end of the program the full way can go on.
 *
 * A turn begins where an event in the full way has found that the task is one of those (turn_begin), and ends with
 * every event in the full way (enter.h) and every sample, as they can change what was found.
 */
#ifndef OMPPROF_SAMPLER_TURN_H
#define OMPPROF_SAMPLER_TURN_H

#include <omp-tools.h>
#include <stdatomic.h>
#include <stddef.h>

#include "sampler/classify.h"
#include "sampler/handler.h"
#include "sampler/self.h"
#include "sampler/team.h"
#include "sampler/thread.h"
#include "sampler/tool.h"

enum { TURN_NONE, TURN_WORKS, TURN_WAITS, TURN_HAS_WAITED };

/* Lets the handler in again: the event was none of the turn after all, or after turn_leave. Owning thread only. */
static inline void turn_cancel(struct thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	thread->in_tool--;
}

/* The thread's struct with the handler kept out, if it is this turn's, no mutex is asked for in its own quick way, and the
   phase of the program has not changed; otherwise NULL, and there is nothing to end. One that got it ends with turn_leave or turn_cancel. Owning thread only. */
static inline struct thread *turn_enter(uint32_t turn)
{
	struct thread *thread = self_thread;

	if (!thread || !tool_is_on())
		return NULL;
	thread->in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	if (((thread->turn ^ turn) | thread->quick.phase | thread_has_news(thread)) == 0)
		return thread;
	turn_cancel(thread);
	return NULL;
}

/* The task whose turn it is. Owning thread only. */
static inline struct task *turn_task(struct thread *thread)
{
	return &thread->tasks[thread->n_tasks - 1];
}

/* The next turn is this one. Owning thread only. */
static inline void turn_leave(struct thread *thread, uint32_t next)
{
	thread->record->n_callbacks++;
	thread->turn = (uint8_t)next;
	if (thread->is_pending)
		handler_settle(thread);
	turn_cancel(thread);
}

/* The task on top works from now on, in an execution that is not timed, of which its thread has a leaf for the closing
   barrier: its turn begins. Only the initial task may lie below it. Owning thread only. */
static inline void turn_begin(struct thread *thread, const struct task *task)
{
	const struct context_note *note = &thread->contexts[task->context % THREAD_N_CONTEXTS];
	uint32_t n_below = task->is_in_run ? 0 : 1;

	if (task->own && note->context == task->context && note->closing && task->n_threads > 1 &&
		thread->n_tasks == n_below + 1 && (n_below == 0 || !task[-1].wait) &&
		(n_below == 0 || !task[-1].region))
		thread->turn = TURN_WORKS;
}

/* sync_region_wait begin, of the closing barrier (old runtimes do not tell barriers apart: only this one has no place of
   its own in the user's code). Returns whether it was its turn. Owning thread only. */
static inline int turn_wait(uint32_t kind, const void *codeptr_ra)
{
	struct thread *thread = turn_enter(TURN_WORKS);
	struct task *task;

	if (!thread)
		return 0;
	task = turn_task(thread);
	if (kind != ompt_sync_region_barrier_implicit_parallel &&
		(kind != 2 || (codeptr_ra && task->region->codeptr != (uint64_t)codeptr_ra))) {
		turn_cancel(thread);
		return 0;
	}
	task->sync = OWN_BARRIER;
	task->wait = PROFILE_BARRIER_CLOSING;
	task->barrier++;
	task->wait_weight = task->n_above = 0;
	task->since = task->away = 0;
	TEAM_WRITE(thread->record->now.leaf,
		thread->contexts[task->context % THREAD_N_CONTEXTS].closing);
	team_publish_wait(thread, PROFILE_BARRIER_CLOSING, 0);
	turn_leave(thread, TURN_WAITS);
	return 1;
}

/* sync_region_wait end, likewise. Owning thread only. */
static inline int turn_end_wait(void)
{
	struct thread *thread = turn_enter(TURN_WAITS);
	struct task *task;

	if (!thread)
		return 0;
	task = turn_task(thread);
	task->sync = OWN_NONE;
	task->wait = 0;
	team_publish_wait(thread, 0, 0);
	turn_leave(thread, TURN_HAS_WAITED);
	return 1;
}
#endif
