/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time that ompprof itself took in the profiled threads. The handler and walks of creation
 * paths measure their own time; the rest of the callbacks is estimated. It is a lower bound: the
 * kernel's time for signals, the runtime's time to announce events and the effects of both on
 * caches are left out. The report's head, its JSON and `ompprof info` print it.
 */
#ifndef OMPPROF_SRC_FINDINGS_OWN_COST_H
#define OMPPROF_SRC_FINDINGS_OWN_COST_H

#include "profile/reader/reader.h"

/*
 * Sums over threads. own_cost_add adds processes. If the rate of the tick counter is not known, all
 * times except cpu_ns are 0.
 */
struct own_cost {
	uint64_t handler_ns; /* in the signal handler, measured */
	/* in walks of creation paths, measured; a part of the time in callbacks */
	uint64_t capture_ns;
	uint64_t met_ns; /* in all callbacks, estimated: see own_cost_make */
	uint64_t cpu_ns; /* all CPU time of the threads */
	uint64_t n_signals;
	uint64_t n_met;       /* part of n_signals: signals that met ompprof's own code */
	uint64_t n_callbacks; /* OMPT events */
	uint64_t n_unseen;    /* n_callbacks if the clock is not CPU time, else 0 */
};

/*
 * Fills *cost from a profile with its nodes. Callbacks are not timed. Signals of a CPU clock meet
 * them in proportion to the CPU time that they take, so met_ns is cpu_ns * n_met / n_signals. A
 * signal meets ompprof's own code in a callback, or in a function of ompprof's library.
 */
void own_cost_make(struct own_cost *cost, const struct profile *profile);

void own_cost_add(struct own_cost *to, const struct own_cost *from);

/* CPU time in callbacks: met_ns, but no less than capture_ns. */
uint64_t own_cost_callback_ns(const struct own_cost *cost);

/* The whole cost: handler and callbacks. 0: not known. */
uint64_t own_cost_ns(const struct own_cost *cost);

/*
 * Whether own_cost_ns is shown as "at least": callbacks took more than the handler, so their
 * unmeasured part can be large; or callbacks outnumber signals, and the clock is not CPU time.
 */
int own_cost_is_least(const struct own_cost *cost);

#endif
