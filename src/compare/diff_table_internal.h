/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of diff_table.h share: each is its columns and what fills a row. */
#ifndef OMPPROF_SRC_COMPARE_DIFF_TABLE_INTERNAL_H
#define OMPPROF_SRC_COMPARE_DIFF_TABLE_INTERNAL_H

#include "src/compare/diff_table.h"

/* What a table is filled from. */
struct diff_source {
	const struct diff *diff;
	struct diff_pair **pairs; /* of the tables by function and region, largest change first */
	size_t n_pairs;
	int shows_all;
	double scale; /* of thread time before */
};

extern const struct table_column diff_change_columns[];
extern const struct table_column diff_function_columns[];
extern const struct table_column diff_event_columns[];
extern const struct table_column diff_region_columns[];
extern table_fill diff_fill_change, diff_fill_function, diff_fill_region;

/* The columns of the table of changes that this comparison has nothing for, by bit. */
uint64_t diff_hidden_columns(const struct diff *diff);

/* The change of a function's own thread time, or events. */
double diff_self_change(const struct diff_source *source, const struct diff_pair *pair);

/* Puts a number of either sign into a cell. */
void diff_set_change(struct table_row *row, int column, double ns);

#endif
