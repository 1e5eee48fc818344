/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions; see diff_table.h. */
#include <math.h>
#include <string.h>

#include "src/compare/diff_table_internal.h"

enum function_column {
	FUNCTION_BEFORE,
	FUNCTION_AFTER,
	FUNCTION_SELF,
	FUNCTION_ERROR,
	FUNCTION_TOTAL,
	FUNCTION_WORK,
	FUNCTION_WAIT,
	FUNCTION_OVERHEAD,
	FUNCTION_NAME,
	FUNCTION_PLACE,
};

const struct table_column diff_function_columns[] = {
	{ "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2, 0, NULL },
	{ "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 3, 0, NULL },
	{ "self", "self", TABLE_CHANGE, TABLE_IN_BOTH, 0, 0, NULL },
	{ "error", "error", TABLE_SECONDS, TABLE_IN_CSV, 0, 0, NULL },
	{ "total", "total", TABLE_CHANGE, TABLE_IN_BOTH, 0, 0, NULL },
	{ "work", "work", TABLE_CHANGE, TABLE_IN_BOTH, 4, 0, NULL },
	{ "wait", "wait", TABLE_CHANGE, TABLE_IN_BOTH, 5, 0, NULL },
	{ "overhead", "ovhd", TABLE_CHANGE, TABLE_IN_CSV, 0, 0, NULL },
	{ "function", "function", TABLE_NAME, TABLE_IN_BOTH, 0, 0, NULL },
	{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 1, 0, NULL },
	{ .key = NULL },
};

enum event_column {
	EVENT_BEFORE,
	EVENT_AFTER,
	EVENT_TOTAL_BEFORE,
	EVENT_TOTAL_AFTER,
	EVENT_NAME,
	EVENT_PLACE
};

const struct table_column diff_event_columns[] = {
	{ "before", "before", TABLE_COUNT, TABLE_IN_BOTH, 0, 0, NULL },
	{ "after", "after", TABLE_COUNT, TABLE_IN_BOTH, 0, 0, NULL },
	{ "total_before", "total", TABLE_COUNT, TABLE_IN_BOTH, 2, 0, NULL },
	{ "total_after", "after", TABLE_COUNT, TABLE_IN_BOTH, 3, 0, NULL },
	{ "function", "function", TABLE_NAME, TABLE_IN_BOTH, 0, 0, NULL },
	{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 1, 0, NULL },
	{ .key = NULL },
};

static const struct diff_amounts *amounts(const struct diff_place *place)
{
	static const struct diff_amounts none;

	return place ? &place->amounts : &none;
}

double diff_self_change(const struct diff_source *source, const struct diff_pair *pair)
{
	return (double)amounts(pair->after)->self -
	       (double)amounts(pair->before)->self * source->scale;
}

/* Of what so many samples say: their number's root. */
static double error_of(const struct diff_source *source, uint64_t before, uint64_t after)
{
	const struct diff *diff = source->diff;

	return sqrt((double)after * diff->after->period_ns +
		    (double)before * diff->before->period_ns * source->scale * source->scale);
}

static double self_error(const struct diff_source *source, const struct diff_pair *pair)
{
	return error_of(source, amounts(pair->before)->self, amounts(pair->after)->self);
}

/* Whether a function's own time or that of what it calls changed by more than twice its error. */
static int is_change(const struct diff_source *source, const struct diff_pair *pair)
{
	uint64_t before = amounts(pair->before)->total, after = amounts(pair->after)->total;
	double total = (double)after - (double)before * source->scale;

	return fabs(diff_self_change(source, pair)) > 2 * self_error(source, pair) ||
	       fabs(total) > 2 * error_of(source, before, after);
}

static void fill_amounts(const struct diff_source *source, struct table_row *row,
	const struct diff_amounts *before, const struct diff_amounts *after)
{
	double scale = source->scale;

	if (source->diff->after->is_event) {
		table_set(row, EVENT_BEFORE, before->self);
		table_set(row, EVENT_AFTER, after->self);
		table_set(row, EVENT_TOTAL_BEFORE, before->total);
		table_set(row, EVENT_TOTAL_AFTER, after->total);
		return;
	}
	table_set(row, FUNCTION_BEFORE, diff_round((double)before->self * scale));
	table_set(row, FUNCTION_AFTER, after->self);
	diff_set_change(row, FUNCTION_SELF, (double)after->self - (double)before->self * scale);
	diff_set_change(row, FUNCTION_TOTAL, (double)after->total - (double)before->total * scale);
	diff_set_change(row, FUNCTION_WORK, (double)after->work - (double)before->work * scale);
	diff_set_change(row, FUNCTION_WAIT, (double)after->wait - (double)before->wait * scale);
	diff_set_change(
		row, FUNCTION_OVERHEAD, (double)after->overhead - (double)before->overhead * scale);
}

void diff_fill_function(const void *data, size_t index, struct table_row *row)
{
	const struct diff_source *source = data;
	int is_event = source->diff->after->is_event;
	const struct diff_pair *pair = index < source->n_pairs ? source->pairs[index] : NULL;
	const struct diff_place *place;

	if (!pair) {
		fill_amounts(
			source, row, &source->diff->before->amounts, &source->diff->after->amounts);
		table_set_text(row, is_event ? EVENT_NAME : FUNCTION_NAME, "total");
		return;
	}
	place = diff_place(pair);
	row->is_empty = !source->shows_all && !is_change(source, pair);
	row->weight = diff_round(fabs(diff_self_change(source, pair)));
	fill_amounts(source, row, amounts(pair->before), amounts(pair->after));
	if (!is_event)
		table_set(row, FUNCTION_ERROR, diff_round(self_error(source, pair)));
	table_set_name(row, is_event ? EVENT_NAME : FUNCTION_NAME, "", place->what,
		!pair->before  ? " (new)"
		: !pair->after ? " (gone)"
			       : "");
	table_set_text(row, is_event ? EVENT_PLACE : FUNCTION_PLACE,
		strcmp(place->where, place->what) == 0 ? "" : place->where);
}
