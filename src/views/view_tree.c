/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --tree: the calling-context tree of all threads, each path below the construct that it belongs
 * to.
 */
#include <stdlib.h>

#include "src/views/view.h"
#include "src/views/view_nodes.h"

enum { LIMIT_PERMYRIAD = 100 };

struct shown_tree {
	const struct report *report;
	const struct name_tree *names;
	const struct name_totals *totals; /* by node */
};

/* Row i is node i + 1. The last row is the total. */
static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct shown_tree *tree = data;
	size_t i = index + 1 < tree->names->n_nodes ? index + 1 : 0;
	const struct name_node *node = &tree->names->nodes[i];
	struct tree_metrics total = name_totals_get(tree->totals, i);
	struct tree_metrics self = name_self(tree->names, i);

	if (i == 0) {
		node_set_figures(row, tree->report, &total, NULL);
		table_set_text(row, NODE_NAME, "total");
		return;
	}
	node_set_figures(row, tree->report, &total, &self);
	node_set_label(row, node, self.n_executions);
	row->parent = node->parent ? node->parent - 1 : TABLE_NO_ROW;
	row->weight = report_metric(tree->report, &total, METRIC_TOTAL);
	row->is_empty = !node_has_figures(&total);
}

/* In the machine view names have addresses, which need the room. */
static const char *choose_fields(const struct report *report)
{
	if (report->view == TREE_MACHINE)
		return "total%,self%,name,place";
	return report->is_event ? "total%,self%,events,name,place"
				: "total%,self%,work,wait,overhead,blame,name,place";
}

static int print_folded(const struct report *report, const struct view_options *options,
	struct terminal *terminal, const struct shown_tree *tree)
{
	struct table table = {
		.columns = node_columns,
		.fields = choose_fields(report),
		.hidden = node_hidden(report, 1),
		.title = report->is_event || report->view == TREE_MACHINE
				 ? "path"
				 : "path (times are sums over threads)",
		.what = "node",
		.order = "total%",
		.together = report->is_event ? "events" : "total",
		.unit = report->is_event ? "events" : "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.whole = report_metric(report, &report->totals.shown, METRIC_TOTAL),
		.n_rows = tree->names->n_nodes - 1,
		.fill = fill,
		.data = tree,
		.has_total = 1,
		.is_tree = 1,
	};

	return view_put_table_with(view_put_incomplete, &table, options, report, terminal);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct name_tree folded;
	struct name_totals totals;
	int status = -1;

	if (name_tree_fold(&folded, &report->names) != 0)
		return -1;
	if (name_totals_make(&totals, &folded) == 0) {
		struct shown_tree tree = { report, &folded, &totals };

		status = print_folded(report, options, terminal, &tree);
	}
	name_totals_release(&totals);
	name_tree_release(&folded);
	return status;
}

const struct view view_tree = {
	.part = VIEW_OF_PATHS,
	.name = "tree",
	.takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS | VIEW_TAKES_DEPTH,
	.columns = node_columns,
	.filters = FILTER_ALL,
	.print = print,
};
