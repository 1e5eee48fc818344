/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof why: explains an item of "Fix first". */
#include <stdlib.h>
#include <string.h>

#include "src/commands/command.h"
#include "src/compare/repeats.h"
#include "src/request/shared_options.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/why/why.h"

enum { LINES_MOST = 4 };

static const struct option_row rows[] = {
	OPTION_HEADING("What is shown:"),
	SHARED_ROW_PROFILE,
	SHARED_ROWS_SOURCE,

	OPTION_HEADING("How it is shown:"),
	SHARED_ROW_FORMAT(print_formats_no_csv, "text for people (default) or JSON for programs"),
	SHARED_ROW_COLOR,
	SHARED_ROW_NO_PAGER("explanation"),
};

static const struct option_table table = {
	.verb = "why",
	.usage = "Usage: ompprof why [OPTION...] [PATH] [N]\n"
		 "Explains item N of 'Fix first', by default the first: why it is listed, what to\n"
		 "try and what that could win, each thread's time, and the source. PATH is a\n"
		 "profile, a file or a folder, by default 'ompprof.out'.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.operands = ARGUMENT_TEXT | ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 2,
};

struct request {
	struct shared_request shared;
	size_t number;
	struct filter region; /* the item's */
	struct annotate_options source;
};

/* The last operand is the number, if it is only digits; the first is the profile. 0 or -1. */
static int take_operands(struct request *request, int argc, char **argv)
{
	const char *last = argc > 0 ? argv[argc - 1] : "";

	if (last[0] && !last[strspn(last, "0123456789")]) {
		request->number = strtoul(last, NULL, 10);
		argc--;
	}
	shared_request_take_input(&request->shared, argc > 0, &argc, &argv);
	if (argc == 0)
		return 0;
	message("unexpected argument '%s'", argv[0]);
	return -1;
}

/* Returns OPTIONS_GO_ON or an exit status. */
static int read_request(struct request *request, int argc, char **argv)
{
	int status;

	*request = (struct request){
		.number = 1,
		.shared.report = { .symbols = SYMBOLS_OPTIONS_DEFAULT,
			.by_thread = 1,
			.is_shown_again = 1 },
		.source = { .context = 1, .n_most = LINES_MOST },
	};
	status = options_read(&table, &argc, &argv, shared_request_take, request);
	if (status != OPTIONS_GO_ON)
		return status;
	request->source.demangle = request->shared.report.symbols.demangle;
	request->source.rules = request->shared.sources;
	return take_operands(request, argc, argv) == 0 ? status : message_try_help(table.verb);
}

/* Makes the user view of all threads, cut to the item's region. Returns 0, or -1 with *diag. */
static int make_again(
	struct report *report, struct request *request, const struct why *why, struct diag *diag)
{
	struct report_options options = request->shared.report;

	options.by_thread = 0;
	if (why->region[0]) {
		if (filter_add(&request->region, FILTER_REGION, why->region, diag) != 0)
			return -1;
		options.filter = &request->region;
	}
	if (report_again(report, request->shared.input, &options, diag) != 0)
		return -1;
	options.filter = NULL;
	options.is_shown_again = 0;
	return repeats_find_errors(report, request->shared.input, &options, diag);
}

static int print(const struct request *request, const struct why *why, const struct report *report)
{
	struct terminal terminal;
	int status = STATUS_OK;

	print_options_open(&request->shared.print, 1, &terminal);
	if (request->shared.print.format == FORMAT_JSON) {
		why_print_json(why, report, terminal.out);
	} else if (why_print(why, report, &terminal) != 0) {
		message("cannot explain the item: out of memory");
		status = STATUS_FAILURE;
	}
	return terminal_close(&terminal, status);
}

static int explain(struct request *request, struct report *report, struct why *why)
{
	struct diag diag = { "", "" };

	if (report_load(report, request->shared.input, &request->shared.report, &diag) != 0 ||
		why_begin(why, report, request->number, &diag) != 0 ||
		make_again(report, request, why, &diag) != 0) {
		progress_end();
		message_diag(&diag);
		return STATUS_FAILURE;
	}
	why_find_source(why, report,
		&(struct names_options){
			TREE_USER, report_look_up, report->symbols, report_find_body },
		&request->source);
	progress_end();
	return print(request, why, report);
}

static int run(int argc, char **argv)
{
	struct request request;
	struct report report = { .path = "" };
	struct why why = { 0 };
	int status = read_request(&request, argc, argv);

	if (status == OPTIONS_GO_ON) {
		progress_begin(stderr);
		status = explain(&request, &report, &why);
	}
	why_release(&why);
	report_release(&report);
	filter_release(&request.region);
	shared_request_release(&request.shared);
	return status;
}

const struct command command_why = {
	.name = "why",
	.summary = "explain what to fix first",
	.options = &table,
	.run = run,
};
