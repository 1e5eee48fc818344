/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a thread was ready to run and had no CPU: the kernel counts it (/proc/self/task/TID/schedstat), and nobody could
 * ask it once the process is gone. So a thread asks now and then, in a sample: at most once in RUN_DELAY_LEAST_NS, and in a
 * RUN_DELAY_PART-th of its life so far, so that no more than that is missing of a program that is killed, and what is asked
 * grows with the logarithm of the time. The file is open for no longer than it takes to read it. At the thread's end
 * whoever closes its record asks once more (thread_record.c).
 */
#ifndef OMPPROF_SAMPLER_CORE_RUN_DELAY_H
#define OMPPROF_SAMPLER_CORE_RUN_DELAY_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum { RUN_DELAY_LEAST_NS = 20000000, RUN_DELAY_PART = 32 };

/* Asks for any thread of the process; 0 if the kernel does not say. Signal-safe. */
uint64_t run_delay_of(uint32_t tid);

/*
 * The thread's record is of it from now on, in ns of measured time. What it has waited before is left out.
 * Owning thread only.
 */
void run_delay_begin(struct thread *thread, uint64_t now_ns);

/* A sample of the thread at now_ns, which is due: puts into its record how long it has waited for a CPU. Signal-safe. */
void run_delay_note(struct thread *thread, uint64_t now_ns);

/* Whether it is. Signal-safe. */
static inline int run_delay_is_due(const struct thread *thread, uint64_t now_ns)
{
	return now_ns >= thread->life.delay_next_ns;
}

/* Likewise, at its end, or the profile's: how long is all that it has waited. Any thread. */
void run_delay_end(struct thread *thread);

#endif
