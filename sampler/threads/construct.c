/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of regions and tasks; see construct.h. Not for the signal handler. */
#include "sampler/threads/construct.h"

#include <omp-tools.h>
#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/modules.h"
#include "sampler/core/tool.h"
#include "sampler/threads/wait.h"

void construct_lose(struct thread *thread)
{
	thread->record->lost[PROFILE_LOST_CONTEXT]++;
}

void construct_lose_of_none(void)
{
	if (tool_is_on())
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_CONTEXT], 1, __ATOMIC_RELAXED);
}

/* The construct with this key under `parent`; 0 without space. It is in the module of a frame. */
static uint32_t find_site(struct thread *thread, uint32_t parent, struct cct_key *key)
{
	struct site_note *note =
		&thread->paths.sites[(key->addr ^ key->addr >> 4 ^ parent) % THREAD_N_SITES];
	uint32_t node;

	if (note->addr == key->addr && note->parent == parent && note->kind == key->kind &&
		note->flags == key->flags)
		return note->node;
	key->module = writer_node(parent)->kind == PROFILE_NODE_FRAME ? writer_node(parent)->module
								      : modules_note(key->addr);
	node = cct_insert(&thread->cct, parent, key);
	if (node)
		*note = (struct site_note){ key->addr, parent, node, key->kind, key->flags };
	return node;
}

/* The region or task node under a creation path; 0, and counted as lost, if there is none. */
static uint32_t context_node(
	struct thread *thread, const struct creation *creation, uint8_t kind, uint8_t flags)
{
	struct cct_key key = { .addr = creation->ip, .kind = kind, .flags = flags };
	uint32_t node = creation->node ? find_site(thread, creation->node, &key) : 0;

	if (!node)
		construct_lose(thread);
	return node;
}

/*
 * The context of a construct that the runtime creates on its own: the context in which the runtime
 * creates it. Where the creation path was cut, a user's construct may be in the unseen part.
 */
static uint32_t runtimes_context(struct thread *thread, const struct creation *creation)
{
	struct task *task = thread_task(thread);

	if (!creation->is_whole)
		construct_lose(thread);
	return task ? task->context : 0;
}

uint32_t construct_region(struct thread *thread, const struct creation *creation,
	uint8_t node_flags, uint8_t *is_within)
{
	struct task *task = thread_task(thread);

	*is_within = creation->is_runtimes && task && task->context;
	if (*is_within)
		return runtimes_context(thread, creation);
	return context_node(thread, creation, PROFILE_NODE_REGION, node_flags);
}

/* The region that the current task belongs to, or a task of `site` within that region; 0: none. */
static uint32_t enclosing(struct thread *thread, uint64_t site)
{
	struct task *task = thread_task(thread);
	uint32_t node = task ? task->context : 0;

	for (int i = 0; i < THREAD_MAX_TASKS && node; i++) {
		struct profile_node *at = writer_node(node);

		if (at->kind == PROFILE_NODE_REGION ||
			(at->kind == PROFILE_NODE_TASK && at->addr == site))
			return node;
		node = (uint32_t)at->spare;
	}
	return 0;
}

/*
 * The task of `site` around the current task, in its region; 0: none. A task that it creates at
 * `site` has the same node, so that the tree stays bounded in a recursion.
 */
static uint32_t enclosing_task(struct thread *thread, uint64_t site)
{
	uint32_t node = enclosing(thread, site);

	return node && writer_node(node)->kind == PROFILE_NODE_TASK ? node : 0;
}

static uint8_t flags_of_task(int flags)
{
	return (uint8_t)((flags & ompt_task_target ? PROFILE_TASK_TARGET : 0) |
			 (flags & ompt_task_undeferred ? PROFILE_TASK_UNDEFERRED : 0));
}

/* Where the frames of the current region hang; 0: there is no region, or no space. */
static uint32_t region_root(struct thread *thread)
{
	struct path_place place = { .context = enclosing(thread, 0) };

	return place.context ? path_root(thread, &place) : 0;
}

