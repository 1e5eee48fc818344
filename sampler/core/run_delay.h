/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a thread was ready to run and had no CPU, and where. The kernel counts this time
 * (/proc/self/task/TID/schedstat), but tells neither when nor where it was. So a thread compares
 * the system's clock with its own CPU time: in a sample of code or of a wait for a device, and
 * where an event has read the clock anyway and RUN_DELAY_LEAST_NS have passed. If it lacks
 * RUN_DELAY_LEAST_NS of CPU time, it asks the kernel. The time that the kernel has added then
 * belongs to what was sampled, or to the wait that ends, or to the code before a wait. A question
 * takes about 4 us, so questions take less than 0.4 % of the time without a CPU.
 * The file is open only while it is read. A program that is killed lacks what came after its
 * threads' latest questions; a thread that waits asks only when its wait ends. At the thread's end
 * the thread that closes its record asks once more, unless the life was short (thread_record.c).
 */
#ifndef OMPPROF_SAMPLER_CORE_RUN_DELAY_H
#define OMPPROF_SAMPLER_CORE_RUN_DELAY_H

#include <stdint.h>

#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

enum { RUN_DELAY_LEAST_NS = 1000000 };

/*
 * Returns how many ns the thread `tid` of this process has been ready without a CPU so far; 0 if
 * the kernel does not say it, or the thread has ended. Signal-safe.
 */
uint64_t run_delay_of(uint32_t tid);

/*
 * The thread's record begins at now_ns, in ns of measured time. Earlier waiting for a CPU is left
 * out. Owning thread only.
 */
void run_delay_begin(struct thread *thread, uint64_t now_ns);

/*
 * Returns how many ns the thread was ready without a CPU since it asked the kernel last. Returns 0,
 * too, if it lacks too little CPU time to ask. now_ns is from tool_now_ns, cpu_ns is the thread's
 * CPU clock. Signal-safe.
 */
uint64_t run_delay_look(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns);

/* Does not look for delays before now, as measured time stood still. Signal-safe. */
void run_delay_skip(struct thread *thread, uint64_t cpu_ns);

/* Adds ns without a CPU to a SAMPLES or WAIT node. Signal-safe. */
void run_delay_add(uint32_t node, uint64_t ns);

/* Whether the latest run_delay_look is long ago; `now` is from tool_time. Signal-safe. */
static inline int run_delay_is_due(const struct thread *thread, uint64_t now)
{
	return now - thread->life.delay.ticks >= tool.thresholds.run_delay;
}

/* So many ns in ticks. Signal-safe. */
static inline uint64_t run_delay_ticks(uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * tool.thresholds.run_delay / RUN_DELAY_LEAST_NS);
}

/* So many ticks in ns. Signal-safe. */
static inline uint64_t run_delay_ns(uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * RUN_DELAY_LEAST_NS /
			  tool.thresholds.run_delay);
}

/* A measured sleep of so many ticks is no time without a CPU. Owning thread only. */
static inline void run_delay_leave_out(struct thread *thread, uint64_t ticks)
{
	thread->life.delay.wall_ns += run_delay_ns(ticks);
}

/*
 * Records the thread's whole waiting for a CPU, at the thread's or the profile's end. Any thread.
 */
void run_delay_end(struct thread *thread);

#endif
