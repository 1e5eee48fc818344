/* SPDX-License-Identifier: Apache-2.0 */
/* How a callback begins that can be the first event of its thread; see callback_enter.h. */
#ifndef OMPPROF_SAMPLER_TOOL_CALLBACK_ADOPT_H
#define OMPPROF_SAMPLER_TOOL_CALLBACK_ADOPT_H

#include "sampler/threads/callback_enter.h"

/*
 * The struct of a thread that never had a thread_begin event, such as the thread that forked in the
 * child. NULL if the tool is off or there is no struct. Owning thread only.
 */
struct thread *callback_adopt(uint32_t type);

/* Like enter, for the events that can be the first of such a thread. Owning thread only. */
static inline struct thread *callback_enter_first(uint32_t type)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread || !thread->life.is_openmp)
		thread = callback_adopt(type);
	if (!thread)
		return NULL;
	callback_enter_as(thread);
	if (thread->mutexes.requested.kind | thread->quick.phase | thread_has_news(thread))
		callback_catch_up(thread);
	return thread;
}

#endif
