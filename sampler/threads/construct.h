/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of constructs. A region or task gets a node under the path that created it. There are
 * three exceptions. A construct that the runtime created on its own belongs to the context around
 * it. A task that was created in a task of the same site, in the same region, has that task's node.
 * And `--task-context` can ask for less than a node for each path.
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

/*
 * Whether a capture for the current task would find this path in the path cache.
 * Owning thread only.
 */
static inline int construct_fits(const struct thread *thread, const struct cached_path *memo,
	uint64_t codeptr_ra, const ompt_frame_t *frame)
{
	const struct task *task = path_task(thread);
	const struct frames_context frames = {
		.task = task ? path_kind_of(task) : FRAMES_ALL,
		.exit_frame = path_on_stack(thread, (uint64_t)frame->exit_frame.ptr),
		.base_cfa = task ? task->base_cfa : 0,
		.to_base = task ? task->is_inline : 0,
	};
	const struct path_cache_key key = {
		.codeptr_ra = codeptr_ra,
		.enter_frame = (uint64_t)frame->enter_frame.ptr,
		.frames = &frames,
		.context = task ? task->context : 0,
	};
	const struct walk_bounds bounds = { (uint64_t)__builtin_frame_address(0),
		thread->stack.hi };

	return bounds.lo >= thread->stack.lo && path_cache_fits(memo, &key, &bounds);
}

/*
 * The node of an explicit task that is encountered as the latest task was; *base_cfa is the CFA of
 * the encountering user frame. Counts the task. Returns 0 if the node is not known, or if this
 * capture is to be timed. Owning thread only.
 */
static inline uint32_t construct_task_again(struct thread *thread, uint64_t codeptr_ra, int flags,
	const ompt_frame_t *frame, uint64_t *base_cfa)
{
	const struct create_note *note = &thread->paths.created;
	const struct cached_path *memo = note->cached_path;

	if (!memo || !frame || note->flags != flags || note->addr != codeptr_ra ||
		note->creation != memo->node || note->context != memo->context ||
		capture_weight(thread->record->n_captures) ||
		!construct_fits(thread, memo, codeptr_ra, frame))
		return 0;
	thread->record->n_captures++;
	construct_count_task(note->own);
	*base_cfa = (uint64_t)frame->enter_frame.ptr + memo->user_cfa;
	return note->node;
}

/*
 * Captures into *creation, whose ip is set, what the settings want of the path that creates an
 * explicit task. Returns the node of the task's context, which can be a region's; 0: none. Counts
 * the task unless that node is a region's. Owning thread only.
 */
uint32_t construct_task(struct thread *thread, struct creation *creation, int flags,
	const ompt_frame_t *frame, const struct walk_registers *here);

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
