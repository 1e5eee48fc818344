/* SPDX-License-Identifier: Apache-2.0 */
/* Loads one process of a run, for report_job_load.c; `ompprof info` uses it, too. */
#ifndef OMPPROF_SRC_REPORT_REPORT_PROCESS_H
#define OMPPROF_SRC_REPORT_REPORT_PROCESS_H

#include "src/report/report.h"

/* The data of a process on its way into the report. */
struct report_loading {
	struct profile profile;
	struct tree tree,
		/* user_tree is empty if `tree` is the user view of all threads together */
		user_tree;
	struct metrics metrics;
	struct report_totals totals;
	int is_unreadable; /* the file could not be read; the members above are empty */
	int has_failed;    /* not all of the members above could be made */
	struct diag diag;  /* the reason */
};

/*
 * Reads the file of a process that began origin_ns after the first process, reduces it to --phase
 * and --time, and makes trees, totals and metrics. A process that is_replaced counts as complete.
 * NULL when out of memory. Any thread. Free the result with report_process_drop.
 */
struct report_loading *report_process_load(const char *path, int is_replaced, uint64_t origin_ns,
	const struct report_options *options);
void report_process_drop(struct report_loading *loading);

/* Moves the loaded data of a process into the report, and leaves *loading empty. */
void report_adopt(struct report *report, struct report_loading *loading);

#endif
