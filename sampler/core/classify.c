/* SPDX-License-Identifier: Apache-2.0 */
/* The class of a sample; see classify.h. Part of the signal-safe core. */
#include "sampler/core/classify.h"

#include <omp-tools.h>
#include <stddef.h>

static const enum profile_class class_of_own[] = {
	[OWN_NONE] = PROFILE_WORK,
	[OWN_BARRIER] = PROFILE_WAIT_BARRIER,
	[OWN_TASKWAIT] = PROFILE_WAIT_TASKWAIT,
	[OWN_TASKGROUP] = PROFILE_WAIT_TASKGROUP,
	[OWN_LOCK] = PROFILE_WAIT_LOCK,
	[OWN_CRITICAL] = PROFILE_WAIT_CRITICAL,
	[OWN_ORDERED] = PROFILE_WAIT_ORDERED,
	[OWN_ATOMIC] = PROFILE_WAIT_ATOMIC,
	[OWN_TARGET] = PROFILE_WAIT_TARGET,
};

/* What the runtime alone says. */
static enum profile_class class_of_state(uint32_t state)
{
	switch (state) {
	case 0x010: /* ompt_state_wait_barrier, deprecated but what libomp 14 says */
	case 0x013: /* ompt_state_wait_barrier_implicit, likewise */
	case ompt_state_wait_barrier_implicit_parallel:
	case ompt_state_wait_barrier_implicit_workshare:
	case ompt_state_wait_barrier_explicit:
	case ompt_state_wait_barrier_implementation:
	case ompt_state_wait_barrier_teams:
		return PROFILE_WAIT_BARRIER;
	case ompt_state_wait_taskwait:
		return PROFILE_WAIT_TASKWAIT;
	case ompt_state_wait_taskgroup:
		return PROFILE_WAIT_TASKGROUP;
	case ompt_state_wait_mutex:
	case ompt_state_wait_lock:
		return PROFILE_WAIT_LOCK;
	case ompt_state_wait_critical:
		return PROFILE_WAIT_CRITICAL;
	case ompt_state_wait_atomic:
		return PROFILE_WAIT_ATOMIC;
	case ompt_state_wait_ordered:
		return PROFILE_WAIT_ORDERED;
	case ompt_state_wait_target:
	case ompt_state_wait_target_map:
	case ompt_state_wait_target_update:
		return PROFILE_WAIT_TARGET;
	case ompt_state_idle:
		return PROFILE_IDLE;
	case ompt_state_overhead:
	case ompt_state_work_reduction: /* as what the events of reductions tell */
		return PROFILE_OVERHEAD;
	default:
		return PROFILE_WORK;
	}
}

enum profile_class classify(uint32_t state, const struct own_state *own)
{
	enum profile_class class;

	if (own->mutex != OWN_NONE)
		return class_of_own[own->mutex];
	class = own->sync != OWN_NONE ? class_of_own[own->sync] : class_of_state(state);
	if (!own->has_team && own->is_worker &&
		(class == PROFILE_WAIT_BARRIER || class == PROFILE_OVERHEAD))
		return PROFILE_IDLE;
	return class;
}

enum own_wait classify_mutex(uint32_t kind)
{
	switch (kind) {
	case ompt_mutex_lock:
	case ompt_mutex_nest_lock:
		return OWN_LOCK;
	case ompt_mutex_critical:
		return OWN_CRITICAL;
	case ompt_mutex_atomic:
		return OWN_ATOMIC;
	case ompt_mutex_ordered:
		return OWN_ORDERED;
	default:
		return OWN_NONE;
	}
}
