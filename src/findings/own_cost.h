/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time that ompprof itself took in the profiled threads. Nothing else computes this figure:
 * the head of the report, its JSON and `ompprof info` all print it from here. It is measured in the
 * signal handler, measured in part where creation paths are walked, and estimated in the other
 * callbacks. It is a lower bound. It includes neither the kernel's time for signals, nor the
 * runtime's time to announce events, nor the effects of both on caches.
 */
#ifndef OMPPROF_SRC_FINDINGS_OWN_COST_H
#define OMPPROF_SRC_FINDINGS_OWN_COST_H

#include "profile/reader/reader.h"

/*
 * Sums over threads, and also over processes. If the rate of the tick counter is not known, all
 * times except cpu_ns are 0.
 */
struct own_cost {
	uint64_t handler_ns; /* in the signal handler */
	uint64_t capture_ns; /* in the walks of creation paths, which callbacks make */
	uint64_t met_ns;     /* in all callbacks, by the signals that met them: see own_cost_make */
	uint64_t cpu_ns;     /* all CPU time of the threads */
	uint64_t n_signals;  /* runs of the handler */
	uint64_t n_met;      /* part of n_signals: signals that met ompprof's own code */
	uint64_t n_callbacks; /* OMPT events taken */
	uint64_t n_unseen;    /* part of n_callbacks: under a clock that does not tell their time */
};

/*
 * Fills *cost from a profile with its nodes. Callbacks are not timed. Signals of a CPU clock meet
 * them in proportion to the CPU time that they take: met_ns is cpu_ns * n_met / n_signals. A signal
 * meets ompprof's own code if a callback is under way, or if the thread is in a function of
 * ompprof's library.
 */
void own_cost_make(struct own_cost *cost, const struct profile *profile);

/* Adds the cost of another process. */
void own_cost_add(struct own_cost *to, const struct own_cost *from);

/* CPU time in callbacks, by the signals that met them, but no less than the walks in them. */
uint64_t own_cost_callback_ns(const struct own_cost *cost);

/* The figure: handler and callbacks. 0: not known. */
uint64_t own_cost_ns(const struct own_cost *cost);

/*
 * Whether the figure must be called "at least". It must if callbacks took more than the handler:
 * then their unmeasured part can be more than all the rest. It also must if there were more
 * callbacks than signals and the clock does not tell the callbacks' time.
 */
int own_cost_is_least(const struct own_cost *cost);

#endif
