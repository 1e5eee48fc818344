/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's record in the profile: opened at its registration, closed at its end. When a worker or
 * a thread beside OpenMP's has ended, the next thread with the same start function continues its
 * record and its tree. (Workers whose creation was not seen are taken to have the same start
 * function.) So for each start function there are no more of these records than such threads were
 * alive at once. The caller holds the lock of the list of threads, where a function does not say
 * otherwise.
 */
#ifndef OMPPROF_SAMPLER_THREADS_THREAD_RECORD_H
#define OMPPROF_SAMPLER_THREADS_THREAD_RECORD_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * Gives the calling thread, which owns this struct, a record and a tree. Returns 0, or -1 without
 * space. Owning thread only.
 */
int thread_record_open(struct thread *thread, uint32_t type);

/* Completes a thread's record; nothing if it is complete already. Any thread. */
void thread_record_close(struct thread *thread);

/*
 * A thread that began with the tool's signal blocked has unblocked it: no sample represents its
 * time so far. Called without the lock. Owning thread only.
 */
void thread_record_unblocked(struct thread *thread);

/*
 * In a child made by fork: forgets every record, and touches nothing of the parent's.
 * Owning thread only.
 */
void thread_record_forget_all(void);

#endif
