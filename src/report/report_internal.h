/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of report.h share. Included by src/report*.c only. */
#ifndef OMPPROF_SRC_REPORT_REPORT_INTERNAL_H
#define OMPPROF_SRC_REPORT_REPORT_INTERNAL_H

#include "src/report/report.h"

/* The totals of one profile, and the sum of two processes': all but the wall time. */
void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);
void report_totals_add(struct report_totals *to, const struct report_totals *from);

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

/* Makes trees, totals and metrics of loading->profile. Returns 0, or -1 with loading->diag set. */
int report_process_make(struct report_loading *loading, const struct report_options *options);

/* Moves what was loaded of a process into the report, and leaves *loading empty. */
void report_adopt(struct report *report, struct report_loading *loading);

/* Fills what is known of the process. Returns 0, or -1 when out of memory. */
int report_process_describe(
	struct report_process *process, const char *path, const struct report_loading *loading);

/* Names the trees and figures that the report has, and advises. Returns 0, or -1 with *diag set. */
int report_name(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/* Finds which of the listed processes count in the figures, and what kind each is. */
void report_job_decide(struct report_job *job);

#endif
