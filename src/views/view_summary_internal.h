/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of the summary, the default view; its parts from the top of the screen down.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_SUMMARY_INTERNAL_H
#define OMPPROF_SRC_VIEWS_VIEW_SUMMARY_INTERNAL_H

#include "src/report/report.h"
#include "src/text/terminal.h"
#include "src/views/view_flat.h"

enum {
	SUMMARY_FUNCTIONS_MOST = 8,
	SUMMARY_REGIONS_MOST = 3,
	SUMMARY_WARNING_BYTES = 512,
};

/* How many lines each part of the summary gets. */
struct layout {
	size_t n_causes;
	size_t n_advice; /* entries, of two lines */
	size_t n_functions;
	size_t n_more_functions; /* functions that are left out; a line has their number */
	size_t n_regions;
	size_t n_warnings; /* lines; the last can say how many more there are */
	size_t n_wraps;    /* warnings that take two lines */
	int has_blanks;    /* there are blank lines between the parts */
	int is_filtered;   /* with filters: advice on the whole run is left out */
};

struct summary {
	const struct report *report;
	struct terminal *terminal;
	struct flat flat;
	size_t n_lines;        /* printed so far */
	size_t has_contention; /* 1: the first warning is a heading, and none of n_warnings */
	size_t n_warnings;
	struct layout layout;
};

/* Whether causes are known (report_has_causes) and are times, not events. */
int summary_is_measured(const struct report *report);

/* Print the command with the run's figures, on one line or two; then how it was sampled. */
void summary_put_run(struct summary *summary);
void summary_put_sampling(struct summary *summary);

/* If threads lacked CPUs: prints for how long and why, and what helps. Sets has_contention. */
void summary_put_contention(struct summary *summary);

/* Prints the functions with most own time, and how many more there are. */
void summary_put_functions(struct summary *summary);

/* The number of functions and constructs with time of their own. */
size_t summary_count_functions(const struct flat *flat);

/*
 * The first puts the regions with most time, with their callees, into `best`, largest first, and
 * returns the number of all regions with time. The second prints the first layout.n_regions of
 * them.
 */
size_t summary_find_regions(const struct summary *summary, uint32_t best[SUMMARY_REGIONS_MOST]);
void summary_put_regions(struct summary *summary, const uint32_t *best);

#endif
