/* SPDX-License-Identifier: Apache-2.0 */
/* The options of ompprof report; see report_request.h. */
#include "src/request/report_request.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/message.h"
#include "src/export/own_files.h"

enum option_code {
	OPTION_TREE = 256,
	OPTION_FLAT,
	OPTION_BOTTOM_UP,
	OPTION_BY,
	OPTION_POP,
	OPTION_WARNINGS,
	OPTION_RELATIVE,
};

enum { MOST_KEYS = 512 }; /* columns of all views together */

/* The words of --by, and at the same index its view. */
static const char *const tables[] = {
#define VIEW_BY(word, name) #word,
#include "src/views/views.def"
	NULL
};
static const struct view *const table_views[] = {
#define VIEW_BY(word, name) &view_##name,
#include "src/views/views.def"
};

static const char by_help[] = "a table by "
#define VIEW_BY_FIRST(word, name) #word
#define VIEW_BY(word, name)       ", " #word
#define VIEW_BY_LAST(word, name)  " or " #word
#include "src/views/views.def"
	;

static const struct option_row rows[] = {
	OPTION_HEADING("Views (the default is a summary on one screen):"),
	OPTION_FLAG(OPTION_TREE, "tree", "call tree, work of all threads below its region"),
	OPTION_FLAG(OPTION_FLAT, "flat", "functions by the time in themselves"),
	OPTION_FLAG(OPTION_BOTTOM_UP, "bottom-up", "functions and, below each, its callers"),
	OPTION_TAKES(OPTION_BY, "by", "WHAT", ARGUMENT_WORD, tables, by_help),
	OPTION_SETS(OPTION_LONG, "reverse", INTO_SET(struct report_request, options.is_reverse),
		"with '--by wait': the code that others waited for, with the waits below it"),
	OPTION_FLAG(OPTION_POP, "pop", "the parallel efficiency and its factors"),
	OPTION_FLAG(OPTION_WARNINGS, "warnings",
		"all that makes the figures doubtful, one sentence each"),

	OPTION_HEADING("What is shown:"),
	SHARED_ROW_INPUT("the profile to show, also without -i"),
	SHARED_ROWS_SELECTION("job"),
	SHARED_ROW_PHASE,
	SHARED_ROW_TIME,
	SHARED_ROWS_TREE,
	OPTION_SETS(OPTION_LONG, "by-thread",
		INTO_SET(struct report_request, shared.report.by_thread), "a tree for each thread"),
	SHARED_ROW_FIELDS("COLUMN,...", ARGUMENT_LIST | ARGUMENT_TEXT, report_columns_put,
		"the columns of a table, in this order; the manual lists them"),
	SHARED_ROW_SORT(
		"COLUMN", ARGUMENT_WORD | ARGUMENT_TEXT, report_columns_put, "sort by this column"),
	SHARED_ROW_LIMIT("show N lines, or with --bottom-up N functions"),
	SHARED_ROW_PERCENT_LIMIT("hide what is below P percent of the total"),
	OPTION_KEEPS(OPTION_LONG, "max-depth", "N", ARGUMENT_NUMBER, NULL,
		INTO_NUMBER(struct report_request, shared.table.max_depth),
		"show N levels of a tree"),
	SHARED_ROWS_SYMBOLS,

	SHARED_ROWS_FILTERS,
	OPTION_FLAG(OPTION_RELATIVE, "relative",
		"percentages of what the filters leave, not of the whole"),

	OPTION_HEADING("How it is shown:"),
	SHARED_ROW_FORMAT(print_formats_report,
		"text for people (default), JSON or, of one table, CSV for programs; HTML: a page"),
	OPTION_KEEPS(OPTION_LONG, "html", "FILE", ARGUMENT_FILE, NULL,
		INTO_TEXT(struct report_request, html.path),
		"one page for a browser, with its own views; it needs no network"),
	SHARED_ROW_FORCE(struct report_request, html.is_forced),
	SHARED_ROW_SOURCE_PATH,
	SHARED_ROW_COLOR,
	SHARED_ROW_NO_PAGER("report"),
};

const struct option_table report_request_options = {
	.verb = "report",
	.usage = "Usage: ompprof report [OPTION...] [PATH]\n"
		 "Shows the profile at PATH, a file or a folder, by default 'ompprof.out'.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 1,
};

static int by_key(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void report_columns_put(FILE *file)
{
	const char *keys[MOST_KEYS];
	size_t n = 0;

	for (size_t i = 0; view_list[i]; i++) {
		const struct table_column *column = view_list[i]->columns;

		for (; column && column->key && n < MOST_KEYS; column++)
			keys[n++] = column->key;
	}
	qsort(keys, n, sizeof(keys[0]), by_key);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(keys[i - 1], keys[i]) != 0)
			fprintf(file, "%s%s", i == 0 ? "" : " ", keys[i]);
}

/* Returns 0, or -1 with a message. */
static int choose_view(struct report_request *request, const struct view *view)
{
	if (request->view && request->view != view) {
		message("options '--%s' and '--%s' exclude each other", request->view->name,
			view->name);
		return -1;
	}
	request->view = view;
	return 0;
}

static int take(void *data, int code, const char *text, int word)
{
	struct report_request *request = data;

	switch (code) {
	case OPTION_TREE:
		return choose_view(request, &view_tree);
	case OPTION_FLAT:
		return choose_view(request, &view_flat);
	case OPTION_BOTTOM_UP:
		return choose_view(request, &view_bottom_up);
	case OPTION_POP:
		return choose_view(request, &view_pop);
	case OPTION_WARNINGS:
		return choose_view(request, &view_warnings);
	case OPTION_BY:
		return choose_view(request, table_views[word]);
	case OPTION_RELATIVE:
		request->shared.filter.is_relative = 1;
		request->shared.report.filter = &request->shared.filter;
		return 0;
	default:
		return shared_request_take(data, code, text, word);
	}
}

int report_request_read(struct report_request *request, int argc, char **argv)
{
	struct diag diag = { "", "" };
	int status;

	*request = (struct report_request){
		.shared = SHARED_REQUEST_DEFAULT,
		.html.is_own = own_file_is,
	};
	status = options_read(&report_request_options, &argc, &argv, take, request);
	if (request->html.path && request->shared.print.format == FORMAT_TEXT)
		request->shared.print.format = FORMAT_HTML;
	if (status == OPTIONS_GO_ON && argc > 0)
		request->shared.input = argv[0];
	if (request->shared.print.format == FORMAT_QUICKFIX && !request->view)
		request->view = &view_quickfix;
	request->shared.time.needs_paths = request->view && request->view->part == VIEW_OF_PATHS &&
					   request->shared.print.format != FORMAT_JSON;
	request->shared.table.is_csv = request->shared.print.format == FORMAT_CSV;
	request->options.table = request->shared.table;
	if (status != OPTIONS_GO_ON || report_request_check(request, &diag) == 0)
		return status;
	message_diag(&diag);
	return message_try_help(report_request_options.verb);
}
