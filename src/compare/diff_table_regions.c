/* SPDX-License-Identifier: Apache-2.0 */
/* The table of regions; see diff_table.h. */
#include <math.h>
#include <string.h>

#include "src/compare/diff_table_internal.h"

enum region_column {
	REGION_BEFORE,
	REGION_AFTER,
	REGION_CHANGE,
	REGION_ERROR,
	REGION_RUNS,
	REGION_CAUSES,
	REGION_NAME = REGION_CAUSES + METRICS_N_CAUSES,
	REGION_PLACE,
};

const struct table_column diff_region_columns[] = {
	{ "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2, 0, NULL },
	{ "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 1, 0, NULL },
	{ "change", "change", TABLE_CHANGE, TABLE_IN_BOTH, 0, 0, NULL },
	{ "error", "error", TABLE_SECONDS, TABLE_IN_CSV, 0, 0, NULL },
	{ "runs", "runs", TABLE_COUNT, TABLE_IN_CSV, 0, 0, NULL },
	{ "useful", "useful", TABLE_CHANGE, TABLE_IN_BOTH, 0, 0, NULL },
	{ "serial", "serial", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 0, 0, NULL },
	{ "imbalance", "imbal", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 0, 0, NULL },
	{ "lock", "lock", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 0, 0, NULL },
	{ "task", "task", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 0, 0, NULL },
	{ "overhead", "ovhd", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 0, 0, NULL },
	{ "short_team", "short", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 4, 0, NULL },
	{ "not_running", "no cpu", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 5, 0, NULL },
	{ "blocked", "asleep", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 6, 0, NULL },
	{ "mpi", "mpi", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 7, 0, NULL },
	{ "device", "device", TABLE_CHANGE, TABLE_IN_BOTH | TABLE_IF_ANY, 8, 0, NULL },
	{ "region", "region", TABLE_NAME, TABLE_IN_BOTH, 0, 0, NULL },
	{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 3, 0, NULL },
	{ .key = NULL },
};

static void fill_region_total(const struct diff_source *source, struct table_row *row)
{
	const struct diff *diff = source->diff;

	table_set(row, REGION_BEFORE, diff_round((double)diff->wall.before_ns * diff->scale));
	table_set(row, REGION_AFTER, diff->wall.after_ns);
	diff_set_change(row, REGION_CHANGE, diff->wall.change_ns);
	for (int i = 0; i < METRICS_N_CAUSES; i++)
		diff_set_change(row, REGION_CAUSES + i, diff->cause[i].change_ns);
	table_set_text(row, REGION_NAME, "total");
}

void diff_fill_region(const void *data, size_t index, struct table_row *row)
{
	const struct diff_source *source = data;
	const struct diff *diff = source->diff;
	const struct diff_pair *pair = index < source->n_pairs ? source->pairs[index] : NULL;
	struct diff_value sum;

	if (!pair) {
		fill_region_total(source, row);
		return;
	}
	sum = diff_pair_sum(diff, pair);
	row->is_empty = !source->shows_all && fabs(sum.change_ns) <= 2 * sum.error_ns;
	row->weight = diff_round(fabs(sum.change_ns));
	table_set(row, REGION_BEFORE, diff_round((double)sum.before_ns * diff->scale));
	table_set(row, REGION_AFTER, sum.after_ns);
	diff_set_change(row, REGION_CHANGE, sum.change_ns);
	table_set(row, REGION_ERROR, diff_round(sum.error_ns));
	if (pair->after && pair->after->n)
		table_set(row, REGION_RUNS, pair->after->n);
	for (int i = 0; i < METRICS_N_CAUSES; i++)
		diff_set_change(row, REGION_CAUSES + i, diff_pair_value(diff, pair, i).change_ns);
	table_set_name(row, REGION_NAME, "",
		diff_place(pair)->kind == DIFF_OUTSIDE ? diff_place(pair)->what
						       : diff_place(pair)->where,
		!pair->before  ? " (new)"
		: !pair->after ? " (gone)"
			       : "");
	table_set_text(row, REGION_PLACE,
		diff_is_unnamed(diff_place(pair)) ? "" : diff_place(pair)->function);
}
