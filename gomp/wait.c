/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for the team and for tasks. libgomp tells nothing in between: a wait is as long as the
 * call. Up to GCC 16 GOMP_barrier is called for the construct, and at the end of a static loop or
 * of single: which of them is not known.
 */

#include "gomp/work.h"

static const uint16_t states[] = {
	[ompt_sync_region_barrier_explicit] = ompt_state_wait_barrier_explicit,
	[ompt_sync_region_barrier_implementation] = ompt_state_wait_barrier_implementation,
	[ompt_sync_region_barrier_implicit_workshare] = ompt_state_wait_barrier_implicit_workshare,
	[ompt_sync_region_taskwait] = ompt_state_wait_taskwait,
	[ompt_sync_region_taskgroup] = ompt_state_wait_taskgroup,
};

/*
 * The kind of GCC 17's barriers: 1 at the end of a construct, 2 the construct barrier. Others are
 * inside of a construct: for copyin, or the variables of a reduction.
 */
static ompt_sync_region_t barrier_kind(int kind)
{
	if (kind == 1)
		return ompt_sync_region_barrier_implicit_workshare;
	return kind == 2 ? ompt_sync_region_barrier_explicit
			 : ompt_sync_region_barrier_implementation;
}

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

static void begin(struct gomp_task *task, ompt_sync_region_t kind, void *frame, const void *caller)
{
	if (kind != ompt_sync_region_taskwait)
		gomp_end_work(task, caller);
	GOMP_TELL(
		sync_region, kind, ompt_scope_begin, gomp_parallel_data(task), &task->data, caller);
	begin_wait(&gomp_self, task, kind, frame, caller);
}

static void end(struct gomp_task *task, ompt_sync_region_t kind, const void *caller)
{
	end_wait(&gomp_self, task, kind, caller);
	GOMP_TELL(sync_region, kind, ompt_scope_end, gomp_parallel_data(task), &task->data, caller);
}

/* Defines a function of libgomp that only waits. */
#define WAIT(name, parameters, arguments, kind)                                                    \
	void name parameters                                                                       \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, arguments);                                           \
                                                                                                   \
		begin(task, kind, GOMP_FRAME, GOMP_CALLER);                                        \
		next->name arguments;                                                              \
		end(task, kind, GOMP_CALLER);                                                      \
	}

/* Does as WAIT() for a function that returns a value. */
#define WAIT_FOR(returns, name, parameters, arguments, kind)                                       \
	returns name parameters                                                                    \
	{                                                                                          \
		returns result;                                                                    \
		GOMP_PASS_WITHOUT_TOOL(name, arguments);                                           \
                                                                                                   \
		begin(task, kind, GOMP_FRAME, GOMP_CALLER);                                        \
		result = next->name arguments;                                                     \
		end(task, kind, GOMP_CALLER);                                                      \
		return result;                                                                     \
	}

WAIT(GOMP_barrier, (void), (), ompt_sync_region_barrier_implementation)
WAIT_FOR(_Bool, GOMP_barrier_cancel, (void), (), ompt_sync_region_barrier_implementation)
WAIT(GOMP_loop_end, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT_FOR(_Bool, GOMP_loop_end_cancel, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_sections_end, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT_FOR(_Bool, GOMP_sections_end_cancel, (void), (), ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_barrier_ext, (int kind), (kind), barrier_kind(kind))
WAIT_FOR(_Bool, GOMP_barrier_cancel_ext, (int kind), (kind), barrier_kind(kind))
/* At the end of a construct with a reduction over tasks: the tasks, then the team. */
WAIT(GOMP_workshare_task_reduction_unregister, (_Bool is_cancelled), (is_cancelled),
	ompt_sync_region_barrier_implicit_workshare)

/*
 * single with copyprivate. The others wait until the values that they copy are there; then all wait
 * for all copies.
 */
void *GOMP_single_copy_start(void)
{
	void *copy;
	GOMP_PASS_WITHOUT_TOOL(GOMP_single_copy_start, ());

	begin(task, ompt_sync_region_barrier_implicit_workshare, GOMP_FRAME, GOMP_CALLER);
	copy = next->GOMP_single_copy_start();
	end(task, ompt_sync_region_barrier_implicit_workshare, GOMP_CALLER);
	gomp_begin_single(task, !copy, GOMP_CALLER);
	return copy;
}
WAIT(GOMP_single_copy_end, (void *data), (data), ompt_sync_region_barrier_implicit_workshare)
WAIT(GOMP_taskwait, (void), (), ompt_sync_region_taskwait)
WAIT(GOMP_taskwait_depend, (void **depend), (depend), ompt_sync_region_taskwait)

void GOMP_taskgroup_start(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_taskgroup_start, ());

	next->GOMP_taskgroup_start();
	GOMP_TELL(sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
		gomp_parallel_data(task), &task->data, GOMP_CALLER);
}

void GOMP_taskgroup_end(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_taskgroup_end, ());

	begin_wait(&gomp_self, task, ompt_sync_region_taskgroup, GOMP_FRAME, GOMP_CALLER);
	next->GOMP_taskgroup_end();
	end(task, ompt_sync_region_taskgroup, GOMP_CALLER);
}
