/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time that ompprof itself took in the profiled threads. The one place for this figure: the head of the report, its
 * JSON and `ompprof info` all print what is made here. It is measured in the signal handler, measured in part where
 * creation paths are walked, and estimated in the other callbacks. It is a lower bound: what the kernel spends on signals,
 * the runtime on announcing events, and caches on both, is in no part of it.
 */
#ifndef OMPPROF_SRC_FINDINGS_OWN_COST_H
#define OMPPROF_SRC_FINDINGS_OWN_COST_H

#include "profile/reader/reader.h"

/* Sums over threads, which are also sums over processes. Without the tick counter's rate all times but cpu_ns are 0. */
struct own_cost {
	uint64_t handler_ns; /* in the signal handler */
	uint64_t capture_ns; /* in walks of creation paths, which callbacks make */
	uint64_t met_ns;     /* in all callbacks, by the signals that met them: see own_cost_make */
	uint64_t cpu_ns;     /* of the threads in all */
	uint64_t n_signals;  /* runs of the handler */
	uint64_t n_met;      /* of these: signals that met ompprof's own code */
	uint64_t n_callbacks; /* OMPT events taken */
	uint64_t n_unseen;    /* of these: under a clock that does not tell what they took */
};

/*
 * Fills *cost from a profile with its nodes. Nothing times callbacks. Signals of a CPU clock meet them as often as
 * they take CPU time: met_ns is cpu_ns * n_met / n_signals. A signal meets ompprof's own code if a callback is under
 * way, or if the thread is in a function of ompprof's library.
 */
void own_cost_make(struct own_cost *cost, const struct profile *profile);

/* Adds another process'. */
void own_cost_add(struct own_cost *to, const struct own_cost *from);

/* CPU time in callbacks: by the signals that met them, but no less than the walks in them. */
uint64_t own_cost_callback_ns(const struct own_cost *cost);

/* The figure: handler and callbacks. 0: not known. */
uint64_t own_cost_ns(const struct own_cost *cost);

/*
 * Whether the figure has to be called "at least": where callbacks took more than the handler, so that what is not
 * measured of them can be more than all the rest; or where there were more than signals, and the clock does not tell
 * what they took.
 */
int own_cost_is_least(const struct own_cost *cost);

#endif
