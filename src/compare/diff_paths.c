/* SPDX-License-Identifier: Apache-2.0 */
/* The call tree of a run, by places; see diff_run.h. */
#include <stdlib.h>

#include "src/compare/diff_places.h"

/*
 * Adds node i of the named tree to the joined tree and to the run's paths. node_of has the joined
 * node of each named node. Returns 0, or -1 when out of memory.
 */
static int add_path(const struct diff_collector *collector, const struct flat *flat,
	struct name_tree *joined, uint32_t *node_of, uint32_t i)
{
	const struct name_tree *names = &collector->report->names;
	const struct name_node *node = &names->nodes[i];
	struct name_label label = flat_label(node->label);
	uint32_t parent = node_of[node->parent];
	uint32_t at = name_tree_child(joined, parent, &label);

	if (at == NAMES_NONE || name_join(joined, at, &names->figures, node->self) != 0)
		return -1;
	node_of[i] = at;
	collector->run->paths[at] = (struct diff_path){ .parent = parent,
		.place = collector->first_function + flat->function_of[i] - 1 };
	return 0;
}

static int set_totals(const struct diff_collector *collector, const struct name_tree *joined)
{
	struct diff_run *run = collector->run;
	struct name_totals totals;
	int status = name_totals_make(&totals, joined);

	run->n_paths = joined->n_nodes;
	for (size_t i = 0; status == 0 && i < run->n_paths; i++) {
		struct tree_metrics total = name_totals_get(&totals, i);

		run->paths[i].total = report_metric(collector->report, &total, METRIC_TOTAL);
	}
	name_totals_release(&totals);
	return status;
}

int diff_paths_make(const struct diff_collector *collector, const struct flat *flat)
{
	const struct name_tree *names = &collector->report->names;
	uint32_t *node_of = calloc(names->n_nodes, sizeof(*node_of));
	struct name_tree joined = { 0 };
	int status = -1;

	collector->run->paths = calloc(names->n_nodes, sizeof(*collector->run->paths));
	if (node_of && collector->run->paths && name_tree_init(&joined, 0) == 0)
		status = name_join(&joined, 0, &names->figures, names->nodes[0].self);
	for (uint32_t i = 1; status == 0 && i < names->n_nodes; i++)
		status = add_path(collector, flat, &joined, node_of, i);
	if (status == 0)
		status = set_totals(collector, &joined);
	name_tree_release(&joined);
	free(node_of);
	return status;
}
