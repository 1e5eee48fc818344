/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of constructs. A region or task gets a node under the path that created it. There are
 * two exceptions. A construct that the runtime created on its own belongs to the context around
 * it. A task that was created in a task of the same site, in the same region, has that task's node.
 */
#ifndef OMPPROF_SAMPLER_THREADS_CONSTRUCT_H
#define OMPPROF_SAMPLER_THREADS_CONSTRUCT_H

#include <stdint.h>

#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/path.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

/*
 * The node of a region that was captured; 0 if it could not be made. If the runtime began the
 * region on its own, for a team of a league, it is the node of the context around it, and
 * *is_within is set. Owning thread only.
 */
uint32_t construct_region(struct thread *thread, const struct creation *creation,
	uint8_t node_flags, uint8_t *is_within);

/*
 * Adds a created task, unless in a pause, to the thread's own node of the task's context. The TASK
 * node itself may be another thread's. Owning thread only.
 */
static inline void construct_count_task(struct profile_node *own)
{
	tool_count(&own->spare);
}

/* Adds an execution, unless in a pause, to the thread's own REGION node. Owning thread only. */
static inline void construct_count_region(struct profile_node *node)
{
	tool_count_32(&node->n);
}

/* The place for the thread's note on this construct in this context. Owning thread only. */
static inline struct create_note *construct_place(
	struct thread *thread, uint64_t codeptr_ra, uint32_t context)
{
	uint32_t hash = ((uint32_t)codeptr_ra + (context << 7)) * 0x9e3779b9u;

	return &thread->paths.created[hash >> THREAD_CREATED_SHIFT];
}

/* The note on tasks of this construct in this context; NULL: there is none. Owning thread only. */
static inline const struct create_note *construct_note(
	struct thread *thread, uint64_t codeptr_ra, int flags, uint32_t context)
{
	const struct create_note *note = construct_place(thread, codeptr_ra, context);

	return note->addr == codeptr_ra && note->flags == flags && note->context == context ? note
											    : NULL;
}

/*
 * Whether a capture for this task, which is current, would find this path in the path cache. NULL:
 * the current task has no context. Owning thread only.
 */
static inline int construct_fits(const struct thread *thread, const struct task *task,
	const struct cached_path *memo, uint64_t codeptr_ra, const ompt_frame_t *frame,
	uint64_t enter_frame)
{
	const struct frames_context frames = {
		.task = task ? path_kind_of(task) : FRAMES_ALL,
		.exit_frame = path_on_stack(thread, (uint64_t)frame->exit_frame.ptr),
		.base_cfa = task ? task->base_cfa : 0,
		.to_base = task ? task->is_inline : 0,
	};
	const struct path_cache_key key = {
		.codeptr_ra = codeptr_ra,
		.enter_frame = enter_frame,
		.frames = &frames,
		.context = task ? task->context : 0,
	};
	const struct walk_bounds bounds = { (uint64_t)__builtin_frame_address(0),
		thread->stack.hi };

	return bounds.lo >= thread->stack.lo && path_cache_fits(memo, &key, &bounds);
}

/*
 * Whether the note, if it is one, is right for an explicit task that `task`, the current task with
 * a context, encounters now. `here` is the frame of the callback: the runtime's frames between it
 * and the user's are always as long, if the call is the same. *base_cfa is the CFA of the
 * encountering user frame. 0 also if this capture is to be timed. Owning thread only.
 */
static inline int construct_is_again(struct thread *thread, const struct create_note *note,
	const struct task *task, const ompt_frame_t *frame, uint64_t here, uint64_t *base_cfa)
{
	const struct cached_path *memo = note ? note->cached_path : NULL;
	uint64_t enter;

	*base_cfa = 0;
	if (!note || !note->creation)
		return note != NULL;
	if (!memo || !frame || note->creation != memo->node || note->context != memo->context ||
		(!thread->gate.unseen && capture_weight(thread->record->n_captures)))
		return 0;
	enter = note->to_enter ? here + note->to_enter : (uint64_t)frame->enter_frame.ptr;
	if (!construct_fits(thread, task, memo, note->addr, frame, enter) ||
		(note->to_enter && ((const uint64_t *)enter)[1] != note->addr))
		return 0;
	thread->record->n_captures += !thread->gate.unseen;
	*base_cfa = enter + memo->user_cfa;
	return 1;
}

/*
 * Captures into *creation, whose ip is set, the path that creates an explicit task. Returns the
 * node of the task's context, which can be a region's; 0: none. Counts the task unless that node is
 * a region's. Owning thread only.
 */
uint32_t construct_task(struct thread *thread, struct creation *creation, int flags,
	const ompt_frame_t *frame, const struct walk_registers *registers, uint64_t here);

/*
 * The node of a target construct under its creation path, or, if the path was not captured, under
 * the current task's context; 0 if it could not be made. `flags` as in the node.
 * Owning thread only.
 */
uint32_t construct_target(struct thread *thread, const struct creation *creation, uint8_t flags);

/* Counts a construct whose node is not known. Owning thread only. */
void construct_lose(struct thread *thread);

/* As construct_lose() in a thread that the tool does not know; only if it is on. Any thread. */
void construct_lose_of_none(void);

#endif
