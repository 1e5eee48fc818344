/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof diff: compares two profiles. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/folder.h"
#include "src/commands/command.h"
#include "src/compare/diff_ci.h"
#include "src/compare/diff_data.h"
#include "src/compare/diff_table.h"
#include "src/compare/diff_text.h"
#include "src/export/own_files.h"
#include "src/page/html.h"
#include "src/text/message.h"
#include "src/request/shared_options.h"

/*
 * Exit statuses, as diff(1) has them: a condition holds; the profiles cannot be compared, a
 * condition cannot be judged, or the output cannot be written.
 */
enum { DIFF_HOLDS = 1, DIFF_TROUBLE = 2 };

enum { CONDITIONS_MOST = 64 };

enum { OPTION_FAIL_IF = 256 };

static const char *const bys[] = { "function", "region", NULL };

/* The options and operands of the command line. */
struct request {
	struct shared_request shared;
	const char *before, *after;
	int by; /* index into bys, or -1 */
	int is_weak, shows_all;
	struct save_place html; /* of a page; its path is NULL without --html */
	struct diff_judgement judgements[CONDITIONS_MOST];
	size_t n_judgements;
};

static const struct option_row rows[] = {
	OPTION_HEADING("What is shown:"),
	SHARED_ROW_INPUT("BEFORE, and if repeated AFTER; also without -i"),
	OPTION_KEEPS(OPTION_LONG, "by", NULL, ARGUMENT_WORD, bys, INTO_WORD(struct request, by),
		"a table of what changed, by function or parallel region"),
	OPTION_SETS('a', "all", INTO_SET(struct request, shows_all),
		"also show changes below twice their error or 0.1 % of the wall time"),
	OPTION_SETS(OPTION_LONG, "weak", INTO_SET(struct request, is_weak),
		"the work grew with the number of threads"),
	SHARED_ROW_SORT("KEY", ARGUMENT_TEXT, NULL,
		"the column to sort by (default: largest change first)"),
	SHARED_ROW_FIELDS("KEY,...", ARGUMENT_TEXT, NULL, "the columns of a table"),
	SHARED_ROW_LIMIT("show N changes at most"),
	SHARED_ROW_PERCENT_LIMIT("in a table, hide changes below P percent of the wall time"),
	SHARED_ROW_PHASE,
	SHARED_ROWS_SYMBOLS,
	OPTION_HEADING("For scripts:"),
	OPTION_TAKES(OPTION_FAIL_IF, "fail-if", "CONDITION", ARGUMENT_TEXT, NULL,
		"exit with status 1 if CONDITION holds, such as 'wall>+5% sure', "
		"'efficiency<80%', 'lock@solve.c:97>+0.1s'; can be repeated"),
	SHARED_ROW_FORMAT(print_formats_diff,
		"text for people (default), JSON or CSV for programs,\n"
		"junit and github for continuous integration"),
	OPTION_HEADING("How it is shown:"),
	OPTION_KEEPS(OPTION_LONG, "html", "FILE", ARGUMENT_FILE, NULL,
		INTO_TEXT(struct request, html.path),
		"one page for a browser: flame graph and tables; it needs no network"),
	SHARED_ROW_FORCE(struct request, html.is_forced),
	SHARED_ROW_COLOR,
	SHARED_ROW_NO_PAGER("table"),
};

static const struct option_table options_table = {
	.verb = "diff",
	.usage = "Usage: ompprof diff [OPTION...] [BEFORE [AFTER]]\n"
		 "Compares two profiles, by default 'ompprof.out.old' and 'ompprof.out'.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Exit status: 0; 1 if a condition of --fail-if holds; 2 if the profiles cannot\n"
		 "be compared.\n",
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 2,
};

