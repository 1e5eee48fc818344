/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options that several verbs have: rows for their tables (options.h), and functions that store an
 * option in the struct to which it belongs. A verb's own codes are below SHARED_FIRST.
 *
 * Each `*_take` returns 0; 1 for another option; or -1 after a message() that says what is wrong.
 */
#ifndef OMPPROF_SRC_REQUEST_SHARED_OPTIONS_H
#define OMPPROF_SRC_REQUEST_SHARED_OPTIONS_H

#include "src/text/options.h"
#include "src/report/report.h"
#include "src/symbols/source.h"
#include "src/text/table.h"
#include "src/text/terminal.h"

enum shared_option {
	SHARED_FIRST = 1024,
	SHARED_NO_INLINE = SHARED_FIRST,
	SHARED_NO_DEMANGLE,
	SHARED_DEBUGINFOD,
	SHARED_NO_CACHE,
	SHARED_SYSROOT,
	SHARED_PERCENT_LIMIT,
	SHARED_RANK,
	SHARED_PROCESS,
	SHARED_PHASE,
	SHARED_TIME,
	SHARED_FOCUS, /* in the order of enum filter_kind, up to SHARED_STATE */
	SHARED_IGNORE,
	SHARED_THREAD,
	SHARED_REGION,
	SHARED_STATE,
	SHARED_FORMAT,
	SHARED_COLOR,
	SHARED_NO_PAGER,
	SHARED_SOURCE_PATH,
	SHARED_JOBS,
	SHARED_VIEW,
	SHARED_FORCE, /* the verb takes it itself */
};

/* The profile of a verb that takes one as an operand, too. */
#define SHARED_ROW_INPUT(help)                                                                     \
	OPTION_TAKES('i', "input", "PATH", ARGUMENT_OPERAND | ARGUMENT_FILE | ARGUMENT_FOLDER,     \
		NULL, help)

#define SHARED_ROWS_SYMBOLS                                                                        \
	OPTION_FLAG(SHARED_NO_INLINE, "no-inline", "do not expand inlined calls"),                 \
		OPTION_FLAG(SHARED_NO_DEMANGLE, "no-demangle", "show names as linkers see them"),  \
		OPTION_FLAG(SHARED_DEBUGINFOD, "debuginfod",                                       \
			"may fetch debug information from DEBUGINFOD_URLS"),                       \
		OPTION_FLAG(SHARED_NO_CACHE, "no-cache", "look all symbols up, and cache none"),   \
		OPTION_TAKES(SHARED_SYSROOT, "sysroot", "DIR", ARGUMENT_FOLDER, NULL,              \
			"look for the program and its libraries below DIR first")

int symbols_options_take(struct report_options *options, int code, const char *text);

/* -f, -s, -n and --percent-limit. Each verb has rows of its own for them. */
int table_options_take(struct table_options *options, int code, const char *text);

/* The first given of --sort, --fields and --percent-limit, which only tables heed; or NULL. */
const char *table_options_given(const struct table_options *options);

#define SHARED_ROWS_SELECTION(whole)                                                               \
	OPTION_TAKES(SHARED_RANK, "rank", "N", ARGUMENT_NUMBER, NULL,                              \
		"only rank N, in a " whole " of several processes"),                               \
		OPTION_TAKES(SHARED_PROCESS, "process", "PID", ARGUMENT_NUMBER, NULL,              \
			"only this process")

int report_selection_take(struct report_selection *selection, int code, const char *text);

#define SHARED_ROWS_TREE                                                                           \
	OPTION_TAKES(SHARED_JOBS, "jobs", "N", ARGUMENT_NUMBER, NULL,                              \
		"read N files of a run at once (default: one for each CPU)"),                      \
		OPTION_TAKES(SHARED_VIEW, "view", NULL, ARGUMENT_WORD, report_view_words,          \
			"user: your code and what it waits for (default);\n"                       \
			"full: every frame, the OpenMP runtime's too;\n"                           \
			"machine: each thread's frames with addresses, as they were walked")

