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

/* The frame pointers of the current task. */
static void task_frame(const struct thread *thread, uint64_t *exit, uint64_t *enter)
{
	ompt_data_t *task_data, *parallel_data;
	ompt_frame_t *frame = NULL;
	int flags, thread_num;

	*exit = *enter = 0;
	if (tool.get_task_info(0, &flags, &task_data, &frame, &parallel_data, &thread_num) < 1 ||
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

/* How the task came onto this thread's stack. */
static enum frames_task kind_of(const struct task *task)
{
	if (task->base_cfa)
		return FRAMES_ON_STACK;
	return task->is_implicit ? FRAMES_WORKER : FRAMES_DEFERRED;
}

void path_find_place(struct thread *thread, struct path_place *place)
{
	struct task *task = thread_task(thread);
	struct frames_context *frames = &place->frames;
	int has_inquiry = tool.has_ompt && thread->is_openmp;

	*place = (struct path_place){
		.frames.task = FRAMES_ALL,
		.frames.runtime_lo = tool.runtime_lo,
		.frames.runtime_hi = tool.runtime_hi,
	};
	if (has_inquiry)
		task_frame(thread, &frames->exit_frame, &frames->enter_frame);
	if (!task || is_over(task))
		return;
	place->has_team = task->has_team;
	if (!task->context)
		return;
	place->context = task->context;
	frames->task = kind_of(task);
	frames->base_cfa = task->base_cfa;
	/* What the runtime has there is left over from a call that has returned, most often. */
	frames->to_base = task->is_inline;
}

void path_walk(struct thread *thread, struct path_place *place, const struct walk_registers *start,
	const struct walk_bounds *bounds)
{
	tool.walker->walk(start, bounds, frames_stop(&place->frames), &thread->path);
	if (!frames_is_stale(&thread->path, &place->frames))
		return;
	place->frames.to_base = 1;
	tool.walker->walk(start, bounds, frames_stop(&place->frames), &thread->path);
}

uint32_t path_root(struct thread *thread, const struct path_place *place)
{
	if (!place->context)
		return thread->cct.root;
	return cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, 0, place->context);
}

uint32_t path_insert(struct thread *thread, const struct path_place *place)
{
	const struct walk_path *path = &thread->path;
	struct frames_marks *marks = &thread->marks;
	struct modules_cursor cursor = { 0 };
	uint32_t node = path_root(thread, place);

	frames_mark(path, &place->frames, marks);
	if (marks->is_cut_short && node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_TRUNCATED, 0,
			path->end ? path->end : PROFILE_WALK_OFF_STACK);
	for (uint32_t i = marks->n; i > 0 && node; i--) {
		const struct walk_frame *frame = &path->frame[i - 1];
		struct cct_key key = {
			.addr = frame->ip,
			/* A return address can lie beyond the call's object. */
			.module = modules_at(&cursor, frame->ip - (frame->how != WALK_EXACT)),
			.kind = PROFILE_NODE_FRAME,
			.flags = frames_flags(path, marks, i - 1),
		};

		node = cct_insert(&thread->cct, node, &key);
	}
	return node;
}
