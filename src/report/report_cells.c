/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up the time of threads by region; see report_cells.h. */
#include "src/report/report_cells.h"

#include <stdlib.h>

static struct report_within find_within(
	const struct name_tree *names, const struct report_within *all, uint32_t id)
{
	const struct name_node *node = &names->nodes[id];
	struct report_within within = { NAMES_NONE, NAMES_NONE };

	if (node->parent != NAMES_NONE)
		within = all[node->parent];
	if (node->label->kind == NAME_THREAD)
		within = (struct report_within){ id, NAMES_NONE };
	else if (node->label->kind == NAME_REGION)
		within.region = id;
	return within;
}

int report_cells_make(struct report_cells *cells, const struct report *report)
{
	const struct name_tree *names = &report->names;

	cells->within = calloc(names->n_nodes + 1, sizeof(*cells->within));
	cells->sums = calloc(names->n_nodes + 1, sizeof(*cells->sums));
	if (!cells->within || !cells->sums)
		return -1;
	for (uint32_t i = 0; i < names->n_nodes; i++) {
		struct tree_metrics self = name_self(names, i);
		struct report_within within = find_within(names, cells->within, i);
		uint32_t at = within.region != NAMES_NONE ? within.region : within.thread;

		cells->within[i] = within;
		if (at != NAMES_NONE)
			tree_metrics_add(&cells->sums[at], &self);
	}
	return 0;
}

void report_cells_release(struct report_cells *cells)
{
	free(cells->within);
	free(cells->sums);
}

int report_cells_has(const struct report_cells *cells, uint32_t node)
{
	struct report_within within = cells->within[node];

	return within.thread != NAMES_NONE && (within.region == node || within.thread == node);
}
