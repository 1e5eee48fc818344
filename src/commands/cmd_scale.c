/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof scale: runs a program at several numbers of threads and says where speed-up is lost. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/frequency.h"
#include "profile/shared/perf_event.h"
#include "src/commands/command.h"
#include "src/compare/diff_table.h"
#include "src/text/message.h"
#include "src/text/ordered_pool.h"
#include "src/text/text.h"
#include "src/compare/scale.h"
#include "src/request/shared_options.h"

#define DEFAULT_FOLDER "ompprof.scale"

enum { THREADS_MOST = 4096 };

static const char *const bys[] = { "function", "region", NULL };

/* The options and operands of the command line. */
struct request {
	struct shared_request shared;
	struct scale_options run;
	const char *kept; /* --report, or NULL */
	uint32_t at;      /* --at: a number of threads; 0: the greatest of the runs */
	int by;           /* index into bys, or -1 */
	int is_weak, shows_all;
};

static const struct option_row rows[] = {
	OPTION_HEADING("What is run:"),
	OPTION_TAKES('t', "threads", "N,...", ARGUMENT_TEXT, NULL,
		"numbers of threads; by default 1, 2, 4, ... up to the number of cpus"),
	OPTION_KEEPS('r', "repeat", "N", ARGUMENT_NUMBER, NULL,
		INTO_NUMBER(struct request, run.n_repeats),
		"N runs with each number of threads; the median run is shown"),
	OPTION_TAKES('o', "output", "DIR", ARGUMENT_FOLDER, NULL,
		"folder for the profiles, by default 'ompprof.scale'; earlier runs there are kept "
		"as DIR.old"),
	OPTION_TAKES('F', "frequency", "HZ", ARGUMENT_TEXT, NULL,
		"samples per second and thread (default 200), or a period: 5ms"),
	OPTION_TAKES('e', "event", "EVENT", ARGUMENT_TEXT, NULL, "the clock or event, as for run"),
	OPTION_KEEPS(OPTION_LONG, "runtime", "RUNTIME", ARGUMENT_TEXT, NULL,
		INTO_TEXT(struct request, run.runtime),
		"what programs on GCC's libgomp get, as for run"),
	OPTION_SETS('q', "quiet", INTO_SET(struct request, run.is_quiet),
		"print nothing about each run"),
	OPTION_HEADING("What is shown:"),
	OPTION_KEEPS(OPTION_LONG, "report", "DIR", ARGUMENT_FOLDER, NULL,
		INTO_TEXT(struct request, kept), "run nothing; show the runs in DIR"),
	OPTION_SETS(OPTION_LONG, "weak", INTO_SET(struct request, is_weak),
		"the work grows with the number of threads"),
	OPTION_KEEPS(OPTION_LONG, "at", "N", ARGUMENT_NUMBER, NULL, INTO_NUMBER(struct request, at),
		"say where speed-up is lost with N threads (default: the most)"),
	OPTION_KEEPS(OPTION_LONG, "by", NULL, ARGUMENT_WORD, bys, INTO_WORD(struct request, by),
		"a table of the losses, by function or parallel region"),
	OPTION_SETS('a', "all", INTO_SET(struct request, shows_all),
		"also show losses below twice their error or 0.1 % of the wall time"),
	SHARED_ROW_SORT("KEY", ARGUMENT_TEXT, NULL, "the column to sort a table by"),
	SHARED_ROW_FIELDS("KEY,...", ARGUMENT_TEXT, NULL, "the columns of a table"),
	SHARED_ROW_LIMIT("show N places at most"),
	SHARED_ROW_PERCENT_LIMIT("in a table, hide losses below P percent of the wall time"),
	SHARED_ROW_PHASE,
	SHARED_ROWS_SYMBOLS,
	SHARED_ROW_FORMAT(print_formats, "text for people (default), JSON or CSV for programs"),
	SHARED_ROW_COLOR,
};

static const struct option_table options_table = {
	.verb = "scale",
	.usage = "Usage: ompprof scale [OPTION...] [--] COMMAND [ARGUMENT...]\n"
		 "       ompprof scale --report DIR [OPTION...]\n"
		 "Runs COMMAND with several numbers of threads and says where speed-up is lost.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Exit status: 0; that of COMMAND if a run fails, 125 if ompprof does, 126 and\n"
		 "127 if COMMAND cannot be run; with --report 1 if there is nothing to show.\n",
	.operands = ARGUMENT_COMMAND,
};

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* "1,2,4" in any order. Returns 0, or -1 with a message. */
static int parse_threads(struct scale_options *options, const char *text)
{
	const char *at = text;
	size_t n = 0, n_kept = 0;

	for (;; at++) {
		uint32_t number = 0;

		for (; *at >= '0' && *at <= '9' && number <= THREADS_MOST; at++)
			number = number * 10 + (uint32_t)(*at - '0');
		if (number == 0 || number > THREADS_MOST || n == SCALE_MOST ||
			(*at && *at != ',')) {
			message("option '--threads' wants numbers from 1 to %d, as in '1,2,4', not "
				"'%s'",
				THREADS_MOST, text);
			return -1;
		}
		options->threads[n++] = number;
		if (!*at)
			break;
	}
	qsort(options->threads, n, sizeof(options->threads[0]), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || options->threads[i] != options->threads[i - 1])
			options->threads[n_kept++] = options->threads[i];
	options->n_threads = n_kept;
	return 0;
}

static void choose_threads(struct scale_options *options)
{
	uint32_t n_cpus = count_cpus();

	for (uint32_t n = 1; n < n_cpus; n *= 2)
		options->threads[options->n_threads++] = n;
	options->threads[options->n_threads++] = n_cpus;
}

