/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work before a sample (catch_up), and the work that follows once the sample has been inserted
 * into the tree. The sample's time goes to the timeline, waiting threads are blamed on it, and the
 * profile is told which intervals the thread has not ended yet.
 */
#ifndef OMPPROF_SAMPLER_CORE_SAMPLE_FOLLOW_H
#define OMPPROF_SAMPLER_CORE_SAMPLE_FOLLOW_H

#include <stdint.h>

#include "profile/shared/layout.h"
#include "sampler/core/clock.h"
#include "sampler/core/thread.h"

/* The time between two samples of a thread. */
struct sample_gap {
	uint64_t since_ns; /* measured wall time since the previous sample; 0: not to be used */
	uint64_t delay_ns; /* the thread was ready to run, but had no CPU (run_delay.h) */
};

/*
 * Before a sample: does what the fast paths have deferred as far as the sample needs it, and gives
 * the tree the root of the program's present phase. Signal-safe.
 */
void catch_up(struct thread *thread);

/*
 * Adds a sample of this leaf to the timeline. If the thread works, is in overhead, or waits for a
 * device, blames its path for the threads that wait meanwhile. A wait for a device that no event
 * has announced begins here. Signal-safe.
 */
void sample_spread(struct thread *thread, uint32_t leaf, enum profile_class class,
	const struct clock_weight *weight, const struct sample_gap *gap);

/*
 * Tells the profile which wait, task and hold of the thread are open, so that they count even if
 * the program is killed. Adds the time for which the thread had no CPU (run_delay.h) to its
 * sample's leaf. Signal-safe.
 */
void sample_note_open(
	struct thread *thread, uint32_t leaf, enum profile_class class, uint64_t delay_ns);

/*
 * The explicit tasks on the thread's stack have lasted for long: the thread is sampled, or a long
 * wait or sleep ends that began at `latest`. From here on each is timed, and represents itself
 * alone. A task that was not timed had begun by `latest`, but after the previous timed task ended,
 * and after the previous sample. It counts from the middle between these times. The thread may have
 * slept or been idle in between, so that is at most 5 ms before `latest`. Signal-safe.
 */
void sample_time_tasks(struct thread *thread, uint64_t latest);

/*
 * Open intervals are written into the profile (struct profile_open): a task, the wait of the task
 * below it, and the hold of a mutex, each only once a sample has met it. A program that is killed
 * does not end these intervals any more. Events write nothing here when an interval begins. When it
 * ends they clear only an entry that a sample has left.
 */

/* Writes the intervals that are open now, in a sample of the thread. Signal-safe. */
void open_intervals_note(struct thread *thread);

/* Clears the task's entry, as the thread's current task ends. Owning thread only. */
static inline void open_intervals_forget_task(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;

	if (open->task)
		__atomic_store_n(&open->task, 0, __ATOMIC_RELAXED);
}

/*
 * Clears the mutex's entry: the thread has released a mutex, or it is no longer certain who holds
 * which mutex. Signal-safe.
 */
static inline void open_intervals_forget_mutex(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;

	if (open->mutex)
		__atomic_store_n(&open->mutex, 0, __ATOMIC_RELAXED);
}

#endif
