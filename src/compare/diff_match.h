/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which places of two runs are the same, although the program was changed, rebuilt or loaded
 * elsewhere between the runs. Addresses do not count. Used by diff.c.
 *
 * Places of the same kind, function and construct are a group. If a group has several places, as
 * the regions of one function:
 * - among functions with one name, as static functions can be, the file decides;
 * - places in the same object (by build-id) and line are the same;
 * - otherwise, if both runs have the same number of places, they are paired in order;
 * - otherwise they are paired in order so that lines, counted from the function's line, differ
 *   least. The other places are new or gone: a run only has what was executed.
 *
 * After that, remaining places of the same kind, construct, file and line are the same: their
 * function was renamed. A function without a name has an offset as its name, and is only compared
 * within the same object.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_MATCH_H
#define OMPPROF_SRC_COMPARE_DIFF_MATCH_H

#include "src/compare/diff_run.h"

struct diff_pair {
	const struct diff_place *before, *after; /* NULL if the run does not have the place */
};

/*
 * Puts each place of two runs into exactly one pair. Returns an array of *n pairs in no useful
 * order, which the caller frees; NULL when out of memory.
 */
struct diff_pair *diff_match(
	const struct diff_run *before, const struct diff_run *after, size_t *n);

/* Whether the place's function has no name, or only an address. */
int diff_is_unnamed(const struct diff_place *place);

#endif
