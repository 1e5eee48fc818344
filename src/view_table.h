/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of figures that are not a tree node's: cells of text, then a name and a place. Columns in
 * which nothing was counted are left out. Used by the views by region, wait, thread, lock and task.
 */
#ifndef OMPPROF_VIEW_TABLE_H
#define OMPPROF_VIEW_TABLE_H

#include "src/report_text.h"
#include "src/view.h"

enum { TABLE_COLUMNS = 12, TABLE_NAME_BYTES = 1024 };

struct table {
	struct terminal *terminal;
	struct {
		const char *heading;
		int width; /* 0: the end of the columns */
		int is_hidden;
	} columns[TABLE_COLUMNS];
};

struct table_row {
	char cells[TABLE_COLUMNS][TEXT_NUMBER_BYTES];
	const char *prefix;          /* or NULL */
	char name[TABLE_NAME_BYTES]; /* as it comes from the profile */
	char place[TABLE_NAME_BYTES];
};

/* What the columns take, hidden ones not counted. */
size_t table_width(const struct table *table);

void table_heading(const struct table *table, const char *title);
void table_put(const struct table *table, const struct table_row *row);

/* Text of cells: seconds in five columns, a length of time in six ("13.2ms"), a share in percent. */
void table_seconds(char cell[TEXT_NUMBER_BYTES], uint64_t ns);
void table_duration(char cell[TEXT_NUMBER_BYTES], uint64_t ns);

/* What a view cuts if nothing is asked for: the share of the whole in 1/10000 and the rows. */
struct table_limits {
	uint32_t permyriad;
	uint32_t n_rows;
	int has_others; /* the number of rows is limited */
};
struct table_limits table_limits(const struct view_options *options, uint32_t permyriad);

/* Whether row `n_shown` of this part of the whole is to be shown. */
int table_shows(const struct table_limits *limits, size_t n_shown, uint64_t part, uint64_t whole);

/* What is to be said below each such table: what was cut, and what to doubt. */
void table_end(const struct table *table, const struct report *report, const char *what,
	size_t n_cut, const struct table_limits *limits);

#endif
