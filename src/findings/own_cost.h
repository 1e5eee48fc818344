/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much longer the program took because of ompprof. The report's head and its JSON, and
 * `ompprof info`, print it; docs/offline/own-cost.md has the model. It is never the difference of
 * two runs: the program's own course with a tool can be another one, and is then not in it.
 */
#ifndef OMPPROF_SRC_FINDINGS_OWN_COST_H
#define OMPPROF_SRC_FINDINGS_OWN_COST_H

#include "profile/reader/reader.h"

/* Kinds of what costs: events by what they announce, and samples. */
enum own_cost_kind {
	OWN_COST_SAMPLES,
	OWN_COST_LOCKS,  /* acquisitions and releases of mutexes */
	OWN_COST_SERIAL, /* regions of one thread */
	OWN_COST_TEAMS,  /* regions of several threads, and their barriers */
	OWN_COST_TASKS,  /* all other events: tasks and waits for them */
	OWN_COST_UNDEFERRED,
	OWN_COST_START,
	OWN_COST_N_KINDS
};

enum { OWN_COST_TEXT_BYTES = 80 };

/*
 * Sums over threads, in CPU time. own_cost_add adds processes. If the rate of the tick counter is
 * not known, or the profile was cut to a part of the run, all times except cpu_ns and run_ns are 0.
 */
struct own_cost {
	uint64_t handler_ns;  /* in the signal handler, measured */
	uint64_t delivery_ns; /* in the kernel for its signals, modelled */
	/* in walks of creation paths, measured; a part of callback_ns */
	uint64_t capture_ns;
	/* in all callbacks, estimated by samples; if the clock is not CPU time, capture_ns */
	uint64_t callback_ns;
	uint64_t announce_ns; /* at most so much around callbacks, by runtime and caches */
	uint64_t setup_ns;    /* CPU time to start, before the threads' */
	uint64_t cpu_ns;      /* all CPU time of the threads */
	/* of wall time, with the start: how much longer at least, and how long in all */
	uint64_t longer_ns, run_ns;
	/* the most that it took longer: with announce_ns, and if a team's delays add up */
	uint64_t most_ns;
	uint64_t n_signals;
	uint64_t n_samples;
	uint64_t n_met;       /* part of n_samples: samples that met ompprof's own code */
	uint64_t n_callbacks; /* OMPT events */
	uint64_t n_counted;   /* part of n_callbacks: events of tasks that were only counted */
	uint64_t n_unseen;    /* n_callbacks if the clock is not CPU time, else 0 */
	uint64_t by_kind_ns[OWN_COST_N_KINDS]; /* with announce_ns */
};

/* Fills *cost from a profile with its nodes. */
void own_cost_make(struct own_cost *cost, const struct profile *profile);

void own_cost_add(struct own_cost *to, const struct own_cost *from);

/* The sum of handler, delivery and callbacks, in CPU time. 0: not known. */
uint64_t own_cost_ns(const struct own_cost *cost);

/* The wall time that the run would have taken without ompprof, at most. */
uint64_t own_cost_without_ns(const struct own_cost *cost);

/*
 * Whether the cost is a lower bound: callbacks outnumber signals, and the clock is not CPU time.
 * Then callbacks are not in it, except for walks of creation paths.
 */
int own_cost_is_least(const struct own_cost *cost);

/* Whether most_ns is so much more than longer_ns that both are told. */
int own_cost_is_range(const struct own_cost *cost);

/* The word before the figure: "at least ", "about " if most of it is estimated, or "". */
const char *own_cost_word(const struct own_cost *cost);

/*
 * How much more time the run took, in percent: "about 24.0", "0.4 to 5.8", "60.0 to over 100".
 * If the cost is more than half of the run, the time without it is the difference of two rough
 * figures: "over 100".
 */
const char *own_cost_percent(char text[OWN_COST_TEXT_BYTES], const struct own_cost *cost);

/* Whether a budget has left little of most events: what is left the runtime takes to tell them. */
int own_cost_is_of_runtime(const struct own_cost *cost);

/* The kind that makes most of the cost, if that can be above 5 % and is known; else N_KINDS. */
enum own_cost_kind own_cost_main_kind(const struct own_cost *cost);

#endif
