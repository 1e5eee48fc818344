/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a comparison, as text and as CSV: the changes one by one, functions, regions. Used by
 * cmd_diff.c and scale_text.c.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_TABLE_H
#define OMPPROF_SRC_COMPARE_DIFF_TABLE_H

#include "src/compare/diff.h"
#include "src/text/table.h"

enum diff_table { DIFF_TABLE_CHANGES, DIFF_TABLE_FUNCTIONS, DIFF_TABLE_REGIONS };

/* Checks that the table has the requested columns, as table_check. */
int diff_table_check(enum diff_table which, const struct table_options *options, struct diag *diag);

/*
 * Prints the table. With shows_all it also shows changes below twice their error. Returns 0, or -1
 * when out of memory.
 */
int diff_table_print(const struct diff *diff, enum diff_table which, int shows_all,
	const struct table_options *options, struct terminal *terminal);

/* Puts a number of either sign into a cell. */
void diff_set_change(struct table_row *row, int column, double ns);

#endif
