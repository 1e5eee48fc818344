/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions, and leagues on the host. */
#include "gomp/region.h"
#include "gomp/work.h"

#include <stddef.h>

#define FLAGS        (ompt_parallel_invoker_runtime | ompt_parallel_team)
#define LEAGUE_FLAGS (ompt_parallel_invoker_runtime | ompt_parallel_league)

void gomp_begin_region(struct gomp_region *region, void (*fn)(void *), void *data,
	unsigned n_threads, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;
	const struct gomp_functions *next = thread->next;
	struct gomp_task *task = thread->task;

	*region = (struct gomp_region){
		.team = { .body = fn,
			.data = data,
			.next = next,
			.encountering = task,
			.primary = thread },
		.caller = caller,
	};
	gomp_enter(task, frame);
	if (!n_threads)
		n_threads = (unsigned)next->omp_get_max_threads();
	GOMP_TELL(parallel_begin, &task->data, &task->frame, &region->team.parallel_data, n_threads,
		FLAGS, caller);
	thread->state = ompt_state_overhead;
}

/* The thread's implicit task begins, and becomes its current task. */
static void begin_task(
	struct thread *thread, struct gomp_task *task, struct gomp_team *team, void *exit_frame)
{
	*task = (struct gomp_task){
		.flags = ompt_task_implicit,
		.thread_num = (uint32_t)team->next->omp_get_thread_num(),
		.n_threads = (uint32_t)team->next->omp_get_num_threads(),
		.team = team,
		.outer = team->encountering,
	};
	if (exit_frame)
		gomp_set_frame(&task->frame.exit_frame, &task->frame.exit_frame_flags, exit_frame);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->task = task;
	GOMP_TELL(implicit_task, ompt_scope_begin, &team->parallel_data, &task->data,
		task->n_threads, task->thread_num, ompt_task_implicit);
	thread->state = ompt_state_work_parallel;
}

void gomp_begin_primary(struct thread *thread, struct gomp_region *region, void *exit_frame)
{
	begin_task(thread, &region->implicit, &region->team, exit_frame);
}

void gomp_begin_closing_barrier(struct thread *thread, struct gomp_task *task)
{
	ompt_data_t *parallel_data = gomp_parallel_data(task);

	gomp_end_work(task, NULL);
	thread->state = ompt_state_wait_barrier_implicit_parallel;
	task->frame.exit_frame.ptr = NULL;
	GOMP_TELL(sync_region, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin,
		parallel_data, &task->data, NULL);
	GOMP_TELL(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin,
		parallel_data, &task->data, NULL);
}

/* The wait for the team is over, and with it the thread's implicit task. */
static void end_task(struct gomp_task *task)
{
	GOMP_TELL(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end,
		NULL, &task->data, NULL);
	GOMP_TELL(sync_region, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL,
		&task->data, NULL);
	GOMP_TELL(implicit_task, ompt_scope_end, NULL, &task->data, task->n_threads,
		task->thread_num, ompt_task_implicit);
}

void gomp_end_worker_task(struct thread *thread)
{
	thread->is_in_closing_barrier = 0;
	end_task(thread->task);
}

/* After the body, the task must not lead to the encountering task, which may go on and end. */
static void run_on_worker(struct thread *thread, struct gomp_team *team, void *frame)
{
	struct gomp_task *task = &thread->own[thread->task == &thread->own[0]];

	if (!thread->task)
		gomp_begin_worker(thread);
	if (thread->is_in_closing_barrier)
		gomp_end_worker_task(thread);
	begin_task(thread, task, team, frame);
	team->body(team->data);
	task->outer = NULL;
	gomp_begin_closing_barrier(thread, task);
	task->team = NULL;
	thread->is_in_closing_barrier = 1;
}

void gomp_run_body(void *data)
{
	struct gomp_team *team = data;
	struct thread *thread = &gomp_self;
	struct gomp_region *region;

	if (thread != team->primary) {
		run_on_worker(thread, team, GOMP_FRAME);
		return;
	}
	region = (struct gomp_region *)((char *)team - offsetof(struct gomp_region, team));
	gomp_begin_primary(thread, region, GOMP_FRAME);
	team->body(team->data);
	gomp_begin_closing_barrier(thread, &region->implicit);
}

void gomp_end_region(struct gomp_region *region)
{
	struct thread *thread = &gomp_self;
	struct gomp_task *task = region->team.encountering;

	if (region->implicit.n_threads)
		end_task(&region->implicit);
	thread->task = task;
	thread->state = gomp_work_state(task);
	gomp_leave(task);
	GOMP_TELL(parallel_end, &region->team.parallel_data, &task->data, FLAGS, region->caller);
}

/*
 * Defines a function of libgomp that executes a region. `plain` are the program's arguments, `call`
 * the arguments for libgomp, with gomp_run_body as the body; `note` is done before the call.
 */
