/* SPDX-License-Identifier: Apache-2.0 */
/* Loading one process; see report.h for a report. */
#ifndef OMPPROF_SRC_REPORT_REPORT_PROCESS_H
#define OMPPROF_SRC_REPORT_REPORT_PROCESS_H

#include "src/report/report.h"

/*
 * One process on its way into the report: its file as it was read, and what was made of it. The order is: the file is
 * read; it is cut to phases and to a time; trees, totals and metrics are made. A job of one process has the same order.
 */
struct report_loading {
	struct profile profile;
	struct tree tree, user_tree; /* user_tree is empty if the tree is the user view */
	struct metrics metrics;
	struct report_totals totals;
	int is_unreadable; /* there is nothing of the above */
	int has_failed;    /* not all could be made of it; */
	struct diag diag;  /* why */
};

/*
 * Reads the file of a process that began origin_ns after the first one, and analyses it. A process that is replaced
 * counts as complete. NULL when out of memory. Any thread. Free with report_process_drop.
 */
struct report_loading *report_process_load(const char *path, int is_replaced, uint64_t origin_ns,
	const struct report_options *options);
void report_process_drop(struct report_loading *loading);

/* Moves what was loaded of a process into the report, and leaves *loading empty. */
void report_adopt(struct report *report, struct report_loading *loading);

#endif
