/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a comparison: a row for each change, function or region. Used by cmd_diff.c and
 * scale_text.c.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_TABLE_H
#define OMPPROF_SRC_COMPARE_DIFF_TABLE_H

#include "src/compare/diff.h"
#include "src/text/table.h"

enum diff_table { DIFF_TABLE_CHANGES, DIFF_TABLE_FUNCTIONS, DIFF_TABLE_REGIONS };

/* Checks the options as table_check does. */
int diff_table_check(enum diff_table which, const struct table_options *options, struct diag *diag);

/*
 * Prints the table; shows_all: also changes that are hidden or below twice their error. Returns 0,
 * or -1 when out of memory.
 */
int diff_table_print(const struct diff *diff, enum diff_table which, int shows_all,
	const struct table_options *options, struct terminal *terminal);

/* Sets a cell of kind TABLE_CHANGE. */
void diff_set_change(struct table_row *row, int column, double ns);

#endif
