/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a made-up run. For tests with cmocka. */
#ifndef OMPPROF_TESTS_UNIT_COMMAND_SCENE_REPORT_H
#define OMPPROF_TESTS_UNIT_COMMAND_SCENE_REPORT_H

#include "src/report/report.h"

/*
 * Makes the report of the scene, with the user view and all threads if `options` is NULL. The caller
 * releases it. The test fails if it cannot be made.
 */
void scene_report(struct report *report, const char *scene, const struct report_options *options);

#endif
