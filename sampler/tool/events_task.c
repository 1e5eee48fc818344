/* SPDX-License-Identifier: Apache-2.0 */
/* Events of explicit tasks; see events.h. OpenMP 5.1, 4.5.2. */
#include <omp-tools.h>
#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/classify.h"
#include "sampler/threads/construct.h"
#include "sampler/threads/count.h"
#include "sampler/tool/events.h"
#include "sampler/threads/task_stack.h"
#include "sampler/threads/unseen_events.h"
#include "sampler/threads/wait.h"

/* The data in the event of a new task. */
struct created {
	ompt_data_t *data;
	int flags;
	int has_dependences;
};

static inline void note_created(
	struct thread *thread, const struct created *created, uint32_t context, uint64_t base_cfa)
{
	ompt_data_t *data = created->data;
	int flags = created->flags;

	data->value = thread->tasks.data | context;
	if (created->has_dependences)
		data->value |= depend_create(thread, context);
	else if (flags & ompt_task_undeferred)
		data->value = unseen_inline(thread, context, base_cfa, UNSEEN_INLINE);
	if (!(flags & ompt_task_undeferred))
		thread->tasks.has_created |= tasks_created_bit(thread);
	thread->tasks.created_data = data;
	thread->tasks.created_cfa = flags & ompt_task_undeferred ? base_cfa : 0;
}

static inline void note_again(struct thread *thread, const struct created *created,
	const struct create_note *note, uint64_t base_cfa)
{
	construct_count_task(note->own);
	thread->paths.latest = note;
	note_created(thread, created, note->node, base_cfa);
}

static __attribute__((noinline)) void create(struct thread *thread, const ompt_frame_t *frame,
	const struct created *created, const void *codeptr_ra, uint64_t here)
{
	struct creation creation = { .ip = (uint64_t)codeptr_ra };
	struct walk_registers registers;
	uint32_t node;

	walk_registers_here(&registers);
	node = construct_task(thread, &creation, created->flags, frame, &registers, here);
	note_created(thread, created, node, creation.base_cfa);
	if (creation.is_unseen)
		created->data->value = tasks_of_another(created->data->value);
}

/*
 * A taskwait with dependences has the events of a task: its creation, and its end when the wait is
 * over.
 */
static __attribute__((noinline)) void create_taskwait(const void *codeptr_ra)
{
	struct thread *thread = enter();
	struct task *task = thread ? thread_waiter(thread) : NULL;

	if (task) {
		board_publish_site(thread, task, codeptr_ra);
		task->sync = OWN_TASKWAIT;
		if (task->has_team)
			wait_begin(thread, task, PROFILE_TASKWAIT);
	}
	if (thread)
		leave(thread);
}

static void end_taskwait(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	if (!task)
		return;
	wait_end(thread, task, task->codeptr);
	task->sync = OWN_NONE;
	wait_drop_stamp(thread);
}

void on_task_create(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra)
{
	struct created created = { new_task_data, flags, has_dependences };
	struct thread *thread = tool_is_on() ? thread_self() : NULL;
	const struct create_note *note;
	const struct task *task;
	uint64_t base_cfa, here = (uint64_t)__builtin_frame_address(0);

	if (!(flags & (ompt_task_explicit | ompt_task_target)) || !new_task_data) {
		if (flags & ompt_task_taskwait)
			create_taskwait(codeptr_ra);
		return;
	}
	if (!thread) {
		construct_lose_of_none();
		return;
	}
	if (thread->gate.unseen == UNSEEN_YES && !has_dependences &&
		unseen_create(thread, encountering_task_data, encountering_task_frame,
			new_task_data, flags, codeptr_ra, here))
		return;
	callback_enter_known(thread);
	tool_count(&thread->record->n_tasks);
	task = path_task(thread);
	note = construct_note(thread, (uint64_t)codeptr_ra, flags, task ? task->context : 0);
	if (construct_is_again(thread, note, task, encountering_task_frame, here, &base_cfa))
		note_again(thread, &created, note, base_cfa);
	else
		create(thread, encountering_task_frame, &created, codeptr_ra, here);
	unseen_pace(thread);
	leave(thread);
}

void on_task_dependence(ompt_data_t *src_task_data, ompt_data_t *sink_task_data)
{
	struct thread *thread = src_task_data && sink_task_data ? enter() : NULL;

	if (!thread)
		return;
	depend_on(src_task_data->value, sink_task_data->value);
	leave(thread);
}

/*
 * Whether the status is neither yield nor switch. True also where an event was fulfilled or a
 * taskwait ended, and for a status that is not specified.
 */
static int has_left(ompt_task_status_t status)
{
	return status != ompt_task_yield && status != ompt_task_switch;
}

/* The task's own node under the thread's root; NULL for none. */
static __attribute__((noinline)) struct profile_node *find_own(
	struct thread *thread, const struct task *task)
{
	if (!task->context || writer_node(task->context)->kind != PROFILE_NODE_TASK)
		return NULL;
	return wait_own_node(thread, task->context);
}

/* A task with dependences begins. */
static __attribute__((noinline)) void begin_dependent(
	struct thread *thread, struct task *task, uint64_t value)
{
	task->depend = depend_find(value);
	if (task->depend && task->own)
		depend_begin(thread, task);
}

/*
 * A task begins, or continues after it was taken off a thread's stack of tasks, on top of this
 * thread's tasks.
 */
