/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detachable tasks: tasks with an event. A detachable task lives until its body has ended and its
 * event is fulfilled. The list of these tasks has a lock. A call that has nothing to do with such a
 * task or an event does not take it.
 */
#ifndef OMPPROF_GOMP_DETACH_H
#define OMPPROF_GOMP_DETACH_H

#include "gomp/gomp.h"

/*
 * The task is about to be created. libgomp writes the event to *event, which is NULL until then.
 * Without memory the tool is not told that the event is fulfilled.
 */
void gomp_detach_add(struct gomp_task *task, void *const *event);

/* libgomp has created the task, and *event goes away. The task may have ended. */
void gomp_detach_created(void *const *event);

/*
 * The task's body is over: tells the tool, and makes `outer` the current task. Frees the task,
 * unless its event is still to be fulfilled: that frees it.
 */
void gomp_detach_end(struct thread *thread, struct gomp_task *task, struct gomp_task *outer);

#endif
