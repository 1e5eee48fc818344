/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of the default view: the summary's state and its parts, from the top of the
 * screen down.
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

/* How many lines each part gets. */
struct layout {
	size_t n_causes;
	size_t n_advice; /* entries, of two lines */
	size_t n_functions;
	size_t n_more_functions; /* not shown */
	size_t n_regions;
	size_t n_warnings; /* the last line says how many more there are */
	size_t n_wraps;    /* warnings that take two lines */
	int has_blanks;    /* blank lines between the parts */
	int is_filtered;   /* the advice is of the whole run: it makes room for functions */
};

struct summary {
	const struct report *report;
	struct terminal *terminal;
	struct flat flat;
	size_t n_lines; /* printed so far */
	size_t n_warnings;
	struct layout layout;
};

/*
 * Whether the figures are about OpenMP. They are not if the program only has threads that do not
 * use it.
 */
int summary_is_measured(const struct report *report);

/*
 * Print the command at the left and the run's figures at the right, or below it; then how it was
 * sampled.
 */
void summary_put_run(struct summary *summary);
void summary_put_sampling(struct summary *summary);

/* Prints the first functions by their own time, and the number of the others. */
void summary_put_functions(struct summary *summary);

/* The number of functions that can be listed. */
size_t summary_count_functions(const struct flat *flat);

/*
 * The first finds the regions with most time in all, largest first, in `best`, and returns the
 * number of all regions. The second prints them.
 */
size_t summary_find_regions(const struct summary *summary, uint32_t best[SUMMARY_REGIONS_MOST]);
void summary_put_regions(struct summary *summary, const uint32_t *best);

#endif
