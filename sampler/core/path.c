/* SPDX-License-Identifier: Apache-2.0 */
/* Paths into the tree; see path.h and unseen.h. Part of the signal-safe core. */
#include "sampler/core/path.h"

#include <stddef.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/classify.h"
#include "sampler/core/modules.h"
#include "sampler/core/task_data.h"
#include "sampler/core/tool.h"

/* The frame pointers of the current task from the runtime, or NULL. */
static const ompt_frame_t *ask_frame(const struct thread *thread)
{
	ompt_data_t *task_data, *parallel_data;
	ompt_frame_t *frame = NULL;
	int flags, thread_num;

	if (!tool.has_ompt || !thread->life.is_openmp ||
		tool.get_task_info(0, &flags, &task_data, &frame, &parallel_data, &thread_num) < 1)
		return NULL;
	return frame;
}

void path_find_place(struct thread *thread, const ompt_frame_t *frame, struct path_place *place)
{
	struct task *task = thread_task(thread);
	struct frames_context *frames = &place->frames;

	*place = (struct path_place){
		.frames.task = FRAMES_ALL,
		.frames.outer_cfa = thread->start.cfa,
		.frames.runtime = tool.runtime_code,
	};
	if (!frame)
		frame = ask_frame(thread);
	if (frame) {
		frames->exit_frame = path_on_stack(thread, (uint64_t)frame->exit_frame.ptr);
		frames->enter_frame = path_on_stack(thread, (uint64_t)frame->enter_frame.ptr);
	}
	if (!task || path_is_over(task))
		return;
	place->has_team = task->has_team;
	if (!task->context)
		return;
	place->context = task->context;
	frames->task = path_kind_of(task);
	frames->base_cfa = task->base_cfa;
	/* An inline task's exit frame is mostly left over from a call that has returned. */
	frames->to_base = task->is_inline;
}

void unseen_fill(const struct thread *thread, struct task *task, const ompt_data_t *data)
{
	uint64_t value = data->value;
	int is_known = tasks_is_known(thread, value),
	    is_inline = is_known && tasks_is_inline(value);

	*task = (struct task){
		.data = data,
		.context = is_known ? tasks_node(value) : 0,
		.has_team = 1,
		.is_inline = (uint8_t)is_inline,
		.base_cfa = is_inline ? thread->stack.hi - ((value >> 32 & 0xfffff) << 4) : 0,
		.is_counted = is_known && tasks_is_counted(value),
		.is_stolen = !tasks_is_of_thread(thread, value),
		.sync = (uint8_t)classify_wait(thread->record->now.wait),
		.mutex = (uint8_t)classify_asked(thread->mutexes.requested.kind),
	};
}

const ompt_data_t *unseen_current(const struct thread *thread)
{
	ompt_data_t *task_data = NULL, *parallel_data;
	ompt_frame_t *frame;
	int flags = 0, thread_num;

	if (!tool.has_ompt || !thread->life.is_openmp ||
		tool.get_task_info(0, &flags, &task_data, &frame, &parallel_data, &thread_num) < 1)
		return NULL;
	return flags & ompt_task_explicit ? task_data : NULL;
}

void unseen_meet(struct thread *thread, struct unseen_top *top)
{
	const ompt_data_t *data;
	struct task *below = thread_task(thread);

	*top = (struct unseen_top){ .n = thread->tasks.n,
		.callbacks = thread->record->n_callbacks };
	if (!thread->gate.unseen || !below || thread->tasks.n >= THREAD_MAX_TASKS)
		return;
	top->is_met = 1;
	top->sync = below->sync;
	data = unseen_current(thread);
	if (data)
		unseen_fill(thread, &thread->tasks.at[thread->tasks.n++], data);
	else
		below->sync = (uint8_t)classify_wait(thread->record->now.wait);
}

void unseen_part(struct thread *thread, const struct unseen_top *top)
{
	if (!top->is_met || thread->tasks.n < top->n)
		return;
	thread->tasks.n = top->n;
	thread->tasks.at[top->n - 1].sync = top->sync;
}

