/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that others waited for, each with all that it is blamed for. Used by --by wait. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_BLAMED_H
#define OMPPROF_SRC_VIEWS_VIEW_BLAMED_H

#include "src/findings/figures.h"

/* A function and what it is blamed for: causes[first .. first + n - 1]. */
struct culprit {
	uint64_t ns;
	size_t first, n;
};

/* Sorts the causes by function and lists these, most blamed first, of which there are at most n_causes.
   Returns how many there are. */
size_t find_culprits(struct culprit *culprits, struct figures_cause *causes, size_t n_causes);

/* Where a function is declared or a construct is. */
const char *culprit_file(const struct name_label *label);
uint32_t culprit_line(const struct name_label *label);

#endif
