/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a thread was ready to run and had no CPU. The kernel counts this time
 * (/proc/self/task/TID/schedstat), and the count is gone once the process is gone. So a thread asks
 * for it now and then, in a sample. It asks at most once in RUN_DELAY_LEAST_NS, and at most once in
 * a RUN_DELAY_PART-th of its life so far. A program that is killed then lacks little more than
 * that, and the number of questions grows with the logarithm of the time. The file is open only
 * while it is read. At the thread's end the thread that closes its record asks once more, unless
 * the life was short (thread_record.c).
 */
#ifndef OMPPROF_SAMPLER_CORE_RUN_DELAY_H
#define OMPPROF_SAMPLER_CORE_RUN_DELAY_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum { RUN_DELAY_LEAST_NS = 20000000, RUN_DELAY_PART = 32 };

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
 * Records how long the thread has waited for a CPU, in a sample at now_ns for which
 * run_delay_is_due holds. Signal-safe.
 */
void run_delay_note(struct thread *thread, uint64_t now_ns);

/* Whether the thread is due to ask again. Signal-safe. */
static inline int run_delay_is_due(const struct thread *thread, uint64_t now_ns)
{
	return now_ns >= thread->life.delay_next_ns;
}

/*
 * Records the thread's whole waiting for a CPU, at the thread's or the profile's end. Any thread.
 */
void run_delay_end(struct thread *thread);

#endif
