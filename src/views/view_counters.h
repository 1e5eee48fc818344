/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of what counters counted (`ompprof run --counters`). A column is there if the run counted
 * what it needs.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_COUNTERS_H
#define OMPPROF_SRC_VIEWS_VIEW_COUNTERS_H

#include "src/report/report.h"
#include "src/text/table.h"

/* The columns of a table; P begins the names of their numbers. `in` is TABLE_IN_CSV or the like. */
#define COUNTER_COLUMNS(X, P, in)                                                                  \
	X(P##IPC, "ipc", "IPC", TABLE_RATIO, (in) | TABLE_IF_ANY, 0)                               \
	X(P##GHZ, "ghz", "GHz", TABLE_RATIO, (in) | TABLE_IF_ANY, 0)                               \
	X(P##MISSES, "misses_per_1000", "miss/k", TABLE_RATIO, (in) | TABLE_IF_ANY, 0)             \
	X(P##STALLED, "stalled%", "stall%", TABLE_SHARE, (in) | TABLE_IF_ANY, 0)                   \
	X(P##FAULTS, "faults", "faults", TABLE_COUNT, (in) | TABLE_IF_ANY, 0)                      \
	X(P##SWITCHES, "switches", "switches", TABLE_COUNT, (in) | TABLE_IF_ANY, 0)                \
	X(P##MOVES, "migrations", "moves", TABLE_COUNT, (in) | TABLE_IF_ANY, 0)

/* Whether the report can show what counters counted. */
int view_has_counters(const struct report *report);

/* Bits of the columns that the run did not count, where the first column has this number. */
uint64_t view_counters_hidden(const struct report *report, int first);

/*
 * Sets the columns: ratios of `work`, and the numbers of faults, switches and migrations of `all`,
 * which may be the same.
 */
void view_set_counters(struct table_row *row, int first, const struct report *report,
	const struct metrics_counts *work, const struct metrics_counts *all);

/* Adds the keys of the columns that the run counted to a list of fields, each after a comma. */
void view_counters_fields(char *fields, size_t bytes, const struct report *report);

/* Writes an object of the counters by their names, unless all are 0. */
void view_put_counters(struct json *json, const struct report *report, const uint64_t *counters);

/* Writes the figures of the whole run: "IPC 1.21, 3.10 GHz, ..."; "" if nothing is known. */
void view_describe_counters(char *text, size_t bytes, const struct report *report);

#endif
