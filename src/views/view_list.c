/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --flat and --by function, line, module: one line for each, wherever it was called from.
 */
#include <string.h>

#include "src/views/view.h"
#include "src/views/view_flat.h"
#include "src/views/view_nodes.h"

enum { LIMIT_PERMYRIAD = 50 };

struct list {
	const struct report *report;
	const struct flat *flat;
	/* small rows are left out by their own time, else by their time with callees */
	int is_by_self;
};

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct list *list = data;
	uint32_t node = index < list->flat->n_order ? list->flat->order[index] : 0;
	struct tree_metrics total = name_totals_get(&list->flat->totals, node);
	struct tree_metrics self = node ? name_self(&list->flat->names, node) : total;

	node_set_figures(row, list->report, &total, &self);
	row->weight = report_metric(list->report, list->is_by_self ? &self : &total, METRIC_TOTAL);
	row->is_empty = !node_has_figures(&total);
	if (node)
		node_set_label(row, &list->flat->names.nodes[node], self.n_executions);
	else
		table_set_text(row, NODE_NAME, "total");
}

/* Whether -s names a column that is none of a row's own figures. */
static int is_by_total(const struct table_options *options)
{
	int column =
		options->sort ? table_find(node_columns, options->sort, strlen(options->sort)) : -1;

	return column >= 0 && column != NODE_SELF && column != NODE_SELF_SHARE &&
	       column != NODE_SELF_EVENTS && column != NODE_SELF_SAMPLES;
}

static void list_fields(char *fields, size_t bytes, const struct report *report)
{
	snprintf(fields, bytes, "%s",
		report->is_event ? "self%,self_events,total%" : "self%,self,total%,work,wait");
	view_counters_fields(fields, bytes - sizeof(",name,place"), report);
	strcat(fields, ",name,place");
}

static int print_by(const struct report *report, const struct view_options *options,
	struct terminal *terminal, flat_labeler *labeler, const char *what)
{
	struct flat flat;
	struct list list = { report, &flat, !is_by_total(&options->table) };
	struct tree_metrics all;
	char title[64], fields[256];
	struct table table = {
		.columns = node_columns,
		.fields = fields,
		.hidden = node_hidden(report, 0),
		.title = title,
		.what = what,
		.order = "self%",
		.together = report->is_event ? "self_events" : "self",
		.unit = report->is_event ? "events" : "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.fill = fill,
		.data = &list,
		.has_total = 1,
	};
	int status = flat_make(&flat, report, labeler);

	if (status == 0) {
		list_fields(fields, sizeof(fields), report);
		snprintf(title, sizeof(title), "%s%s", what,
			report->is_event ? "" : " (work, wait: with what it calls)");
		all = name_totals_get(&flat.totals, 0);
		table.whole = report_metric(report, &all, METRIC_TOTAL);
		table.n_rows = flat.n_order;
		status =
			view_put_table_with(view_put_incomplete, &table, options, report, terminal);
	}
	flat_release(&flat);
	return status;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	return print_by(report, options, terminal, flat_by_function, "function");
}

static int print_lines(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	return print_by(report, options, terminal, flat_by_line, "line");
}

static int print_modules(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	return print_by(report, options, terminal, flat_by_module, "module");
}

#define VIEW_OF_NODES(option, of)                                                                  \
	{                                                                                          \
		.part = VIEW_OF_PATHS, .name = (option), .columns = node_columns,                  \
		.filters = FILTER_ALL, .takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS,              \
		.print = (of)                                                                      \
	}

const struct view view_flat = VIEW_OF_NODES("flat", print);
const struct view view_by_function = VIEW_OF_NODES("by function", print);
const struct view view_by_line = VIEW_OF_NODES("by line", print_lines);
const struct view view_by_module = VIEW_OF_NODES("by module", print_modules);
