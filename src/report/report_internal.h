/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_SRC_REPORT_REPORT_INTERNAL_H
#define OMPPROF_SRC_REPORT_REPORT_INTERNAL_H

#include "src/report/report.h"
#include "src/report/report_process.h"

/* Adds the totals of a process to a sum, except the wall time. */
void report_totals_add(struct report_totals *to, const struct report_totals *from);

/*
 * Makes the trees, totals and metrics of loading->profile. Returns 0, or -1 with loading->diag set.
 */
int report_process_make(struct report_loading *loading, const struct report_options *options);

/* Fills *process. Returns 0, or -1 when out of memory. */
int report_process_describe(
	struct report_process *process, const char *path, const struct report_loading *loading);

/* Copies the arguments. Returns 0, or -1 when out of memory: *n_to arguments are copied then. */
int report_copy_args(char ***to, size_t *n_to, char *const *from, size_t n);

/* Makes names, figures and advice, and applies the filter. Returns 0, or -1 with *diag set. */
int report_name(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag);

/*
 * An empty report is no answer to a typing error: refuses filters that match nothing, or that leave
 * no sample and no wait. The message lists what exists or names what was probably meant. Returns 0,
 * or -1 with *diag set.
 */
int report_check_found(
	const struct report *report, const struct report_options *options, struct diag *diag);

/* Fills is_counted, has_openmp, is_plain and is_replaced of each process, n and n_counted. */
void report_job_decide(struct report_job *job);

#endif
