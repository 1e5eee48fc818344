/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a picture (top.h). A row is identified by its identity, its name and its place. Used
 * by the files that make and compare pictures.
 */
#ifndef OMPPROF_SRC_TOP_TOP_ROWS_H
#define OMPPROF_SRC_TOP_TOP_ROWS_H

#include "src/top/top.h"

/* Adds a row with copies of these texts, all sums 0. NULL when out of memory. */
struct top_row *top_rows_add(struct top_rows *rows, const char *name, const char *place);

void top_row_release(struct top_row *row);

/* For qsort(): compares by identity, name and place. 0: the rows are the same. */
int top_row_compare(const void *left, const void *right);

/* Sorts the rows and adds rows that are the same up to one. */
void top_rows_fold(struct top_rows *rows);

/* Finds the same row in `rows`, which top_rows_fold() has sorted, or returns NULL. */
const struct top_row *top_rows_find(const struct top_rows *rows, const struct top_row *row);

void top_rows_release(struct top_rows *rows);

#endif
