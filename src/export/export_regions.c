/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the regions of nodes; see export.h. */
#include "src/export/export.h"

#include <stdlib.h>
#include <string.h>

static int by_label(const void *a, const void *b)
{
	const struct name_label *one = (*(const struct findings_region *const *)a)->label;
	const struct name_label *other = (*(const struct findings_region *const *)b)->label;
	int order = strcmp(one->name, other->name);

	if (order == 0)
		order = strcmp(one->function, other->function);
	if (order == 0)
		order = strcmp(one->file, other->file);
	return order ? order : (one->line > other->line) - (one->line < other->line);
}

/* The figures may be of another named tree, so regions are found by text. */
uint32_t *export_regions(const struct export *export)
{
	const struct report *report = export->report;
	const struct findings_region *all = report->figures.regions, **sorted;
	uint32_t *rows = malloc((export->n_nodes + 1) * sizeof(*rows));
	size_t n = report->figures.n_regions;

	sorted = malloc((n + 1) * sizeof(struct findings_region *));
	for (size_t i = 0; rows && i < export->n_nodes; i++)
		rows[i] = EXPORT_NONE;
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = &all[i];
	if (sorted && n)
		qsort(sorted, n, sizeof(struct findings_region *), by_label);
	for (size_t i = 0; sorted && n && rows && i < report->names.n_nodes; i++) {
		const struct findings_region region = { .label = report->names.nodes[i].label };
		const struct findings_region *wanted = &region, **found;

		if (region.label->kind != NAME_REGION)
			continue;
		found = bsearch(&wanted, sorted, n, sizeof(struct findings_region *), by_label);
		if (found && report_shows(report->rows.regions, (size_t)(*found - all)))
			rows[export->place[i]] = (uint32_t)(*found - all);
	}
	if (!sorted) {
		free(rows);
		rows = NULL;
	}
	free(sorted);
	return rows;
}
