/* SPDX-License-Identifier: Apache-2.0 */
/* The table of changes, one by one; see diff_table.h. */
#include <math.h>
#include <string.h>

#include "src/compare/diff_data.h"
#include "src/compare/diff_table_internal.h"
#include "src/compare/diff_text.h"

enum { TEXT_BYTES = 2 * ADVICE_NAME_BYTES + 16 };

enum change_column {
	CHANGE_IS,
	CHANGE_CHANGE,
	CHANGE_ERROR,
	CHANGE_CAUSE,
	CHANGE_BEFORE,
	CHANGE_IDEAL,
	CHANGE_AFTER,
	CHANGE_KIND,
	CHANGE_PLACE,
	CHANGE_FUNCTION,
	CHANGE_CONSTRUCT,
	CHANGE_FILE,
	CHANGE_LINE,
	CHANGE_LINE_BEFORE,
};

const struct table_column diff_change_columns[] = {
	{ "is", "", TABLE_WORD, TABLE_IN_BOTH, 0, 0, NULL },
	{ "change", "change s", TABLE_CHANGE, TABLE_IN_BOTH, 0, 0, NULL },
	{ "error", "error s", TABLE_SECONDS, TABLE_IN_CSV, 0, 0, NULL },
	{ "cause", "cause", TABLE_WORD, TABLE_IN_BOTH, 0, 0, NULL },
	{ "before", "before", TABLE_SECONDS, TABLE_IN_BOTH, 2, 0, NULL },
	{ "ideal", "ideal", TABLE_SECONDS, TABLE_IN_BOTH, 0, 0, NULL },
	{ "after", "after", TABLE_SECONDS, TABLE_IN_BOTH, 1, 0, NULL },
	{ "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0, 0, NULL },
	{ "place", "place", TABLE_NAME, TABLE_IN_BOTH, 0, 0, NULL },
	{ "function", "function", TABLE_NAME, TABLE_IN_CSV, 0, 0, NULL },
	{ "construct", "construct", TABLE_NAME, TABLE_IN_CSV, 0, 0, NULL },
	{ "file", "file", TABLE_NAME, TABLE_IN_CSV, 0, 0, NULL },
	{ "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0, 0, NULL },
	{ "line_before", "line before", TABLE_NUMBER, TABLE_IN_CSV, 0, 0, NULL },
	{ .key = NULL },
};

void diff_fill_change(const void *data, size_t index, struct table_row *row)
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

uint64_t diff_hidden_columns(const struct diff *diff)
{
	return diff->mode == DIFF_CHANGE ? 1ull << CHANGE_IDEAL : 0;
}
