/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a callback begins and ends. Between the two calls the thread's own handler is kept out. Each
 * callback runs on the thread that it is about, and does nothing in a process that did not start
 * the tool.
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

/*
 * The current task waits for no mutex any more.
 * Owning thread only.
 */
void callback_forget_mutex(struct thread *thread);

/*
 * The thread did not get the mutex that it requested before: the runtime would have reported the
 * acquisition at once. The thread also follows the program's phase. Owning thread only.
 */
void callback_catch_up(struct thread *thread);

/* Keeps the handler out until leave. Owning thread only. */
static inline void callback_enter_as(struct thread *thread)
{
	thread->gate.in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	if (thread->fast.turn && thread->gate.in_tool == 1)
		region_fast_flush(thread);
	thread->record->n_callbacks++;
}

/*
 * Begins a callback: returns the thread's struct with the handler kept out, or NULL if there is
 * nothing to do. A callback that got a struct ends with leave. This function is for events that may
 * end a wait for a mutex. Owning thread only.
 */
static inline struct thread *callback_enter_with_mutex(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread)
		return NULL;
	callback_enter_as(thread);
	if (thread_has_news(thread))
		phase_follow(thread);
	return thread;
}

/* Like callback_enter_with_mutex, for all other events. Owning thread only. */
static inline struct thread *enter(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread)
		return NULL;
	callback_enter_as(thread);
	if (thread->mutexes.requested.kind | thread->quick.phase | thread_has_news(thread))
		callback_catch_up(thread);
	return thread;
}

/* Ends a callback. Owning thread only. */
static inline void leave(struct thread *thread)
{
	if (thread->gate.is_pending)
		handler_take_pending(thread);
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool--;
}

#endif
