/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a thread had no CPU (run_delay.h), as events tell. An event that has read the clock calls
 * these functions if run_delay_is_due. The time without a CPU before a wait is the code's in front
 * of it, the time in a wait is the wait's. A worker that gets its CPU only after its region has
 * begun is in the region from the begin on: the time until then is no time without a team.
 * The same clocks tell how long a thread slept in a wait or while it was idle. The reader leaves
 * that out of the time that the program's code can have slept (waited_asleep_ns).
 */
#ifndef OMPPROF_SAMPLER_THREADS_WAIT_DELAY_H
#define OMPPROF_SAMPLER_THREADS_WAIT_DELAY_H

#include <stdint.h>

#include "sampler/core/run_delay.h"

/* The current task is about to wait. Owning thread only. */
void wait_delay_begin(struct thread *thread);

/* The ns that the thread had no CPU since it looked last. Any thread. */
uint64_t wait_delay_look(struct thread *thread);

/*
 * The part of a wait of so many ticks in which the thread had no CPU, if it had none for delay_ns
 * before the wait's end. In ticks. Any thread.
 */
uint64_t wait_delay_ticks(uint64_t delay_ns, uint64_t ticks);

/*
 * A wait of so many ticks has ended, and was added to `leaf`. The thread had no CPU for delay_ns
 * before. Owning thread only.
 */
void wait_delay_end(struct thread *thread, uint32_t leaf, uint64_t ticks, uint64_t delay_ns);

/*
 * The event of a closing barrier's end has come at `now`. The wait of so many ticks has ended at
 * `end`, and is added to `leaf`; since then a worker was idle. Returns the wait's ticks without a
 * CPU. Any thread.
 */
uint64_t wait_delay_closing(
	struct thread *thread, uint32_t leaf, uint64_t ticks, uint64_t end, uint64_t now);

/*
 * The thread ends in an idle time of so many ticks, which is added to `leaf`. Returns the ticks of
 * it without a CPU. Any thread.
 */
uint64_t wait_delay_finish(struct thread *thread, uint32_t leaf, uint64_t ticks);

/*
 * An idle time of so many ticks ends, to which wait_delay_implicit has added time without a CPU.
 * Returns the ticks without a CPU, once. Owning thread only.
 */
uint64_t wait_delay_idle(struct thread *thread, uint64_t ticks);

/*
 * The current task, which is implicit, begins at `begun`. Returns when it would have begun if the
 * thread had had a CPU since the begin of its region. Owning thread only.
 */
uint64_t wait_delay_implicit(struct thread *thread, uint64_t begun);

#endif
