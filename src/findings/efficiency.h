/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel efficiency as a product of factors. Each loss is taken off what the earlier losses leave
 * of the capacity; a factor is the time after its loss divided by the time before.
 */
#ifndef OMPPROF_SRC_FINDINGS_EFFICIENCY_H
#define OMPPROF_SRC_FINDINGS_EFFICIENCY_H

#include "attribution/metrics/metrics.h"

enum efficiency_factor {
	EFFICIENCY_PROCESS, /* MPI: waiting for other processes */
	EFFICIENCY_SERIAL,
	EFFICIENCY_LOAD_BALANCE,
	EFFICIENCY_SYNCHRONIZATION, /* locks and tasks */
	EFFICIENCY_SCHEDULING,      /* runtime overhead */
	/* short teams, threads not running, held up or blocked, waits for devices */
	EFFICIENCY_OTHER,
	EFFICIENCY_N, /* their number; in causes.def: no factor */
};

/*
 * Sets left_ns[i] to the thread time before the loss of factor i: left_ns[0] is the sum of all
 * causes, and left_ns[EFFICIENCY_N] the useful time. Factor i is left_ns[i + 1] / left_ns[i].
 */
void efficiency_make(uint64_t left_ns[EFFICIENCY_N + 1], const struct metrics *metrics);

/* The factor's key in JSON: "load_balance". */
const char *efficiency_word(enum efficiency_factor factor);

#endif
