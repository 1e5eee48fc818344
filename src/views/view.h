/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views of a report: each is one file view_*.c with one `const struct view`, listed in views.def. A
 * view prints; it changes nothing and decides nothing about files.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_H
#define OMPPROF_SRC_VIEWS_VIEW_H

#include "src/report/report.h"
#include "src/text/table.h"
#include "src/text/terminal.h"

struct view_options {
	struct table_options table;
	int is_reverse; /* the view of waits: sorted by cause */
};

/* Options that a view heeds. */
enum view_takes {
	VIEW_TAKES_TABLE = 1,  /* -f and -s */
	VIEW_TAKES_LIMITS = 2, /* -n and --percent-limit */
	VIEW_TAKES_DEPTH = 4,
};

/* How much a view shows of a part of the run (--time). */
enum view_part {
	VIEW_OF_RUN, /* nothing: its figures are known for the whole run only */
	VIEW_OF_STATES,
	VIEW_OF_PATHS, /* needs a trace */
};

struct view {
	const char *name;                   /* its option without the dashes */
	unsigned takes;                     /* enum view_takes */
	int is_of_user;                     /* shows the user view of all threads together only */
	const struct table_column *columns; /* of its table; NULL if it has none */
	/* enum filter_kind: the filters that cut the view; others may not be given */
	unsigned filters;
	enum view_part part;

	/* Returns 0, or -1 when out of memory. */
	int (*print)(const struct report *report, const struct view_options *options,
		struct terminal *terminal);

	const char *json; /* key of the array of its rows in the report's JSON */
	/* as in struct table: of a row; NULL if the array's rows are not the table's */
	const char *members;
	table_fill *fill; /* as in struct table; needed by view_put_rows only, else NULL */
	table_put_more *put_more;
	/* Writes the view's members of the report's JSON, whose object is open. May be NULL. */
	void (*put_json)(struct json *json, const struct report *report);
};

/* A view that shows one table of the user view and takes all options of tables. */
#define VIEW_OF_TABLE(table)                                                                       \
	.takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS, .is_of_user = 1, .columns = (table)

#define VIEW(name)          extern const struct view view_##name;
#define VIEW_BY(word, name) VIEW(name)
#include "src/views/views.def"

/* The views of views.def, each once. The list ends in NULL. */
extern const struct view *const view_list[];

extern const struct view view_json;

/* The thread that a row is about: columns that each table of threads has. */
#define THREAD_COLUMNS(X)                                                                          \
	X(NAME, "name", "thread", TABLE_NAME, TABLE_IN_TEXT, 0)                                    \
	X(NUMBER, "thread", "number", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(TID, "tid", "tid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(PID, "pid", "pid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(RANK, "rank", "rank", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(TYPE, "type", "type", TABLE_WORD, TABLE_IN_CSV, 0)

/*
 * Fills these columns, the first of which is `name`, and row->identity. `thread` is an index into
 * profile.threads.
 */
void view_set_thread(struct table_row *row, int name, const struct report *report, size_t thread);

/*
 * Fills the three columns after `name`: function, file and line of a construct. The caller has set
 * the name; this function sets its text in JSON.
 */
void view_set_construct(struct table_row *row, int name, const struct name_label *label);

/*
 * The columns, by bit, of MPI if the run did not use MPI, and of devices if it did not use devices.
 * JSON omits these columns.
 */
uint64_t view_unused(const struct report *report, int mpi, int device);

/* Prints notes below a table. */
typedef void view_notes(struct terminal *terminal, const struct report *report);

/* Warns that the profile is incomplete, if it is. */
view_notes view_put_incomplete;

/* Says that waits were not measured, if they were not; then does as view_put_incomplete. */
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

/*
 * --- what other views use ---
 */

/* The function in which the event happened; "" if it is not known. */
const char *view_events_function(const struct findings_event *event);

/*
 * Says below a table which events were thinned out, which events the runtime never reports, and, if
 * so, that no events were asked for.
 */
view_notes view_events_put_notes;

/* "rank 3", or "pid 4711" of a process without a rank. */
void view_process_name(char *text, size_t text_bytes, const struct report_process *process);

/*
 * Prints the summary's table of processes: a heading, at most n_most processes and the total.
 * Returns the number of lines.
 */
size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most);

#endif
