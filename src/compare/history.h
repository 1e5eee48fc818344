/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `ompprof history`: how a program changed over its labelled runs.
 *
 *   history_add() for each profile -> history_order() -> history_check(), history_drop()
 *     -> history_compare() -> history_text.c, history_json.c
 *
 * Runs with the same label are one point, with their medians (diff_run_join). Points are in order
 * of time. Each is compared with the last, whose places are the rows. Used by cmd_history.c only.
 */
#ifndef OMPPROF_SRC_COMPARE_HISTORY_H
#define OMPPROF_SRC_COMPARE_HISTORY_H

#include "src/compare/diff_union.h"
#include "src/text/table.h"

/* Whether a change is larger than its error. */
enum history_sure {
	HISTORY_UNSURE,
	HISTORY_SURE,
	HISTORY_UNKNOWN, /* how much runs differ is not known */
};

/* A figure at each point: the wall time, a cause of it, or a parallel region's wall time. */
struct history_row {
	const struct diff_place *place; /* NULL: of the whole run */
	int cause;    /* of the whole run: enum metrics_cause; METRICS_N_CAUSES: the wall time */
	uint64_t *ns; /* by point; UINT64_MAX: the point does not have the place */
	double *variance; /* by point */
	uint64_t most_ns; /* the largest of them */
	double change_ns; /* from the first point to the last; a missing place counts as 0 */
	double error_ns;  /* of the change, with the difference between runs */
	enum history_sure sure;
};

struct history {
	struct name_tree strings;
	struct diff_runs loaded;
	struct diff_run *points;
	size_t n_points;
	struct diff_union places;
	struct history_row *rows; /* the wall time, its causes, then places, largest first */
	size_t n_rows;
	uint64_t *ns;
	double *variance;
};

/* Returns 0, or -1 when out of memory. Release with history_release in either case. */
int history_init(struct history *history);
void history_release(struct history *history);

/* Whether `path` is a profile, or a folder of profiles of a run. */
int history_has_profile(const char *path);

/*
 * Adds a profile, loaded by `options` (diff_runs_add). Returns 0, or -1 with the reason in *diag:
 * it cannot be read, has no label or counts events. *history is then as before.
 */
int history_add(struct history *history, const char *path, const struct report_options *options,
	struct diag *diag);

/* Makes the points. Returns 0, or -1 when out of memory. */
int history_order(struct history *history);

/* Whether point i can be compared with the last point. Returns 0, or -1 with *diag set. */
int history_check(const struct history *history, size_t i, struct diag *diag);
void history_drop(struct history *history, size_t i);

/* Makes the rows of at least two points. Returns 0, or -1 when out of memory. */
int history_compare(struct history *history);

/* The day of a point, in UTC: "2026-11-27". */
const char *history_day(char day[16], const struct diff_run *point);

/* Checks the options of the table, as table_check does. */
int history_table_check(const struct table_options *options, struct diag *diag);

/* Print the table, with a heading unless it is CSV; and JSON. The first returns as table_print. */
int history_print(const struct history *history, const struct table_options *options,
	struct terminal *terminal);
void history_put_json(const struct history *history, FILE *out);

#endif
