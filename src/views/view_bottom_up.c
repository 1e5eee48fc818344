/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --bottom-up: the functions with most time in themselves, and below each its callers.
 */
#include <stdlib.h>
#include <string.h>

#include "src/views/view.h"
#include "src/views/view_flat.h"
#include "src/views/view_nodes.h"

/*
 * Every sampled node adds its whole path, so two bounds limit the tree: a path has at most
 * MOST_CALLERS nodes, and once the tree has MAX_GROWTH nodes a path is the function alone.
 */
enum { LIMIT_PERMYRIAD = 100, FUNCTIONS = 10, MOST_CALLERS = 100 };
#define MAX_GROWTH(n_nodes) (4 * (n_nodes) + 100000)

/* The functions with time in themselves, and callers of the functions that can be shown. */
struct inverted {
	const struct report *report;
	struct name_tree names;
	struct name_totals totals;
	size_t n_functions; /* functions whose callers are found */
};

/*
 * Adds node i's path from the function outwards, within the bounds above, and its own figures at
 * the path's end.
 */
static int add_path(struct name_tree *inverted, const struct name_tree *tree, uint32_t i)
{
	struct tree_metrics figures = name_self(tree, i);
	int most = inverted->n_nodes < MAX_GROWTH(tree->n_nodes) ? MOST_CALLERS : 1;
	uint32_t at = 0;
	int levels = 0;

	for (uint32_t from = i; from != 0 && levels < most; levels++) {
		struct name_label label = flat_label(tree->nodes[from].label);
		at = name_tree_child(inverted, at, &label);
		if (at == NAMES_NONE)
			return -1;
		if (inverted->nodes[at].repeats < tree->nodes[from].repeats)
			inverted->nodes[at].repeats = tree->nodes[from].repeats;
		from = tree->nodes[from].parent;
	}
	figures.n_executions = 0;
	return name_add(inverted, at, &figures);
}

/* Adds a function without callers, so that it is counted. */
static int add_function(struct name_tree *inverted, const struct name_tree *flat, uint32_t i)
{
	uint32_t at = name_tree_child(inverted, 0, flat->nodes[i].label);
	struct tree_metrics figures = name_self(flat, i);

	if (at == NAMES_NONE)
		return -1;
	figures.n_executions = 0;
	return name_add(inverted, at, &figures);
}

static int has_figures(const struct name_tree *names, uint32_t i)
{
	struct tree_metrics self = name_self(names, i);

	return node_has_figures(&self);
}

/*
 * Inverts the paths to the `n` functions with most time in themselves; the other functions get no
 * callers. Returns 0, or -1 when out of memory.
 */
static int invert(
	struct inverted *inverted, const struct name_tree *tree, const struct flat *flat, size_t n)
{
	size_t first_other = 0;

	if (name_tree_init(&inverted->names, 0) != 0)
		return -1;
	for (; first_other < flat->n_order && inverted->n_functions < n; first_other++) {
		uint32_t function = flat->order[first_other];

		if (!has_figures(&flat->names, function))
			continue;
		if (name_tree_child(&inverted->names, 0, flat->names.nodes[function].label) ==
			NAMES_NONE)
			return -1;
		inverted->n_functions++;
	}
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		struct name_label label = flat_label(tree->nodes[i].label);

		if (has_figures(tree, i) && name_tree_has_child(&inverted->names, 0, &label) &&
			add_path(&inverted->names, tree, i) != 0)
			return -1;
	}
	for (; first_other < flat->n_order; first_other++)
		if (add_function(&inverted->names, &flat->names, flat->order[first_other]) != 0)
			return -1;
	return name_totals_make(&inverted->totals, &inverted->names);
}

/* Row i is node i + 1. The last row is the total. */
static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct inverted *inverted = data;
	size_t i = index + 1 < inverted->names.n_nodes ? index + 1 : 0;
	struct tree_metrics figures = name_totals_get(&inverted->totals, i);
	const struct name_node *node = &inverted->names.nodes[i];

	if (i == 0) {
		figures = inverted->report->totals.shown;
		table_set_text(row, NODE_NAME, "total");
	} else {
		node_set_label(row, node, name_self(&inverted->names, i).n_executions);
		row->parent = node->parent ? node->parent - 1 : TABLE_NO_ROW;
	}
	node_set_figures(row, inverted->report, &figures, &figures);
	row->weight = report_metric(inverted->report, &figures, METRIC_TOTAL);
	row->is_empty = !node_has_figures(&figures);
}

static int print_inverted(const struct report *report, const struct view_options *options,
	struct terminal *terminal, const struct inverted *inverted)
{
	struct table table = {
		.columns = node_columns,
		.fields = report->is_event ? "self%,self_events,self_samples,name,place"
					   : "self%,self,self_samples,name,place",
		.hidden = node_hidden(report, 1),
		.title = "function, and below it its callers",
		.what = "line",
		.order = "self%",
		.together = report->is_event ? "self_events" : "self",
		.unit = report->is_event ? "events" : "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.n_most = FUNCTIONS,
		.whole = report_metric(report, &report->totals.shown, METRIC_TOTAL),
		.n_rows = inverted->names.n_nodes - 1,
		.fill = fill,
		.data = inverted,
		.has_total = 1,
		.is_tree = 1,
		.counts_top = 1,
	};

	return view_put_table_with(view_put_incomplete, &table, options, report, terminal);
}

/* How many functions get callers: as many as can be shown, all with -s. */
static size_t count_shown(const struct table_options *options)
{
	if (options->sort)
		return SIZE_MAX;
	if (options->n_rows != TABLE_DEFAULT)
		return options->n_rows;
	return options->is_csv ? SIZE_MAX : FUNCTIONS;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct inverted inverted = { .report = report };
	struct name_tree folded;
	struct flat flat;
	int status;

	if (name_tree_fold(&folded, &report->names) != 0)
		return -1;
	status = flat_make(&flat, report, flat_by_function);
	if (status == 0)
		status = invert(&inverted, &folded, &flat, count_shown(&options->table));
	if (status == 0)
		status = print_inverted(report, options, terminal, &inverted);
	name_totals_release(&inverted.totals);
	name_tree_release(&inverted.names);
	flat_release(&flat);
	name_tree_release(&folded);
	return status;
}

const struct view view_bottom_up = {
	.part = VIEW_OF_PATHS,
	.name = "bottom-up",
	.takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS | VIEW_TAKES_DEPTH,
	.columns = node_columns,
	.filters = FILTER_ALL,
	.print = print,
};
