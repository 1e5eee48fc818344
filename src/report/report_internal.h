/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of report.h share. */
#ifndef OMPPROF_SRC_REPORT_REPORT_INTERNAL_H
#define OMPPROF_SRC_REPORT_REPORT_INTERNAL_H

#include "src/report/report.h"
#include "src/report/report_process.h"

/* The totals of one profile, and the sum of two processes': all but the wall time. */
void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);
void report_totals_add(struct report_totals *to, const struct report_totals *from);

/* Makes trees, totals and metrics of loading->profile. Returns 0, or -1 with loading->diag set. */
int report_process_make(struct report_loading *loading, const struct report_options *options);

/* Fills what is known of the process. Returns 0, or -1 when out of memory. */
int report_process_describe(
	struct report_process *process, const char *path, const struct report_loading *loading);

/* Names the trees and figures that the report has, and advises. Returns 0, or -1 with *diag set. */
int report_name(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/* Finds which of the name_list processes count in the figures, and what kind each is. */
void report_job_decide(struct report_job *job);

#endif
