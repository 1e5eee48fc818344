/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that are tested in a loop; see mutex.h. Not for the signal handler. */
#include "sampler/core/mutex_fast.h"
#include "sampler/threads/mutex.h"
#include "sampler/threads/wait_delay.h"

/* The thread has tested the mutex before, and does it again. */
static void try_again(struct thread *thread, struct mutex_spin *spin)
{
	uint64_t now = tool_time(), gap = timing_between(spin->tried, now);

	if (!spin->since) {
		spin->since = now;
	} else if (mutex_spin_is_gap(thread, gap)) {
		spin->since += gap;
		spin->n_quick = 0;
		if (run_delay_is_due(thread, now))
			wait_delay_begin(thread);
	}
	spin->n_quick++;
	spin->tried = now;
}

uint64_t mutex_try(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra)
{
	struct mutex_spin *spin = &thread->mutexes.spin;
	uint64_t key = PROFILE_WAIT_KEY(kind, wait_id);

	if (spin->key == key && spin->codeptr == (uint64_t)codeptr_ra &&
		thread->record->n_callbacks - spin->callbacks == 1) {
		try_again(thread, spin);
	} else {
		spin->key = key;
		spin->codeptr = (uint64_t)codeptr_ra;
		spin->since = 0;
		spin->n_quick = 0;
	}
	spin->callbacks = thread->record->n_callbacks;
	spin->signals = thread->record->n_signals;
	return spin->since;
}