static int add_condition(struct request *request, const char *text)
{
	struct diag diag = { "", "" };

	if (request->n_judgements == CONDITIONS_MOST) {
		message("more than %d conditions", CONDITIONS_MOST);
		return -1;
	}
	if (diff_condition_parse(
		    &request->judgements[request->n_judgements++].condition, text, &diag) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

static int take(void *data, int code, const char *text, int word)
{
	return code == OPTION_FAIL_IF ? add_condition(data, text)
				      : shared_request_take(data, code, text, word);
}

static enum diff_table table_of(const struct request *request)
{
	return request->by < 0    ? DIFF_TABLE_CHANGES
	       : request->by == 0 ? DIFF_TABLE_FUNCTIONS
				  : DIFF_TABLE_REGIONS;
}

/* Whether a table is printed, not the summary or JSON. */
static int is_table(const struct request *request)
{
	return request->shared.print.format == FORMAT_CSV ||
	       (request->shared.print.format == FORMAT_TEXT && request->by >= 0);
}

/* Refuses options that the page would not heed. Returns 0, or -1 with a message. */
static int check_page(const struct request *request)
{
	const struct table_options *options = &request->shared.table;
	const char *table = table_options_given(options);
	const char *other = request->by >= 0                   ? "--by"
			    : request->shows_all               ? "--all"
			    : options->n_rows != TABLE_DEFAULT ? "--limit"
			    : table                            ? table
							       : NULL;

	if (!request->html.path && request->html.is_forced)
		message("option '--force' needs '--html FILE'");
	else if (request->html.path && request->shared.print.format != FORMAT_TEXT)
		message("options '--html' and '--format %s' exclude each other",
			print_formats_diff[request->shared.print.format]);
	else if (request->html.path && other)
		message("options '--html' and '%s' exclude each other: the page has its own views",
			other);
	else
		return 0;
	return -1;
}

/* Refuses options that would have no effect. Returns 0, or -1 with a message. */
static int check(const struct request *request)
{
	const struct table_options *options = &request->shared.table;
	const char *option = table_options_given(options);
	struct diag diag = { "", "" };

	if (check_page(request) != 0)
		return -1;
	if (request->shared.print.format == FORMAT_JUNIT && request->n_judgements == 0) {
		message("option '--format junit' needs '--fail-if': each condition is a test case");
		return -1;
	}
	if (!is_table(request)) {
		if (!option)
			return 0;
		message("option '%s' needs '--by' or '--format csv'", option);
		return -1;
	}
	if (diff_table_check(table_of(request), options, &diag) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

/* Returns OPTIONS_GO_ON or an exit status. */
static int read_request(struct request *request, int argc, char **argv)
{
	int status;

	*request = (struct request){ .before = PROFILE_DEFAULT_FOLDER ".old",
		.after = PROFILE_DEFAULT_FOLDER,
		.by = -1,
		.html.is_own = own_file_is,
		.shared = SHARED_REQUEST_DEFAULT };
	status = options_read(&options_table, &argc, &argv, take, request);
	request->shared.table.is_csv = request->shared.print.format == FORMAT_CSV;
	if (status != OPTIONS_GO_ON)
		return status;
	if (check(request) != 0)
		return message_try_help("diff");
	if (argc > 0)
		request->before = argv[0];
	if (argc > 1)
		request->after = argv[1];
	return OPTIONS_GO_ON;
}

static int print(const struct request *request, const struct diff *diff, struct terminal *terminal)
{
	struct diff_options options = { request->shows_all, request->shared.table.n_rows };
	int status;

	if (!is_table(request)) {
		switch (request->shared.print.format) {
		case FORMAT_JSON:
			diff_put_json(
				diff, request->judgements, request->n_judgements, terminal->out);
			break;
		case FORMAT_JUNIT:
			diff_put_junit(
				diff, request->judgements, request->n_judgements, terminal->out);
			break;
		case FORMAT_GITHUB:
			diff_put_github(
				diff, request->judgements, request->n_judgements, terminal->out);
			break;
		default:
			diff_print(diff, &options, terminal);
		}
		return 0;
	}
	status = diff_table_print(
		diff, table_of(request), request->shows_all, &request->shared.table, terminal);
	if (status == 0 && request->shared.print.format == FORMAT_TEXT)
		diff_print_warnings(diff, terminal);
	return status;
}

/* Says which conditions hold. Returns whether any does, or -1 if one cannot be judged. */
static int judge(struct request *request, const struct diff *diff)
{
	int holds = 0, is_known = 1;

	for (size_t i = 0; i < request->n_judgements; i++) {
		struct diff_judgement *judgement = &request->judgements[i];
		const char *text = judgement->condition.text;

		diff_judge(judgement, diff);
		is_known &= judgement->is_known;
		holds |= judgement->holds;
		if (!judgement->is_known)
			message("%s", judgement->why);
		else if (judgement->holds)
			message("condition '%s' holds: %s", text, judgement->why);
		else if (judgement->is_unsure)
			message("condition '%s' is not sure: %s", text, judgement->why);
	}
	return is_known ? holds : -1;
}

/* Returns STATUS_OK, or another status with a message. */
static int show_text(const struct request *request, const struct diff *diff)
{
	struct terminal terminal;
	int status = STATUS_OK;

	print_options_open(&request->shared.print, is_table(request), &terminal);
	if (print(request, diff, &terminal) != 0) {
		message("cannot show the comparison: out of memory");
		status = DIFF_TROUBLE;
	}
	return terminal_close(&terminal, status);
}

static int show_page(const struct request *request, const struct diff *diff)
{
	struct diag diag = { "", "" };

	if (html_diff(&request->html, diff, request->judgements, request->n_judgements, &diag) == 0)
		return STATUS_OK;
	message_diag(&diag);
	return DIFF_TROUBLE;
}

static int show(struct request *request, const struct diff *diff)
{
	int holds = judge(request, diff);
	int status = request->html.path ? show_page(request, diff) : show_text(request, diff);

	if (status != STATUS_OK || holds < 0)
		return DIFF_TROUBLE;
	return holds ? DIFF_HOLDS : STATUS_OK;
}

static int compare(struct request *request, struct name_tree *strings)
{
	struct diff_run before = { 0 }, after = { 0 };
	struct diff diff = { 0 };
	struct diag diag = { "", "" };
	const struct report_options *options = &request->shared.report;
	int has_paths = request->html.path || request->shared.print.format == FORMAT_JSON;
	int status = DIFF_TROUBLE;

	if (diff_run_load(&before, request->before, options, strings, has_paths, &diag) != 0 ||
		diff_run_load(&after, request->after, options, strings, has_paths, &diag) != 0) {
		message_diag(&diag);
	} else if (before.is_event != after.is_event) {
		message("cannot compare '%s' with '%s': one counts events, %s, the other time",
			request->before, request->after,
			before.is_event ? before.clock : after.clock);
	} else if (diff_make(&diff, &before, &after, request->is_weak) != 0) {
		message("cannot compare the profiles: out of memory");
	} else {
		status = show(request, &diff);
	}
	diff_release(&diff);
	diff_run_release(&before);
	diff_run_release(&after);
	return status;
}

static int run(int argc, char **argv)
{
	struct request request;
	struct name_tree strings = { 0 };
	int status = read_request(&request, argc, argv);

	if (status == OPTIONS_GO_ON && name_tree_init(&strings, 1) != 0) {
		message("cannot compare the profiles: out of memory");
		status = DIFF_TROUBLE;
	} else if (status == OPTIONS_GO_ON) {
		status = compare(&request, &strings);
		name_tree_release(&strings);
	}
	shared_request_release(&request.shared);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two profiles",
	.options = &options_table,
	.run = run,
};
