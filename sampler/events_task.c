/* SPDX-License-Identifier: Apache-2.0 */
/* Events of explicit tasks; see callbacks.h. OpenMP 5.1, 4.5.2. */
#include <omp-tools.h>
#include <stddef.h>

#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/construct.h"
#include "sampler/enter.h"
#include "sampler/events.h"
#include "sampler/tasks.h"
#include "sampler/wait.h"

/* Notes of a task that is created what its begin needs. */
static inline void note_created(
	struct thread *thread, ompt_data_t *data, int flags, uint32_t context, uint64_t base_cfa)
{
	data->value = thread->data | context;
	thread->has_created |= !(flags & ompt_task_undeferred);
	thread->created_data = data;
	thread->created_cfa = flags & ompt_task_undeferred ? base_cfa : 0;
}

static __attribute__((noinline)) void create(struct thread *thread, const ompt_frame_t *frame,
	ompt_data_t *data, int flags, const void *codeptr_ra)
{
	struct creation creation = { .ip = (uint64_t)codeptr_ra };
	struct walk_registers here;
	uint32_t node;

	walk_registers_here(&here);
	node = construct_task(thread, &creation, flags, frame, &here);
	note_created(thread, data, flags, node, creation.base_cfa);
}

void on_task_create(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra)
{
	struct thread *thread;
	uint64_t base_cfa;
	uint32_t node;

	if (!(flags & (ompt_task_explicit | ompt_task_target)) || !new_task_data)
		return;
	thread = enter();
	if (!thread) {
		construct_lose_of_none();
		return;
	}
	thread->record->n_tasks += tool_counts();
	node = construct_task_again(
		thread, (uint64_t)codeptr_ra, flags, encountering_task_frame, &base_cfa);
	if (node)
		note_created(thread, new_task_data, flags, node, base_cfa);
	else
		create(thread, encountering_task_frame, new_task_data, flags, codeptr_ra);
	leave(thread);
}

static int has_ended(ompt_task_status_t status)
{
	return status != ompt_task_yield && status != ompt_task_switch;
}

/* What stands for the task's context under the thread's root; NULL for none. */
static __attribute__((noinline)) struct profile_node *find_own(
	struct thread *thread, const struct task *task)
{
	if (!task->context || writer_node(task->context)->kind != PROFILE_NODE_TASK)
		return NULL;
	return wait_own_node(thread, task->context);
}

/* A task that is not among the thread's begins, or goes on, on top of them. */
static inline void begin_explicit(struct thread *thread, const ompt_data_t *data)
{
	struct task *task = tasks_push(thread, data, tasks_from_data(thread, data->value));

	task->has_team = 1;
	task->is_stolen = !tasks_is_of_thread(thread, data->value);
	if (task->context && task->context == thread->created.node)
		task->own = thread->created.own;
	else
		task->own = find_own(thread, task);
	if (thread->created_data == data) {
		task->base_cfa = thread->created_cfa;
		task->is_inline = task->base_cfa != 0;
		/* The runtime may use the address again. */
		thread->created_data = NULL;
	}
	if (thread->n_tasks <= THREAD_MAX_TASKS)
		wait_begin_explicit(thread, task);
}

void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
	ompt_data_t *next_task_data)
{
	struct thread *thread = enter();
	uint32_t n;

	if (!thread)
		return;
	n = next_task_data ? tasks_find(thread, next_task_data) : thread->n_tasks;
	if (n > 0) {
		tasks_pop(thread, n, has_ended(prior_task_status));
		tasks_resume(thread);
	} else if (has_ended(prior_task_status) && thread->n_tasks > THREAD_MAX_TASKS) {
		thread->n_tasks--;
	} else if (next_task_data) {
		begin_explicit(thread, next_task_data);
	}
	leave(thread);
}
