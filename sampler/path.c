/* SPDX-License-Identifier: Apache-2.0 */
/* Paths into the tree; see path.h. Part of the signal-safe core. */
#include "sampler/path.h"

#include <stddef.h>

#include "profile/layout.h"
#include "sampler/modules.h"
#include "sampler/tool.h"

/* A pointer into this thread's stack, or 0: ancestors can lie on another thread's. */
static uint64_t on_stack(const struct thread *thread, uint64_t pointer)
{
	return pointer >= thread->stack.lo && pointer < thread->stack.hi ? pointer : 0;
}

/* The frame pointers of an ancestor level of the current task. */
static void task_frame(const struct thread *thread, int level, uint64_t *exit, uint64_t *enter)
{
	ompt_data_t *task_data, *parallel_data;
	ompt_frame_t *frame = NULL;
	int flags, thread_num;

	*exit = *enter = 0;
	if (tool.get_task_info(level, &flags, &task_data, &frame, &parallel_data, &thread_num) < 1 ||
		!frame)
		return;
	*exit = on_stack(thread, (uint64_t)frame->exit_frame.ptr);
	*enter = on_stack(thread, (uint64_t)frame->enter_frame.ptr);
}

static int is_over(const struct task *task)
{
	return task->region &&
		__atomic_load_n(&task->region->generation, __ATOMIC_RELAXED) != task->generation;
}

int path_has_team(struct thread *thread)
{
	struct task *task = thread_task(thread);

	if (!task || !task->context)
		return 0;
	return !task->is_implicit || !is_over(task);
}

void path_context(struct thread *thread, struct frames_context *context)
{
	struct task *task = thread_task(thread);
	uint64_t unused;

	*context = (struct frames_context){
		.task = FRAMES_ALL,
		.runtime_lo = tool.runtime_lo,
		.runtime_hi = tool.runtime_hi,
	};
	if (tool.has_ompt && thread->is_openmp)
		task_frame(thread, 0, &context->exit_frame, &context->enter_frame);
	if (!task || !task->context || is_over(task))
		return;
	if (task->base_cfa) {
		context->task = FRAMES_ON_STACK;
		context->base_cfa = task->base_cfa;
	} else if (task->is_implicit) {
		context->task = FRAMES_WORKER;
	} else {
		context->task = FRAMES_DEFERRED;
		if (tool.has_ompt && thread->is_openmp)
			task_frame(thread, 1, &unused, &context->outer_enter);
	}
}

uint32_t path_root(struct thread *thread)
{
	struct task *task = thread_task(thread);

	if (!task || !task->context || is_over(task))
		return thread->cct.root;
	return cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, 0, task->context,
		NULL);
}

uint32_t path_insert(struct thread *thread, const struct frames_context *context,
	uint32_t root)
{
	const struct walk_path *path = &thread->path;
	struct frames_marks *marks = &thread->marks;
	uint32_t node = root;

	frames_mark(path, context, marks);
	if (marks->is_cut_short && node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_TRUNCATED, 0,
			path->end ? path->end : PROFILE_WALK_OFF_STACK, NULL);
	for (uint32_t i = marks->n; i > 0 && node; i--) {
		int is_new;

		node = cct_child(&thread->cct, node, PROFILE_NODE_FRAME, marks->flags[i - 1],
			path->frame[i - 1].ip, &is_new);
		if (is_new)
			modules_note(path->frame[i - 1].ip);
	}
	return node;
}
