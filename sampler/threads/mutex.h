/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes: how long each thread waited for which, how long it held it, and who made it wait.
 *
 *   mutex_acquire    the thread publishes what it asks for (struct profile_now.mutex), and since when
 *   mutex_acquired   its wait is over; it is added to its path if it was one
 *   mutex_released   the holder looks who waited while it held the mutex
 *
 * As long as one thread holds a mutex, nobody else gets it: all who waited during the hold still wait
 * when it ends. So what the hold has cost is the sum, over the threads that wait for this mutex then,
 * of the time since they asked, or since the hold began if that is later. It is blamed on the path that
 * releases. The event comes after the release: the next owner may have got the mutex meanwhile, so a
 * thread leaves what it asked for and until when in place until it asks again. What is missed nevertheless
 * stays unblamed. No memory is shared but for what each thread publishes of itself.
 *
 * Mutexes that are free most often are not all timed (event_timing.h), and a look at who waits, which costs a cache
 * miss a thread, follows only a hold that was. ordered is no mutex in this sense: who is next is not who
 * comes first. It is blamed as barriers are (blame.h).
 */
#ifndef OMPPROF_SAMPLER_THREADS_MUTEX_H
#define OMPPROF_SAMPLER_THREADS_MUTEX_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * The enum profile_wait of an ompt_mutex_t, also of those that only test; PROFILE_NO_WAIT if unknown.
 * Any thread.
 */
uint32_t mutex_kind(uint32_t ompt_kind);

/*
 * The thread asks for the mutex, has got it, or has released it, if it is not dealt with in the quick way
 * (mutex_fast.h). `kind` is an enum profile_wait.
 * Owning thread only.
 */
void mutex_ask(struct thread *thread, uint32_t kind, uint64_t wait_id);
void mutex_got(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra);
void mutex_released(
	struct thread *thread, uint32_t ompt_kind, uint64_t wait_id, const void *codeptr_ra);

/*
 * Counts what the thread still holds as if it released it now. The thread must not be in an event, unless it is the
 * calling one.
 * Any thread.
 */
void mutex_finish(struct thread *thread, uint64_t now);

/*
 * Notes of the mutex that the thread has just asked for how the runtime implements it, and the hints that it was given.
 * Owning thread only.
 */
void mutex_note_impl(struct thread *thread, uint32_t impl, uint32_t hints);

#endif
