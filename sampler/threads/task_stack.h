/* SPDX-License-Identifier: Apache-2.0 */
/* The thread's stack of tasks, with the task that it executes on top. */
#ifndef OMPPROF_SAMPLER_THREADS_TASK_STACK_H
#define OMPPROF_SAMPLER_THREADS_TASK_STACK_H

#include <omp-tools.h>
#include <stdint.h>
#include <string.h>

#include "sampler/core/classify.h"
#include "sampler/threads/construct.h"
#include "sampler/core/depend.h"
#include "sampler/core/region.h"
#include "sampler/core/task_data.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/threads/wait.h"

/*
 * Makes a new task in place: to copy a struct that has just been filled takes longer than all the
 * rest of an event. Owning thread only.
 */
static inline void tasks_clear(struct task *task, const void *data, uint32_t context)
{
	_Static_assert(sizeof(*task) > 64 && sizeof(*task) <= 128, "two halves");
	/* A compiler clears a larger block by an instruction that takes 20 ns to begin. */
	memset(task, 0, 64);
	memset((char *)task + 64, 0, sizeof(*task) - 64);
	task->data = data;
	task->context = context;
}

/*
 * Puts a task on top of the thread's stack of tasks and returns it, to be filled. A task that is
 * too deep to have an entry counts as the deepest task that has one; it is lost if their contexts
 * differ. Owning thread only.
 */
static inline struct task *tasks_push(struct thread *thread, const void *data, uint32_t context)
{
	uint32_t n = thread->tasks.n++;

	if (n >= THREAD_MAX_TASKS) {
		if (thread->tasks.at[THREAD_MAX_TASKS - 1].context != context)
			construct_lose(thread);
		n = THREAD_MAX_TASKS; /* an entry that is not looked at later */
	}
	tasks_clear(&thread->tasks.at[n], data, context);
	return &thread->tasks.at[n];
}

/*
 * Pushes the implicit task of an execution that is not timed. The caller fills what depends on the
 * thread's role. Owning thread only.
 */
static inline struct task *tasks_push_untimed(struct thread *thread, uint64_t packed,
	ompt_data_t *task_data, uint32_t n_threads, uint32_t thread_num, uint32_t context)
{
	struct task *task = &thread->tasks.at[thread->tasks.n];

	/* The entry mostly still has such a task, whose other members are right for this one. */
	if (task->is_implicit && task->has_team)
		thread->tasks.n++;
	else
		tasks_push(thread, task_data, context);
	task->data = task_data;
	task->context = context;
	task->region = region_of(packed);
	task->generation = region_generation(packed);
	task->is_implicit = task->has_team = 1;
	task->is_inline = 0;
	task->thread_num = (uint16_t)thread_num;
	task->n_threads = n_threads;
	task->sync = task->mutex = OWN_NONE;
	task->wait = 0;
	task->weight = 0;
	task->barrier = 0;
	task->since = task->ticks_excluded = task->ticks_on_top = 0;
	task_data->value = thread->tasks.data | context;
	return task;
}

/* The uppermost tasks among which one is looked for that need not be on the stack. */
enum { TASKS_NEAR = 8 };

/*
 * The index, plus 1, of the uppermost task with this identity, among the n_look uppermost tasks
 * that have an entry; 0: none. Owning thread only.
 */
static inline uint32_t tasks_find_near(
	const struct thread *thread, const void *data, uint32_t n_look)
{
	uint32_t n = thread_n_entries(thread);
	uint32_t low = n < n_look ? 0 : n - n_look;

	while (n > low && thread->tasks.at[n - 1].data != data)
		n--;
	return n > low ? n : 0;
}

/* The same, among all tasks that have an entry. Owning thread only. */
static inline uint32_t tasks_find(const struct thread *thread, const void *data)
{
	return tasks_find_near(thread, data, THREAD_MAX_TASKS);
}

/*
 * The context of a task, from the value in the runtime's task_data. If the tool has not seen the
 * creation, returns 0 and counts the loss. Owning thread only.
 */
static inline uint32_t tasks_from_data(struct thread *thread, uint64_t value)
{
	if (tasks_is_known(thread, value))
		return tasks_node(value);
	construct_lose(thread);
	return 0;
}

/*
 * Takes all tasks but the n lowest off the stack, uppermost first: they are completed, or, unless
 * is_done, cancelled or moved to another thread. Owning thread only.
 */
static inline void tasks_pop(struct thread *thread, uint32_t n, int is_done)
{
	uint32_t top = thread_n_entries(thread);

	for (; top > n; top--) {
		const struct task *task = &thread->tasks.at[top - 1];

		if (task->is_implicit)
			wait_end_implicit(thread, task);
		else
			wait_end_explicit(thread, top, task, is_done);
	}
	if (n < thread->tasks.n)
		thread->tasks.n = n;
}

/*
 * The current task continues with the work or wait that another task on top of it had interrupted.
 * Owning thread only.
 */
static inline void tasks_resume(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	if (!task)
		return;
	board_publish_site(thread, task, task->codeptr);
	board_publish_wait(thread, task->wait, task->since ? task->since + task->ticks_on_top : 0);
}

#endif
