/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the table layer that views call; see table.h. */
#include "src/text/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/table_internal.h"

static int is_key(const char *key, const char *text, size_t n)
{
	return key && strlen(key) == n && memcmp(key, text, n) == 0;
}

int table_find(const struct table_column *columns, const char *key, size_t key_bytes)
{
	for (int i = 0; columns[i].key; i++)
		if (is_key(columns[i].key, key, key_bytes))
			return i;
	for (int i = 0; columns[i].key; i++)
		if (is_key(columns[i].heading, key, key_bytes))
			return i;
	return -1;
}

static int refuse(const struct table_column *columns, const char *key, size_t n, const char *view,
	struct diag *diag)
{
	char keys[768] = "";
	size_t used = 0;

	for (int i = 0; columns[i].key && used < sizeof(keys); i++)
		used += snprintf(
			keys + used, sizeof(keys) - used, "%s%s", i ? ", " : "", columns[i].key);
	diag_set(diag, "no column '%.*s' in '--%s': there are %s", (int)(n < 64 ? n : 64), key,
		view, keys);
	return -1;
}

int table_check(const struct table_column *columns, const struct table_options *options,
	const char *view, struct diag *diag)
{
	const char *at = options->fields;
	const char *sort = options->sort;

	while (at) {
		size_t n = strcspn(at, ",");

		if (table_find(columns, at, n) < 0)
			return refuse(columns, at, n, view, diag);
		at = at[n] ? at + n + 1 : NULL;
	}
	if (sort && table_find(columns, sort, strlen(sort)) < 0)
		return refuse(columns, sort, strlen(sort), view, diag);
	return 0;
}

int table_asked(
	const struct table_column *columns, const struct table_options *options, uint64_t bits)
{
	const char *at = options->fields;
	int column = options->sort ? table_find(columns, options->sort, strlen(options->sort)) : -1;

	while (at && !(column >= 0 && bits >> column & 1)) {
		size_t n = strcspn(at, ",");

		column = table_find(columns, at, n);
		at = at[n] ? at + n + 1 : NULL;
	}
	return column >= 0 && bits >> column & 1 ? column : -1;
}

uint32_t table_limit(const struct table *table, const struct table_options *options)
{
	if (options->limit_permyriad != TABLE_DEFAULT)
		return options->limit_permyriad;
	return options->is_csv ? 0 : table->limit_permyriad;
}

uint32_t table_most(const struct table *table, const struct table_options *options)
{
	if (options->n_rows != TABLE_DEFAULT)
		return options->n_rows;
	return options->is_csv || table->n_most == 0 ? UINT32_MAX : table->n_most;
}

int table_print(
	const struct table *table, const struct table_options *options, struct terminal *terminal)
{
	struct plan *plan = malloc(sizeof(*plan));
	int status;

	if (!plan)
		return -1;
	status = plan_make(plan, table, options, terminal);
	if (status == 0)
		status = options->is_csv ? table_put_csv(plan) : table_put_text(plan);
	plan_release(plan);
	free(plan);
	return status;
}

void table_set(struct table_row *row, int column, uint64_t value)
{
	row->cells[column] = (struct table_cell){ .is_there = 1, .value = value };
}

void table_set_numbers(struct table_row *row, int first, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_set(row, first + (int)i, values[i]);
}

void table_set_part(struct table_row *row, int column, uint64_t value, uint64_t whole)
{
	row->cells[column] = (struct table_cell){ .is_there = 1, .value = value, .whole = whole };
}

void table_set_estimated(
	struct table_row *row, int column, uint64_t part, uint64_t whole, uint64_t marked)
{
	if (!part)
		return;
	table_set_part(row, column, part, whole);
	for (int i = 0; i < TABLE_MOST_COLUMNS; i++)
		row->cells[i].is_estimate |= marked >> i & 1 && (double)part * 100 > (double)whole;
}

void table_set_text(struct table_row *row, int column, const char *text)
{
	table_set_name(row, column, "", text, "");
}

void table_set_name(
	struct table_row *row, int column, const char *before, const char *text, const char *after)
{
	row->cells[column] = (struct table_cell){
		.is_there = 1, .before = before, .text = text, .after = after
	};
}

const char *table_print_text(struct table_row *row, const char *format, ...)
{
	size_t room = sizeof(row->scratch) - row->used;
	char *text = row->scratch + row->used;
	va_list args;
	int n;

	if (room == 0)
		return "";
	va_start(args, format);
	n = vsnprintf(text, room, format, args);
	va_end(args);
	row->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n + 1 : room;
	return n < 0 ? "" : text;
}
