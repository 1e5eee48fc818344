/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison for continuous integration, as ompprof-diff(1) describes it: the XML of JUnit with a
 * test case for each condition, and annotations of GitHub for conditions and for worse places.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_CI_H
#define OMPPROF_SRC_COMPARE_DIFF_CI_H

#include <stdio.h>

#include "src/compare/diff.h"
#include "src/compare/diff_condition.h"

/* The judgements are filled by diff_judge. */
void diff_put_junit(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out);
void diff_put_github(const struct diff *diff, const struct diff_judgement *judgements,
	size_t n_judgements, FILE *out);

#endif
