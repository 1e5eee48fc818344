/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options that several verbs have: rows for their tables (options.h), and where they are stored. A
 * verb's own codes are below SHARED_FIRST.
 */
#ifndef OMPPROF_SRC_REQUEST_SHARED_OPTIONS_H
#define OMPPROF_SRC_REQUEST_SHARED_OPTIONS_H

#include "profile/shared/folder.h"
#include "src/text/options.h"
#include "src/report/report.h"
#include "src/symbols/source.h"
#include "src/text/table.h"
#include "src/text/terminal.h"

enum shared_option {
	SHARED_FIRST = 1024,
	SHARED_RANK = SHARED_FIRST,
	SHARED_PROCESS,
	SHARED_PHASE,
	SHARED_TIME,
	SHARED_FOCUS, /* in the order of enum filter_kind, up to SHARED_STATE */
	SHARED_IGNORE,
	SHARED_THREAD,
	SHARED_REGION,
	SHARED_STATE,
	SHARED_SOURCE_PATH,
	SHARED_SYSROOT,
};

enum print_format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_HTML, /* of `report` alone, and the next */
	FORMAT_QUICKFIX,
	FORMAT_JUNIT = FORMAT_CSV + 1, /* of `diff` alone, and the next */
	FORMAT_GITHUB,
};

struct print_options {
	enum print_format format;
	enum terminal_colour colour;
	int no_pager;
};

/* The first member of each verb's request. */
struct shared_request {
	const char *input; /* the profile */
	struct print_options print;
	struct report_options report;
	struct table_options table;
	struct filter filter;        /* report.filter, if that is not NULL */
	struct filter phases;        /* report.phases, if that is not NULL */
	struct time_range time;      /* report.time, if that is not NULL */
	struct source_rules sources; /* of verbs that show lines of source */
};

#define SHARED_REQUEST_DEFAULT                                                                     \
	{                                                                                          \
		.input = PROFILE_DEFAULT_FOLDER, .report.symbols = SYMBOLS_OPTIONS_DEFAULT,        \
		.table = TABLE_OPTIONS_DEFAULT                                                     \
	}

/* Takes those options of the rows below that have no place. */
option_apply shared_request_take;

void shared_request_release(struct shared_request *request);

/* The profile of a verb that takes one as an operand, too. */
#define SHARED_ROW_INPUT(help)                                                                     \
	OPTION_TAKES('i', "input", "PATH", ARGUMENT_OPERAND | ARGUMENT_FILE | ARGUMENT_FOLDER,     \
		NULL, help)

#define SHARED_ROWS_SYMBOLS                                                                        \
	OPTION_SETS(OPTION_LONG, "no-inline",                                                      \
		INTO_CLEAR(struct shared_request, report.symbols.inlines),                         \
		"do not expand inlined calls"),                                                    \
		OPTION_SETS(OPTION_LONG, "no-demangle",                                            \
			INTO_CLEAR(struct shared_request, report.symbols.demangle),                \
			"show names as linkers see them"),                                         \
		OPTION_SETS(OPTION_LONG, "debuginfod",                                             \
			INTO_SET(struct shared_request, report.symbols.debuginfod),                \
			"may fetch debug information from DEBUGINFOD_URLS"),                       \
		OPTION_SETS(OPTION_LONG, "no-cache",                                               \
			INTO_SET(struct shared_request, report.no_cache),                          \
			"look all symbols up, and cache none"),                                    \
		OPTION_TAKES(SHARED_SYSROOT, "sysroot", "DIR", ARGUMENT_FOLDER, NULL,              \
			"look for the program and its libraries below DIR first")

/* Options of tables. */
#define SHARED_ROW_SORT(argument, kind, put_words, help)                                           \
	{                                                                                          \
		"sort", 's', (kind), (argument), NULL, (help), (put_words),                        \
			INTO_TEXT(struct shared_request, table.sort)                               \
	}
#define SHARED_ROW_FIELDS(argument, kind, put_words, help)                                         \
	{                                                                                          \
		"fields", 'f', (kind), (argument), NULL, (help), (put_words),                      \
			INTO_TEXT(struct shared_request, table.fields)                             \
	}
#define SHARED_ROW_LIMIT(help)                                                                     \
	OPTION_KEEPS('n', "limit", "N", ARGUMENT_NUMBER, NULL,                                     \
		INTO_NUMBER(struct shared_request, table.n_rows), help)
#define SHARED_ROW_PERCENT_LIMIT(help)                                                             \
	OPTION_KEEPS(OPTION_LONG, "percent-limit", "P", ARGUMENT_NUMBER, NULL,                     \
		INTO_PERCENT(struct shared_request, table.limit_permyriad), help)

/* The first given of --sort, --fields and --percent-limit, which only tables heed; or NULL. */
const char *table_options_given(const struct table_options *options);

#define SHARED_ROWS_SELECTION(whole)                                                               \
	OPTION_TAKES(SHARED_RANK, "rank", "N", ARGUMENT_NUMBER, NULL,                              \
		"only rank N, in a " whole " of several processes"),                               \
		OPTION_TAKES(SHARED_PROCESS, "process", "PID", ARGUMENT_NUMBER, NULL,              \
			"only this process")

