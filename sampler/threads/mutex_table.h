/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's records of mutexes (struct profile_lock), by wait id, in memory of the thread's own.
 * There are at most MUTEX_MAX_RECORDS in the process. Events of other mutexes are counted in one
 * more record of each thread, whose wait id is 0.
 */
#ifndef OMPPROF_SAMPLER_THREADS_MUTEX_TABLE_H
#define OMPPROF_SAMPLER_THREADS_MUTEX_TABLE_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum { MUTEX_MAX_RECORDS = 65536 /* 8 MB of the file */ };

/*
 * The slot of the mutex, made at its first use; it stays where it is. If the mutex gets no record,
 * the slot that the thread has for all such mutexes, or NULL. Owning thread only.
 */
struct mutex_slot *mutex_slot(struct thread *thread, uint32_t kind, uint64_t wait_id);

/*
 * Whether another thread has used this mutex, too, or a mutex that shares its entry in a table of
 * users. An acquisition before or in a pause, or by a thread without a record, is not known.
 * Any thread.
 */
int mutex_is_shared(uint64_t key);

/* Gives the thread's tables back to the system. Any thread. */
void mutex_table_release(struct thread *thread);

/*
 * Forgets how many records there are, and the users of mutexes: in a child made by fork.
 * Owning thread only.
 */
void mutex_table_forget_all(void);

#endif
