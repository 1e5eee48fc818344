/* SPDX-License-Identifier: Apache-2.0 */
/* --tree: the calling-context tree, threads grafted where their work belongs. */
#include "src/view_rows.h"

#include <stdlib.h>

enum { DEFAULT_LIMIT_PERMYRIAD = 100 };

static const struct column time_columns[] = {
	{ "total%", 6, METRIC_TOTAL, 0, 1 },
	{ "self%", 6, METRIC_TOTAL, 1, 1 },
	{ "work s", 6, METRIC_WORK, 0, 0 },
	{ "wait s", 6, METRIC_WAIT, 0, 0 },
	{ "ovhd s", 6, METRIC_OVERHEAD, 0, 0 },
	{ .heading = NULL },
};

/* Of a run whose waits were measured and that made threads wait for others. */
static const struct column blame_columns[] = {
	{ "total%", 6, METRIC_TOTAL, 0, 1 },
	{ "self%", 6, METRIC_TOTAL, 1, 1 },
	{ "work s", 6, METRIC_WORK, 0, 0 },
	{ "wait s", 6, METRIC_WAIT, 0, 0 },
	{ "ovhd s", 6, METRIC_OVERHEAD, 0, 0 },
	{ "blame", 6, METRIC_BLAME, 0, 0 },
	{ .heading = NULL },
};

static const struct column event_columns[] = {
	{ "total%", 6, METRIC_TOTAL, 0, 1 },
	{ "self%", 6, METRIC_TOTAL, 1, 1 },
	{ "events", 8, METRIC_TOTAL, 0, 0 },
	{ .heading = NULL },
};

static const struct column *choose_columns(
	const struct report *report, const struct tree_metrics *totals)
{
	if (report->is_event)
		return event_columns;
	return totals[0].blame_ns ? blame_columns : time_columns;
}

static int print_folded(const struct report *report, const struct view_options *options,
	struct terminal *terminal, const struct name_tree *names, const struct tree_metrics *totals)
{
	const struct column *columns = choose_columns(report, totals);
	struct rows_tree tree = {
		.report = report,
		.columns = columns,
		.names = names,
		.totals = totals,
		.limit_permyriad = options->limit_permyriad == VIEW_DEFAULT
					   ? DEFAULT_LIMIT_PERMYRIAD
					   : options->limit_permyriad,
		.n_rows = options->n_rows,
		.max_depth = options->max_depth,
		.sort = options->sort,
	};
	struct row sum = { .total = &totals[0], .text = "total" };
	long n_cut;

	rows_heading(terminal, columns,
		report->is_event ? "path" : "path (times are sums over threads)");
	n_cut = rows_print_tree(terminal, &tree);
	if (n_cut < 0)
		return -1;
	rows_put(terminal, report, columns, &sum);
	rows_cut(terminal, "node", n_cut, tree.limit_permyriad,
		options->n_rows != VIEW_DEFAULT || options->max_depth != VIEW_DEFAULT);
	rows_incomplete(terminal, report);
	return 0;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct name_tree folded;
	struct tree_metrics *totals;
	int status = -1;

	if (name_tree_fold(&folded, &report->names) != 0)
		return -1;
	totals = name_tree_totals(&folded);
	if (totals)
		status = print_folded(report, options, terminal, &folded, totals);
	free(totals);
	name_tree_release(&folded);
	return status;
}

const struct view view_tree = {
	.name = "tree",
	.takes = VIEW_TAKES_SORT | VIEW_TAKES_LIMITS | VIEW_TAKES_DEPTH,
	.filters = FILTER_ALL,
	.print = print,
};
