/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof diff: compares two profiles. */
#include <stdlib.h>
#include <string.h>

#include "src/command.h"
#include "src/diff_data.h"
#include "src/diff_table.h"
#include "src/diff_text.h"
#include "src/message.h"
#include "src/table.h"

/* As diff(1) has it: 1 says something of the profiles, 2 that nothing can be said. */
enum { DIFF_HOLDS = 1, DIFF_TROUBLE = 2 };

enum { CONDITIONS_MOST = 64 };

enum option_code {
	OPTION_FAIL_IF = 256,
	OPTION_BY,
	OPTION_WEAK,
	OPTION_PERCENT_LIMIT,
	OPTION_NO_INLINE,
	OPTION_NO_DEMANGLE,
	OPTION_DEBUGINFOD,
	OPTION_NO_CACHE,
	OPTION_FORMAT,
	OPTION_COLOR,
	OPTION_NO_PAGER,
};

static const char *const bys[] = { "function", "region", NULL };
static const char *const formats[] = { "text", "json", "csv", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

static const struct option_row rows[] = {
	OPTION_HEADING("What is shown:"),
	OPTION_TAKES(OPTION_BY, "by", NULL, ARGUMENT_WORD, bys,
		"a table of what changed, by function or parallel region"),
	OPTION_FLAG('a', "all", "also changes below twice their error or 0.1 % of the wall time"),
	OPTION_FLAG(OPTION_WEAK, "weak",
		"of profiles with different numbers of threads: the work grew as they did"),
	OPTION_TAKES('s', "sort", "KEY", ARGUMENT_TEXT, NULL,
		"the column to sort by; by default the largest change goes first"),
	OPTION_TAKES('f', "fields", "KEY,...", ARGUMENT_TEXT, NULL, "the columns of a table"),
	OPTION_TAKES('n', "limit", "N", ARGUMENT_NUMBER, NULL, "show N changes at most"),
	OPTION_TAKES(OPTION_PERCENT_LIMIT, "percent-limit", "P", ARGUMENT_NUMBER, NULL,
		"of a table: hide changes below P percent of the wall time"),
	OPTION_FLAG(OPTION_NO_INLINE, "no-inline", "do not expand inlined calls"),
	OPTION_FLAG(OPTION_NO_DEMANGLE, "no-demangle", "show names as linkers see them"),
	OPTION_FLAG(OPTION_DEBUGINFOD, "debuginfod",
		"may fetch debug information from DEBUGINFOD_URLS"),
	OPTION_FLAG(OPTION_NO_CACHE, "no-cache", "look all symbols up, and keep none"),
	OPTION_HEADING("For scripts:"),
	OPTION_TAKES(OPTION_FAIL_IF, "fail-if", "CONDITION", ARGUMENT_TEXT, NULL,
		"exit with status 1 if it holds, such as 'wall>+5%', 'efficiency<80%', "
		"'lock@solve.c:97>+0.1s'; can be given several times"),
	OPTION_TAKES(OPTION_FORMAT, "format", NULL, ARGUMENT_WORD, formats,
		"text for people (default), JSON or CSV for programs"),
	OPTION_HEADING("How it is shown:"),
	OPTION_TAKES(OPTION_COLOR, "color", "WHEN", ARGUMENT_WORD, colours,
		"auto (default), always or never"),
	OPTION_FLAG(OPTION_NO_PAGER, "no-pager", "do not pipe a long table into a pager"),
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

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* What the command line asks for. */
struct request {
	const char *before, *after;
	int by; /* index into bys, or -1 */
	int is_weak, shows_all, use_pager;
	enum format format;
	enum terminal_colour colour;
	struct report_options report;
	struct table_options table;
	struct diff_judgement judgements[CONDITIONS_MOST];
	size_t n_judgements;
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

/* Options that stand alone. Returns 0, or 1 for one that takes an argument. */
static int take_flag(struct request *request, int code)
{
	switch (code) {
	case 'a':
		request->shows_all = 1;
		return 0;
	case OPTION_WEAK:
		request->is_weak = 1;
		return 0;
	case OPTION_NO_INLINE:
		request->report.symbols.inlines = 0;
		return 0;
	case OPTION_NO_DEMANGLE:
		request->report.symbols.demangle = 0;
		return 0;
	case OPTION_DEBUGINFOD:
		request->report.symbols.debuginfod = 1;
		return 0;
	case OPTION_NO_CACHE:
		request->report.no_cache = 1;
		return 0;
	case OPTION_NO_PAGER:
		request->use_pager = 0;
		return 0;
	default:
		return 1;
	}
}

static int take(void *data, int code, const char *text, int word)
{
	struct request *request = data;

	if (take_flag(request, code) == 0)
		return 0;
	switch (code) {
	case OPTION_BY:
		request->by = word;
		return 0;
	case 's':
		request->table.sort = text;
		return 0;
	case 'f':
		request->table.fields = text;
		return 0;
	case 'n':
		return options_number("limit", text, 1, &request->table.n_rows);
	case OPTION_PERCENT_LIMIT:
		return options_percent("percent-limit", text, &request->table.limit_permyriad);
	case OPTION_FAIL_IF:
		return add_condition(request, text);
	case OPTION_FORMAT:
		request->format = (enum format)word;
		request->table.is_csv = request->format == FORMAT_CSV;
		return 0;
	default:
		request->colour = (enum terminal_colour)word;
		return 0;
	}
}

static enum diff_table table_of(const struct request *request)
{
	return request->by < 0    ? DIFF_TABLE_CHANGES
	       : request->by == 0 ? DIFF_TABLE_FUNCTIONS
				  : DIFF_TABLE_REGIONS;
}

/* Whether a table is what is printed, rather than the summary or JSON. */
static int is_table(const struct request *request)
{
	return request->format == FORMAT_CSV ||
	       (request->format == FORMAT_TEXT && request->by >= 0);
}

/* Refuses what would not be heeded. Returns 0, or -1 with a message. */
static int check(const struct request *request)
{
	const struct table_options *options = &request->table;
	const char *option = options->sort                               ? "--sort"
			     : options->fields                           ? "--fields"
			     : options->limit_permyriad != TABLE_DEFAULT ? "--percent-limit"
									 : NULL;
	struct diag diag = { "", "" };

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

/* Returns OPTIONS_GO_ON or the status to end with. */
static int read_request(struct request *request, int argc, char **argv)
{
	int status;

	*request = (struct request){ .before = REPORT_DEFAULT_INPUT ".old",
		.after = REPORT_DEFAULT_INPUT,
		.by = -1,
		.use_pager = 1,
		.report.symbols = { .demangle = 1, .inlines = 1 },
		.table = { .limit_permyriad = TABLE_DEFAULT,
			.n_rows = TABLE_DEFAULT,
			.max_depth = TABLE_DEFAULT } };
	status = options_read(&options_table, &argc, &argv, take, request);
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
	struct diff_options options = { request->shows_all, request->table.n_rows };
	int status;

	if (request->format == FORMAT_JSON) {
		diff_put_json(diff, request->judgements, request->n_judgements, terminal->out);
		return 0;
	}
	if (!is_table(request)) {
		diff_print(diff, &options, terminal);
		return 0;
	}
	status = diff_table_print(
		diff, table_of(request), request->shows_all, &request->table, terminal);
	if (status == 0 && request->format == FORMAT_TEXT)
		diff_print_warnings(diff, terminal);
	return status;
}

/* Says which conditions hold. Returns whether one does, or -1 if one cannot be judged. */
static int judge(struct request *request, const struct diff *diff)
{
	int holds = 0, is_known = 1;

	for (size_t i = 0; i < request->n_judgements; i++) {
		struct diff_judgement *judgement = &request->judgements[i];
		struct diag diag = { "", "" };
		int status = diff_condition_holds(
			&judgement->condition, diff, judgement->why, sizeof(judgement->why), &diag);

		if (status < 0) {
			message_diag(&diag);
			is_known = 0;
			continue;
		}
		judgement->holds = status;
		holds |= status;
		if (status)
			message("condition '%s' holds: %s", judgement->condition.text,
				judgement->why);
	}
	return is_known ? holds : -1;
}

static int show(struct request *request, const struct diff *diff)
{
	struct terminal terminal;
	int holds = judge(request, diff), status = STATUS_OK;

	terminal_open(&terminal, request->format == FORMAT_TEXT ? request->colour : COLOUR_NEVER,
		request->use_pager && request->format == FORMAT_TEXT && is_table(request));
	if (print(request, diff, &terminal) != 0) {
		message("cannot show the comparison: out of memory");
		status = DIFF_TROUBLE;
	}
	if (terminal_close(&terminal, status) != STATUS_OK || holds < 0)
		return DIFF_TROUBLE;
	return holds ? DIFF_HOLDS : STATUS_OK;
}

static int compare(struct request *request, struct name_tree *strings)
{
	struct diff_run before = { 0 }, after = { 0 };
	struct diff diff = { 0 };
	struct diag diag = { "", "" };
	int status = DIFF_TROUBLE;

	if (diff_run_load(&before, request->before, &request->report, strings, &diag) != 0 ||
		diff_run_load(&after, request->after, &request->report, strings, &diag) != 0) {
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

	if (status != OPTIONS_GO_ON)
		return status;
	if (name_tree_init(&strings, 1) != 0) {
		message("cannot compare the profiles: out of memory");
		return DIFF_TROUBLE;
	}
	status = compare(&request, &strings);
	name_tree_release(&strings);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two profiles",
	.options = &options_table,
	.run = run,
};