static int refuse(const char *option, const char *takes, const char *text)
{
	message("option '--%s' takes %s, not '%s'", option, takes, text);
	return -1;
}

static int take(void *data, int code, const char *text, int word)
{
	struct request *request = data;
	char event[32];
	uint64_t period;

	switch (code) {
	case 't':
		return parse_threads(&request->run, text);
	case 'o':
		request->run.folder = text;
		return text[0] ? 0 : refuse("output", "the name of a folder", text);
	case 'F':
		request->run.frequency = text;
		return frequency_parse(text, &period) == 0
			       ? 0
			       : refuse("frequency",
					 "1 to 10000 samples a second or a period from 100us to "
					 "100s",
					 text);
	case 'e':
		request->run.event = text;
		return perf_event_parse(text, event, sizeof(event), &period) == 0
			       ? 0
			       : refuse("event",
					 "cpu, wall or a perf event such as cycles or "
					 "page-faults@100",
					 text);
	default:
		return shared_request_take(data, code, text, word);
	}
}

/* The table that --by selects, as an enum diff_table; -1 without --by. */
static int table_of(const struct request *request)
{
	return request->by < 0 ? -1 : request->by == 0 ? DIFF_TABLE_FUNCTIONS : DIFF_TABLE_REGIONS;
}

/* Refuses options that would have no effect. Returns 0, or -1 with a message. */
static int check(const struct request *request, int n_args)
{
	const struct table_options *options = &request->shared.table;
	const char *option = table_options_given(options);
	struct diag diag = { "", "" };
	int is_table = request->by >= 0 || request->shared.print.format == FORMAT_CSV;

	if (request->kept && n_args) {
		message("option '--report' runs nothing, so '%s' is not allowed", "COMMAND");
		return -1;
	}
	if (!request->kept && !n_args) {
		message("no command to run");
		return -1;
	}
	if (option && (!is_table || request->shared.print.format == FORMAT_JSON)) {
		message("option '%s' needs '--by' or '--format csv'", option);
		return -1;
	}
	if (!is_table || (request->by < 0 ? scale_check(options, &diag)
					  : diff_table_check((enum diff_table)table_of(request),
						    options, &diag)) == 0)
		return 0;
	message_diag(&diag);
	return -1;
}

/* The index of the runs with `at` threads (0: the most), or -1 with a message. */
static int find_point(const struct scale *scale, uint32_t at)
{
	for (size_t i = 0; i < scale->n_points; i++)
		if (scale->points[i].n_asked == at)
			return (int)i;
	if (at == 0)
		return (int)scale->n_points - 1;
	message("there is no run with %u thread%s", at, text_plural(at));
	return -1;
}

static int print(const struct request *request, const struct scale *scale, int at)
{
	struct scale_view view = { (size_t)at, table_of(request), request->shows_all,
		&request->shared.table };
	struct terminal terminal;
	int status = 0;

	print_options_open(&request->shared.print, 0, &terminal);
	if (request->shared.print.format == FORMAT_JSON)
		scale_put_json(scale, terminal.out);
	else if (request->shared.print.format == FORMAT_TEXT)
		status = scale_print(scale, &view, &terminal);
	else if (view.by >= 0)
		status = diff_table_print(&scale->points[at].diff, (enum diff_table)view.by,
			view.shows_all, view.table, &terminal);
	else
		status = scale_print_points(scale, &request->shared.table, NULL, &terminal);
	if (status != 0)
		message("cannot show the runs: out of memory");
	return terminal_close(&terminal, status ? STATUS_FAILURE : STATUS_OK);
}

static int show(const struct request *request, const char *folder)
{
	struct scale scale = { .n_points = 0 };
	struct diag diag = { "", "" };
	int status = STATUS_FAILURE, at;

	if (scale_load(&scale, folder, &request->shared.report, request->is_weak, &diag) != 0) {
		message_diag(&diag);
	} else {
		at = find_point(&scale, request->at);
		if (at >= 0)
			status = print(request, &scale, at);
	}
	scale_release(&scale);
	return status;
}

static int run_and_show(struct request *request, char **argv)
{
	struct scale_options *run = &request->run;
	uint32_t n_cpus = count_cpus(), n_most;
	struct diag diag = { "", "" };
	int status;

	if (run->n_threads == 0)
		choose_threads(run);
	n_most = run->threads[run->n_threads - 1];
	if (scale_folder_prepare(run->folder, &diag) != 0) {
		message_diag(&diag);
		return RUN_FAILED;
	}
	if (n_most > n_cpus && !run->is_quiet)
		message("%u threads on %u cpu%s take turns: that is no speed-up", n_most, n_cpus,
			text_plural(n_cpus));
	status = scale_run(run, argv);
	return status ? status : show(request, run->folder) ? RUN_FAILED : STATUS_OK;
}

static int run(int argc, char **argv)
{
	struct request request = { .run = { .folder = DEFAULT_FOLDER, .n_repeats = 1 },
		.by = -1,
		.shared = SHARED_REQUEST_DEFAULT };
	int status = options_read(&options_table, &argc, &argv, take, &request);

	request.shared.table.is_csv = request.shared.print.format == FORMAT_CSV;
	if (status == OPTIONS_GO_ON && check(&request, argc) != 0)
		status = message_try_help("scale");
	else if (status == OPTIONS_GO_ON)
		status = request.kept ? show(&request, request.kept) : run_and_show(&request, argv);
	shared_request_release(&request.shared);
	return status;
}

const struct command command_scale = {
	.name = "scale",
	.summary = "run a program with several numbers of threads and compare",
	.options = &options_table,
	.run = run,
};
