/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the default view share: the summary under way and its parts, from the top of the screen down.
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
	size_t n_warnings; /* the last of them says how many more there are */
	size_t n_wraps;    /* warnings that take two lines */
	int has_blanks;    /* lines between the parts */
	int is_filtered;   /* the advice, which is of the whole run, makes room for functions */
};

struct summary {
	const struct report *report;
	struct terminal *terminal;
	struct flat flat;
	size_t n_lines; /* printed so far */
	size_t n_warnings;
	struct layout layout;
};

/* Whether the figures are about OpenMP: not if threads that do not use it are all that the program has. */
int summary_is_measured(const struct report *report);

/* The command at the left and what is known of the run at the right, or below it; then how it was sampled. */
void summary_put_run(struct summary *summary);
void summary_put_sampling(struct summary *summary);

/* Prints the first functions by their own time, and how many there are besides. */
void summary_put_functions(struct summary *summary);

/* How many functions there are to list. */
size_t summary_count_functions(const struct flat *flat);

/* The regions with most time in all, largest first, into `best`, and prints them. The first returns how many regions
   there are, also those that had no place in `best`. */
size_t summary_find_regions(const struct summary *summary, uint32_t best[SUMMARY_REGIONS_MOST]);
void summary_put_regions(struct summary *summary, const uint32_t *best);

#endif
