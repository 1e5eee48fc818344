/* SPDX-License-Identifier: Apache-2.0 */
/* Measured waiting; see wait.h. Not for the signal handler. */
#include "sampler/wait.h"

#include <stddef.h>

#include "profile/cct.h"
#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/team.h"
#include "sampler/tool.h"

/* About 20 us: a walk takes less than a hundredth of it. */
#define WORTH_A_WALK 50000

static void lose_waits(struct thread *thread, uint64_t n)
{
	thread->record->lost[PROFILE_LOST_WAITS] += n;
}

/* Adds n waits to a WAIT node, or executions to a CONTEXT node. */
static void add_to_node(uint32_t id, uint32_t n, uint64_t ticks, uint64_t longest)
{
	struct profile_node *node = writer_node(id);

	__atomic_store_n(&node->n, node->n + n, __ATOMIC_RELAXED);
	__atomic_store_n(&node->time_ns, node->time_ns + ticks, __ATOMIC_RELAXED);
	if (longest > node->events)
		__atomic_store_n(&node->events, longest, __ATOMIC_RELAXED);
}

static void add_wait(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t ticks, uint64_t longest)
{
	if (!leaf) {
		lose_waits(thread, n);
		return;
	}
	add_to_node(leaf, n, ticks, longest);
	thread->record->n_waits += n;
}

static uint32_t wait_leaf(struct thread *thread, uint32_t parent, uint64_t key)
{
	return parent ? cct_child(&thread->cct, parent, PROFILE_NODE_WAIT, 0, key) : 0;
}

/* What stands for a context under the thread's root; all zero without space. */
static struct context_note *note_of_context(struct thread *thread, uint32_t context)
{
	struct context_note *note = &thread->contexts[context % THREAD_N_CONTEXTS];

	if (note->context == context && note->node)
		return note;
	*note = (struct context_note){ .context = context };
	note->node = cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, 0, context);
	return note;
}

uint32_t wait_own_node(struct thread *thread, uint32_t context)
{
	return context ? note_of_context(thread, context)->node : 0;
}

/* The leaf for the closing barrier of a region. */
static uint32_t closing_leaf(struct thread *thread, uint32_t context)
{
	struct context_note *note;

	if (!context)
		return wait_leaf(
			thread, thread->cct.root, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, 0));
	note = note_of_context(thread, context);
	if (!note->closing)
		note->closing =
			wait_leaf(thread, note->node, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, 0));
	return note->closing;
}

static void flush(struct thread *thread, struct wait_note *note)
{
	if (note->n)
		add_wait(thread, note->leaf, note->n, note->ticks, note->longest);
	note->n = 0;
	note->ticks = note->longest = 0;
}

static struct wait_note *find_note(
	struct thread *thread, uint64_t key, uint64_t codeptr, uint32_t context)
{
	uint64_t hash = (key ^ key >> 56 ^ codeptr << 7 ^ context) * 0x9e3779b97f4a7c15ULL;
	struct wait_note *note = &thread->waits[hash >> 32 & (THREAD_N_WAITS - 1)];

	if (note->key == key && note->codeptr == codeptr && note->context == context)
		return note;
	flush(thread, note);
	*note = (struct wait_note){ .key = key, .codeptr = codeptr, .context = context };
	return note;
}

void wait_add(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t ticks)
{
	struct task *task = thread_task(thread);
	struct wait_note *note =
		find_note(thread, key, (uint64_t)codeptr_ra, task ? task->context : 0);
	uint32_t leaf;

	note->n++;
	note->ticks += ticks;
	if (ticks > note->longest)
		note->longest = ticks;
	if (note->leaf && note->ticks < WORTH_A_WALK)
		return;
	leaf = wait_leaf(thread, capture_here(thread, (uint64_t)codeptr_ra), key);
	if (leaf)
		note->leaf = leaf;
	flush(thread, note);
}

uint64_t wait_end_of_region(const struct task *task, uint64_t now)
{
	uint32_t n_ended;

	if (!task->region)
		return now;
	n_ended = __atomic_load_n(&task->region->generation, __ATOMIC_ACQUIRE) - task->generation;
	if (n_ended == 0)
		return now;
	return n_ended < REGION_N_ENDS ? task->region->ends[task->generation % REGION_N_ENDS] : 0;
}

void wait_begin(struct thread *thread, struct task *task, uint32_t wait, uint64_t now)
{
	struct profile_now *published = &thread->record->now;

	if (task->wait) {
		task->waited += now - task->since; /* one within the other: they are one */
	} else {
		task->spent += now - task->since;
		task->waited = 0;
	}
	task->wait = (uint8_t)wait;
	task->since = now;
	if (task->is_implicit && task->n_threads > 1 && wait <= PROFILE_BARRIER_OTHER) {
		task->barrier++;
		TEAM_WRITE(published->arrived[task->barrier & 1],
			(now & ~15ULL) | (uint64_t)(task->barrier & 7) << 1 | thread->has_created);
		thread->has_created = 0;
	}
	TEAM_WRITE(published->leaf,
		wait == PROFILE_BARRIER_CLOSING ? closing_leaf(thread, task->context) : 0);
	team_publish_wait(thread, wait, now);
}

