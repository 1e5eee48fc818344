/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads by regions. A cell is the time of one thread in one region, or outside of regions. The
 * time of a nested region is not part of the outer region's time. For the page and `ompprof why`.
 */
#ifndef OMPPROF_SRC_REPORT_REPORT_CELLS_H
#define OMPPROF_SRC_REPORT_REPORT_CELLS_H

#include "src/report/report.h"

/* The thread and the innermost region around a node of the names, or NAMES_NONE. */
struct report_within {
	uint32_t thread, region;
};

struct report_cells {
	struct report_within *within; /* by node */
	/* by node: the figures of a cell, at its region's node, or without a region its thread's */
	struct tree_metrics *sums;
};

/*
 * Makes the cells of report->names, which must be by thread. Returns 0, or -1 when out of memory.
 * Release in either case.
 */
int report_cells_make(struct report_cells *cells, const struct report *report);
void report_cells_release(struct report_cells *cells);

/* Whether sums[node] is the figures of a cell. */
int report_cells_has(const struct report_cells *cells, uint32_t node);

#endif
