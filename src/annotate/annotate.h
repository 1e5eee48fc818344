/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of places in the source: what each function and each of its lines took itself, and with what
 * it calls. `ompprof annotate` is the caller; its other files choose a place (annotate_choose.c), lay
 * out what is shown of it (annotate_plan.h) and print that. Nothing here reads source files.
 *
 * A path of the attributed tree is a list of places: each frame is the calls inlined at its address,
 * outermost first, and a region or task is the line of its construct. The function that a compiler
 * made of a construct's body is the function that contains the construct. A node's own figures are of
 * the last place of its path: those of a wait or of the runtime's overhead, of the code that waits. What is
 * of no code (idle time between regions, paths that were cut short) is of no place, so the sum
 * over all places is the run's less that.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_H

#include "src/findings/names_lookup.h"
#include "src/report/report.h"

/* Times in nanoseconds of thread time. */
struct annotate_figures {
	uint64_t amount; /* METRIC_TOTAL: of all classes, or events */
	uint64_t work_ns;
	uint64_t wait_ns;
	uint64_t overhead_ns; /* of the runtime */
	uint64_t blame_ns;    /* what others waited because of it */
	uint64_t samples;
};

enum annotate_by { ANNOTATE_FUNCTIONS, ANNOTATE_FILES };

/* A parallel region's or task's construct, of all nodes of the tree that read the same. */
struct annotate_construct {
	uint32_t line;                  /* node of places */
	const struct name_label *label; /* of report->names */
	uint64_t n;                     /* executions */
};

struct annotate {
	const struct report *report;
	struct names_lookup sites;
	/*
	 * Below the root functions (name, module, file; line 0) or files (file), and below each
	 * its lines (file, line; 0 not known). decl_line of a function is 0 if not known.
	 */
	struct name_tree places;
	struct annotate_figures *self;  /* by node of places; of a function the sum of its lines' */
	struct annotate_figures *total; /* with what is called, recursion counted once */
	/* By node of the attributed tree: lines[first[i] .. first[i + 1]), its path's, outermost first. */
	size_t *first;
	uint32_t *lines;
	size_t n_lines, lines_capacity;
	struct annotate_construct *constructs; /* by line and name */
	size_t n_constructs, constructs_capacity;
};

/*
 * Places of report->tree, which must be the user view of all threads together. `options` are those
 * that named it. Returns 0 or -1 (out of memory); release in either case.
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
 * The node of the attributed tree that says where node i's own figures are: itself, or of a wait or
 * overhead the code around it; NAMES_NONE if that is no code.
 */
uint32_t annotate_code_of(const struct tree *tree, uint32_t i);

#endif