/*
 * GCC's libgomp tells of a taskloop's task when a thread begins to execute it. If that is not the
 * thread in the taskloop, the creation path is unseen: the task is right below its region.
 */
static uint32_t task_context(struct thread *thread, struct creation *creation, int flags)
{
	struct task *task = thread_task(thread);
	uint32_t node = enclosing_task(thread, creation->ip);

	if (node)
		return node;
	if (creation->is_runtimes)
		return runtimes_context(thread, creation);
	if (!creation->node) {
		creation->is_unseen = creation->is_whole;
		creation->node = region_root(thread);
		thread->record->n_cut_captures += creation->is_unseen;
	}
	node = context_node(thread, creation, PROFILE_NODE_TASK, flags_of_task(flags));
	if (node)
		writer_node(node)->spare = task ? task->context : 0;
	return node;
}

/*
 * The node of a task that a task of the same site creates: it does not depend on the path. 0: it is
 * no such task, or a walk has to find more.
 */
static uint32_t recursive_task(struct thread *thread, const struct creation *creation, int flags)
{
	if (flags & ompt_task_undeferred || capture_is_doubtful(creation->ip))
		return 0;
	return enclosing_task(thread, creation->ip);
}

uint32_t construct_target(struct thread *thread, const struct creation *creation, uint8_t flags)
{
	struct cct_key key = { .addr = creation->ip, .kind = PROFILE_NODE_TARGET, .flags = flags };
	struct task *task = thread_task(thread);
	struct path_place place;
	uint32_t parent = creation->node, node;

	if (!parent) {
		construct_lose(thread);
		path_find_place(thread, NULL, &place);
		parent = path_root(thread, &place);
	}
	node = parent ? find_site(thread, parent, &key) : 0;
	if (node)
		writer_node(node)->spare = task ? task->context : 0;
	return node;
}

/* Whether this construct is encountered as the thread's latest task construct was. */
static int is_created_again(const struct create_note *note, const struct creation *creation,
	uint32_t context, int flags)
{
	return creation->node && note->creation == creation->node && note->addr == creation->ip &&
	       note->context == context && note->flags == flags;
}

/* Notes the construct with its node; the next task of this kind needs no search. */
static void note_task(struct thread *thread, const struct creation *creation, uint32_t context,
	int flags, uint32_t node, uint64_t to_enter)
{
	struct create_note *note = construct_place(thread, creation->ip, context);
	struct profile_node *own = wait_own_node(thread, node);

	if (!own)
		return;
	*note = (struct create_note){ creation->ip, creation->node, context, flags, node, own,
		creation->cached_path, to_enter };
	thread->paths.latest = note;
	construct_count_task(own);
}

uint32_t construct_task(struct thread *thread, struct creation *creation, int flags,
	const ompt_frame_t *frame, const struct walk_registers *registers, uint64_t here)
{
	struct create_note *note;
	struct task *task = thread_task(thread);
	uint32_t context = task ? task->context : 0, node;
	uint64_t to_enter;

	thread->paths.latest = NULL;
	node = recursive_task(thread, creation, flags);
	if (node) {
		note_task(thread, creation, context, flags, node, 0);
		return node;
	}
	creation->wants_enter = (flags & ompt_task_undeferred) != 0;
	capture(thread, creation->ip, frame, registers, creation);
	to_enter = creation->enter_frame ? creation->enter_frame - here : 0;
	note = construct_place(thread, creation->ip, context);
	if (is_created_again(note, creation, context, flags)) {
		note->cached_path = creation->cached_path;
		note->to_enter = to_enter;
		thread->paths.latest = note;
		construct_count_task(note->own);
		return note->node;
	}
	node = task_context(thread, creation, flags);
	/* A construct that the runtime creates on its own can belong to a region. */
	if (node && writer_node(node)->kind == PROFILE_NODE_TASK)
		note_task(thread, creation, context, flags, node, to_enter);
	return node;
}
