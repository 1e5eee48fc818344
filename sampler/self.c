/* SPDX-License-Identifier: Apache-2.0 */
/* The thread's own pointer, alone in the signal-safe core so that the handler can find it. */
#include "sampler/self.h"

#include "sampler/tool.h"

__thread struct thread *self_thread;

struct tool tool;

void thread_set_self(struct thread *thread)
{
	self_thread = thread;
}

uint64_t tool_now_ns(void)
{
	uint64_t now = clock_now_ns(CLOCK_MONOTONIC);

	return now > tool.start_ns ? now - tool.start_ns : 0;
}
