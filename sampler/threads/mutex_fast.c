/* SPDX-License-Identifier: Apache-2.0 */
/* When a thread is armed for a mutex; see mutex_fast.h. Not for the signal handler. */
#include "sampler/core/mutex_fast.h"

#include <stddef.h>

#include "profile/core/writer.h"

/*
 * The number of acquisitions from a timed acquisition to the next timed acquisition: 1 to 2 * of -
 * 1, evenly distributed.
 */
static uint32_t next_interval(struct mutex_fast *quick, uint32_t of)
{
	uint32_t n = ++quick->n_intervals * 0x9e3779b9u;

	return 1 + (uint32_t)((uint64_t)n * (2 * of - 1) >> 32);
}

void mutex_fast_arm(struct thread *thread, struct mutex_slot *slot, const struct held_mutex *held,
	uint32_t ompt_kind)
{
	struct mutex_fast *quick = &thread->quick;

	mutex_fast_disarm(thread);
	quick->wait_id = held->wait_id;
	quick->kind = held->kind;
	quick->slot = slot;
	quick->is_any = !slot;
	quick->is_warm = 0;
	quick->ompt_kind = ompt_kind;
	quick->n = quick->left = next_interval(quick, slot ? MUTEX_FAST_OF : MUTEX_ANY_OF) - 1;
}

void mutex_fast_disarm(struct thread *thread)
{
	struct mutex_fast *quick = &thread->quick;
	struct mutex_slot *slot = quick->slot ? quick->slot : thread->mutexes.recent;
	uint32_t n_used = quick->n - quick->left;

	if (n_used && slot) {
		writer_count(&slot->record->n_acquired, n_used);
		if (quick->is_any)
			writer_count(&slot->record->n_estimated, n_used);
		slot->n_owed += n_used;
		thread->record->n_callbacks += 3 * (uint64_t)n_used;
	}
	quick->wait_id = 0;
	quick->slot = NULL;
	quick->is_any = 0;
	quick->n = quick->left = 0;
}

/* Whether the acquisition may represent the acquisitions on the fast path. */
static int may_represent(const struct thread *thread, const struct mutex_slot *slot, uint32_t kind)
{
	const struct mutex_fast *quick = &thread->quick;

	if (quick->is_any)
		return thread->mutexes.n_held == 0 && kind == quick->kind;
	return slot == quick->slot;
}

int mutex_fast_turn(struct thread *thread, struct mutex_slot *slot, uint32_t kind)
{
	struct mutex_fast *quick = &thread->quick;
	int is_any = quick->is_any;

	if (quick->left || !may_represent(thread, slot, kind))
		return MUTEX_FAST_NO_TURN;
	if (is_any && !quick->is_warm) {
		quick->is_warm = 1;
		return MUTEX_FAST_WARMS;
	}
	quick->slot = slot;
	mutex_fast_disarm(thread);
	slot->n_owed += (uint32_t)is_any;
	/* The record's lines are mostly fetched just now: that is no part of the acquisition. */
	if (is_any)
		atomic_thread_fence(memory_order_seq_cst);
	return is_any ? MUTEX_FAST_ANY_TURN : MUTEX_FAST_OWN_TURN;
}
