/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the result of a case by its expectations. */
#ifndef OMPPROF_TESTS_RUNTIME_EXPECT_H
#define OMPPROF_TESTS_RUNTIME_EXPECT_H

#include <stdio.h>

#include "tests/runtime/compile.h"
#include "tests/runtime/conduct.h"

/*
 * Returns how many checks failed, with a line for each on `out`. `report` is the command `ompprof`;
 * with `is_shown` the profiles' trees are printed, too.
 */
int expect_judge(const struct play *play, const struct outcome *outcome, const char *report,
	int is_shown, FILE *out);

#endif
