/* SPDX-License-Identifier: Apache-2.0 */
/* What waits and is executed at the end of a thread or of the profile; see wait.h. Not for the signal handler. */
#include <omp-tools.h>

#include "sampler/member.h"
#include "sampler/mutex_quick.h"
#include "sampler/team.h"
#include "sampler/timeline.h"
#include "sampler/turn.h"
#include "sampler/wait.h"
#include "sampler/wait_parts.h"
#include "sampler/wait_spread.h"

static void finish_stay(struct thread *thread, const struct task *task, uint64_t end, uint32_t n)
{
	uint64_t ticks = task->is_in_run ? 0 : wait_between(task->begun, end, 0);
	const struct wait_span span = { task->begun, end, ticks };

	if (ticks && phase_is_spread(thread, task->begun))
		wait_spread_stay(thread, task->context, &span, n);
	else
		wait_add_to_node(task->own, n, ticks, 0);
}

/* A wait that has not ended. */
static void finish_wait(struct thread *thread, uint32_t wait, uint32_t leaf, uint64_t since,
	uint64_t now, uint64_t ticks)
{
	wait_add_to_leaf(thread, leaf, 1, ticks, ticks);
	if (leaf)
		timeline_wait(thread, wait, leaf, since, now, ticks);
}

/* The open wait and the tasks of a thread, from the innermost on. Returns since when it is idle. */
static uint64_t finish_tasks(struct thread *thread, uint64_t now)
{
	uint32_t n = thread->n_tasks < THREAD_MAX_TASKS ? thread->n_tasks : THREAD_MAX_TASKS;
	uint64_t since = 0;

	for (; n > 0; n--) {
		struct task *task = &thread->tasks[n - 1];
		uint64_t end = wait_end_of_region(task, now);

		if (n == thread->n_tasks && task->since && !task->wait_weight &&
			!wait_is_long(thread, task, now))
			; /* as one that has ended */
		else if (n == thread->n_tasks && task->since &&
			 task->wait == PROFILE_BARRIER_CLOSING)
			wait_end_closing(thread, task, thread->record->now.leaf,
				wait_all_weight(thread, task), now);
		else if (n == thread->n_tasks && task->since)
			finish_wait(thread, task->wait, thread->record->now.leaf, task->since, now,
				wait_between(task->since, now, task->away));
		if (task->is_implicit && task->own)
			finish_stay(thread, task, end, end != now);
		since = end != now && task->is_implicit ? end : 0;
	}
	return since;
}

void wait_finish(struct thread *thread, uint64_t now)
{
	struct profile_now *published = &thread->record->now;
	uint64_t since;

	/* An event that begins just now finds that it is not its turn: there is no task for it any more. */
	turn_settle(thread);
	since = finish_tasks(thread, now);
	member_settle(thread, now);
	mutex_quick_disarm(thread);
	wait_flush(thread);
	if (thread->asked.kind && thread->asked.since)
		finish_wait(thread, thread->asked.kind, published->mutex_leaf, thread->asked.since,
			now, pace_between(thread->asked.since, now));
	if (thread->is_idle)
		since = thread->idle_since;
	if (since && thread->idle_leaf && thread->record->type == ompt_thread_worker) {
		wait_spread_idle(thread, PROFILE_IDLE_AFTER, since, now, 1);
		timeline_wait(thread, PROFILE_IDLE_AFTER, thread->idle_leaf, since, now,
			pace_between(since, now));
	}
	thread->is_idle = 0;
	thread->asked.kind = 0;
	thread->n_tasks = 0;
	team_publish_wait(thread, 0, 0);
	TEAM_WRITE(published->mutex, 0);
	TEAM_WRITE(published->team, 0);
	TEAM_WRITE(published->is_idle, 0);
}
