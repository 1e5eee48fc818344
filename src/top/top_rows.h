/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a picture (top.h), each known by what it is, its name and its place. Used by the files that make pictures
 * and compare them.
 */
#ifndef OMPPROF_SRC_TOP_TOP_ROWS_H
#define OMPPROF_SRC_TOP_TOP_ROWS_H

#include "src/top/top.h"

/* Adds a row with copies of these words, and no sums. NULL when out of memory; to be released in either case. */
struct top_row *top_rows_add(struct top_rows *rows, const char *name, const char *place);

/* Frees what one row has. */
void top_row_release(struct top_row *row);

/* By identity, name and place: 0 for two that are the same. As qsort has it. */
int top_row_compare(const void *left, const void *right);

/* Puts them in that order, each once, with the sums of those that are the same. */
void top_rows_fold(struct top_rows *rows);

/* The row of folded rows that is the same as `row`, or NULL. */
const struct top_row *top_rows_find(const struct top_rows *rows, const struct top_row *row);

void top_rows_release(struct top_rows *rows);

#endif