/* Walks. Afterwards nothing is known about the frames that the walk may have written. */
static void walk(struct thread *thread, const struct path_place *place,
	const struct walk_registers *start, const struct walk_bounds *bounds)
{
	struct walk_path *path = &thread->path;
	uint32_t n_changed;

	tool.walker->walk(start, bounds, frames_stop(&place->frames), path);
	n_changed = (uint32_t)(path->frame - path->store) + path->n - path->n_kept;
	/* The walk may also have written the place behind a path of which nothing was kept. */
	if (path->n_kept == 0 && n_changed < WALK_STORE_FRAMES)
		n_changed++;
	if (thread->note.n_unknown < n_changed)
		thread->note.n_unknown = n_changed;
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

/* Makes the places from `first` on known, as places for whose frames nothing was inserted. */
static void begin_to_know(struct path_note *note, uint32_t first)
{
	if (first >= note->n_unknown)
		return;
	memset(&note->at[first], 0, (note->n_unknown - first) * sizeof(note->at[0]));
	note->n_unknown = first;
}

/* Inserts frame i under `parent`. Its node gets these flags. */
static struct path_node insert_frame(
	struct thread *thread, uint32_t i, uint32_t parent, uint8_t flags)
{
	const struct walk_frame *frame = &thread->path.frame[i];
	struct cct_key key = {
		.addr = frame->ip,
		/* A return address can lie beyond the call's object. */
		.module = modules_at(&thread->note.cursor, frame->ip - (frame->how != WALK_EXACT)),
		.kind = PROFILE_NODE_FRAME,
		.flags = flags,
	};
	uint32_t node = cct_insert(&thread->cct, parent, &key);

	return (struct path_node){ .parent = node ? parent : 0, .node = node, .flags = flags };
}

/* Inserts a Python frame. Its address is no return address. */
static uint32_t insert_python(
	struct thread *thread, const struct python_frame *frame, uint32_t parent, uint8_t flags)
{
	struct cct_key key = {
		.addr = frame->addr,
		.module = frame->module,
		.kind = PROFILE_NODE_FRAME,
		.flags = flags | PROFILE_FRAME_EXACT,
	};

	return cct_insert(&thread->cct, parent, &key);
}

static struct path_run run_of(
	const struct walk_path *path, const struct frames_marks *marks, uint32_t top)
{
	uint32_t place = (uint32_t)(path->frame - path->store);

	return (struct path_run){
		.top = top,
		.end = place + marks->n,
		.exit = place + marks->exit,
		.begin = place + marks->n_inner,
		.is_outlined = marks->is_outlined,
	};
}

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * The first place from which on this insertion finds the same nodes as the latest insertion. It is
 * run->end if this run differs from the latest run.
 */
static uint32_t begin_of_known(const struct path_note *note, const struct path_run *run)
{
	const struct path_run *latest = &note->run;

	if (run->top != latest->top || run->end != latest->end || run->exit != latest->exit ||
		run->is_outlined != latest->is_outlined)
		return run->end;
	return most(note->n_unknown, most(run->begin, latest->begin));
}

/*
 * Inserts the frames up to i - 1 under `node` where the note does not know them. Returns the
 * innermost frame's node, or 0.
 */
static uint32_t insert_rest(struct thread *thread, uint32_t i, uint32_t node)
{
	const struct walk_path *path = &thread->path;
	struct path_node *at = &thread->note.at[path->frame - path->store];

	modules_begin(&thread->note.cursor);
	for (; i > 0 && node; i--) {
		uint8_t flags = frames_flags(path, &thread->sample.marks, i - 1);

		if (at[i - 1].parent != node || at[i - 1].flags != flags)
			at[i - 1] = insert_frame(thread, i - 1, node, flags);
		node = at[i - 1].node;
	}
	return node;
}

/* Inserts the marked frames under `top`. Returns the innermost frame's node, or 0. */
static uint32_t insert_frames(struct thread *thread, uint32_t top)
{
	struct path_note *note = &thread->note;
	struct path_run run = run_of(&thread->path, &thread->sample.marks, top);
	uint32_t place = (uint32_t)(thread->path.frame - thread->path.store);
	uint32_t known = begin_of_known(note, &run);
	uint32_t node = top;

	begin_to_know(note, place);
	if (known >= run.end)
		known = run.end;
	else
		node = note->at[known].node;
	if (known > place)
		node = insert_rest(thread, known - place, node);
	note->run = run;
	if (!node)
		note->run.top = 0;
	return node;
}

/* The path without its frames of the interpreter, and with Python frames (python.h). */
static uint32_t insert_with_python(struct thread *thread, uint32_t node)
{
	const struct frames_marks *marks = &thread->sample.marks;
	const struct python_stack *stack = &thread->python;
	uint32_t k = stack->n;

	modules_begin(&thread->note.cursor);
	for (uint32_t i = marks->n; i-- > 0 && node;) {
		uint8_t flags = frames_flags(&thread->path, marks, i);

		for (; k > 0 && stack->at[k - 1].native == i && node; k--)
			if (stack->at[k - 1].addr)
				node = insert_python(thread, &stack->at[k - 1], node, flags);
		if (node && !python_has(tool.python, thread->path.frame[i].ip))
			node = insert_frame(thread, i, node, flags).node;
	}
	return node;
}

/* Whether one of the first n frames is the interpreter's. */
static int has_python(const struct walk_path *path, uint32_t n)
{
	const struct python_interpreter *python = TOOL_PYTHON();

	for (uint32_t i = 0; i < n && python; i++)
		if (python_has(python, path->frame[i].ip))
			return 1;
	return 0;
}

uint32_t path_insert(struct thread *thread, const struct path_place *place)
{
	const struct walk_path *path = &thread->path;
	struct frames_marks *marks = &thread->sample.marks;
	uint32_t node = path_root(thread, place);

	frames_mark(path, &place->frames, marks);
	thread->sample.has_python = (uint8_t)has_python(path, marks->n);
	if (marks->is_cut_short && node)
		node = cct_child(&thread->cct, node, PROFILE_NODE_TRUNCATED, 0,
			path->end ? path->end : PROFILE_WALK_OFF_STACK);
	if (node && thread->sample.has_python &&
		tool.python->read(&thread->python, path, marks->n) > 0)
		return insert_with_python(thread, node);
	return node ? insert_frames(thread, node) : 0;
}

int path_is_guessed(const struct thread *thread)
{
	const struct walk_path *path = &thread->path;

	for (uint32_t i = 0; path->n_guessed && i < thread->sample.marks.n; i++) {
		if (path->frame[i].how == WALK_GUESS)
			return 1;
	}
	return 0;
}
