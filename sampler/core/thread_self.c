/* SPDX-License-Identifier: Apache-2.0 */
/* The thread's pointer to its struct, struct tool, and clocks. Part of the signal-safe core. */
#include "sampler/core/thread_self.h"

#include "profile/core/writer.h"
#include "sampler/core/tool.h"

enum { CALIBRATION_NS = 100000000 };

__thread struct thread *self_thread;

struct tool tool = { .stands_ticks = TOOL_GOES_ON, .stands_ns = TOOL_GOES_ON };

void thread_set_self(struct thread *thread)
{
	self_thread = thread;
}

uint64_t tool_clock_ns(void)
{
	uint64_t now = clock_now_ns(CLOCK_MONOTONIC);

	return now > tool.start_ns ? now - tool.start_ns : 0;
}

/* Stands still in a pause, as tool_time does. */
uint64_t tool_now_ns(void)
{
	uint64_t stands = __atomic_load_n(&tool.stands_ns, __ATOMIC_ACQUIRE);
	uint64_t paused = __atomic_load_n(&tool.paused_ns, __ATOMIC_RELAXED);
	uint64_t now = tool_clock_ns();

	now = now > paused ? now - paused : 0;
	return now < stands ? now : stands;
}

/* Several threads may run this at once. */
void tool_calibrate(void)
{
	struct profile_header *header = writer_header();
	uint64_t now_ns = tool_clock_ns();

	if (__atomic_load_n(&header->ticks_per_s, __ATOMIC_RELAXED) == 0 && now_ns > CALIBRATION_NS)
		__atomic_store_n(&header->ticks_per_s,
			(tool_ticks() - tool.start_ticks) / (now_ns / 1000) * 1000000,
			__ATOMIC_RELAXED);
}