static inline void begin_explicit(struct thread *thread, const ompt_data_t *data)
{
	int has_room = thread->tasks.n == THREAD_MAX_TASKS && unseen_make_room(thread);
	struct task *task = tasks_push(thread, data, tasks_from_data(thread, data->value));

	task->has_team = 1;
	task->is_met = (uint8_t)has_room;
	task->is_stolen = !tasks_is_of_thread(thread, data->value);
	task->is_counted = tasks_is_counted(data->value);
	if (thread->paths.latest && task->context == thread->paths.latest->node)
		task->own = thread->paths.latest->own;
	else
		task->own = find_own(thread, task);
	if (thread->tasks.created_data == data) {
		task->base_cfa = thread->tasks.created_cfa;
		task->is_inline = task->base_cfa != 0;
		/* The runtime may use the address again. */
		thread->tasks.created_data = NULL;
	}
	if (tasks_has_place(data->value))
		begin_dependent(thread, task, data->value);
	if (thread->tasks.n <= THREAD_MAX_TASKS)
		wait_begin_explicit(thread, task);
}

static void count_status(struct thread *thread, uint32_t context, ompt_task_status_t status)
{
	struct profile_node *leaf;

	if (!context || writer_node(context)->kind != PROFILE_NODE_TASK)
		return;
	leaf = count_leaf(thread, wait_note(thread, context)->node,
		PROFILE_EVENT_KEY(PROFILE_EVENT_TASK_STATUS, (uint64_t)status));
	if (leaf)
		tool_count_32(&leaf->n);
}

/* The context of a task that need not be among the thread's tasks. */
static uint32_t context_of(struct thread *thread, const ompt_data_t *data)
{
	uint32_t n = tasks_find(thread, data);

	if (n)
		return thread->tasks.at[n - 1].context;
	return tasks_from_data(thread, data->value);
}

/* Tasks that depend on this task need not wait any more. */
static void fulfill(const ompt_data_t *data)
{
	struct depend_place *place = depend_find(data->value);

	if (place)
		depend_end(place);
}

/*
 * The rare ends of a task. A detached task has been executed; it ends when its event is fulfilled,
 * by any thread. A task whose event is fulfilled before that is still executed.
 */
static __attribute__((noinline)) void end_specially(
	struct thread *thread, const ompt_data_t *data, ompt_task_status_t status)
{
	if (status == ompt_taskwait_complete) {
		end_taskwait(thread);
		return;
	}
	if (!data || status > ompt_task_late_fulfill)
		return;
	count_status(thread, context_of(thread, data), status);
	if (status == ompt_task_late_fulfill || status == ompt_task_cancel)
		fulfill(data);
}

/* The prior task ends; the runtime does not report which task continues. */
static void end_prior(struct thread *thread, const ompt_data_t *prior, ompt_task_status_t status)
{
	uint32_t n = prior ? tasks_find(thread, prior) : 0;

	if (n == 0 || thread->tasks.at[n - 1].is_implicit || status > ompt_task_detach)
		return;
	tasks_pop(thread, n - 1, status != ompt_task_cancel);
	tasks_resume(thread);
}

/* The task has left the thread, and the task below it, which is not on the stack, continues. */
static __attribute__((noinline)) void leave_met(
	struct thread *thread, ompt_task_status_t status, const ompt_data_t *next)
{
	struct task *implicit;

	tasks_pop(thread, thread->tasks.n - 1, has_left(status) && status != ompt_task_cancel);
	implicit = thread_task(thread);
	if (implicit)
		implicit->n_above = 0; /* all that is on top of its wait is timed */
	begin_explicit(thread, next);
	unseen_continue(thread, thread_task(thread));
}

/*
 * The thread continues or begins `next`. A task that is left, but has not ended, stays below the
 * next task, which mostly begins; and in a recursion that is too deep for the table the task that
 * continues has no entry. A look at the whole stack would then be in vain, for each task.
 */
static inline void go_on(struct thread *thread, const ompt_data_t *prior, ompt_task_status_t status,
	const ompt_data_t *next)
{
	int is_deep = thread->tasks.n > THREAD_MAX_TASKS;
	const struct task *task = thread_waiter(thread);
	uint32_t n = has_left(status) && !is_deep ? tasks_find(thread, next)
						  : tasks_find_near(thread, next, TASKS_NEAR);

	if (n > 0) {
		tasks_pop(thread, n, has_left(status) && status != ompt_task_cancel);
		tasks_resume(thread);
	} else if (has_left(status) && is_deep) {
		thread->tasks.n--;
	} else if (task && task->is_met && task->data == prior &&
		   (has_left(status) || unseen_is_below(&thread->unseen, next))) {
		leave_met(thread, status, next);
	} else {
		begin_explicit(thread, next);
		unseen_pace(thread);
	}
}

static inline void complete(struct thread *thread, const ompt_data_t *data)
{
	const struct task *task = thread_waiter(thread);
	struct depend_place *place;

	if (!data)
		return;
	place = task && task->data == data ? task->depend : depend_find(data->value);
	if (place)
		depend_end(place);
}

void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
	ompt_data_t *next_task_data)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread) {
		if (tool_is_on() && prior_task_data && prior_task_status == ompt_task_late_fulfill)
			fulfill(prior_task_data);
		return;
	}
	if (thread->gate.unseen == UNSEEN_YES &&
		unseen_schedule(thread, prior_task_data, prior_task_status, next_task_data))
		return;
	callback_enter_known(thread);
	if (prior_task_status == ompt_task_complete)
		complete(thread, prior_task_data);
	else if (has_left(prior_task_status))
		end_specially(thread, prior_task_data, prior_task_status);
	if (next_task_data)
		go_on(thread, prior_task_data, prior_task_status, next_task_data);
	else if (has_left(prior_task_status))
		end_prior(thread, prior_task_data, prior_task_status);
	leave(thread);
}

int events_unseen_sync(uint32_t kind, ompt_scope_endpoint_t endpoint, const void *codeptr_ra)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	return thread && thread->gate.unseen == UNSEEN_YES &&
	       unseen_sync(thread, kind, endpoint, codeptr_ra);
}
