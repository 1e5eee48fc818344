/* SPDX-License-Identifier: Apache-2.0 */
/* What the quick way of events leaves out; see region_fast.h. Part of the signal-safe core. */
#include "sampler/core/region_fast.h"

#include "sampler/core/handler.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/region.h"
#include "sampler/core/wait.h"

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
	team_publish_task(thread, NULL);
}

void turn_settle(struct thread *thread)
{
	uint32_t turn = thread->fast.turn;

	thread->fast.turn = TURN_NONE;
	if (turn <= TURN_WORKS)
		return;
	if (turn >= TURN_BETWEEN) {
		turn_settle_owed(thread);
		return;
	}
	thread->record->n_callbacks += turn - TURN_WORKS;
	if (turn > TURN_WAITS)
		team_publish_wait(thread, 0, 0);
	if (turn == TURN_HAS_ENDED)
		settle_task(thread, &thread->tasks.at[thread->tasks.n]);
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
