/* SPDX-License-Identifier: Apache-2.0 */
/* --bottom-up: the functions with most time in themselves, and below each who called it. */
#include "src/view_rows.h"

#include <stdlib.h>
#include <string.h>

#include "src/view_flat.h"

/*
 * MOST_CALLERS and MAX_GROWTH bound the tree: every sampled node of the profile adds its whole path. What
 * is beyond stays at the function itself.
 */
enum { DEFAULT_LIMIT_PERMYRIAD = 100, DEFAULT_FUNCTIONS = 10, MOST_CALLERS = 100 };
#define MAX_GROWTH(n_nodes) (4 * (n_nodes) + 100000)

static const struct column time_columns[] = {
	{ "self%", 6, METRIC_TOTAL, 0, 1 },
	{ "self s", 7, METRIC_TOTAL, 0, 0 },
	{ "samples", 8, METRIC_SAMPLES, 0, 0 },
	{ .heading = NULL },
};

static const struct column event_columns[] = {
	{ "self%", 6, METRIC_TOTAL, 0, 1 },
	{ "events", 8, METRIC_TOTAL, 0, 0 },
	{ "samples", 8, METRIC_SAMPLES, 0, 0 },
	{ .heading = NULL },
};

/* The functions that are shown, and their callers. */
struct inverted {
	struct name_tree names;
	struct tree_metrics *totals;
	size_t n_functions;
	size_t n_more; /* functions with time in themselves that are not shown */
};

/* Adds node i's own figures along its path, from the function out to its outermost caller. */
static int add_path(struct name_tree *inverted, const struct name_tree *tree, uint32_t i)
{
	struct tree_metrics figures = tree->nodes[i].self;
	int most = inverted->n_nodes < MAX_GROWTH(tree->n_nodes) ? MOST_CALLERS : 1;
	uint32_t at = 0;
	int levels = 0;

	for (uint32_t from = i; from != 0 && levels < most; levels++) {
		struct name_label label = flat_label(&tree->nodes[from].label);
		at = name_tree_child(inverted, at, &label);
		if (at == NAMES_NONE)
			return -1;
		if (inverted->nodes[at].repeats < tree->nodes[from].repeats)
			inverted->nodes[at].repeats = tree->nodes[from].repeats;
		from = tree->nodes[from].parent;
	}
	figures.n_executions = 0;
	tree_metrics_add(&inverted->nodes[at].self, &figures);
	return 0;
}

/* Inverts the paths to the `n` functions of `flat` with most time in themselves. */
static int invert(
	struct inverted *inverted, const struct name_tree *tree, const struct flat *flat, size_t n)
{
	if (name_tree_init(&inverted->names, 0) != 0)
		return -1;
	for (size_t i = 0; i < flat->n_order; i++) {
		const struct name_node *function = &flat->names.nodes[flat->order[i]];
		if (!rows_has_figures(&function->self))
			continue;
		if (inverted->n_functions == n)
			inverted->n_more++;
		else if (name_tree_child(&inverted->names, 0, &function->label) != NAMES_NONE)
			inverted->n_functions++;
		else
			return -1;
	}
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		struct name_label label = flat_label(&tree->nodes[i].label);
		if (rows_has_figures(&tree->nodes[i].self) &&
			name_tree_has_child(&inverted->names, 0, &label) &&
			add_path(&inverted->names, tree, i) != 0)
			return -1;
	}
	inverted->totals = name_tree_totals(&inverted->names);
	return inverted->totals ? 0 : -1;
}

static int print_inverted(const struct report *report, const struct view_options *options,
	struct terminal *terminal, const struct inverted *inverted)
{
	const struct column *columns = report->is_event ? event_columns : time_columns;
	struct rows_tree tree = {
		.report = report,
		.columns = columns,
		.names = &inverted->names,
		.totals = inverted->totals,
		.limit_permyriad = options->limit_permyriad == VIEW_DEFAULT
					   ? DEFAULT_LIMIT_PERMYRIAD
					   : options->limit_permyriad,
		.n_rows = UINT32_MAX,
		.max_depth = options->max_depth,
		.sort = options->sort,
	};
	struct row sum = { .total = &report->totals.shown, .text = "total" };
	long n_cut;

	rows_heading(terminal, columns, "function, and below it its callers");
	n_cut = rows_print_tree(terminal, &tree);
	if (n_cut < 0)
		return -1;
	rows_put(terminal, report, columns, &sum);
	rows_cut(terminal, "function", inverted->n_more, 0, 0);
	rows_cut(terminal, "line", n_cut, tree.limit_permyriad, options->max_depth != VIEW_DEFAULT);
	rows_incomplete(terminal, report);
	return 0;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	size_t n = options->n_rows == VIEW_DEFAULT ? DEFAULT_FUNCTIONS : options->n_rows;
	struct inverted inverted;
	struct name_tree folded;
	struct flat flat;
	int status;

	memset(&inverted, 0, sizeof(inverted));
	if (name_tree_fold(&folded, &report->names) != 0)
		return -1;
	status = flat_make(&flat, report, SORT_SELF);
	if (status == 0)
		status = invert(&inverted, &folded, &flat, n);
	if (status == 0)
		status = print_inverted(report, options, terminal, &inverted);
	free(inverted.totals);
	name_tree_release(&inverted.names);
	flat_release(&flat);
	name_tree_release(&folded);
	return status;
}

const struct view view_bottom_up = {
	.name = "bottom-up",
	.takes = VIEW_TAKES_SORT | VIEW_TAKES_LIMITS | VIEW_TAKES_DEPTH,
	.filters = FILTER_ALL,
	.print = print,
};
