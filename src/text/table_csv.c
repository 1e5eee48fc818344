/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as comma-separated values, RFC 4180; see table_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/csv.h"
#include "src/text/table_internal.h"

static int is_seconds(enum table_kind kind)
{
	return kind == TABLE_SECONDS || kind == TABLE_DURATION || kind == TABLE_CHANGE;
}

void table_csv_heading(char text[CELL_BYTES], const struct table_column *column)
{
	size_t n = strlen(column->key);
	int is_percent = n && column->key[n - 1] == '%';

	snprintf(text, CELL_BYTES, "%.*s%s", (int)(n - is_percent), column->key,
		is_percent                 ? "_share"
		: is_seconds(column->kind) ? "_s"
					   : "");
}

static void put_heading(const struct plan *plan)
{
	char text[CELL_BYTES];

	for (size_t i = 0; i < plan->n_columns; i++) {
		table_csv_heading(text, &plan->table->columns[plan->columns[i]]);
		fprintf(plan->terminal->out, "%s%s", i ? "," : "", text);
	}
	fputs("\r\n", plan->terminal->out);
}

struct csv {
	struct plan *plan;
	struct table_path *path;
	char *clean;
};

static void put_cell(const struct csv *csv, int column, uint32_t depth)
{
	const struct table_cell *cell = &csv->plan->row.cells[column];
	enum table_kind kind = csv->plan->table->columns[column].kind;
	FILE *out = csv->plan->terminal->out;
	char text[CELL_BYTES];

	if (kind == TABLE_DEPTH) {
		fprintf(out, "%u", depth);
	} else if (kind == TABLE_PATH) {
		csv_put(out, table_path_extend(csv->path, csv->plan, depth));
	} else if (table_is_text(kind)) {
		table_clean_name(csv->clean, cell);
		csv_put(out, csv->clean);
	} else {
		fputs(table_cell_csv(text, kind, cell), out);
	}
}

static void put_rows(const struct csv *csv)
{
	struct plan *plan = csv->plan;
	size_t at = TABLE_NO_ROW;

	while ((at = plan_next(plan, at)) != TABLE_NO_ROW) {
		plan_fill(plan, &plan->row, plan->shown[at]);
		for (size_t i = 0; i < plan->n_columns; i++) {
			if (i)
				fputc(',', plan->terminal->out);
			put_cell(csv, plan->columns[i], plan->rows[plan->shown[at]].depth);
		}
		fputs("\r\n", plan->terminal->out);
	}
}

int table_put_csv(struct plan *plan)
{
	struct csv csv = {
		.plan = plan,
		.path = table_path_new(plan->table->n_rows),
		.clean = malloc(NAME_MOST_BYTES),
	};
	int status = csv.path && csv.clean ? 0 : -1;

	if (status == 0) {
		put_heading(plan);
		put_rows(&csv);
	}
	table_path_free(csv.path);
	free(csv.clean);
	return status;
}
