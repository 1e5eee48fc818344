/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the text views share: columns of figures, a line of a table, and the printing of a tree
 * with its small branches cut.
 */
#ifndef OMPPROF_VIEW_ROWS_H
#define OMPPROF_VIEW_ROWS_H

#include "src/view.h"

/* A column of figures. A table of them ends with heading NULL. */
struct column {
	const char *heading;
	int width;
	enum report_metric metric;
	int is_self; /* of the node alone, else with all below it */
	int is_percent;
};

/* Prints the headings, then `path` as the heading of what follows them. */
void rows_heading(struct terminal *terminal, const struct column *columns, const char *path);

/* One line: the columns, then prefix and name, and the place at the right edge if it fits. */
struct row {
	const struct tree_metrics *total;
	const struct tree_metrics *self;
	const char *prefix;
	const struct name_node *node; /* or NULL: `text` is the name */
	const char *text;
};
void rows_put(struct terminal *terminal, const struct report *report, const struct column *columns,
	const struct row *row);

/* Ends a line of which `used` columns are printed: prefix and name, and the place if it fits. Both
   are clean text in buffers of ROWS_NAME_BYTES, and cut as need be. */
enum { ROWS_NAME_BYTES = 1024 };
void rows_finish(
	struct terminal *terminal, size_t used, const char *prefix, char *name, char *place);

/* A node's name and place (file and line, function of a construct, or object file) as shown. */
void rows_name(char *text, size_t text_bytes, const struct name_node *node);
void rows_place(char *text, size_t text_bytes, const struct name_label *label);

/* "(5 more nodes below 1 %)". With other_limits, something else than the percentage cut as well. */
void rows_cut(struct terminal *terminal, const char *what, size_t n_cut, uint32_t limit_permyriad,
	int other_limits);

/* The warning that only a part of the run is shown, if that is so. */
void rows_incomplete(struct terminal *terminal, const struct report *report);

/* The warning that waits are not measured, if that is so. */
void rows_unmeasured(struct terminal *terminal, const struct report *report);

/* Whether there is something to show: samples, or waits that were measured. */
int rows_has_figures(const struct tree_metrics *metrics);

/* A node's figure to sort by; `default_sort` replaces SORT_DEFAULT. */
uint64_t rows_key(const struct report *report, enum view_sort sort, enum view_sort default_sort,
	const struct tree_metrics *total, const struct tree_metrics *self);

/* How a tree is printed. */
struct rows_tree {
	const struct report *report;
	const struct column *columns;
	const struct name_tree *names;
	const struct tree_metrics *totals; /* by node, inclusive */
	uint32_t limit_permyriad;          /* of the whole run's total */
	uint32_t n_rows;                   /* rows at most */
	uint32_t max_depth;
	enum view_sort sort;
};

/* Prints everything below the root. Returns the number of nodes cut, or -1 (out of memory). */
long rows_print_tree(struct terminal *terminal, const struct rows_tree *tree);

#endif
