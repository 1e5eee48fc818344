/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel efficiency as a product of factors. A factor is the time left after its own loss,
 * divided by the time left after the loss of the factor before. Pure; used by --pop and JSON.
 */
#ifndef OMPPROF_SRC_FINDINGS_EFFICIENCY_H
#define OMPPROF_SRC_FINDINGS_EFFICIENCY_H

#include "attribution/metrics/metrics.h"

enum efficiency_factor {
	EFFICIENCY_SERIAL,
	EFFICIENCY_LOAD_BALANCE,
	EFFICIENCY_SYNCHRONIZATION, /* locks and tasks */
	EFFICIENCY_SCHEDULING,      /* the runtime's own time */
	EFFICIENCY_OTHER,           /* short teams, threads that do not run or are blocked */
	EFFICIENCY_N,               /* no factor: useful time lowers none */
};

/*
 * Fills left_ns with the thread time before and after each factor's loss. Factor i is left_ns[i +
 * 1] divided by left_ns[i]. left_ns[0] is the capacity and left_ns[EFFICIENCY_N] the useful time;
 * the useful time divided by the capacity is the parallel efficiency.
 */
void efficiency_make(uint64_t left_ns[EFFICIENCY_N + 1], const struct metrics *metrics);

/* "load_balance" in JSON, "load balance" in text. */
const char *efficiency_word(enum efficiency_factor factor);

#endif