#define REGION(name, parameters, call, plain, note)                                                \
	GOMP_TELLING void tell_##name(void *frame, const void *caller, GOMP_UNPACK parameters)     \
	{                                                                                          \
		struct gomp_region region;                                                         \
                                                                                                   \
		gomp_begin_region(&region, fn, data, n_threads, frame, caller);                    \
		note;                                                                              \
		region.team.next->name call;                                                       \
		gomp_end_region(&region);                                                          \
	}                                                                                          \
	void name parameters                                                                       \
	{                                                                                          \
		GOMP_PASS_BODY_WITHOUT_TOOL(name, plain);                                          \
                                                                                                   \
		tell_##name(GOMP_FRAME, GOMP_CALLER, GOMP_UNPACK plain);                           \
		GOMP_STAY();                                                                       \
	}

/* The loop of the region begins in the body, without a call that tells its bounds. */
#define NOTE_LOOP                                                                                  \
	if (provider.callback[ompt_callback_work])                                                 \
	region.team.loop = gomp_loop((uint64_t)begin, (uint64_t)end, (uint64_t)step, step < 0)

#define LOOP(name)                                                                                 \
	REGION(name,                                                                               \
		(void (*fn)(void *), void *data, unsigned n_threads, long begin, long end,         \
			long step, long chunk, unsigned flags),                                    \
		(gomp_run_body, &region.team, n_threads, begin, end, step, chunk, flags),          \
		(fn, data, n_threads, begin, end, step, chunk, flags), NOTE_LOOP)

#define LOOP_RUNTIME(name)                                                                         \
	REGION(name,                                                                               \
		(void (*fn)(void *), void *data, unsigned n_threads, long begin, long end,         \
			long step, unsigned flags),                                                \
		(gomp_run_body, &region.team, n_threads, begin, end, step, flags),                 \
		(fn, data, n_threads, begin, end, step, flags), NOTE_LOOP)

REGION(GOMP_parallel, (void (*fn)(void *), void *data, unsigned n_threads, unsigned flags),
	(gomp_run_body, &region.team, n_threads, flags), (fn, data, n_threads, flags), )
REGION(GOMP_parallel_sections,
	(void (*fn)(void *), void *data, unsigned n_threads, unsigned count, unsigned flags),
	(gomp_run_body, &region.team, n_threads, count, flags), (fn, data, n_threads, count, flags),
	region.team.n_sections = count)
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
LOOP_RUNTIME(GOMP_parallel_loop_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

GOMP_TELLING unsigned tell_reductions(void *frame, const void *caller, void (*fn)(void *),
	void *data, unsigned n_threads, unsigned flags)
{
	struct gomp_region region;
	unsigned n;

	gomp_begin_region(&region, fn, data, n_threads, frame, caller);
	region.team.first_word = *(void **)data;
	n = region.team.next->GOMP_parallel_reductions(
		gomp_run_body, &region.team, n_threads, flags);
	gomp_end_region(&region);
	return n;
}

unsigned GOMP_parallel_reductions(
	void (*fn)(void *), void *data, unsigned n_threads, unsigned flags)
{
	unsigned n;
	GOMP_PASS_BODY_WITHOUT_TOOL(GOMP_parallel_reductions, (fn, data, n_threads, flags));

	n = tell_reductions(GOMP_FRAME, GOMP_CALLER, fn, data, n_threads, flags);
	GOMP_STAY();
	return n;
}

/* libgomp executes the teams of a league one after the other, on the thread that calls. */
static void run_team(void *data)
{
	struct gomp_team *team = data;
	struct thread *thread = &gomp_self;
	struct gomp_task *outer = thread->task;
	struct gomp_task task = {
		.flags = ompt_task_initial, .n_threads = 1, .team = team, .outer = outer
	};

	gomp_set_frame(&task.frame.exit_frame, &task.frame.exit_frame_flags, GOMP_FRAME);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->task = &task;
	GOMP_TELL(implicit_task, ompt_scope_begin, &team->parallel_data, &task.data, 1, 0,
		ompt_task_initial);
	thread->state = ompt_state_work_serial;
	team->body(team->data);
	thread->task = outer;
	GOMP_TELL(implicit_task, ompt_scope_end, NULL, &task.data, 0, 0, ompt_task_initial);
}

GOMP_TELLING void tell_league(struct gomp_task *task, const void *caller, void (*fn)(void *),
	void *data, unsigned n_teams, unsigned thread_limit, unsigned flags)
{
	struct thread *thread = &gomp_self;
	struct gomp_team team = {
		.body = fn,
		.data = data,
		.next = thread->next,
		.encountering = task,
		.primary = thread,
	};

	GOMP_TELL(parallel_begin, &task->data, &task->frame, &team.parallel_data,
		n_teams ? n_teams : 1, LEAGUE_FLAGS, caller);
	team.next->GOMP_teams_reg(run_team, &team, n_teams, thread_limit, flags);
	thread->state = gomp_work_state(task);
	gomp_leave(task);
	GOMP_TELL(parallel_end, &team.parallel_data, &task->data, LEAGUE_FLAGS, caller);
}

void GOMP_teams_reg(
	void (*fn)(void *), void *data, unsigned n_teams, unsigned thread_limit, unsigned flags)
{
	GOMP_PASS_BODY_WITHOUT_TOOL(GOMP_teams_reg, (fn, data, n_teams, thread_limit, flags));

	gomp_enter(task, GOMP_FRAME);
	tell_league(task, GOMP_CALLER, fn, data, n_teams, thread_limit, flags);
	GOMP_STAY();
}
