/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of events (region_fast.h, mutex_fast.h) write only what a sample looks at first
 * and what other threads wait for. This file does the rest: before an event on the slow path or an
 * event that is only counted, in a sample once its class is known, and at the end of the thread or
 * of the profile. While the events come in turn, the begin of the encountering thread's next
 * implicit task counts the execution (region_fast_count).
 * Part of the signal-safe core.
 */
#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/handler.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/core/phase_internal.h"
#include "sampler/core/region.h"
#include "sampler/core/region_fast.h"
#include "sampler/core/sample_follow.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/wait_count.h"

/* The bucket of profile_region.lengths for this number of ticks. */
static uint32_t bucket_of(uint64_t ticks)
{
	uint64_t quarters = ticks >> 4;
	uint32_t octave, bucket;

	if (quarters < 8)
		return quarters < 4 ? 0 : (uint32_t)quarters - 4;
	octave = 61 - (uint32_t)__builtin_clzll(quarters);
	bucket = octave * 4 + (uint32_t)(quarters >> octave) - 4;
	return bucket < 128 ? bucket : 127;
}

REGION_FAST_CODE void region_count(const struct region *region, uint64_t ticks)
{
	struct profile_region *record = region->own.record;

	writer_count(&record->n, 1);
	if (!LIKELY(region->team.n_threads >= record->min_team))
		record->min_team = region->team.n_threads;
	if (!LIKELY(region->team.n_threads <= record->max_team))
		record->max_team = region->team.n_threads;
	writer_count(&record->wall, ticks);
	writer_count(&record->team_wall, ticks * region->team.n_threads);
	record->min = ticks < record->min ? ticks : record->min;
	record->max = ticks > record->max ? ticks : record->max;
	record->lengths[bucket_of(ticks)]++;
	region_timing_took(region_timing_in(record), ticks, region_all_from());
}

/*
 * The task has ended. On the thread that encountered the region the execution has not ended, so the
 * task's time lasts up to now.
 */
static void end_task(struct thread *thread, const struct task *task)
{
	uint64_t ticks;

	if (task->is_in_run) {
		wait_end_in_run(task);
		wait_become_idle(thread, 0);
	} else {
		ticks = timing_between(task->begun, tool_time());
		wait_add_to_node(task->own, 1, ticks, ticks);
	}
	board_publish_task(thread, NULL);
}

void region_fast_flush(struct thread *thread)
{
	uint32_t turn = thread->fast.turn;

	thread->fast.turn = REGION_FAST_NONE;
	if (turn <= REGION_FAST_WORKS)
		return;
	if (turn >= REGION_FAST_BETWEEN) {
		region_fast_count(thread);
		return;
	}
	thread->record->n_callbacks += turn - REGION_FAST_WORKS;
	if (turn > REGION_FAST_WAITS)
		board_publish_wait(thread, 0, 0);
	if (turn == REGION_FAST_HAS_ENDED)
		end_task(thread, &thread->tasks.at[thread->tasks.n]);
}

REGION_FAST_CODE void region_fast_count(struct thread *thread)
{
	const struct deferred_count *owed = &thread->regions.deferred;

	region_count(owed->region, owed->ticks);
	wait_add_to_node(owed->own, 1, owed->ticks, owed->ticks);
}

void region_fast_take_pending(struct thread *thread)
{
	region_fast_flush(thread);
	handler_take_pending(thread);
	region_fast_cancel(thread);
}

void mutex_push_held(struct thread *thread, const struct held_mutex *asked, uint64_t now)
{
	struct profile_now *published = &thread->record->now;
	struct held_mutex *held;

	if (thread->mutexes.n_held++ >= THREAD_MAX_HELD)
		return;
	held = &thread->mutexes.held[thread->mutexes.n_held - 1];
	held->wait_id = asked->wait_id;
	held->since = now;
	held->callbacks = thread->record->n_callbacks;
	held->signals = thread->record->n_signals;
	held->kind = asked->kind;
	held->weight = asked->weight;
	held->n_owed = asked->n_owed;
	held->slot = asked->slot;
	BOARD_WRITE(published->held, published->held | 1ULL << asked->kind);
}

static void publish_hold(struct thread *thread)
{
	const struct mutex_fast *quick = &thread->quick;
	const struct held_mutex held = {
		.wait_id = quick->wait_id,
		.kind = quick->kind,
		.slot = quick->slot,
	};

	mutex_push_held(thread, &held, 0);
	BOARD_WRITE(thread->record->now.mutex_until, MUTEX_HOLDS);
}

/* Publishes that the thread asks for the mutex, since a moment that is not known. */
static void publish_request(struct thread *thread)
{
	const struct mutex_fast *quick = &thread->quick;
	struct task *task = thread_waiter(thread);

	thread->mutexes.requested = (struct held_mutex){
		.wait_id = quick->wait_id, .kind = quick->kind, .slot = quick->slot
	};
	if (task)
		task->mutex = (uint8_t)classify_mutex(quick->ompt_kind);
	board_publish_mutex(&thread->record->now, quick->wait_id, quick->kind, 0);
	board_publish_wait(thread, quick->kind, 0);
}

void mutex_fast_leave(struct thread *thread)
{
	struct mutex_fast *quick = &thread->quick;

	if (quick->phase == MUTEX_FAST_HELD)
		publish_hold(thread);
	else
		quick->left++;
	quick->phase = MUTEX_FAST_NONE;
}

void mutex_fast_meet(struct thread *thread)
{
	struct mutex_fast *quick = &thread->quick;

	if (quick->phase == MUTEX_FAST_ASKED) {
		publish_request(thread);
		quick->left++;
	} else {
		publish_hold(thread);
	}
	quick->phase = MUTEX_FAST_NONE;
}

struct phase_ring phase_ring;

uint32_t phase_n_changes(void)
{
	return __atomic_load_n(&phase_ring.n, __ATOMIC_ACQUIRE);
}

void phase_set_root(struct thread *thread, uint32_t phase)
{
	uint32_t root = thread->record->root, node = 0;

	if (phase != PHASE_NONE)
		node = cct_child(&thread->cct, root, PROFILE_NODE_PHASE, 0, phase);
	thread->cct.root = node ? node : root;
	thread->note.context = thread->note.context_node = 0;
	thread->note.run.top = 0;
	thread->sample.leaf = 0;
}

void phase_meet(struct thread *thread)
{
	uint32_t n = phase_n_changes();

	if (thread->phase.met == n)
		return;
	thread->phase.met = n;
	phase_set_root(thread, phase_change_at(n - 1).phase);
}

void catch_up(struct thread *thread)
{
	if (thread->quick.phase) {
		region_fast_flush(thread);
		mutex_fast_meet(thread);
	} else {
		region_fast_flush_if_left(thread);
	}
	phase_meet(thread);
}
