/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of text cells; see view_table.h. */
#include "src/view_table.h"

#include <stdio.h>
#include <string.h>

#include "src/view_rows.h"

/* A place that is cut to less says nothing. */
enum { PLACE_LEAST = 6 };

size_t table_width(const struct table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < TABLE_COLUMNS && table->columns[i].width; i++)
		width += table->columns[i].is_hidden ? 0 : table->columns[i].width + 1;
	return width;
}

void table_heading(const struct table *table, const char *title)
{
	struct terminal *terminal = table->terminal;
	char text[TABLE_NAME_BYTES];

	snprintf(text, sizeof(text), "%s", title);
	text_cut(text, terminal->width - table_width(table) - 1);
	fputs(terminal_style(terminal, STYLE_HEADING), terminal->out);
	for (size_t i = 0; i < TABLE_COLUMNS && table->columns[i].width; i++)
		if (!table->columns[i].is_hidden)
			fprintf(terminal->out, "%*s ", table->columns[i].width,
				table->columns[i].heading);
	fprintf(terminal->out, " %s%s\n", text, terminal_style(terminal, STYLE_NONE));
}

void table_put(const struct table *table, const struct table_row *row)
{
	char name[ROWS_NAME_BYTES], place[ROWS_NAME_BYTES];
	size_t width = table->terminal->width, used, left;

	for (size_t i = 0; i < TABLE_COLUMNS && table->columns[i].width; i++)
		if (!table->columns[i].is_hidden)
			fprintf(table->terminal->out, "%*s ", table->columns[i].width,
				row->cells[i]);
	text_clean(name, sizeof(name), row->name);
	text_clean(place, sizeof(place), row->place);
	used = table_width(table) + 2 + (row->prefix ? strlen(row->prefix) : 0) + text_width(name);
	left = width > used ? width - used : 0;
	if (left >= PLACE_LEAST)
		text_shorten(place, left);
	rows_finish(table->terminal, table_width(table), row->prefix, name, place);
}

void table_seconds(char cell[TEXT_NUMBER_BYTES], uint64_t ns)
{
	if (ns > 0 && ns < 500000)
		strcpy(cell, "0.000");
	else
		text_seconds(cell, ns);
}

void table_duration(char cell[TEXT_NUMBER_BYTES], uint64_t ns)
{
	char *space;

	text_duration(cell, ns);
	space = strchr(cell, ' ');
	if (space)
		memmove(space, space + 1, strlen(space));
}

struct table_limits table_limits(const struct view_options *options, uint32_t permyriad)
{
	return (struct table_limits){
		.permyriad = options->limit_permyriad == VIEW_DEFAULT ? permyriad
								      : options->limit_permyriad,
		.n_rows = options->n_rows,
		.has_others = options->n_rows != VIEW_DEFAULT,
	};
}

int table_shows(const struct table_limits *limits, size_t n_shown, uint64_t part, uint64_t whole)
{
	return n_shown < limits->n_rows &&
	       (double)part * 10000.0 >= (double)whole * limits->permyriad;
}

void table_end(const struct table *table, const struct report *report, const char *what,
	size_t n_cut, const struct table_limits *limits)
{
	rows_cut(table->terminal, what, n_cut, limits->permyriad, limits->has_others);
	rows_unmeasured(table->terminal, report);
	rows_incomplete(table->terminal, report);
}