int tree_options_take(struct report_options *options, int code, const char *text, int word);

#define SHARED_ROW_PHASE                                                                           \
	OPTION_TAKES(SHARED_PHASE, "phase", "REGEX", ARGUMENT_TEXT, NULL,                          \
		"only these phases of the program; 'none' for the rest")

#define SHARED_ROW_TIME                                                                            \
	OPTION_TAKES(SHARED_TIME, "time", "FROM..TO", ARGUMENT_TEXT, NULL,                         \
		"only this part of the run: '2s..5s', '500ms..'")

/* `time` becomes options->time. */
int time_option_take(
	struct time_range *time, struct report_options *options, int code, const char *text);

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

/* `filter` becomes options->filter; the caller releases it. */
int filter_option_take(
	struct filter *filter, struct report_options *options, int code, const char *text);

/* `phases` becomes options->phases; the caller releases it. */
int phase_option_take(
	struct filter *phases, struct report_options *options, int code, const char *text);

#define SHARED_ROW_SOURCE_PATH                                                                     \
	OPTION_TAKES(SHARED_SOURCE_PATH, "source-path", "A=B|DIR",                                 \
		ARGUMENT_TEXT | ARGUMENT_FOLDER, NULL,                                             \
		"sources below A are below B now; or look for them below DIR; may be repeated")

int source_option_take(struct source_rules *rules, int code, const char *text);

#define SHARED_ROW_FORCE                                                                           \
	OPTION_FLAG(SHARED_FORCE, "force", "replace FILE even if ompprof did not write it")

enum print_format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_HTML, /* of `report` alone, and the next */
	FORMAT_QUICKFIX,
	FORMAT_JUNIT = FORMAT_CSV + 1, /* of `diff` alone, and the next */
	FORMAT_GITHUB,
};

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
	OPTION_TAKES(SHARED_FORMAT, "format", NULL, ARGUMENT_WORD, words, help)
#define SHARED_ROW_COLOR                                                                           \
	OPTION_TAKES(SHARED_COLOR, "color", "WHEN", ARGUMENT_WORD, print_colours,                  \
		"auto (default), always or never")
#define SHARED_ROW_NO_PAGER(what)                                                                  \
	OPTION_FLAG(SHARED_NO_PAGER, "no-pager", "do not pipe a long " what " into a pager")

struct print_options {
	enum print_format format;
	enum terminal_colour colour;
	int no_pager;
};

int print_options_take(struct print_options *options, int code, int word);

/* Opens standard output. Only text has colour and, if it `can_be_long`, a pager. */
void print_options_open(
	const struct print_options *options, int can_be_long, struct terminal *terminal);

/* The options of verbs that show lines of source: `annotate` and `why`. */
struct source_request {
	const char *input; /* the profile; NULL: not given */
	struct print_options print;
	struct report_options report;
	struct filter phases; /* report.phases, if that is not NULL */
	struct source_rules rules;
};

#define SHARED_ROW_PROFILE                                                                         \
	OPTION_TAKES('i', "input", "PATH", ARGUMENT_FILE | ARGUMENT_FOLDER, NULL,                  \
		"the profile to show, also without -i")

#define SHARED_ROWS_SOURCE                                                                         \
	SHARED_ROW_SOURCE_PATH, SHARED_ROWS_SELECTION("job"), SHARED_ROW_PHASE, SHARED_ROWS_SYMBOLS

/* Takes the options of both rows above, and of --format, --color and --no-pager. */
int source_request_take(struct source_request *request, int code, const char *text, int word);

/*
 * Takes the first operand as the profile if it `is_profile` and -i gave none. Without either the
 * profile is the default one.
 */
void source_request_take_input(
	struct source_request *request, int is_profile, int *argc, char ***argv);

#endif
