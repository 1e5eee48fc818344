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
	int is_reverse; /* waits: by cause */
};

/* Options that a view heeds. */
enum view_takes {
	VIEW_TAKES_TABLE = 1,  /* -f and -s */
	VIEW_TAKES_LIMITS = 2, /* -n and --percent-limit */
	VIEW_TAKES_DEPTH = 4,
};

/* What a view shows of a part of the run (--time). */
enum view_part {
	VIEW_OF_RUN, /* nothing: its figures are known of the whole run alone */
	VIEW_OF_STATES,
	VIEW_OF_PATHS, /* needs a trace */
};

struct view {
	const char *name; /* its option without the dashes */
	unsigned takes;   /* enum view_takes */
	int is_of_user;   /* shows the user view of all threads together, and no other */
	const struct table_column *columns; /* of its table; NULL without one */
	unsigned filters; /* enum filter_kind: those that it is cut by; no others may be given */
	enum view_part part;

	/* Returns 0, or -1 when out of memory. */
	int (*print)(const struct report *report, const struct view_options *options,
		struct terminal *terminal);

	const char *json; /* the array of its rows in the report's JSON, and, as in struct table, */
	const char *members; /* of a row; NULL if they are not the table's rows */
	table_fill *fill;    /* likewise; for view_put_rows, may be NULL otherwise */
	table_put_more *put_more;
	/* Writes the view's members of the report's JSON, whose object is open; or NULL. */
	void (*put_json)(struct json *json, const struct report *report);
};

/* A view of a table of the user view, which all options of tables are for. */
#define VIEW_OF_TABLE(table)                                                                       \
	.takes = VIEW_TAKES_TABLE | VIEW_TAKES_LIMITS, .is_of_user = 1, .columns = (table)

#define VIEW(name)          extern const struct view view_##name;
#define VIEW_BY(word, name) VIEW(name)
#include "src/views/views.def"

/* The views of views.def, each once; ends in NULL. */
extern const struct view *const view_list[];

extern const struct view view_json;

/* Which thread a row is about: columns that each table of threads has. */
#define THREAD_COLUMNS(X)                                                                          \
	X(NAME, "name", "thread", TABLE_NAME, TABLE_IN_TEXT, 0)                                    \
	X(NUMBER, "thread", "number", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(TID, "tid", "tid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(PID, "pid", "pid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(RANK, "rank", "rank", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(TYPE, "type", "type", TABLE_WORD, TABLE_IN_CSV, 0)

/* Fills these columns, of which the first is `name`, and row->identity. `thread` is an index into
   profile.threads. */
void view_set_thread(struct table_row *row, int name, const struct report *report, size_t thread);

/* Fills the three columns behind `name`: function, file and line of a construct. The name has been
   set; here it gets its text in JSON. */
void view_set_construct(struct table_row *row, int name, const struct name_label *label);

/* The columns of MPI and of devices, by bit, if the run did not use these. JSON is without them. */
uint64_t view_unused(const struct report *report, int mpi, int device);

/* That only a part of the run is shown, if that is so. */
void view_put_incomplete(struct terminal *terminal, const struct report *report);

/* That waits were not measured, if so, before that. */
void view_put_notes(struct terminal *terminal, const struct report *report);

/* Writes the rows of a view's table as its array in the report's JSON. */
void view_put_rows(struct json *json, const struct view *view, const void *data, size_t n_rows,
	uint64_t hidden);

/* Prints a view that is a table and, if it is for people, what is doubtful. Returns as table_print. */
int view_put_table(const struct table *table, const struct view_options *options,
	const struct report *report, struct terminal *terminal);

/* --- what views have of others --- */

/* The function that the event happened in, "" not known. */
const char *view_events_function(const struct findings_event *event);

/* Says below a table which events were thinned out, which the runtime never reports, and that none
   was asked for. */
void view_events_put_notes(struct terminal *terminal, const struct report *report);

/* "rank 3", or "pid 4711" of a process without a rank. */
void view_process_name(char *text, size_t text_bytes, const struct report_process *process);

/* Prints the summary's table of processes: a heading, at most n_most processes and the total. Returns
   how many lines it took. */
size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most);

#endif
