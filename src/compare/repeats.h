/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How "Fix first" differs between the runs of `ompprof run --repeat`. A report has the advice of
 * the median run. The other runs are loaded for the gains that they have at the same places.
 */
#ifndef OMPPROF_SRC_COMPARE_REPEATS_H
#define OMPPROF_SRC_COMPARE_REPEATS_H

#include "src/report/report.h"

/*
 * Sets is_repeated and error_ns in the report's advice, if there are several runs. The report was
 * loaded from `path` by these options. Returns 0, or -1 with *diag set.
 */
int repeats_find_errors(struct report *report, const char *path,
	const struct report_options *options, struct diag *diag);

#endif
