/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files behind phase.h. */
#ifndef OMPPROF_SAMPLER_CORE_PHASE_INTERNAL_H
#define OMPPROF_SAMPLER_CORE_PHASE_INTERNAL_H

#include "sampler/core/phase.h"

/* The process is in this phase from this moment on. */
struct phase_change {
	uint64_t ticks;
	uint32_t phase;
};

/*
 * The latest changes. Written with the lock of control.c held, or as the tool starts in a child
 * made by fork; n last, with release order.
 */
struct phase_ring {
	uint32_t n;
	struct phase_change change[PHASE_CHANGES];
};

extern struct phase_ring phase_ring;

/* Adds a change. With the lock of control.c held. Any thread. */
static inline void phase_ring_add(uint64_t now, uint32_t phase)
{
	struct phase_change *latest = &phase_ring.change[phase_ring.n % PHASE_CHANGES];

	__atomic_store_n(&latest->ticks, now, __ATOMIC_RELAXED);
	__atomic_store_n(&latest->phase, phase, __ATOMIC_RELAXED);
	__atomic_store_n(&phase_ring.n, phase_ring.n + 1, __ATOMIC_RELEASE);
}

/* The i-th change, which must be among the known changes. Signal-safe. */
static inline struct phase_change phase_change_at(uint32_t i)
{
	const struct phase_change *change = &phase_ring.change[i % PHASE_CHANGES];

	return (struct phase_change){ __atomic_load_n(&change->ticks, __ATOMIC_RELAXED),
		__atomic_load_n(&change->phase, __ATOMIC_RELAXED) };
}

/* Makes the root of a phase the tree's root. Signal-safe. */
void phase_set_root(struct thread *thread, uint32_t phase);

#endif
