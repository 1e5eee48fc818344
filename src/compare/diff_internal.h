/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of diff_make(). Each returns 0, or -1 when out of memory. Used by diff*.c only. */
#ifndef OMPPROF_SRC_COMPARE_DIFF_INTERNAL_H
#define OMPPROF_SRC_COMPARE_DIFF_INTERNAL_H

#include "src/compare/diff.h"

/* Makes diff->functions and diff->regions from diff->pairs. */
int diff_lists_make(struct diff *diff);

/* Makes diff->nodes from the paths, which both runs have, and diff->functions. */
int diff_tree_make(struct diff *diff);

#endif
