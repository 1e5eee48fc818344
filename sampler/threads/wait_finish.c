/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends a thread's waits and tasks at its end or at the profile's end; see wait.h. Not for the
 * signal handler.
 */
#include <omp-tools.h>

#include "sampler/threads/worker_run.h"
#include "sampler/threads/mutex.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/timeline.h"
#include "sampler/core/region_fast.h"
#include "sampler/threads/wait.h"
#include "sampler/threads/wait_delay.h"
#include "sampler/threads/wait_internal.h"
#include "sampler/threads/wait_across_phases.h"

/* Adds the time in an execution of a region, as if the execution ended now. */
static void finish_stay(struct thread *thread, const struct task *task, uint64_t end)
{
	uint64_t ticks = task->is_in_run ? 0 : wait_between(task->begun, end, 0);
	/* Without ticks of its own the execution counts in the present phase. */
	const struct wait_span span = { ticks ? task->begun : UINT64_MAX, end, ticks, ticks };

	if (!task->is_in_run)
		worker_run_end_timed(thread, task, end, ticks);
	wait_add_stay(thread, task, 1, &span);
}

/*
 * A wait that has not ended has the leaf that a sample found; without a sample only its context is
 * known. The thread had no CPU for `lacked` ticks of it.
 */
static void finish_wait(struct thread *thread, uint32_t context, uint64_t key, uint32_t leaf,
	const struct wait_span *span, uint64_t lacked)
{
	uint32_t kind = PROFILE_WAIT_KIND(key);

	if (!leaf)
		leaf = wait_open_leaf(thread, context, key);
	if (leaf)
		timeline_wait(thread, kind, leaf, span->begin, span->end, span->ticks - lacked);
	wait_add_span(thread, context, key, leaf, 1, span);
}

/* The wait of a task, which may have others on top of it. `leaf`: as for finish_wait. */
static void finish_task_wait(struct thread *thread, struct task *task, uint32_t leaf, uint64_t now)
{
	uint64_t ticks = wait_between(task->since, now, task->ticks_on_top);
	const struct wait_span span = { task->since, now, ticks, ticks };

	if (!task->wait || !task->since || (!task->wait_weight && !wait_is_long(thread, task, now)))
		return; /* a wait like this would not count if it had ended */
	if (task->wait == PROFILE_BARRIER_CLOSING)
		wait_end_closing(thread, task, wait_closing_leaf(thread, task->context),
			wait_all_weight(thread, task), now);
	else
		finish_wait(thread, task->context, PROFILE_WAIT_KEY(task->wait, 0), leaf, &span, 0);
	task->ticks_excluded += timing_between(task->since, now);
}

void wait_cut(struct thread *thread, struct task *task, uint64_t now)
{
	finish_task_wait(thread, task, 0, now);
	task->wait = task->sync = 0;
	task->since = 0;
}

/*
 * Ends the thread's tasks and their waits, from the innermost on. Returns since when the thread has
 * been idle; 0: it is not, or that is not known.
 */
static uint64_t finish_tasks(struct thread *thread, uint64_t now)
{
	uint32_t n = thread_n_entries(thread);
	uint64_t since = 0;

	for (; n > 0; n--) {
		struct task *task = &thread->tasks.at[n - 1];
		uint64_t end = wait_end_of_region(task, now);

		finish_task_wait(
			thread, task, n == thread->tasks.n ? thread->record->now.leaf : 0, now);
		if (!task->is_implicit)
			wait_end_explicit(thread, n, task, 1);
		else if (task->own)
			finish_stay(thread, task, end);
		since = end != now && task->is_implicit ? end : 0;
	}
	return since;
}

static void finish_mutex(struct thread *thread, uint64_t now)
{
	const struct held_mutex *asked = &thread->mutexes.requested;
	const struct task *task = thread_task(thread);
	uint64_t id = asked->slot ? asked->slot->record->wait_id : 0;
	uint64_t ticks = timing_between(asked->since, now);
	const struct wait_span span = { asked->since, now, ticks, ticks };

	if (asked->kind && asked->since)
		finish_wait(thread, task ? task->context : 0, PROFILE_WAIT_KEY(asked->kind, id),
			thread->record->now.mutex_leaf, &span, 0);
}

/* The idle time after the thread's last team, and the part of it without a CPU. */
static void finish_idle(struct thread *thread, uint64_t since, uint64_t now)
{
	const struct wait_span span = { since, now, timing_between(since, now),
		timing_between(since, now) };

	uint64_t lacked = wait_delay_finish(thread, thread->idle.leaf, span.ticks);

	finish_wait(thread, 0, PROFILE_WAIT_KEY(PROFILE_IDLE_AFTER, 0), thread->idle.leaf, &span,
		lacked);
}

void wait_finish(struct thread *thread, uint64_t now)
{
	struct profile_now *published = &thread->record->now;
	uint64_t since;

	/* This ends the turn. No turn begins after it, as the thread has no task then. */
	region_fast_flush(thread);
	unseen_finish(thread, now);
	finish_mutex(thread, now);
	since = finish_tasks(thread, now);
	worker_run_flush(thread, now);
	mutex_fast_disarm(thread);
	mutex_finish(thread, now);
	wait_flush(thread);
	if (thread->idle.is_idle)
		since = thread->idle.since;
	if (since && thread->idle.leaf && thread->record->type == ompt_thread_worker)
		finish_idle(thread, since, now);
	thread->idle.is_idle = 0;
	thread->mutexes.requested.kind = 0;
	thread->tasks.n = 0;
	board_publish_wait(thread, 0, 0);
	BOARD_WRITE(published->mutex, 0);
	BOARD_WRITE(published->team, 0);
	BOARD_WRITE(published->is_idle, 0);
}
