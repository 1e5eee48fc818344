/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which places of two runs are the same, though the program was changed, rebuilt or loaded elsewhere in
 * between. Addresses have no part in it. Used by diff.c. Pure.
 *
 * Places of one kind, function and construct belong together. If several do, as the regions of one function:
 *  - in one and the same object (by build-id) those of the same line;
 *  - otherwise, if both runs have as many, the first is the first, the second the second;
 *  - otherwise the order is kept, and those are paired whose lines are alike, counted from the line of the
 *    function. The others are new or gone: a run has only what was executed.
 * Of what is left, those of one kind, construct, file and line belong together: their function was renamed.
 * A function without a name is known by its offset within the same object, and by nothing in another one.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_MATCH_H
#define OMPPROF_SRC_COMPARE_DIFF_MATCH_H

#include "src/compare/diff_run.h"

struct diff_pair {
	const struct diff_place *before, *after; /* one of them can be NULL */
};

/*
 * Pairs all places of two runs, each in exactly one pair. Returns an array of *n pairs to be freed, in an
 * order that says nothing, or NULL when out of memory.
 */
struct diff_pair *diff_match(
	const struct diff_run *before, const struct diff_run *after, size_t *n);

/* Whether a function has no name: only a number stands for it. */
int diff_is_unnamed(const struct diff_place *place);

#endif
