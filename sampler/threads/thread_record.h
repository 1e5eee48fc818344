/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's record in the profile: opened at its registration, closed at its end. Threads that the program
 * creates beside OpenMP's can be many, each a short one: the record of one that has ended, and its tree,
 * serve the next one with the same start function. So there are no more of them than were alive at once.
 * Call it with the lock of the list of threads held, but where it says otherwise.
 */
#ifndef OMPPROF_SAMPLER_THREADS_THREAD_RECORD_H
#define OMPPROF_SAMPLER_THREADS_THREAD_RECORD_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * Gives the calling thread, whose struct this is, a record and a tree. Returns 0, or -1 without space.
 * Owning thread only.
 */
int thread_record_open(struct thread *thread, uint32_t type);

/*
 * Completes a thread's record; does nothing if that has been done.
 * Any thread.
 */
void thread_record_close(struct thread *thread);

/*
 * A thread that began with the tool's signal blocked has unblocked it: no sample stands for its time so far.
 * Without the lock.
 * Owning thread only.
 */
void thread_record_unblocked(struct thread *thread);

/*
 * In a child made by fork: forgets every record, touching nothing of the parent's.
 * Owning thread only.
 */
void thread_record_forget_all(void);

#endif
