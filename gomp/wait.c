/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for the team and for tasks. libgomp tells nothing in between: a wait is the length of the
 * call. Up to GCC 16 GOMP_barrier is called for the construct, and at the end of a static loop or
 * of single: which of them is not known.
 */
#include <stddef.h>

#include "gomp/gomp.h"

static const uint16_t states[] = {
	[ompt_sync_region_barrier_implementation] = ompt_state_wait_barrier_implementation,
	[ompt_sync_region_barrier_implicit_workshare] = ompt_state_wait_barrier_implicit_workshare,
	[ompt_sync_region_taskwait] = ompt_state_wait_taskwait,
	[ompt_sync_region_taskgroup] = ompt_state_wait_taskgroup,
};

static void begin_wait(struct thread *thread, struct gomp_task *task, ompt_sync_region_t kind,
	void *frame, const void *caller)
{
	thread->state = states[kind];
	gomp_enter(task, frame);
	GOMP_TELL(sync_region_wait, kind, ompt_scope_begin, gomp_parallel_data(task), &task->data,
		caller);
}

static void end_wait(
	struct thread *thread, struct gomp_task *task, ompt_sync_region_t kind, const void *caller)
{
	GOMP_TELL(sync_region_wait, kind, ompt_scope_end, gomp_parallel_data(task), &task->data,
		caller);
	gomp_leave(task);
	thread->state = gomp_work_state(task);
}

static struct gomp_task *begin(
	const struct gomp_functions *next, ompt_sync_region_t kind, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;
	struct gomp_task *task = gomp_task(thread, next);

	if (!task)
		return NULL;
	GOMP_TELL(
		sync_region, kind, ompt_scope_begin, gomp_parallel_data(task), &task->data, caller);
	begin_wait(thread, task, kind, frame, caller);
	return task;
}

static void end(struct gomp_task *task, ompt_sync_region_t kind, const void *caller)
{
	if (!task)
		return;
	end_wait(&gomp_self, task, kind, caller);
	GOMP_TELL(sync_region, kind, ompt_scope_end, gomp_parallel_data(task), &task->data, caller);
}

/* Defines a function of libgomp that only waits. */
#define WAIT(name, parameters, arguments, kind)                                                    \
	void name parameters                                                                       \
	{                                                                                          \
		const struct gomp_functions *next = gomp_next(GOMP_CALLER);                        \
		struct gomp_task *task = begin(next, kind, GOMP_FRAME, GOMP_CALLER);               \
                                                                                                   \
		next->name arguments;                                                              \
		end(task, kind, GOMP_CALLER);                                                      \
	}

/* Does the same for a function that returns a value. */
#define WAIT_FOR(returns, name, kind)                                                              \
	returns name(void)                                                                         \
	{                                                                                          \
		const struct gomp_functions *next = gomp_next(GOMP_CALLER);                        \
		struct gomp_task *task = begin(next, kind, GOMP_FRAME, GOMP_CALLER);               \
		returns result = next->name();                                                     \
                                                                                                   \
		end(task, kind, GOMP_CALLER);                                                      \
		return result;                                                                     \
	}

WAIT(GOMP_barrier, (void), (), ompt_sync_region_barrier_implementation)
WAIT_FOR(_Bool, GOMP_barrier_cancel, ompt_sync_region_barrier_implementation)
WAIT(GOMP_loop_end, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT_FOR(_Bool, GOMP_loop_end_cancel, ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_sections_end, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT_FOR(_Bool, GOMP_sections_end_cancel, ompt_sync_region_barrier_implicit_workshare)
/* The others wait until the values that they copy are there; then all wait for all copies. */
WAIT_FOR(void *, GOMP_single_copy_start, ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_single_copy_end, (void *data), (data), ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_taskwait, (void), (), ompt_sync_region_taskwait)
WAIT(GOMP_taskwait_depend, (void **depend), (depend), ompt_sync_region_taskwait)

void GOMP_taskgroup_start(void)
{
	const struct gomp_functions *next = gomp_next(GOMP_CALLER);
	struct gomp_task *task = gomp_task(&gomp_self, next);

	next->GOMP_taskgroup_start();
	if (task)
		GOMP_TELL(sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
			gomp_parallel_data(task), &task->data, GOMP_CALLER);
}

void GOMP_taskgroup_end(void)
{
	const struct gomp_functions *next = gomp_next(GOMP_CALLER);
	struct thread *thread = &gomp_self;
	struct gomp_task *task = gomp_task(thread, next);

	if (!task) {
		next->GOMP_taskgroup_end();
		return;
	}
	begin_wait(thread, task, ompt_sync_region_taskgroup, GOMP_FRAME, GOMP_CALLER);
	next->GOMP_taskgroup_end();
	end(task, ompt_sync_region_taskgroup, GOMP_CALLER);
}
