/* SPDX-License-Identifier: Apache-2.0 */
/* Events of mutexes (OpenMP 5.1, 4.5.2.14 to 4.5.2.16). */
#ifndef OMPPROF_GOMP_MUTEX_H
#define OMPPROF_GOMP_MUTEX_H

#include "gomp/gomp.h"

/* The thread's task asks for a mutex. `frame` and `caller`: of the program's call. */
static inline void gomp_ask_mutex(struct gomp_task *task, ompt_mutex_t kind, uint32_t state,
	ompt_wait_id_t id, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;

	thread->wait_id = id;
	thread->state = state;
	gomp_enter(task, frame);
	GOMP_TELL(mutex_acquire, kind, 0, 0, id, caller);
}

/* The wait is over. */
static inline void gomp_end_mutex_wait(struct gomp_task *task)
{
	struct thread *thread = &gomp_self;

	gomp_leave(task);
	thread->state = gomp_work_state(task);
	thread->wait_id = 0;
}

/* The thread has the mutex. */
static inline void gomp_get_mutex(
	struct gomp_task *task, ompt_mutex_t kind, ompt_wait_id_t id, const void *caller)
{
	GOMP_TELL(mutex_acquired, kind, id, caller);
	gomp_end_mutex_wait(task);
}

#endif
