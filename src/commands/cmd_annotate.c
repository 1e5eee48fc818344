/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof annotate: source lines or instructions with their figures beside them. */
#include <stdlib.h>

#include "src/annotate/annotate_print.h"
#include "src/commands/command.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/request/shared_options.h"
#include "src/views/view_filter.h"

/* The options and operands of the command line. */
struct request {
	struct shared_request shared;
	const char *place; /* FUNCTION, FILE or FILE:LINE, or NULL */
	struct annotate_options options;
};

static const struct option_row rows[] = {
	OPTION_HEADING("What is shown:"),
	SHARED_ROW_PROFILE,
	OPTION_KEEPS(OPTION_LONG, "context", "N", ARGUMENT_NUMBER, NULL,
		INTO_NUMBER_FROM(0, struct request, options.context),
		"N lines around each line with figures (3)"),
	OPTION_SETS(OPTION_LONG, "all", INTO_SET(struct request, options.show_all),
		"all lines of the function or file"),
	OPTION_SETS(OPTION_LONG, "inclusive", INTO_SET(struct request, options.is_inclusive),
		"figures that include what a line calls"),
	OPTION_SETS(OPTION_LONG, "asm", INTO_SET(struct request, options.show_code),
		"instructions, with the lines between them"),
	OPTION_KEEPS(OPTION_LONG, "objdump", "PATH", ARGUMENT_FILE, NULL,
		INTO_TEXT(struct request, options.objdump),
		"the disassembler (OMPPROF_OBJDUMP, objdump)"),
	SHARED_ROWS_SOURCE,

	OPTION_HEADING("How it is shown:"),
	SHARED_ROW_FORMAT(print_formats, "text for people (default), JSON or CSV for programs"),
	SHARED_ROW_COLOR,
	SHARED_ROW_NO_PAGER("listing"),
};

static const struct option_table table = {
	.verb = "annotate",
	.usage =
		"Usage: ompprof annotate [OPTION...] [PATH] [FUNCTION|FILE[:LINE]]\n"
		"Shows the source of a function, or of a file, with the work, the waiting and the\n"
		"blame of each line beside it; by default of the function with most work. PATH is\n"
		"a profile, a file or a folder, by default 'ompprof.out'.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.operands = ARGUMENT_TEXT | ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 2,
};

/* Takes the operands: a profile, unless -i gave it, and a place. Either may be absent. 0 or -1. */
static int take_operands(struct request *request, int argc, char **argv)
{
	shared_request_take_input(&request->shared,
		argc > 1 || (argc == 1 && report_is_profile(argv[0])), &argc, &argv);
	request->place = argc > 0 ? argv[0] : NULL;
	if (argc <= 1)
		return 0;
	message("unexpected argument '%s'", argv[1]);
	return -1;
}

/* Returns OPTIONS_GO_ON or an exit status. */
static int read_request(struct request *request, int argc, char **argv)
{
	const char *objdump = getenv("OMPPROF_OBJDUMP");
	int status;

	*request = (struct request){
		.shared.report.symbols = SYMBOLS_OPTIONS_DEFAULT,
		.options = { .context = ANNOTATE_CONTEXT_DEFAULT,
			.objdump = objdump && objdump[0] ? objdump : NULL },
	};
	status = options_read(&table, &argc, &argv, shared_request_take, request);
	if (status != OPTIONS_GO_ON)
		return status;
	request->options.demangle = request->shared.report.symbols.demangle;
	request->options.rules = request->shared.sources;
	if (take_operands(request, argc, argv) != 0)
		return message_try_help(table.verb);
	if (!request->options.show_code || !request->options.is_inclusive)
		return status;
	message("options '--asm' and '--inclusive' exclude each other");
	return message_try_help(table.verb);
}

static int print(const struct request *request, const struct report *report,
	const struct annotate_listing *listing)
{
	struct terminal terminal;
	int status = STATUS_OK;

	print_options_open(&request->shared.print, 1, &terminal);
	view_put_runs(request->shared.print.format == FORMAT_TEXT ? &terminal : NULL, report);
	if (request->shared.print.format == FORMAT_TEXT)
		annotate_print_text(listing, &terminal);
	else if (request->shared.print.format == FORMAT_JSON)
		annotate_print_json(listing, &terminal);
	else if (annotate_print_csv(listing, &terminal) != 0) {
		message("cannot annotate: out of memory");
		status = STATUS_FAILURE;
	}
	return terminal_close(&terminal, status);
}

static int show(const struct request *request, struct report *report)
{
	struct names_options names = { TREE_USER, report_look_up, report->symbols,
		report_find_body };
	struct annotate_listing listing;
	struct diag diag = { "", "" };
	int status = annotate_listing_make(
		&listing, report, &names, request->place, &request->options, &diag);

	progress_end();
	if (status == 0)
		status = print(request, report, &listing);
	else
		message_diag(&diag);
	annotate_listing_release(&listing);
	return status < 0 ? STATUS_FAILURE : status;
}

static int run(int argc, char **argv)
{
	struct request request;
	struct report report;
	struct diag diag = { "", "" };
	int status = read_request(&request, argc, argv);

	if (status != OPTIONS_GO_ON) {
		shared_request_release(&request.shared);
		return status;
	}
	request.options.code_for_source = request.shared.print.format == FORMAT_TEXT;
	status = STATUS_FAILURE;
	progress_begin(stderr);
	if (report_load(&report, request.shared.input, &request.shared.report, &diag) == 0) {
		status = show(&request, &report);
	} else {
		progress_end();
		message_diag(&diag);
	}
	report_release(&report);
	shared_request_release(&request.shared);
	return status;
}

const struct command command_annotate = {
	.name = "annotate",
	.summary = "show source lines and what each costs",
	.options = &table,
	.run = run,
};
