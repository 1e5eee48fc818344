/* SPDX-License-Identifier: Apache-2.0 */
/* When a thread is armed for a mutex; see mutex_fast.h. Not for the signal handler. */
#include "sampler/core/mutex_fast.h"

#include <stddef.h>

/*
 * The number of acquisitions from a timed acquisition to the next timed acquisition: 1 to 2 *
 * MUTEX_FAST_OF - 1, evenly distributed.
 */
static uint32_t next_interval(struct mutex_fast *quick)
{
	uint32_t n = ++quick->n_intervals * 0x9e3779b9u;

	return 1 + (uint32_t)((uint64_t)n * (2 * MUTEX_FAST_OF - 1) >> 32);
}

void mutex_fast_arm(
	struct thread *thread, struct mutex_slot *slot, uint64_t wait_id, uint32_t ompt_kind)
{
	struct mutex_fast *quick = &thread->quick;

	mutex_fast_disarm(thread);
	quick->wait_id = wait_id;
	quick->slot = slot;
	quick->ompt_kind = ompt_kind;
	quick->n = quick->left = next_interval(quick) - 1;
}

void mutex_fast_disarm(struct thread *thread)
{
	struct mutex_fast *quick = &thread->quick;
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
