/* SPDX-License-Identifier: Apache-2.0 */
/* Events of sync regions and reductions; see events.h. OpenMP 5.1, 4.5.2. */
#include <omp-tools.h>

#include "sampler/core/classify.h"
#include "sampler/tool/events.h"
#include "sampler/core/region.h"
#include "sampler/core/thread.h"
#include "sampler/threads/wait.h"

/*
 * Where an old runtime does not tell barriers apart: whether this is the closing barrier, the only
 * barrier without a place of its own in the user's code.
 */
static int is_closing(const struct task *task, const void *codeptr_ra)
{
	return !codeptr_ra || (task->region && task->region->team.codeptr == (uint64_t)codeptr_ra);
}

static uint32_t wait_of_sync_region(const struct task *task, uint32_t kind, const void *codeptr_ra)
{
	static const uint8_t waits[] = {
		[1] = PROFILE_BARRIER_OTHER,     /* ompt_sync_region_barrier, deprecated */
		[2] = PROFILE_BARRIER_WORKSHARE, /* ompt_sync_region_barrier_implicit, deprecated */
		[ompt_sync_region_barrier_explicit] = PROFILE_BARRIER_EXPLICIT,
		[ompt_sync_region_barrier_implementation] = PROFILE_BARRIER_OTHER,
		[ompt_sync_region_taskwait] = PROFILE_TASKWAIT,
		[ompt_sync_region_taskgroup] = PROFILE_TASKGROUP,
		[ompt_sync_region_barrier_implicit_workshare] = PROFILE_BARRIER_WORKSHARE,
		[ompt_sync_region_barrier_implicit_parallel] = PROFILE_BARRIER_CLOSING,
		[ompt_sync_region_barrier_teams] = PROFILE_BARRIER_OTHER,
	};

	if (kind == 2 && is_closing(task, codeptr_ra))
		return PROFILE_BARRIER_CLOSING;
	return kind < sizeof(waits) ? waits[kind] : PROFILE_NO_WAIT;
}

static inline void begin_sync(
	struct thread *thread, struct task *task, uint32_t kind, const void *codeptr_ra)
{
	uint32_t wait = wait_of_sync_region(task, kind, codeptr_ra);

	task->sync = (uint8_t)classify_sync_region(kind);
	if (!wait || !task->has_team)
		return;
	if (wait != PROFILE_BARRIER_CLOSING)
		board_publish_site(thread, task, codeptr_ra);
	wait_begin(thread, task, wait);
}

static inline void end_sync(struct thread *thread, struct task *task, const void *codeptr_ra)
{
	uint32_t wait = task->wait, weight = wait_end(thread, task, codeptr_ra);

	task->sync = OWN_NONE;
	if (weight && wait <= PROFILE_BARRIER_OTHER && task->thread_num == 0 && task->is_implicit &&
		task->n_threads > 1 && task->region)
		region_passed_barrier(thread, task, weight);
	/*
	 * Another event follows at once only after a closing barrier, on thread 0: the end of its
	 * task. After a worker's closing barrier idle time can follow.
	 */
	if (wait != PROFILE_BARRIER_CLOSING || task->thread_num != 0)
		wait_drop_stamp(thread);
}

void event_sync_region_wait(uint32_t kind, ompt_scope_endpoint_t endpoint, const void *codeptr_ra)
{
	struct thread *thread = enter();
	struct task *task;

	if (!thread)
		return;
	task = thread_waiter(thread);
	if (task && endpoint == ompt_scope_begin)
		begin_sync(thread, task, kind, codeptr_ra);
	else if (task)
		end_sync(thread, task, codeptr_ra);
	leave(thread);
}

static void begin_reduction(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);
	/* A wait that is timed must not include the reduction. */
	int is_timed = task && task->wait && task->since;

	thread->waits.reduction_weight =
		(uint8_t)(thread->waits.team_weight
				  ? timing_weight(&thread->waits.timings[PROFILE_REDUCTION])
				  : 0);
	thread->waits.reduction_since =
		thread->waits.reduction_weight || is_timed ? tool_time() : 0;
}

static void end_reduction(struct thread *thread, const void *codeptr_ra)
{
	struct task *task = thread_waiter(thread);
	uint32_t weight = (uint32_t)thread->waits.reduction_weight * thread->waits.team_weight;
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_REDUCTION, 0), now, ticks, sum;

	if (!thread->waits.reduction_since)
		return;
	now = tool_time();
	ticks = timing_between(thread->waits.reduction_since, now);
	if (weight) {
		sum = wait_pay(thread, key, codeptr_ra, weight, thread->waits.reduction_since, now,
			ticks * weight);
		wait_add(thread, key, codeptr_ra, weight,
			&(struct wait_span){ thread->waits.reduction_since, now, sum, ticks });
	}
	if (task && task->wait)
		task->ticks_on_top += ticks;
	thread->waits.reduction_since = 0;
}

/* A reduction can combine values inside a barrier; this is no part of the barrier's wait. */
void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra)
{
	struct thread *thread = enter();

	if (!thread)
		return;
	if (endpoint == ompt_scope_begin)
		begin_reduction(thread);
	else
		end_reduction(thread, codeptr_ra);
	leave(thread);
}
