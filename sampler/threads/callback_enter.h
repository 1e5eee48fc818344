/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a callback begins and ends. If a signal comes between the two calls, leave takes its sample
 * (handler_take_pending). A callback runs on the thread that has the event. enter and
 * callback_enter_with_mutex return NULL while the tool is off in this process, and for a thread
 * that it does not know. The callback then does little, such as to count a loss.
 */
#ifndef OMPPROF_SAMPLER_THREADS_CALLBACK_ENTER_H
#define OMPPROF_SAMPLER_THREADS_CALLBACK_ENTER_H

#include <stdatomic.h>
#include <stddef.h>

#include "sampler/core/handler.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/core/phase.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/core/region_fast.h"

/* The current task waits for no mutex any more. Owning thread only. */
void callback_forget_mutex(struct thread *thread);

/*
 * An event other than an acquisition has come, so the thread did not get the mutex that it may have
 * requested. Also leaves the mutex fast path, and follows the program's phase. Owning thread only.
 */
void callback_catch_up(struct thread *thread);

/*
 * Keeps the handler out until leave, does what the region fast path has deferred, and counts the
 * event. Owning thread only.
 */
static inline void callback_enter_as(struct thread *thread)
{
	thread->gate.in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	if (thread->fast.turn && thread->gate.in_tool == 1)
		region_fast_flush(thread);
	thread->record->n_callbacks++;
}

/* As callback_enter_as, with callback_catch_up where it is needed. Owning thread only. */
static inline void callback_enter_known(struct thread *thread)
{
	callback_enter_as(thread);
	if (thread->mutexes.requested.kind | thread->quick.phase | thread->gate.unseen |
		thread_has_news(thread))
		callback_catch_up(thread);
}

/*
 * Begins a callback of an event that may end a wait for a mutex, or that says nothing about it: an
 * acquisition, a device's trace. Returns the thread's struct; the callback then ends with leave.
 * NULL: there is nothing to do. Owning thread only.
 */
static inline struct thread *callback_enter_with_mutex(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread)
		return NULL;
	callback_enter_as(thread);
	if (thread->gate.unseen)
		unseen_meet_in_event(thread);
	if (thread_has_news(thread))
		phase_follow(thread);
	return thread;
}

/* The same for a release, which may end a wait for a mutex. Owning thread only. */
static inline struct thread *callback_enter_release(void)
{
	struct thread *thread = callback_enter_with_mutex();

	if (thread && thread->mutexes.requested.kind | thread->quick.phase)
		callback_catch_up(thread);
	return thread;
}

/* Like callback_enter_with_mutex, for all other events. Owning thread only. */
static inline struct thread *enter(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (thread)
		callback_enter_known(thread);
	return thread;
}

/* Ends a callback. Owning thread only. */
static inline void leave(struct thread *thread)
{
	if (thread->gate.is_pending)
		handler_take_pending(thread);
	if (thread->gate.unseen == UNSEEN_MET)
		unseen_part_in_event(thread);
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool--;
}

#endif
