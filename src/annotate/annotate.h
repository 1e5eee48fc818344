/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of places in the source: what each function and each of its lines took itself, and with
 * its callees. `ompprof annotate` is the caller. Other files here choose a place
 * (annotate_choose.c), lay out what is shown (annotate_plan.h) and print it. This file reads no
 * source files.
 *
 * A path of the attributed tree is a list of places: each frame gives the calls inlined at its
 * address, outermost first, and a construct gives its line. The function that a compiler made of a
 * construct's body counts as the function that contains the construct. The function that ended with
 * a jump into the runtime is the last place of a wait there. A node's own figures belong
 * to the last place of its path. Figures of a wait or of the runtime's overhead belong to the code
 * around them. Figures without code (idle time between regions, paths that were cut short) belong
 * to no place. The sum over all places is the run's figures without these.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_H

#include "src/findings/names_lookup.h"
#include "src/report/report.h"

/* Times in nanoseconds of thread time. */
struct annotate_figures {
	uint64_t amount; /* time of all classes, or number of events: METRIC_TOTAL */
	uint64_t work_ns;
	uint64_t wait_ns;
	uint64_t overhead_ns; /* of the runtime */
	uint64_t blame_ns;    /* time that others waited because of it */
	uint64_t samples;
};

enum annotate_by { ANNOTATE_FUNCTIONS, ANNOTATE_FILES };

/* Nodes of the attributed tree that are constructs with the same name and line. */
struct annotate_construct {
	uint32_t line; /* node of annotate.places */
	const struct name_label *label;
	uint64_t n; /* executions */
};

struct annotate {
	const struct report *report;
	struct names_lookup sites;
	/* Below the root are functions (name, module, file; line 0; decl_line 0: not known) or
	   files (file). Below each are its lines (file, line; 0: not known). */
	struct name_tree places;
	/* by node of places: its own figures (of a function or file the sum of its lines), and its
	   figures with callees, where recursion counts once */
	struct annotate_figures *self, *total;
	/* The places that node i of the attributed tree adds to its path, outermost first:
	   lines[first[i] .. first[i + 1]). */
	size_t *first;
	uint32_t *lines;
	size_t n_lines, lines_capacity;
	struct annotate_construct *constructs; /* sorted by line and name */
	size_t n_constructs, constructs_capacity;
};

/*
 * Makes the places of report->tree, which must be the user view of all threads together. `options`
 * are the options with which the tree was named. Returns 0, or -1 when out of memory. Release in
 * either case.
 */
int annotate_make(struct annotate *annotate, struct report *report,
	const struct names_options *options, enum annotate_by by);
void annotate_release(struct annotate *annotate);

/* The figures of a node of any tree. */
struct annotate_figures annotate_figures_of(
	const struct report *report, const struct tree_metrics *metrics);
void annotate_add(struct annotate_figures *to, const struct annotate_figures *from);
int annotate_is_zero(const struct annotate_figures *figures);

/*
 * The node of the attributed tree whose code has node i's own figures: node i itself, or for a wait
 * or overhead the code around it. NAMES_NONE if there is no code.
 */
uint32_t annotate_code_of(const struct tree *tree, uint32_t i);

#endif
