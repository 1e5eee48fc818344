/* SPDX-License-Identifier: Apache-2.0 */
/* The quick way of a mutex; see mutex_fast.h. Part of the signal-safe core. */
#include "sampler/core/mutex_fast.h"

#include <stddef.h>

#include "sampler/core/classify.h"
#include "sampler/core/thread_board.h"

/* How many acquisitions from one that is timed to the next: 1 to 2 * QUICK_OF - 1, evenly. */
static uint32_t next_interval(struct quick_mutex *quick)
{
	uint32_t n = ++quick->n_intervals * 0x9e3779b9u;

	return 1 + (uint32_t)((uint64_t)n * (2 * QUICK_OF - 1) >> 32);
}

void mutex_quick_arm(
	struct thread *thread, struct mutex_slot *slot, uint64_t wait_id, uint32_t ompt_kind)
{
	struct quick_mutex *quick = &thread->quick;

	mutex_quick_disarm(thread);
	quick->wait_id = wait_id;
	quick->slot = slot;
	quick->ompt_kind = ompt_kind;
	quick->n = quick->left = next_interval(quick) - 1;
}

void mutex_quick_disarm(struct thread *thread)
{
	struct quick_mutex *quick = &thread->quick;
	uint32_t n_used = quick->n - quick->left;

	if (!quick->slot)
		return;
	if (n_used) {
		struct profile_lock *record = quick->slot->record;

		__atomic_store_n(
			&record->n_acquired, record->n_acquired + n_used, __ATOMIC_RELAXED);
		quick->slot->n_owed += n_used;
		thread->record->n_callbacks += 3 * (uint64_t)n_used;
	}
	quick->wait_id = 0;
	quick->slot = NULL;
	quick->n = quick->left = 0;
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
	held->slot = asked->slot;
	TEAM_WRITE(published->held, published->held | 1ULL << asked->kind);
}

static void hold(struct thread *thread)
{
	const struct quick_mutex *quick = &thread->quick;
	const struct held_mutex held = {
		.wait_id = quick->wait_id,
		.kind = (uint8_t)PROFILE_WAIT_KIND(quick->slot->key),
		.slot = quick->slot,
	};

	mutex_push_held(thread, &held, 0);
	TEAM_WRITE(thread->record->now.mutex_until, MUTEX_HOLDS);
}

/* The thread asks for the mutex, since a moment that is not known. */
static void ask(struct thread *thread)
{
	struct profile_now *published = &thread->record->now;
	const struct quick_mutex *quick = &thread->quick;
	struct task *task = thread_waiter(thread);
	uint32_t kind = (uint32_t)PROFILE_WAIT_KIND(quick->slot->key);

	thread->mutexes.asked = (struct held_mutex){
		.wait_id = quick->wait_id, .kind = (uint8_t)kind, .slot = quick->slot
	};
	if (task)
		task->mutex = (uint8_t)classify_mutex(quick->ompt_kind);
	TEAM_WRITE(published->mutex, 0);
	TEAM_WRITE(published->mutex_leaf, 0);
	TEAM_WRITE(published->mutex_since, 0);
	TEAM_WRITE(published->mutex_until, MUTEX_WAITS);
	TEAM_WRITE(published->mutex_kind, kind);
	__atomic_store_n(&published->mutex, quick->wait_id, __ATOMIC_RELEASE);
	team_publish_wait(thread, kind, 0);
}

void mutex_quick_leave(struct thread *thread)
{
	struct quick_mutex *quick = &thread->quick;

	if (quick->phase == QUICK_HELD)
		hold(thread);
	else
		quick->left++;
	quick->phase = QUICK_NONE;
}

void mutex_quick_meet(struct thread *thread)
{
	struct quick_mutex *quick = &thread->quick;

	if (quick->phase == QUICK_ASKED) {
		ask(thread);
		quick->left++;
	} else {
		hold(thread);
	}
	quick->phase = QUICK_NONE;
}
