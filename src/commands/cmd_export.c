/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof export: writes a profile in the format of another tool. */
#include <string.h>
#include <unistd.h>

#include "src/commands/command.h"
#include "src/export/export.h"
#include "src/text/message.h"
#include "src/text/progress.h"
#include "src/request/shared_options.h"
#include "src/views/view_filter.h"
#include "src/export/own_files.h"

enum option_code { OPTION_FORMAT = 256 };

/* The options and operands of the command line. */
struct request {
	struct shared_request shared;
	struct save_place output;
	struct export_options options;
	int is_quiet;
};

static const struct option_row rows[] = {
	OPTION_HEADING("What is written:"),
	OPTION_TAKES(OPTION_FORMAT, "format", "FORMAT", ARGUMENT_WORD, export_format_words,
		"one of these formats (default: by the suffix of the output)"),
	OPTION_KEEPS('o', "output", "FILE", ARGUMENT_FILE, NULL,
		INTO_TEXT(struct request, output.path),
		"the output; '-' is standard output (default: a name by the format)"),
	SHARED_ROW_FORCE(struct request, output.is_forced),
	OPTION_KEEPS(OPTION_LONG, "metric", "METRIC", ARGUMENT_WORD, export_metric_words,
		INTO_WORD(struct request, options.metric),
		"the figure of folded, svg and firefox, the first figure of pprof, callgrind and "
		"speedscope: samples, time, work, wait, overhead, blame or events (default: time, "
		"or events if these were sampled)"),
	OPTION_SETS(OPTION_LONG, "per-thread", INTO_SET(struct request, options.by_thread),
		"separate stacks for each thread"),
	OPTION_SETS(
		'q', "quiet", INTO_SET(struct request, is_quiet), "do not say what was written"),

	OPTION_HEADING("What to export:"),
	SHARED_ROW_INPUT("the profile, also without -i"),
	SHARED_ROWS_SELECTION("job"),
	SHARED_ROW_PHASE,
	SHARED_ROW_TIME,
	SHARED_ROWS_TREE,
	SHARED_ROWS_SYMBOLS,

	SHARED_ROWS_FILTERS,
};

static void list_formats(FILE *file)
{
	fputs("Formats:\n", file);
	for (size_t i = 0; export_formats[i]; i++)
		fprintf(file, "  %-12s %s\n", export_formats[i]->name, export_formats[i]->summary);
}

static const struct option_table table = {
	.verb = "export",
	.usage = "Usage: ompprof export --format FORMAT [-o FILE] [OPTION...] [PATH]\n"
		 "Writes the profile at PATH, a file or a folder, by default 'ompprof.out', in a\n"
		 "format that other tools read.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.print_more = list_formats,
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 1,
};

static int take(void *data, int code, const char *text, int word)
{
	struct request *request = data;

	if (code != OPTION_FORMAT)
		return shared_request_take(data, code, text, word);
	request->options.format = export_formats[word];
	return 0;
}

/* Refuses contradictions, and sets what follows from options. Returns 0, or -1 with a message. */
static int check(struct request *request)
{
	struct export_options *options = &request->options;

	if (!options->format && request->output.path)
		options->format = export_format_of_file(request->output.path);
	if (!options->format) {
		message("option '--format' is needed%s",
			request->output.path ? ": the name of the output does not say which" : "");
		return -1;
	}
	if (options->metric >= 0 && (options->format->takes == EXPORT_ALL_METRICS ||
					    options->format->takes == EXPORT_STATES)) {
		message("options '--format %s' and '--metric' exclude each other: it has %s",
			options->format->name,
			options->format->takes == EXPORT_STATES
				? "the time of each state, and no other metrics"
				: "all metrics");
		return -1;
	}
	if (request->shared.filter.given & FILTER_REGION &&
		request->shared.report.view == TREE_MACHINE) {
		message("options '--view machine' and '--region' exclude each other");
		return -1;
	}
	if (time_range_is_given(request->shared.report.time) && request->shared.phases.given) {
		message("options '--phase' and '--time' exclude each other: times within phases "
			"are not known");
		return -1;
	}
	if (time_range_is_given(request->shared.report.time) && options->metric == EXPORT_BLAME) {
		message("options '--metric blame' and '--time' exclude each other: blame is only "
			"known for the whole run");
		return -1;
	}
	request->shared.time.needs_paths = options->format != &export_chrome;
	if (!request->output.path)
		request->output.path = options->format->file;
	if (options->format->folds_inlined && !request->shared.report.symbols.inlines) {
		options->fold_inlined = 1;
		request->shared.report.symbols.inlines = 1;
	}
	request->shared.report.by_thread = options->by_thread || options->format->is_by_thread;
	return 0;
}

/* Refuses to write binary formats to a terminal. Returns 0, or -1 with *diag set. */
static int check_terminal(const struct request *request, struct diag *diag)
{
	if (!request->options.format->is_binary || strcmp(request->output.path, "-") != 0 ||
		!isatty(STDOUT_FILENO))
		return 0;
	return diag_set(diag, "cannot write '%s' to a terminal", request->options.format->name);
}

static int save(const struct request *request, const struct report *report, struct diag *diag)
{
	const struct export_format *format = request->options.format;
	const char *output = request->output.path;
	struct export export;
	int status;

	if (request->options.metric == EXPORT_EVENTS && !report->is_event)
		return diag_set(diag, "cannot export events: '%s' is not a profile by an event",
			report->path);
	status = export_make(&export, report, &request->options, diag);
	if (status == 0)
		status = export_save(&export, format, &request->output, diag);
	export_release(&export);
	if (status == 0 && !request->is_quiet)
		view_put_runs(NULL, report);
	if (status != 0 || request->is_quiet || strcmp(output, "-") == 0)
		return status;
	if (format->viewer)
		message("%s; view with: %s %s", output, format->viewer, output);
	else
		message("%s", output);
	return 0;
}

static int run(int argc, char **argv)
{
	struct request request = {
		.shared = SHARED_REQUEST_DEFAULT,
		.output.is_own = own_file_is,
		.options.metric = -1,
	};
	struct report report;
	struct diag diag = { "", "" };
	int status = options_read(&table, &argc, &argv, take, &request);

	if (status == OPTIONS_GO_ON && argc > 0)
		request.shared.input = argv[0];
	if (status == OPTIONS_GO_ON && check(&request) != 0)
		status = message_try_help(table.verb);
	if (status == OPTIONS_GO_ON) {
		memset(&report, 0, sizeof(report));
		progress_begin(stderr);
		status = check_terminal(&request, &diag);
		if (status == 0)
			status = report_load(
				&report, request.shared.input, &request.shared.report, &diag);
		progress_end();
		if (status == 0)
			status = save(&request, &report, &diag);
		if (status != 0)
			message_diag(&diag);
		status = status == 0 ? STATUS_OK : STATUS_FAILURE;
		report_release(&report);
	}
	shared_request_release(&request.shared);
	return status;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a profile in the format of another tool",
	.options = &table,
	.run = run,
};
