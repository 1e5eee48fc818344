/* SPDX-License-Identifier: Apache-2.0 */
/* Writes rows of tables as JSON; see table.h. */
#include <string.h>

#include "src/text/table_internal.h"

enum { MORE = -1, MOST_MEMBERS = 64 };

/* Finds the column of each member, or MORE for '*'. Returns the number of members. */
static size_t find_members(int columns[MOST_MEMBERS], const struct table *table)
{
	const char *at = table->members;
	size_t n = 0;

	while (*at && n < MOST_MEMBERS) {
		size_t bytes = strcspn(at, " ");

		columns[n++] = *at == '*' ? MORE : table_find(table->columns, at, bytes);
		at += bytes + strspn(at + bytes, " ");
	}
	return n;
}

void table_json_key(char key[TABLE_KEY_BYTES], const struct table_column *column)
{
	table_csv_heading(key, column);
	if (column->json)
		snprintf(key, TABLE_KEY_BYTES, "%s", column->json);
}

static void put_cell(
	struct json *json, const struct table_column *column, const struct table_cell *cell)
{
	struct table_cell number = { .is_there = 1, .value = cell->value, .whole = cell->whole };
	char key[TABLE_KEY_BYTES], text[CELL_BYTES];

	table_json_key(key, column);
	if (!cell->is_there && column->flags & TABLE_ABSENT)
		return;
	if (!cell->is_there && column->flags & TABLE_NULL) {
		json_null(json, key);
	} else if (table_is_text(column->kind)) {
		json_string(json, key, cell->json ? cell->json : cell->text ? cell->text : "");
	} else {
		json_raw(json, key);
		fputs(table_cell_csv(text, column->kind, &number), json->out);
	}
}

void table_put_json(const struct table *table, struct json *json, const char *key)
{
	int columns[MOST_MEMBERS];
	size_t n = find_members(columns, table);
	struct table_row row;

	json_array(json, key);
	for (size_t i = 0; i < table->n_rows; i++) {
		int nth = 0;

		table_fill_row(table, &row, i);
		if (row.is_empty)
			continue;
		json_row(json);
		for (size_t k = 0; k < n; k++) {
			if (columns[k] == MORE)
				table->put_more(json, table->data, i, nth++);
			else if (!(table->hidden >> columns[k] & 1))
				put_cell(json, &table->columns[columns[k]], &row.cells[columns[k]]);
		}
		json_end_object(json);
	}
	json_end_array(json);
}
