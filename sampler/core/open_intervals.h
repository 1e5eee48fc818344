/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes open intervals into the profile (struct profile_open): a task, the wait of the task below
 * it, and the hold of a mutex, each only once a sample has met it. A program that is killed does
 * not end these intervals any more. Events write nothing here when an interval begins. When it ends
 * they clear only an entry that a sample has left.
 */
#ifndef OMPPROF_SAMPLER_CORE_OPEN_INTERVALS_H
#define OMPPROF_SAMPLER_CORE_OPEN_INTERVALS_H

#include "sampler/core/thread.h"

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
