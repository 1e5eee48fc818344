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

/* The frame pointers of the current task as the runtime has them, or NULL. */
static const ompt_frame_t *ask_frame(const struct thread *thread)
{
	ompt_data_t *task_data, *parallel_data;
	ompt_frame_t *frame = NULL;
	int flags, thread_num;

	if (!tool.has_ompt || !thread->is_openmp ||
		tool.get_task_info(0, &flags, &task_data, &frame, &parallel_data, &thread_num) < 1)
		return NULL;
	return frame;
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

void path_find_place(struct thread *thread, const ompt_frame_t *frame, struct path_place *place)
{
	struct task *task = thread_task(thread);
	struct frames_context *frames = &place->frames;

	*place = (struct path_place){
		.frames.task = FRAMES_ALL,
		.frames.runtime_lo = tool.runtime_lo,
		.frames.runtime_hi = tool.runtime_hi,
	};
	if (!frame)
		frame = ask_frame(thread);
	if (frame) {
		frames->exit_frame = on_stack(thread, (uint64_t)frame->exit_frame.ptr);
		frames->enter_frame = on_stack(thread, (uint64_t)frame->enter_frame.ptr);
	}
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

/* A walk, after which the nodes of no more frames are known than it kept. */
static void walk(struct thread *thread, const struct path_place *place,
	const struct walk_registers *start, const struct walk_bounds *bounds)
{
	tool.walker->walk(start, bounds, frames_stop(&place->frames), &thread->path);
	if (thread->note.n > thread->path.n_kept)
		thread->note.n = thread->path.n_kept;
}

void path_walk(struct thread *thread, struct path_place *place, const struct walk_registers *start,
	const struct walk_bounds *bounds)
{
	walk(thread, place, start, bounds);
	if (!frames_is_stale(&thread->path, &place->frames))
		return;
	place->frames.to_base = 1;
	walk(thread, place, start, bounds);
}

uint32_t path_root(struct thread *thread, const struct path_place *place)
{
	struct path_note *note = &thread->note;
	uint32_t node;

	if (!place->context)
		return thread->cct.root;
	if (place->context == note->context)
		return note->context_node;
	node = cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, 0, place->context);
	if (node) {
		note->context = place->context;
		note->context_node = node;
	}
	return node;
}

static struct path_basis basis_of(
	const struct walk_path *path, const struct frames_marks *marks, uint32_t top)
{
	return (struct path_basis){
		.top = top,
		.first = path->n - marks->n,
		.outer = path->n - marks->exit,
		.inner = path->n - marks->n_inner,
		.is_outlined = marks->is_outlined,
	};
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* One past the frames whose nodes are known on this basis; `first` of it if none are. */
static uint32_t n_known(const struct path_note *note, const struct path_basis *now)
{
	const struct path_basis *then = &note->basis;
	uint32_t n = note->n;

	if (now->top != then->top || now->first != then->first)
		return now->first;
	if (now->outer != then->outer || now->is_outlined != then->is_outlined)
		n = least(n, least(now->outer, then->outer));
	if (now->inner != then->inner)
		n = least(n, least(now->inner, then->inner));
	return n > now->first ? n : now->first;
}

/* Inserts the marked frames under `top`. Returns the innermost one's node, or 0. */
static uint32_t insert_frames(struct thread *thread, uint32_t top)
{
	const struct walk_path *path = &thread->path;
	struct path_note *note = &thread->note;
	struct path_basis now = basis_of(path, &thread->marks, top);
	uint32_t k = least(n_known(note, &now), path->n);
	uint32_t node = k > now.first ? note->node[k - 1] : top;
	struct modules_cursor cursor = { 0 };

	note->basis = now;
	for (note->n = k; k < path->n && node; k++) {
		uint32_t i = path->n - 1 - k;
		const struct walk_frame *frame = &path->frame[i];
		struct cct_key key = {
			.addr = frame->ip,
			/* A return address can lie beyond the call's object. */
			.module = modules_at(&cursor, frame->ip - (frame->how != WALK_EXACT)),
			.kind = PROFILE_NODE_FRAME,
			.flags = frames_flags(path, &thread->marks, i),
		};

		node = cct_insert(&thread->cct, node, &key);
		note->node[k] = node;
		if (node)
			note->n = k + 1;
	}
	return node;
}

uint32_t path_insert(struct thread *thread, const struct path_place *place)
{
	const struct walk_path *path = &thread->path;
	struct frames_marks *marks = &thread->marks;
	uint32_t node = path_root(thread, place);

	frames_mark(path, &place->frames, marks);
	if (marks->is_cut_short && node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_TRUNCATED, 0,
			path->end ? path->end : PROFILE_WALK_OFF_STACK);
	return node ? insert_frames(thread, node) : 0;
}
