/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a run by kind, from the counts in its profile, and the most that they can cost
 * around callbacks: coefficients of docs/offline/own-cost.md. For own_cost.h.
 */
#ifndef OMPPROF_SRC_FINDINGS_OWN_EVENTS_H
#define OMPPROF_SRC_FINDINGS_OWN_EVENTS_H

#include "src/findings/own_cost.h"

struct own_events {
	uint64_t n[OWN_COST_N_KINDS]; /* callbacks; SAMPLES has 0 */
	uint64_t n_contended;         /* acquisitions that had to wait */
	uint64_t n_meetings;          /* barriers at which a team of several threads met */
	double unseen;                /* share of TASKS and UNDEFERRED that were only counted */
	int is_gomp;                  /* on GCC's libgomp, with the provider */
};

/*
 * A time or number of events as an integer. A damaged file can have figures that make it too large:
 * at most PROFILE_MOST_NS.
 */
static inline uint64_t own_events_bounded(double n)
{
	return n < (double)PROFILE_MOST_NS ? (uint64_t)n : PROFILE_MOST_NS;
}

/* Counts the events of a profile that has n_callbacks in all. */
void own_events_count(
	struct own_events *events, const struct profile *profile, uint64_t n_callbacks);

/* The time in callbacks if each took as long as is usual for its kind. */
double own_events_usual_ns(const struct own_events *events);

/*
 * n_callbacks of the events took callback_ns in their callbacks. Their kinds are in the same ratio
 * as in all events. Returns the most that they cost around the callbacks, and adds both by kind.
 * 0 if there are no events.
 */
uint64_t own_events_add(const struct own_events *events, uint64_t n_callbacks, uint64_t callback_ns,
	uint64_t by_kind_ns[OWN_COST_N_KINDS]);

#endif
