/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions (and constructs, waits, ...) of a named tree, wherever they were called from: one entry
 * each. The views that rank functions use it.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FLAT_H
#define OMPPROF_SRC_VIEWS_VIEW_FLAT_H

#include "src/report/report.h"

struct flat {
	/* owns its strings; each function is a child of the root; self: its own figures */
	struct name_tree names;
	/* by node of names: including callees, recursion counted once; [0] is the whole run */
	struct name_totals totals;
	uint32_t *function_of; /* node of names for each node of the tree */
	uint32_t *order;       /* nodes of names, largest first */
	size_t n_order;
};

/*
 * Decides which functions are one entry: sets the label that a node of report->names gets. Returns
 * 0 or -1.
 */
typedef int flat_labeler(
	struct name_label *label, struct name_tree *flat, const struct name_node *node);

/* Merges by function, whatever the line. */
flat_labeler flat_by_function;
/* Merges by a function's line: the line that was sampled or that made the call. */
flat_labeler flat_by_line;
/*
 * Merges by object file. A node that is no function belongs to the file of the code around it,
 * except waits and the like.
 */
flat_labeler flat_by_module;

/*
 * Makes the entries, in order of the time in themselves. Returns 0 or -1 (out of memory). Labels
 * belong to report->names. Release in either case.
 */
int flat_make(struct flat *flat, const struct report *report, flat_labeler *labeler);
void flat_release(struct flat *flat);

/* A label that is the same for inlined and called copies of a function. */
struct name_label flat_label(const struct name_label *label);

#endif
