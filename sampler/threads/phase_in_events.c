/* SPDX-License-Identifier: Apache-2.0 */
/* Threads follow the program's phases; see phase.h. Not for the signal handler. */
#include <stddef.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/threads/count.h"
#include "sampler/threads/worker_run.h"
#include "sampler/core/phase_internal.h"
#include "sampler/core/thread_board.h"
#include "sampler/threads/wait.h"

/* Regions that are open keep their nodes. */
static void regions_forget(struct thread *thread)
{
	for (uint32_t i = 0; i < THREAD_MAX_REGIONS; i++) {
		if (thread->regions.codeptr[i])
			thread->regions.at[i].path.codeptr_ra = thread->regions.at[i].own.closing =
				0;
	}
}

static void paths_forget(struct thread *thread)
{
	for (uint32_t i = 0; i < PATH_CACHE_SETS; i++)
		for (uint32_t k = 0; k < PATH_CACHE_WAYS; k++)
			thread->paths.cache.at[i][k].codeptr_ra = 0;
	memset(thread->paths.created, 0, sizeof(thread->paths.created));
	thread->paths.latest = NULL;
}

static void unseen_forget(struct thread *thread)
{
	thread->unseen.latest = NULL;
}

static void waits_forget(struct thread *thread)
{
	for (uint32_t i = 0; i < THREAD_N_CONTEXTS; i++) {
		struct context_note *note = &thread->waits.contexts[i];

		*note = (struct context_note){ .context = note->context, .due = note->due };
	}
	wait_flush(thread);
}

/* Target regions continue under the new root, with the operation that is in progress. */
static void targets_find(struct thread *thread)
{
	for (uint32_t i = 0; i < thread->targets.n && i < THREAD_MAX_TARGETS; i++) {
		struct target_execution *execution = &thread->targets.at[i];
		uint32_t context = wait_note(thread, execution->node)->node;

		if (!context)
			continue;
		execution->context = context;
		if (execution->op_leaf)
			execution->op_leaf = cct_child(&thread->cct, context, PROFILE_NODE_EVENT, 0,
				writer_node(execution->op_leaf)->addr);
	}
}

static void idle_find(struct thread *thread)
{
	if (thread->idle.leaf)
		wait_find_idle(thread);
}

/* Finds the tasks' own nodes, and the leaf of their waits that another thread may have to fill. */
static void tasks_find(struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);
	const struct task *current = thread_waiter(thread);
	struct profile_now *now = &thread->record->now;

	for (uint32_t i = 0; i < n; i++) {
		struct task *task = &thread->tasks.at[i];

		if (task->own)
			task->own = wait_own_node(thread, task->context);
	}
	BOARD_WRITE(now->leaf, 0);
	BOARD_WRITE(now->mutex_leaf, 0);
	if (current && current->wait == PROFILE_BARRIER_CLOSING)
		BOARD_WRITE(now->leaf, wait_closing_leaf(thread, current->context));
}

#define NONE(name)
#define PART(type, name, clear, nodes) nodes(name)

/*
 * Makes the root of a phase the tree's root: the only place where events do it. The nodes that the
 * thread remembers under the old root are forgotten first. find_nodes follows.
 */
static void change_root(struct thread *thread, uint32_t phase)
{
#define FORGET(name) name##_forget(thread);
#define FIND(name)
#include "sampler/core/thread_parts.def"
#undef FIND
#undef FORGET
	phase_set_root(thread, phase);
}

/* Finds under the new root the nodes that the thread needs at once. */
static void find_nodes(struct thread *thread)
{
#define FORGET(name)
#define FIND(name) name##_find(thread);
#include "sampler/core/thread_parts.def"
#undef FIND
#undef FORGET
}

#undef PART
#undef NONE

/* The first known change after a moment; n if there is none. */
static uint32_t first_after(uint64_t moment, uint32_t n)
{
	uint32_t i = n;

	while (i > 0 && n - i < PHASE_CHANGES && phase_change_at(i - 1).ticks > moment)
		i--;
	return i;
}

/* The phase before change i, as far as it is known. */
static uint32_t phase_before(uint32_t i, uint32_t n)
{
	if (i == 0)
		return PHASE_NONE;
	return phase_change_at(n - i < PHASE_CHANGES ? i - 1 : i).phase;
}

