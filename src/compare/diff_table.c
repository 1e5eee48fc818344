/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of a comparison; see diff_table.h. */
#include "src/compare/diff_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_data.h"
#include "src/compare/diff_text.h"

struct diff_source {
	const struct diff *diff;
	int shows_all;
};

void diff_set_change(struct table_row *row, int column, double ns)
{
	table_set(row, column, (uint64_t)(int64_t)llround(fmax(-9e18, fmin(ns, 9e18))));
}

/* one row for each change */

enum { TEXT_BYTES = 2 * ADVICE_NAME_BYTES + 16 };

#define CHANGE_COLUMNS(X)                                                                          \
	X(CHANGE_IS, "is", "", TABLE_WORD, TABLE_IN_BOTH, 0)                                       \
	X(CHANGE_CHANGE, "change", "change s", TABLE_CHANGE, TABLE_IN_BOTH, 0)                     \
	X(CHANGE_ERROR, "error", "error s", TABLE_SECONDS, TABLE_IN_CSV, 0)                        \
	X(CHANGE_CAUSE, "cause", "cause", TABLE_WORD, TABLE_IN_BOTH, 0)                            \
	X(CHANGE_BEFORE, "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2)                      \
	X(CHANGE_IDEAL, "ideal", "ideal", TABLE_SECONDS, TABLE_IN_BOTH, 0)                         \
	X(CHANGE_AFTER, "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 1)                         \
	X(CHANGE_KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                                \
	X(CHANGE_PLACE, "place", "place", TABLE_NAME, TABLE_IN_BOTH, 0)                            \
	X(CHANGE_FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                    \
	X(CHANGE_CONSTRUCT, "construct", "construct", TABLE_NAME, TABLE_IN_CSV, 0)                 \
	X(CHANGE_FILE, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                \
	X(CHANGE_LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                              \
	X(CHANGE_LINE_BEFORE, "line_before", "line before", TABLE_NUMBER, TABLE_IN_CSV, 0)

enum change_column { CHANGE_COLUMNS(TABLE_ENUM) };
static const struct table_column change_columns[] = { CHANGE_COLUMNS(TABLE_COLUMN){ .key = NULL } };

static void fill_change(const void *data, size_t index, struct table_row *row)
{
	const struct diff_source *source = data;
	const struct diff_row *change = &source->diff->rows[index];
	const struct diff_value *value = &change->value;
	const struct diff_place *place = diff_place(change->pair);
	char text[TEXT_BYTES];

	if (change->is_hidden && !source->shows_all) {
		row->is_empty = 1;
		return;
	}
	row->weight = diff_round(fabs(value->change_ns));
	table_set_text(row, CHANGE_IS, diff_row_word(change));
	diff_set_change(row, CHANGE_CHANGE, value->change_ns);
	table_set(row, CHANGE_ERROR, diff_round(value->error_ns));
	table_set_text(row, CHANGE_CAUSE, report_cause_word(change->cause));
	if (change->pair->before) {
		table_set(row, CHANGE_BEFORE, value->before_ns);
		table_set(row, CHANGE_IDEAL,
			diff_round((double)value->before_ns * source->diff->scale));
		if (change->pair->before->line)
			table_set(row, CHANGE_LINE_BEFORE, change->pair->before->line);
	}
	if (change->pair->after)
		table_set(row, CHANGE_AFTER, value->after_ns);
	if (change->pair->after && change->pair->after->line)
		table_set(row, CHANGE_LINE, change->pair->after->line);
	diff_place_text(text, sizeof(text), place);
	table_set_text(row, CHANGE_KIND, diff_kind_word(place->kind));
	table_set_text(row, CHANGE_PLACE, table_print_text(row, "%s", text));
	table_set_text(row, CHANGE_FUNCTION, place->function);
	table_set_text(row, CHANGE_CONSTRUCT, place->construct);
	table_set_text(row, CHANGE_FILE, place->file);
}

/* --- functions --- */

#define FUNCTION_COLUMNS(X)                                                                        \
	X(FUNCTION_BEFORE, "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2)                    \
	X(FUNCTION_AFTER, "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 3)                       \
	X(FUNCTION_SELF, "self", "self", TABLE_CHANGE, TABLE_IN_BOTH, 0)                           \
	X(FUNCTION_ERROR, "error", "error", TABLE_SECONDS, TABLE_IN_CSV, 0)                        \
	X(FUNCTION_TOTAL, "total", "total", TABLE_CHANGE, TABLE_IN_BOTH, 0)                        \
	X(FUNCTION_WORK, "work", "work", TABLE_CHANGE, TABLE_IN_BOTH, 4)                           \
	X(FUNCTION_WAIT, "wait", "wait", TABLE_CHANGE, TABLE_IN_BOTH, 5)                           \
	X(FUNCTION_OVERHEAD, "overhead", "ovhd", TABLE_CHANGE, TABLE_IN_CSV, 0)                    \
	X(FUNCTION_NAME, "function", "function", TABLE_NAME, TABLE_IN_BOTH, 0)                     \
	X(FUNCTION_PLACE, "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 1)

enum function_column { FUNCTION_COLUMNS(TABLE_ENUM) };
static const struct table_column function_columns[] = { FUNCTION_COLUMNS(TABLE_COLUMN){
	.key = NULL } };

#define EVENT_COLUMNS(X)                                                                           \
	X(EVENT_BEFORE, "before", "before", TABLE_COUNT, TABLE_IN_BOTH, 0)                         \
	X(EVENT_AFTER, "after", "after", TABLE_COUNT, TABLE_IN_BOTH, 0)                            \
	X(EVENT_TOTAL_BEFORE, "total_before", "total", TABLE_COUNT, TABLE_IN_BOTH, 2)              \
	X(EVENT_TOTAL_AFTER, "total_after", "after", TABLE_COUNT, TABLE_IN_BOTH, 3)                \
	X(EVENT_NAME, "function", "function", TABLE_NAME, TABLE_IN_BOTH, 0)                        \
	X(EVENT_PLACE, "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 1)

enum event_column { EVENT_COLUMNS(TABLE_ENUM) };
static const struct table_column event_columns[] = { EVENT_COLUMNS(TABLE_COLUMN){ .key = NULL } };

/* Whether a function's own time, or its time with callees, changed by more than twice its error. */
static int is_change(const struct diff_value *self, const struct diff_value *total)
{
	return diff_is_beyond_error(self) || diff_is_beyond_error(total);
}

static void fill_amounts(const struct diff_source *source, struct table_row *row,
	const struct diff_amounts *before, const struct diff_amounts *after)
{
	double scale = diff_thread_scale(source->diff);

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

static void fill_function(const void *data, size_t index, struct table_row *row)
{
	const struct diff_source *source = data;
	const struct diff *diff = source->diff;
	int is_event = diff->after->is_event;
	const struct diff_pair *pair = index < diff->n_functions ? diff->functions[index] : NULL;
	const struct diff_place *place;
	struct diff_value self, total;

	if (!pair) {
		fill_amounts(source, row, &diff->before->amounts, &diff->after->amounts);
		table_set_text(row, is_event ? EVENT_NAME : FUNCTION_NAME, "total");
		return;
	}
	place = diff_place(pair);
	self = diff_pair_self(diff, pair);
	total = diff_pair_total(diff, pair);
	row->is_empty = !source->shows_all && !is_change(&self, &total);
	row->weight = diff_round(fabs(self.change_ns));
	fill_amounts(source, row, diff_amounts(pair->before), diff_amounts(pair->after));
	if (!is_event)
		table_set(row, FUNCTION_ERROR, diff_round(self.error_ns));
	table_set_name(row, is_event ? EVENT_NAME : FUNCTION_NAME, "", place->what,
		!pair->before  ? " (new)"
		: !pair->after ? " (gone)"
			       : "");
	table_set_text(row, is_event ? EVENT_PLACE : FUNCTION_PLACE,
		strcmp(place->where, place->what) == 0 ? "" : place->where);
}

/* --- regions --- */

/* The columns of causes are in the order of enum metrics_cause. */
enum region_column {
	REGION_BEFORE,
	REGION_AFTER,
	REGION_CHANGE,
	REGION_ERROR,
	REGION_RUNS,
	REGION_CAUSES,
	REGION_NAME = REGION_CAUSES + METRICS_N_CAUSES,
	REGION_PLACE
};

static const struct table_column region_columns[] = {
	[REGION_BEFORE] = { "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2 },
	[REGION_AFTER] = { "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 1 },
	[REGION_CHANGE] = { "change", "change", TABLE_CHANGE, TABLE_IN_BOTH, 0 },
	[REGION_ERROR] = { "error", "error", TABLE_SECONDS, TABLE_IN_CSV, 0 },
	[REGION_RUNS] = { "runs", "runs", TABLE_COUNT, TABLE_IN_CSV, 0 },
/* On narrow screens SHORT_TEAM is left out fourth, and then the causes after it. */
#define CAUSE(NAME, word, label, advice, heading, ...)                                             \
	[REGION_CAUSES + METRICS_##NAME] = { word, heading, TABLE_CHANGE,                          \
		METRICS_##NAME == METRICS_USEFUL ? TABLE_IN_BOTH : TABLE_IN_BOTH | TABLE_IF_ANY,   \
		METRICS_##NAME < METRICS_SHORT_TEAM ? 0                                            \
						    : METRICS_##NAME - METRICS_SHORT_TEAM + 4 },
#include "attribution/metrics/causes.def"
	[REGION_NAME] = { "region", "region", TABLE_NAME, TABLE_IN_BOTH, 0 },
	[REGION_PLACE] = { "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 3 },
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

static void fill_region(const void *data, size_t index, struct table_row *row)
{
	const struct diff_source *source = data;
	const struct diff *diff = source->diff;
	const struct diff_pair *pair = index < diff->n_regions ? diff->regions[index] : NULL;
	struct diff_value sum;

	if (!pair) {
		fill_region_total(source, row);
		return;
	}
	sum = diff_pair_sum(diff, pair);
	row->is_empty = !source->shows_all && !diff_is_beyond_error(&sum);
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

/*
 * --- all tables ---
 */

static const struct table_column *columns_of(enum diff_table which, int is_event)
{
	if (which == DIFF_TABLE_FUNCTIONS)
		return is_event ? event_columns : function_columns;
	return which == DIFF_TABLE_REGIONS ? region_columns : change_columns;
}

int diff_table_check(enum diff_table which, const struct table_options *options, struct diag *diag)
{
	static const char *const options_of[] = { "diff", "by function", "by region" };

	return table_check(columns_of(which, 0), options, options_of[which], diag);
}

static const char *title_of(const struct diff *diff, enum diff_table which)
{
	int is_change = diff->mode == DIFF_CHANGE;

	if (which == DIFF_TABLE_FUNCTIONS)
		return diff->after->is_event ? "function (events)"
		       : is_change           ? "function (thread-s)"
					     : "function (thread-s, before: ideal)";
	if (which == DIFF_TABLE_REGIONS)
		return is_change ? "region (wall s)" : "region (wall s, before: ideal)";
	return "place (wall s)";
}

int diff_table_print(const struct diff *diff, enum diff_table which, int shows_all,
	const struct table_options *options, struct terminal *terminal)
{
	static table_fill *const fills[] = { fill_change, fill_function, fill_region };
	static const char *const whats[] = { "change", "function", "region" };
	const size_t n_rows[] = { diff->n_rows, diff->n_functions, diff->n_regions };
	struct diff_source source = { .diff = diff, .shows_all = shows_all };
	struct table table = {
		.columns = columns_of(which, diff->after->is_event),
		.title = title_of(diff, which),
		.what = whats[which],
		.whole = diff->wall.after_ns,
		.n_rows = n_rows[which],
		.fill = fills[which],
		.data = &source,
		.has_total = which != DIFF_TABLE_CHANGES,
	};

	if (which == DIFF_TABLE_CHANGES && diff->mode == DIFF_CHANGE)
		table.hidden = 1ull << CHANGE_IDEAL;
	return table_print(&table, options, terminal);
}
