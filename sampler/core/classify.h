/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The class of a sample: what the thread was doing. It follows from the runtime's answer and from
 * the events that the thread's own callbacks announced. Real runtimes report a wait for a task as
 * work, and a worker without a team as waiting in a barrier. Where struct own_state names a wait,
 * that wait decides. But a worker without a team is idle in a barrier or in overhead. Pure
 * functions.
 */
#ifndef OMPPROF_SAMPLER_CORE_CLASSIFY_H
#define OMPPROF_SAMPLER_CORE_CLASSIFY_H

#include <omp-tools.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/* A wait that the current task's own events announced. */
enum own_wait {
	OWN_NONE,
	OWN_BARRIER,
	OWN_TASKWAIT,
	OWN_TASKGROUP,
	OWN_LOCK,
	OWN_CRITICAL,
	OWN_ORDERED,
	OWN_ATOMIC,
	OWN_TARGET,
	OWN_MPI,
};

struct own_state {
	uint8_t sync;      /* enum own_wait: sync region not ended, or wait for a device or MPI */
	uint8_t mutex;     /* enum own_wait: mutex asked for and not acquired */
	uint8_t has_team;  /* executes a task of a parallel region that has not ended */
	uint8_t is_worker; /* an OpenMP worker thread or a helper */
};

/* `state` of a thread that no runtime knows. */
#define CLASSIFY_NO_STATE 0xffffffffu

/*
 * The class of a sample. `state` is the answer of ompt_get_state() (OpenMP 5.1, 4.4.4) in any
 * runtime: values that the specification does not know count as work. Signal-safe.
 */
enum profile_class classify(uint32_t state, const struct own_state *own);

/*
 * The wait that a sync region of this ompt_sync_region_t announces; OWN_NONE for kinds that do not
 * wait (reduction) or are not known. Signal-safe.
 */
static inline enum own_wait classify_sync_region(uint32_t kind)
{
	static const uint8_t own[] = {
		[1] = OWN_BARRIER, /* ompt_sync_region_barrier, deprecated */
		[2] = OWN_BARRIER, /* ompt_sync_region_barrier_implicit, deprecated */
		[ompt_sync_region_barrier_explicit] = OWN_BARRIER,
		[ompt_sync_region_barrier_implementation] = OWN_BARRIER,
		[ompt_sync_region_barrier_implicit_workshare] = OWN_BARRIER,
		[ompt_sync_region_barrier_implicit_parallel] = OWN_BARRIER,
		[ompt_sync_region_barrier_teams] = OWN_BARRIER,
		[ompt_sync_region_taskwait] = OWN_TASKWAIT,
		[ompt_sync_region_taskgroup] = OWN_TASKGROUP,
	};

	return kind < sizeof(own) ? (enum own_wait)own[kind] : OWN_NONE;
}

/* The same of an enum profile_wait: a wait for the team or for tasks. Signal-safe. */
static inline enum own_wait classify_wait(uint32_t wait)
{
	if (wait == PROFILE_TASKWAIT)
		return OWN_TASKWAIT;
	if (wait == PROFILE_TASKGROUP)
		return OWN_TASKGROUP;
	return wait && wait <= PROFILE_BARRIER_OTHER ? OWN_BARRIER : OWN_NONE;
}

/* The same of an enum profile_wait: a wait for a mutex. Signal-safe. */
static inline enum own_wait classify_asked(uint32_t wait)
{
	switch (wait) {
	case PROFILE_LOCK:
		return OWN_LOCK;
	case PROFILE_CRITICAL:
		return OWN_CRITICAL;
	case PROFILE_ORDERED:
		return OWN_ORDERED;
	case PROFILE_ATOMIC:
		return OWN_ATOMIC;
	default:
		return OWN_NONE;
	}
}

/*
 * The wait that asking for a mutex of this ompt_mutex_t announces; OWN_NONE for kinds that only
 * test a lock or are not known. Signal-safe.
 */
enum own_wait classify_mutex(uint32_t kind);

#endif
