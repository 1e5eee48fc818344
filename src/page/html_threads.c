/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads by regions, for the page; see html.h. The time of a nested region is not part of the
 * outer region's time.
 */
#include <stdlib.h>

#include "src/page/html.h"

/* The thread and the innermost region around a node, or NAMES_NONE. */
struct within {
	uint32_t thread, region;
};

static struct within find_within(
	const struct name_tree *names, const struct within *all, uint32_t id)
{
	const struct name_node *node = &names->nodes[id];
	struct within within = { NAMES_NONE, NAMES_NONE };

	if (node->parent != NAMES_NONE)
		within = all[node->parent];
	if (node->label->kind == NAME_THREAD)
		within = (struct within){ id, NAMES_NONE };
	else if (node->label->kind == NAME_REGION)
		within.region = id;
	return within;
}

static void put_cell(struct json *json, const struct report *report, const struct within *cell,
	const struct tree_metrics *sum)
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

/*
 * The figures of a cell are added up at the node of its region or, outside regions, of its thread.
 */
void html_put_threads(struct json *json, const struct report *report)
{
	const struct name_tree *names = &report->names;
	struct within *all = calloc(names->n_nodes + 1, sizeof(*all));
	struct tree_metrics *sums = calloc(names->n_nodes + 1, sizeof(*sums));

	json_array(json, NULL);
	for (uint32_t i = 0; all && sums && i < names->n_nodes; i++) {
		struct tree_metrics self = name_self(names, i);
		uint32_t at;

		all[i] = find_within(names, all, i);
		at = all[i].region != NAMES_NONE ? all[i].region : all[i].thread;
		if (at != NAMES_NONE)
			tree_metrics_add(&sums[at], &self);
	}
	for (uint32_t i = 0; all && sums && i < names->n_nodes; i++)
		if (all[i].thread != NAMES_NONE && (all[i].region == i || all[i].thread == i))
			put_cell(json, report, &all[i], &sums[i]);
	json_end_array(json);
	free(sums);
	free(all);
}
