/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells the profile of a task, of the wait below it and of a hold that have met a sample (struct profile_open): a program that
 * is killed then ends nothing of them. Where events begin and end nothing is written but what a sample has left.
 */
#ifndef OMPPROF_SAMPLER_CORE_OPEN_INTERVALS_H
#define OMPPROF_SAMPLER_CORE_OPEN_INTERVALS_H

#include "sampler/core/thread.h"

/* The thread is being sampled. Signal-safe. */
void open_intervals_note(struct thread *thread);

/* The thread's current task ends. Owning thread only. */
static inline void open_intervals_forget_task(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;

	if (open->task)
		__atomic_store_n(&open->task, 0, __ATOMIC_RELAXED);
}

/* The thread has released a mutex, or who holds what is not certain any more. Signal-safe. */
static inline void open_intervals_forget_mutex(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;

	if (open->mutex)
		__atomic_store_n(&open->mutex, 0, __ATOMIC_RELAXED);
}

#endif