#define SHARED_ROWS_TREE                                                                           \
	OPTION_KEEPS(OPTION_LONG, "jobs", "N", ARGUMENT_NUMBER, NULL,                              \
		INTO_NUMBER(struct shared_request, report.n_threads),                              \
		"read N files of a run at once (default: one for each CPU)"),                      \
		OPTION_KEEPS(OPTION_LONG, "view", NULL, ARGUMENT_WORD, report_view_words,          \
			INTO_WORD(struct shared_request, report.view),                             \
			"user: your code and what it waits for (default);\n"                       \
			"full: every frame, the OpenMP runtime's too;\n"                           \
			"machine: each thread's frames with addresses, as they were walked")

#define SHARED_ROW_PHASE                                                                           \
	OPTION_TAKES(SHARED_PHASE, "phase", "REGEX", ARGUMENT_TEXT, NULL,                          \
		"only these phases of the program; 'none' for the rest")

#define SHARED_ROW_TIME                                                                            \
	OPTION_TAKES(SHARED_TIME, "time", "FROM..TO", ARGUMENT_TEXT, NULL,                         \
		"only this part of the run: '2s..5s', '500ms..'")

#define SHARED_ROWS_FILTERS                                                                        \
	OPTION_HEADING("Filters (all must hold; of a repeated filter, any value):"),               \
		OPTION_TAKES(SHARED_FOCUS, "focus", "REGEX", ARGUMENT_TEXT, NULL,                  \
			"paths with a function or FILE:LINE that matches"),                        \
		OPTION_TAKES(SHARED_IGNORE, "ignore", "REGEX", ARGUMENT_TEXT, NULL,                \
			"no paths with such a function or FILE:LINE"),                             \
		OPTION_TAKES(SHARED_THREAD, "thread", "LIST", ARGUMENT_TEXT, NULL,                 \
			"threads, as '1,3-5' or 'native'"),                                        \
		OPTION_TAKES(SHARED_REGION, "region", "REGION", ARGUMENT_TEXT, NULL,               \
			"parallel regions: REGEX, FILE:LINE, or 'none' for the rest"),             \
		OPTION_TAKES(SHARED_STATE, "state", "LIST", ARGUMENT_LIST, shared_states,          \
			"work, wait, overhead, or kinds of waits as 'barrier,lock'")

extern const char *const shared_states[];

#define SHARED_ROW_SOURCE_PATH                                                                     \
	OPTION_TAKES(SHARED_SOURCE_PATH, "source-path", "A=B|DIR",                                 \
		ARGUMENT_TEXT | ARGUMENT_FOLDER, NULL,                                             \
		"sources below A are below B now; or look for them below DIR; may be repeated")

#define SHARED_ROW_FORCE(request, member)                                                          \
	OPTION_SETS(OPTION_LONG, "force", INTO_SET(request, member),                               \
		"replace FILE even if ompprof did not write it")

/*
 * The words of --format, by enum print_format: of verbs with tables, of `report`, of `diff`, and of
 * verbs without tables.
 */
extern const char *const print_formats[];
extern const char *const print_formats_report[];
extern const char *const print_formats_diff[];
extern const char *const print_formats_no_csv[];

/* The words of --color, by enum terminal_colour. */
extern const char *const print_colours[];

#define SHARED_ROW_FORMAT(words, help)                                                             \
	OPTION_KEEPS(OPTION_LONG, "format", NULL, ARGUMENT_WORD, words,                            \
		INTO_WORD(struct shared_request, print.format), help)
#define SHARED_ROW_COLOR                                                                           \
	OPTION_KEEPS(OPTION_LONG, "color", "WHEN", ARGUMENT_WORD, print_colours,                   \
		INTO_WORD(struct shared_request, print.colour), "auto (default), always or never")
#define SHARED_ROW_NO_PAGER(what)                                                                  \
	OPTION_SETS(OPTION_LONG, "no-pager", INTO_SET(struct shared_request, print.no_pager),      \
		"do not pipe a long " what " into a pager")

/* Opens standard output. Only text has colour and, if it `can_be_long`, a pager. */
void print_options_open(
	const struct print_options *options, int can_be_long, struct terminal *terminal);

#define SHARED_ROW_PROFILE                                                                         \
	OPTION_KEEPS('i', "input", "PATH", ARGUMENT_FILE | ARGUMENT_FOLDER, NULL,                  \
		INTO_TEXT(struct shared_request, input), "the profile to show, also without -i")

#define SHARED_ROWS_SOURCE                                                                         \
	SHARED_ROW_SOURCE_PATH, SHARED_ROWS_SELECTION("job"), SHARED_ROW_PHASE, SHARED_ROWS_SYMBOLS

/*
 * Takes the first operand as the profile if it `is_profile` and -i gave none. Without either the
 * profile is the default one.
 */
void shared_request_take_input(
	struct shared_request *request, int is_profile, int *argc, char ***argv);

#endif
