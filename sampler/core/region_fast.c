/* SPDX-License-Identifier: Apache-2.0 */
/* What the quick way of events leaves out; see region_fast.h. Part of the signal-safe core. */
#include "sampler/core/region_fast.h"

#include "sampler/core/handler.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/region.h"
#include "sampler/core/wait.h"

/* The task waits at the closing barrier, or has waited. */
static void settle_barrier(struct thread *thread, struct task *task, int is_over)
{
	task->barrier++;
	task->sync = is_over ? OWN_NONE : OWN_BARRIER;
	task->wait = is_over ? 0 : PROFILE_BARRIER_CLOSING;
	task->wait_weight = task->n_above = 0;
	task->since = task->away = 0;
	team_publish_wait(thread, task->wait, 0);
}

/* The task has ended; of the thread that encountered the region, the execution has not, so it lasts up to now. */
static void settle_task(struct thread *thread, const struct task *task)
{
	uint64_t ticks;

	if (task->is_in_run) {
		wait_end_in_run(task);
		wait_become_idle(thread, 0);
	} else {
		ticks = pace_between(task->begun, tool_time());
		wait_add_to_node(task->own, 1, ticks, ticks);
	}
	thread->tasks.n--;
	team_publish_task(thread, NULL);
}

void turn_settle(struct thread *thread)
{
	uint32_t turn = thread->fast.turn;
	struct task *task;

	thread->fast.turn = TURN_NONE;
	if (turn <= TURN_WORKS)
		return;
	if (turn >= TURN_BETWEEN) {
		turn_settle_owed(thread);
		return;
	}
	task = turn_task(thread);
	thread->record->n_callbacks += turn - TURN_WORKS;
	settle_barrier(thread, task, turn > TURN_WAITS);
	if (turn == TURN_HAS_ENDED)
		settle_task(thread, task);
}

TURN_CODE void turn_settle_owed(struct thread *thread)
{
	const struct owed *owed = &thread->regions.owed;

	region_count(owed->region, owed->ticks);
	wait_add_to_node(owed->own, 1, owed->ticks, owed->ticks);
}

void turn_settle_sample(struct thread *thread)
{
	turn_settle(thread);
	handler_settle(thread);
	turn_cancel(thread);
}
