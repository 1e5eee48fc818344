/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views of a report: each is a `const struct view` in a file view_*.c. views.def lists all but the
 * views for JSON, for editors and for --time. A view prints; it changes nothing and decides nothing
 * about files.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_H
#define OMPPROF_SRC_VIEWS_VIEW_H

#include "src/report/report.h"
#include "src/text/table.h"
#include "src/text/terminal.h"

struct view_options {
	struct table_options table;
	int is_reverse; /* --reverse of the view of waits: causes come first */
};

/* Options that a view heeds. */
enum view_takes {
	VIEW_TAKES_TABLE = 1,  /* -f and -s */
	VIEW_TAKES_LIMITS = 2, /* -n and --percent-limit */
	VIEW_TAKES_DEPTH = 4,
};

/* How much of a part of the run a view can show, for --time. */
enum view_part {
	VIEW_OF_RUN,    /* nothing: its figures are only known for the whole run */
	VIEW_OF_STATES, /* what threads did, by state */
	VIEW_OF_PATHS,  /* call paths, which need a trace */
};

struct view {
	const char *name;                   /* its option without "--": "by region" */
	unsigned takes;                     /* enum view_takes */
	int is_of_user;                     /* shows only the user view of all threads together */
	const struct table_column *columns; /* columns for -f and -s; NULL without a table */
	/* bits of enum filter_kind: the filters that reduce what the view shows */
	unsigned filters;
	enum view_part part;

	/* Returns 0, or -1 when out of memory. */
	int (*print)(const struct report *report, const struct view_options *options,
		struct terminal *terminal);

	const char *json; /* for view_put_rows: key of the array of its rows in the report's JSON */
	/* as in struct table; NULL if the array's items are not the table's rows */
	const char *members;
	table_fill *fill; /* for view_put_rows; may be NULL if the view does not call it */
	table_put_more *put_more;
	/* Writes the view's members into the open object of the report's JSON. May be NULL. */
	void (*put_json)(struct json *json, const struct report *report);
};

/* A view of a table of the user view, with -f, -s, -n and --percent-limit. */
#define VIEW_OF_TABLE(table)                                                                       \
	.takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS, .is_of_user = 1, .columns = (table)

#define VIEW(name)          extern const struct view view_##name;
#define VIEW_BY(word, name) VIEW(name)
#include "src/views/views.def"

/* The views of views.def, each once. The list ends in NULL. */
extern const struct view *const view_list[];

extern const struct view view_json, view_quickfix;

/* Columns that say which thread a row is about. */
#define THREAD_COLUMNS(X)                                                                          \
	X(NAME, "name", "thread", TABLE_NAME, TABLE_IN_TEXT, 0)                                    \
	X(NUMBER, "thread", "number", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(TID, "tid", "tid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(PID, "pid", "pid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(RANK, "rank", "rank", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(TYPE, "type", "type", TABLE_WORD, TABLE_IN_CSV, 0)                                       \
	X(TEAM_NUMBER, "team_number", "team_number", TABLE_NUMBER, TABLE_IN_CSV | TABLE_ABSENT, 0)

/*
 * Fills THREAD_COLUMNS, the first of which is column `first`, and row->identity. `thread` is an
 * index into profile.threads.
 */
void view_set_thread(struct table_row *row, int first, const struct report *report, size_t thread);

/*
 * Fills the three columns after `name`: function, file and line of a construct. Also sets the JSON
 * of `name`, whose text the caller sets.
 */
void view_set_construct(struct table_row *row, int name, const struct name_label *label);

/*
 * Bits of the columns of MPI and of devices, each only if the run has no such time. JSON omits
 * these columns.
 */
uint64_t view_unused(const struct report *report, int mpi, int device);

/* Prints notes below a table. */
typedef void view_notes(struct terminal *terminal, const struct report *report);

/*
 * Prints the first warning that is not about too few CPUs, if the profile is incomplete or
 * truncated, or if the program replaced the signal handler.
 */
view_notes view_put_incomplete;

/* Warns that waits were not measured, if they were not; then as view_put_incomplete. */
view_notes view_put_notes;

/* Writes the rows of a view's table as its array in the report's JSON. */
void view_put_rows(struct json *json, const struct view *view, const void *data, size_t n_rows,
	uint64_t hidden);

/*
 * Print a view that is a table and, unless it is CSV, notes below it; view_put_table prints
 * view_put_notes. Return as table_print.
 */
int view_put_table_with(view_notes *notes, const struct table *table,
	const struct view_options *options, const struct report *report, struct terminal *terminal);
int view_put_table(const struct table *table, const struct view_options *options,
	const struct report *report, struct terminal *terminal);

/* for other views */

/* The function that the event happened in; "" if not known. */
const char *view_events_function(const struct findings_event *event);

/*
 * Notes on counted events: of which not all call paths were walked, which the runtime never
 * reports, and that none were asked for, if so. Then as view_put_incomplete.
 */
view_notes view_events_put_notes;

/* "rank 3", or "pid 4711" of a process without a rank. */
void view_process_name(char *text, size_t text_bytes, const struct report_process *process);

/*
 * Prints the summary's table of at most n_most processes, with a heading and a total. Returns the
 * number of lines.
 */
size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most);

#endif