/* Adds the wait of a closing barrier, cut at the region's end. */
static void end_closing(struct thread *thread, struct task *task, uint64_t now)
{
	uint64_t end = wait_end_of_region(task, now);

	if (!end)
		lose_waits(thread, 1);
	else
		add_wait(thread, closing_leaf(thread, task->context), 1,
			task->waited + (end > task->since ? end - task->since : 0),
			task->waited + (end > task->since ? end - task->since : 0));
}

void wait_end(struct thread *thread, struct task *task, const void *codeptr_ra, uint64_t now)
{
	uint32_t wait = task->wait;

	if (!wait)
		return;
	team_publish_wait(thread, 0, 0);
	if (wait == PROFILE_BARRIER_CLOSING)
		end_closing(thread, task, now);
	else
		wait_add(thread, PROFILE_WAIT_KEY(wait, 0), codeptr_ra,
			task->waited + now - task->since);
	task->wait = 0;
	task->since = now;
}

void wait_suspend(struct thread *thread, uint64_t now)
{
	struct task *task = thread_waiter(thread);

	if (!task)
		return;
	if (task->wait)
		task->waited += now - task->since;
	else
		task->spent += now - task->since;
	task->since = now;
}

void wait_resume(struct thread *thread, uint64_t now)
{
	struct task *task = thread_waiter(thread);

	if (!task)
		return;
	task->since = now;
	team_publish_wait(thread, task->wait, now - task->waited);
}

void wait_enter_team(struct thread *thread, uint64_t now)
{
	struct task *task = thread_waiter(thread);

	if (task) {
		task->begun = task->since = now;
		task->own_node = wait_own_node(thread, task->context);
	}
	if (thread->idle_since) {
		uint32_t kind = thread->has_had_team ? PROFILE_IDLE_BETWEEN : PROFILE_IDLE_BEFORE;
		uint64_t idle = now > thread->idle_since ? now - thread->idle_since : 0;

		add_wait(thread, wait_leaf(thread, thread->cct.root, PROFILE_WAIT_KEY(kind, 0)), 1,
			idle, idle);
		thread->idle_since = 0;
	}
	thread->has_had_team = 1;
	/* Made now: at the end another thread may have to fill it. */
	if (!thread->idle_leaf && thread->record->type == ompt_thread_worker)
		thread->idle_leaf = wait_leaf(
			thread, thread->cct.root, PROFILE_WAIT_KEY(PROFILE_IDLE_AFTER, 0));
}

void wait_task_ended(struct thread *thread, struct task *task, int is_done, uint64_t now)
{
	uint64_t end = now, spent;

	if (!task->own_node)
		return;
	if (task->is_implicit) {
		end = wait_end_of_region(task, now);
		spent = end > task->begun ? end - task->begun : 0;
	} else {
		spent = task->spent;
	}
	add_to_node(task->own_node, (uint32_t)is_done, spent, spent);
	if (task->is_stolen && is_done)
		writer_node(task->own_node)->blame_ns++;
	task->spent = 0;
}

void wait_become_idle(struct thread *thread, uint64_t since)
{
	thread->idle_since = since;
}

/* The open wait and the tasks of a thread, from the innermost on. Returns since when it is idle. */
static uint64_t finish_tasks(struct thread *thread, uint64_t now)
{
	uint32_t n = thread->n_tasks < THREAD_MAX_TASKS ? thread->n_tasks : THREAD_MAX_TASKS;
	uint64_t since = 0;

	for (; n > 0; n--) {
		struct task *task = &thread->tasks[n - 1];
		uint64_t end = wait_end_of_region(task, now);

		if (n == thread->n_tasks && task->wait == PROFILE_BARRIER_CLOSING)
			end_closing(thread, task, now);
		else if (n == thread->n_tasks && task->wait)
			add_wait(thread, thread->record->now.leaf, 1,
				task->waited + now - task->since, task->waited + now - task->since);
		if (task->is_implicit)
			wait_task_ended(thread, task, end != now, now);
		since = end && end != now && task->is_implicit ? end : 0;
	}
	return since;
}

void wait_finish(struct thread *thread, uint64_t now)
{
	struct profile_now *published = &thread->record->now;
	uint64_t idle_since = thread->idle_since, since = finish_tasks(thread, now);

	for (uint32_t i = 0; i < THREAD_N_WAITS; i++)
		flush(thread, &thread->waits[i]);
	if (thread->asked.kind)
		add_wait(thread, published->mutex_leaf, 1, now - thread->asked.since,
			now - thread->asked.since);
	if (thread->record->type == ompt_thread_worker && !idle_since)
		idle_since = since;
	if (idle_since && thread->idle_leaf)
		add_wait(thread, thread->idle_leaf, 1, now - idle_since, now - idle_since);
	thread->idle_since = 0;
	thread->asked.kind = 0;
	thread->n_tasks = 0;
	team_publish_wait(thread, 0, 0);
	TEAM_WRITE(published->mutex, 0);
	TEAM_WRITE(published->team, 0);
	TEAM_WRITE(published->is_idle, 0);
}
