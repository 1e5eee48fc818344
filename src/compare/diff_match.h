/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which places of two runs are the same, although the program was changed, rebuilt or loaded
 * elsewhere between the runs. Addresses play no part. Used by diff.c. Pure.
 *
 * Places of the same kind, function and construct belong together. If a group has several places,
 * as the regions of one function:
 * - among functions with one name, as static functions can be, the file decides;
 * - in the same object (by build-id) the places in the same line are the same;
 * - otherwise, if both runs have the same number, they are paired in order;
 * - otherwise the order is kept, and places with similar lines, counted from the function's line,
 *   are paired. The other places are new or gone: a run only has what was executed.
 *
 * After that, remaining places of the same kind, construct, file and line belong together: their
 * function was renamed. A function without a name is known by its offset within the same object; in
 * another object it has no equal.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_MATCH_H
#define OMPPROF_SRC_COMPARE_DIFF_MATCH_H

#include "src/compare/diff_run.h"

struct diff_pair {
	const struct diff_place *before, *after; /* NULL if only the other run has the place */
};

/*
 * Pairs all places of two runs; each place is in exactly one pair. Returns an array of *n pairs, in
 * no useful order, which the caller frees; NULL when out of memory.
 */
struct diff_pair *diff_match(
	const struct diff_run *before, const struct diff_run *after, size_t *n);

/* Whether a function has no name, only a number. */
int diff_is_unnamed(const struct diff_place *place);

#endif
