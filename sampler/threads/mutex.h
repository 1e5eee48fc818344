/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes: how long each thread waited for each mutex, how long it held it, and who made it wait.
 *
 * While a thread holds a mutex, nobody else gets it: all threads that waited during the hold still
 * wait when it ends. So the cost of a hold is a sum over the threads that wait for this mutex at
 * its end: the time since each thread's request, or since the begin of the hold if this was later.
 * The cost is blamed on the path that releases the mutex. The event comes after the release: the
 * next owner may have got the mutex meanwhile. So a thread leaves its request and the end of its
 * wait in struct profile_now until its next request. Waits that are missed nevertheless stay
 * unblamed. The blame needs no shared memory but the lines that each thread publishes about itself.
 *
 * If a mutex is mostly free, not every acquisition is timed (event_timing.h). A look at who waits
 * costs a cache miss for each thread, and follows only a timed hold. ordered is no mutex in this
 * sense: of all threads that wait, only the thread with the next iteration can be next. Waits for a
 * turn are blamed as waits at barriers are (blame.h).
 *
 * A failed test of a lock is no wait. But a thread waits that tests a lock, at one place, until it
 * gets it, and does nothing else. It asks for the mutex with each of its events, and the tries
 * follow each other quickly. Longer gaps are no waiting. Shorter gaps, as for a
 * pause, are waiting, also in samples. If the thread gives up, nothing was waited for.
 */
#ifndef OMPPROF_SAMPLER_THREADS_MUTEX_H
#define OMPPROF_SAMPLER_THREADS_MUTEX_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * The enum profile_wait of an ompt_mutex_t, also of tests of locks; PROFILE_NO_WAIT if unknown.
 * Any thread.
 */
uint32_t mutex_kind(uint32_t ompt_kind);

/*
 * The thread requests the mutex, and the event is not one of the mutex fast path (mutex_fast.h).
 * `kind` is an enum profile_wait. Owning thread only.
 */
void mutex_ask(struct thread *thread, uint32_t kind, uint64_t wait_id);

/*
 * Notes that the thread asks for the mutex, or tests it. Returns since when it has done nothing but
 * ask for it; 0: it asks for the first time. mutex_ask_again follows if it is not 0.
 * Owning thread only.
 */
uint64_t mutex_try(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra);

/* As mutex_ask, for a thread that has waited for the mutex since a while. Owning thread only. */
void mutex_ask_again(struct thread *thread, uint32_t kind, uint64_t wait_id, uint64_t since);

/*
 * The thread has got the mutex, or has released it; otherwise as mutex_ask. Owning thread only.
 */
void mutex_got(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra);
void mutex_released(
	struct thread *thread, uint32_t ompt_kind, uint64_t wait_id, const void *codeptr_ra);

/*
 * The thread's turn has come, for which it waited by mutex_ask of PROFILE_ORDERED; it holds
 * nothing. Owning thread only.
 */
void mutex_end_turn(struct thread *thread, const void *codeptr_ra);

/*
 * Counts the timed holds of mutexes that the thread still holds as if it released them now, if it
 * is certain who holds which mutex. The thread must not be in an event, unless it is the calling
 * thread. Any thread.
 */
void mutex_finish(struct thread *thread, uint64_t now);

/*
 * Notes the implementation and the hints of the mutex that the thread has just requested.
 * Owning thread only.
 */
void mutex_note_impl(struct thread *thread, uint32_t impl, uint32_t hints);

#endif