/* The node for the thread's activity in a phase; NULL for PHASE_NONE and without space. */
static struct profile_node *node_of(struct thread *thread, uint32_t phase)
{
	uint32_t node = 0;

	if (phase != PHASE_NONE)
		node = cct_child(&thread->cct, thread->record->root, PROFILE_NODE_PHASE, 0, phase);
	return node ? writer_node(node) : NULL;
}

/* Adds the thread's time up to a moment to the node of a phase. */
static void live_until(struct thread *thread, uint32_t phase, uint64_t moment)
{
	struct profile_now *now = &thread->record->now;
	struct profile_node *node = node_of(thread, phase);

	if (node && moment > now->root_since)
		writer_count(&node->time_ns, moment - now->root_since);
	if (moment > now->root_since)
		BOARD_WRITE(now->root_since, moment);
}

/*
 * Adds the thread's time so far to its phases. Only the latest PHASE_CHANGES changes are known: the
 * time before them counts in the earliest phase that is known.
 */
static void live(struct thread *thread, uint32_t n)
{
	uint32_t i = thread->phase.followed;

	if (n - i >= PHASE_CHANGES)
		i = n - PHASE_CHANGES + 1;
	for (; i < n; i++)
		live_until(thread, phase_before(i, n), phase_change_at(i).ticks);
	thread->phase.followed = n;
}

static void go_over(struct thread *thread, uint32_t n, int has_events)
{
	struct phase_change latest = phase_change_at(n - 1);

	live(thread, n);
	thread->phase.met = n;
	if (has_events) {
		worker_run_flush(thread, latest.ticks);
		change_root(thread, latest.phase);
	} else {
		phase_set_root(thread, latest.phase);
	}
	thread->phase.since = latest.ticks;
	BOARD_WRITE(thread->record->now.root,
		thread->cct.root == thread->record->root ? 0 : thread->cct.root);
	if (has_events)
		find_nodes(thread);
}

void phase_follow(struct thread *thread)
{
	uint32_t n;

	thread_take_news(thread);
	n = phase_n_changes();
	if (thread->phase.followed != n)
		go_over(thread, n, 1);
}

void phase_finish(struct thread *thread, uint64_t now)
{
	const struct profile_thread *record = thread->record;
	uint32_t n = phase_n_changes();

	if (n == 0)
		return;
	if (thread->phase.followed != n)
		go_over(thread, n, record->n_callbacks || record->type);
	live_until(thread, phase_change_at(n - 1).phase, now);
}

static uint64_t part_until(uint64_t begin, uint64_t moment, uint64_t end, uint64_t amount)
{
	if (moment >= end || end <= begin)
		return amount;
	return (uint64_t)((unsigned __int128)amount * timing_between(begin, moment) /
			  (end - begin));
}

void phase_spread_all(struct thread *thread, uint64_t begin, uint64_t end, uint64_t amount,
	phase_take *take, void *data)
{
	uint32_t n = thread->phase.followed, i = first_after(begin, n), phase = phase_before(i, n);
	uint64_t given = 0, until;

	for (; i < n && phase_change_at(i).ticks < end; i++) {
		until = part_until(begin, phase_change_at(i).ticks, end, amount);
		if (until > given) {
			change_root(thread, phase);
			take(thread, data, until - given, 0);
		}
		given = until;
		phase = phase_change_at(i).phase;
	}
	change_root(thread, phase);
	take(thread, data, amount - given, 1);
	change_root(thread, n ? phase_change_at(n - 1).phase : PHASE_NONE);
	find_nodes(thread);
}

uint64_t phase_find_elsewhere(uint64_t begin, uint64_t end)
{
	uint32_t n = phase_n_changes(), i = first_after(begin, n), own = phase_before(i, n);
	uint64_t sum = 0;

	for (; i < n && phase_change_at(i).ticks < end; i++) {
		uint64_t next = i + 1 < n ? phase_change_at(i + 1).ticks : end;

		if (phase_change_at(i).phase != own)
			sum += timing_between(phase_change_at(i).ticks, next < end ? next : end);
	}
	return sum;
}
