/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same places in several runs, which share their strings: each place of any run once. Used by
 * diff_join.c and history.c.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_UNION_H
#define OMPPROF_SRC_COMPARE_DIFF_UNION_H

#include "src/compare/diff_run.h"

struct diff_union {
	struct diff_place *places; /* as the last run that has the place describes it */
	size_t n_places;
	size_t n_runs;
	const struct diff_place **found; /* of place p in run r: found[p * n_runs + r], or NULL */
};

/* Returns 0, or -1 when out of memory. Release with diff_union_release in either case. */
int diff_union_make(struct diff_union *all, const struct diff_run *runs, size_t n_runs);
void diff_union_release(struct diff_union *all);

#endif
