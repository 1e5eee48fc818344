/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads by regions, for the page; see html.h and report_cells.h.
 */
#include "src/page/html.h"
#include "src/report/report_cells.h"

static void put_cell(struct json *json, const struct report *report,
	const struct report_within *cell, const struct tree_metrics *sum)
{
	const struct name_node *nodes = report->names.nodes;
	int has_region = cell->region != NAMES_NONE;
	const struct name_label *label = has_region ? nodes[cell->region].label : NULL;

	json_newline(json);
	json_object(json, NULL);
	json_string(json, "thread", nodes[cell->thread].label->name);
	json_string(json, "name", label ? label->name : "");
	json_string(json, "file", label ? label->file : "");
	json_number(json, "line", label ? label->line : 0);
	json_string(json, "function", label ? label->function : "");
	json_seconds(json, "work_s", report_metric(report, sum, METRIC_WORK));
	json_seconds(json, "wait_s", report_metric(report, sum, METRIC_WAIT));
	json_seconds(json, "overhead_s", report_metric(report, sum, METRIC_OVERHEAD));
	json_end_object(json);
}

int html_put_threads(struct json *json, const struct report *report)
{
	struct report_cells cells;
	int is_made = report_cells_make(&cells, report) == 0;

	json_array(json, NULL);
	for (uint32_t i = 0; is_made && i < report->names.n_nodes; i++)
		if (report_cells_has(&cells, i))
			put_cell(json, report, &cells.within[i], &cells.sums[i]);
	json_end_array(json);
	report_cells_release(&cells);
	return is_made ? 0 : -1;
}
