/* SPDX-License-Identifier: Apache-2.0 */
/* The thread's own pointer, alone in the signal-safe core so that the handler can find it. */
#include "sampler/self.h"

#include "sampler/tool.h"

static __thread struct thread *self;

struct tool tool;

struct thread *thread_self(void)
{
	/* What a child made by fork inherited belongs to an earlier epoch. */
	return self && self->epoch == tool.epoch ? self : NULL;
}

void thread_set_self(struct thread *thread)
{
	self = thread;
}

uint64_t tool_now_ns(void)
{
	return clock_now_ns(CLOCK_MONOTONIC) - tool.start_ns;
}
