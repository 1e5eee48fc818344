/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of report.h share. */
#ifndef OMPPROF_SRC_REPORT_REPORT_INTERNAL_H
#define OMPPROF_SRC_REPORT_REPORT_INTERNAL_H

#include "src/report/report.h"

/*
 * The attributed tree that is shown, with what --thread and --state select of it (tree.kept). Returns 0,
 * or -1 with *diag set. Any thread.
 */
int report_attribute(struct tree *tree, const struct profile *profile,
	const struct report_options *options, struct diag *diag);

/* Whether what is shown is the user view of all threads together, of which the figures are made. */
int report_is_user_view(const struct report_options *options);

/* Adds the totals of another process: all but the wall time. */
void report_totals_add(struct report_totals *to, const struct report_totals *from);

/* Frees what the nodes of the file said, most of the memory: the trees and figures that were made have it. */
void report_drop_nodes(struct profile *profile);

/* One process on its way into the report: its file as it was read, without nodes, and what was made of it. */
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
 * Reads a process' file, of one that began origin_ns after the first, and analyses it. A process that is replaced counts
 * as complete. NULL when out of memory. Any thread. Free with report_process_drop.
 */
struct report_loading *report_process_load(const char *path, int is_replaced, uint64_t origin_ns,
	const struct report_options *options);
void report_process_drop(struct report_loading *loading);

/* Fills what the file says of the process. Returns 0, or -1 when out of memory. */
int report_process_describe(
	struct report_process *process, const char *path, const struct profile *profile);

/* What the figures of a process say of it in the list of the run's processes. */
void report_process_measure(struct report_process *process, const struct metrics *metrics,
	const struct report_totals *totals);

/* Names what report_job_load has put together, and advises: to report_load what it is to report_make. */
int report_name(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/* Makes one of the critical sections of one name that several processes have. Returns 0, or -1: no memory. */
int report_join_criticals(struct report *report);

/* Finds which of the listed processes count in the figures, and what kind each is. */
void report_job_decide(struct report_job *job);

/* Whether the profile has what its filters name, each by itself. Returns 0, or -1 with *diag set. */
int report_check_found(const struct report *report, struct diag *diag);

#endif
