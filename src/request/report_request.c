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
	OPTION_REVERSE,
	OPTION_POP,
	OPTION_WARNINGS,
	OPTION_BY_THREAD,
	OPTION_MAX_DEPTH,
	OPTION_RELATIVE,
	OPTION_HTML,
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
	OPTION_FLAG(OPTION_REVERSE, "reverse",
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
	OPTION_FLAG(OPTION_BY_THREAD, "by-thread", "a tree for each thread"),
	{ "fields", 'f', ARGUMENT_LIST | ARGUMENT_TEXT, "COLUMN,...", NULL,
		"the columns of a table, in this order; the manual lists them",
		report_columns_put },
	{ "sort", 's', ARGUMENT_WORD | ARGUMENT_TEXT, "COLUMN", NULL, "sort by this column",
		report_columns_put },
	OPTION_TAKES('n', "limit", "N", ARGUMENT_NUMBER, NULL,
		"show N lines, or with --bottom-up N functions"),
	OPTION_TAKES(SHARED_PERCENT_LIMIT, "percent-limit", "P", ARGUMENT_NUMBER, NULL,
		"hide what is below P percent of the total"),
	OPTION_TAKES(OPTION_MAX_DEPTH, "max-depth", "N", ARGUMENT_NUMBER, NULL,
		"show N levels of a tree"),
	SHARED_ROWS_SYMBOLS,

	SHARED_ROWS_FILTERS,
	OPTION_FLAG(OPTION_RELATIVE, "relative",
		"percentages of what the filters leave, not of the whole"),

	OPTION_HEADING("How it is shown:"),
	SHARED_ROW_FORMAT(print_formats_report,
		"text for people (default), JSON or, of one table, CSV for programs; HTML: a page"),
	OPTION_TAKES(OPTION_HTML, "html", "FILE", ARGUMENT_FILE, NULL,
		"one page for a browser, with its own views; it needs no network"),
	SHARED_ROW_FORCE,
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

/* Options that choose a view. Returns 0, -1 with a message, or 1 for another option. */
static int take_view(struct report_request *request, int code, int word)
{
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
	default:
		return 1;
	}
}

/*
 * Takes filters, --relative, --phase and --time. Returns 0, -1 with a message, or 1 for another
 * option.
 */
static int take_filter(struct report_request *request, int code, const char *text)
{
	int result;

	if (code == OPTION_RELATIVE) {
		request->filter.is_relative = 1;
		request->report.filter = &request->filter;
		return 0;
	}
	result = filter_option_take(&request->filter, &request->report, code, text);
	if (result > 0)
		result = phase_option_take(&request->phases, &request->report, code, text);
	return result > 0 ? time_option_take(&request->time, &request->report, code, text) : result;
}

/* Options that other verbs have, too. Returns 0, -1 with a message, or 1 for another option. */
static int take_shared(struct report_request *request, int code, const char *text, int word)
{
	int result = symbols_options_take(&request->report, code, text);

	if (result > 0)
		result = table_options_take(&request->options.table, code, text);
	if (result > 0)
		result = report_selection_take(&request->report.selection, code, text);
	if (result > 0)
		result = source_option_take(&request->sources, code, text);
	if (result > 0)
		result = print_options_take(&request->print, code, word);
	return result;
}

static int take(void *data, int code, const char *text, int word)
{
	struct report_request *request = data;
	int result = take_view(request, code, word);

	if (result > 0)
		result = take_filter(request, code, text);
	if (result > 0)
		result = take_shared(request, code, text, word);
	if (result <= 0)
		return result;
	switch (code) {
	case OPTION_HTML:
		request->html.path = text;
		return 0;
	case SHARED_FORCE:
		request->html.is_forced = 1;
		return 0;
	case OPTION_BY_THREAD:
		request->report.by_thread = 1;
		return 0;
	case OPTION_REVERSE:
		request->options.is_reverse = 1;
		return 0;
	case OPTION_MAX_DEPTH:
		return options_number("max-depth", text, 1, &request->options.table.max_depth);
	default:
		return tree_options_take(&request->report, code, text, word);
	}
}

void report_request_release(struct report_request *request)
{
	filter_release(&request->filter);
	filter_release(&request->phases);
}

int report_request_read(struct report_request *request, int argc, char **argv)
{
	struct diag diag = { "", "" };
	int status;

	*request = (struct report_request){
		.input = PROFILE_DEFAULT_FOLDER,
		.html.is_own = own_file_is,
		.report.symbols = SYMBOLS_OPTIONS_DEFAULT,
		.options.table = TABLE_OPTIONS_DEFAULT,
	};
	status = options_read(&report_request_options, &argc, &argv, take, request);
	if (request->html.path && request->print.format == FORMAT_TEXT)
		request->print.format = FORMAT_HTML;
	if (status == OPTIONS_GO_ON && argc > 0)
		request->input = argv[0];
	if (request->print.format == FORMAT_QUICKFIX && !request->view)
		request->view = &view_quickfix;
	request->time.needs_paths = request->view && request->view->part == VIEW_OF_PATHS &&
				    request->print.format != FORMAT_JSON;
	request->options.table.is_csv = request->print.format == FORMAT_CSV;
	if (status != OPTIONS_GO_ON || report_request_check(request, &diag) == 0)
		return status;
	message_diag(&diag);
	return message_try_help(report_request_options.verb);
}
