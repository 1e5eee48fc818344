/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of any profile compared with itself, whatever is in it. */
#ifndef OMPPROF_TESTS_UNIT_COMMAND_CHECK_DIFF_H
#define OMPPROF_TESTS_UNIT_COMMAND_CHECK_DIFF_H

#include <stdio.h>

#include "src/report/report.h"

/*
 * Compares a report of the user view with itself and prints the comparison in every form. Returns NULL, or the
 * sentence that does not hold; without memory nothing has to.
 */
const char *check_diff(const struct report *report, FILE *text, FILE *json);

#endif
