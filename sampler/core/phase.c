/* SPDX-License-Identifier: Apache-2.0 */
/* Phases as the handler meets them; see phase.h. Part of the signal-safe core. */
#include "sampler/core/phase.h"

#include <stddef.h>

#include "profile/core/cct.h"
#include "sampler/core/phase_internal.h"

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
