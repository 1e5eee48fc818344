/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions (and constructs, waits, ...) of a named tree, wherever they were called from: one
 * entry each. Used by the views that rank functions.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FLAT_H
#define OMPPROF_SRC_VIEWS_VIEW_FLAT_H

#include "src/report/report.h"

struct flat {
	struct name_tree
		names; /* has strings of its own; a child of the root for each function; self: its own figures */
	struct name_totals totals; /* by node of names: with what it calls, recursion counted
				      once; [0] is the whole run */
	uint32_t *function_of;     /* by node of the tree: node of names */
	uint32_t *order;           /* nodes of names, largest first */
	size_t n_order;
};

/* Which functions are one entry: what the label of a node of report->names becomes. Returns 0 or -1. */
typedef int flat_labeler(
	struct name_label *label, struct name_tree *flat, const struct name_node *node);

/* By function, whatever the line. */
flat_labeler flat_by_function;
/* By a function's line: where it was sampled or what it called. */
flat_labeler flat_by_line;
/* By object file. What is no function's counts for that of the code around it, but waits and the like. */
flat_labeler flat_by_module;

/* Entries in order of the time in themselves. Returns 0 or -1 (out of memory). Labels are
   report->names'. Release in either case. */
int flat_make(struct flat *flat, const struct report *report, flat_labeler *labeler);
void flat_release(struct flat *flat);

/* A label with inlined and called copies of a function made alike. */
struct name_label flat_label(const struct name_label *label);

#endif
