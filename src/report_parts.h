/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of report.h share. Included by src/report*.c only. */
#ifndef OMPPROF_REPORT_PARTS_H
#define OMPPROF_REPORT_PARTS_H

#include "src/report.h"

/*
 * The attributed tree that is shown, with what --thread and --state select of it (tree.kept). Returns 0,
 * or -1 with *diag set.
 */
int report_attribute(struct tree *tree, const struct profile *profile,
	const struct report_options *options, struct diag *diag);

/* Whether what is shown is the user view of all threads together, of which the figures are made. */
int report_is_user_view(const struct report_options *options);

/* The totals of one profile, and the sum of two processes': all but the wall time. */
void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree);
void report_totals_add(struct report_totals *to, const struct report_totals *from);

/* What the figures of a process say of it in the list of the run's processes. */
void report_process_measure(struct report_process *process, const struct metrics *metrics,
	const struct report_totals *totals);

#endif
