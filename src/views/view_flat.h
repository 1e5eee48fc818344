/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One entry for each function, construct, kind of wait ... of a named tree, wherever it was called
 * from.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FLAT_H
#define OMPPROF_SRC_VIEWS_VIEW_FLAT_H

#include "src/report/report.h"

struct flat {
	/* a child of the root for each entry, with its own figures */
	struct name_tree names;
	/* by node of `names`: with callees; recursion counts once; [0] is the whole run */
	struct name_totals totals;
	uint32_t *function_of; /* by node of report->names: its node in `names` */
	uint32_t *order;       /* nodes of `names`, largest own time first */
	size_t n_order;
};

/*
 * Decides what is one entry: sets the label of the entry for a node of report->names. Returns 0, or
 * -1 when out of memory.
 */
typedef int flat_labeler(
	struct name_label *label, struct name_tree *flat, const struct name_node *node);

/*
 * By function, by the line that was sampled or made the call, or by object file. By object file,
 * waits and nodes of no object keep their own entries.
 */
flat_labeler flat_by_function;
flat_labeler flat_by_line;
flat_labeler flat_by_module;

/*
 * Makes the entries. Returns 0 or -1 (out of memory); release in either case. report->names must
 * outlive them.
 */
int flat_make(struct flat *flat, const struct report *report, flat_labeler *labeler);
void flat_release(struct flat *flat);

/* The label of a function, the same for inlined and called copies and for all its lines. */
struct name_label flat_label(const struct name_label *label);

#endif
