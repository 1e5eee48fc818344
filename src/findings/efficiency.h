/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel efficiency as factors: each is the part of what the one before left that its own loss
 * leaves. Pure; used by --pop and JSON.
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
	EFFICIENCY_N,               /* useful time lowers none */
};

/*
 * Before and after each factor's loss, thread ns: factor i is left_ns[i + 1] / left_ns[i]. left_ns[0] is
 * the capacity, the last one the useful time; their quotient is the parallel efficiency.
 */
void efficiency_make(uint64_t left_ns[EFFICIENCY_N + 1], const struct metrics *metrics);

/* "load_balance" in JSON, "load balance" in text. */
const char *efficiency_word(enum efficiency_factor factor);

#endif
