/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which thread a row of a table is about: columns that each table of threads has, in this order, from one of its columns on.
 */
#ifndef OMPPROF_SRC_VIEWS_THREAD_COLUMNS_H
#define OMPPROF_SRC_VIEWS_THREAD_COLUMNS_H

#include "src/report/report.h"
#include "src/text/table.h"

enum {
	THREAD_COLUMN_NAME, /* "rank 1: 3 worker": of people; the others are of programs */
	THREAD_COLUMN_NUMBER,
	THREAD_COLUMN_TID,
	THREAD_COLUMN_PID,
	THREAD_COLUMN_RANK,
	THREAD_COLUMN_TYPE,
	THREAD_N_COLUMNS,
};

/* The columns, for a table's list of struct table_column; the first of them is number `first`. */
#define THREAD_COLUMNS(first)                                                                      \
	[(first) +                                                                                 \
		THREAD_COLUMN_NAME] = { "name", "thread", TABLE_NAME, TABLE_IN_TEXT, 0 },          \
		[(first) + THREAD_COLUMN_NUMBER] = { "thread", "number", TABLE_NUMBER,             \
			TABLE_IN_CSV, 0 },                                                         \
		[(first) + THREAD_COLUMN_TID] = { "tid", "tid", TABLE_NUMBER, TABLE_IN_CSV, 0 },   \
		[(first) + THREAD_COLUMN_PID] = { "pid", "pid", TABLE_NUMBER, TABLE_IN_CSV, 0 },   \
		[(first) +                                                                         \
			THREAD_COLUMN_RANK] = { "rank", "rank", TABLE_NUMBER, TABLE_IN_CSV, 0 },   \
		[(first) + THREAD_COLUMN_TYPE] = { "type", "type", TABLE_WORD, TABLE_IN_CSV, 0 }

/* Fills them, and row->identity, for the thread with this index into profile.threads. */
void thread_columns_set(
	struct table_row *row, int first, const struct report *report, size_t thread);

#endif
