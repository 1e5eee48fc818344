/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof top: shows what a running program does now. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/commands/command.h"
#include "src/text/message.h"
#include "src/request/shared_options.h"
#include "src/top/top.h"

static const char *const views[] = { "functions", "waits", "regions", "threads", "processes",
	NULL };

struct request {
	struct shared_request shared;
	struct top_options top;
	struct top_target target;
};

static const struct option_row rows[] = {
	OPTION_TAKES('d', "interval", "SECONDS", ARGUMENT_NUMBER, NULL,
		"time between two pictures: 0.1 to 3600, by default 1"),
	OPTION_TAKES('n', "count", "N", ARGUMENT_NUMBER, NULL,
		"end after N pictures; by default with the program"),
	OPTION_SETS('b', "batch", INTO_SET(struct request, top.is_batch),
		"print each picture as text, as without a terminal"),
	OPTION_KEEPS('v', "view", NULL, ARGUMENT_WORD, views, INTO_WORD(struct request, top.view),
		"the first view"),
	SHARED_ROW_INPUT("PID or PATH, also without -i"),
	SHARED_ROWS_SELECTION("run"),
	SHARED_ROWS_SYMBOLS,
	SHARED_ROW_COLOR,
};

static const struct option_table table = {
	.verb = "top",
	.usage = "Usage: ompprof top [OPTION...] [PID|PATH]\n"
		 "Shows what a program that is being profiled does now: efficiency, functions,\n"
		 "waits, regions, threads, processes, each since the picture before. PID is its\n"
		 "process; PATH its profile, a file or a folder; by default 'ompprof.out', or\n"
		 "the only program there is.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "Keys: f w r t o or left, right: view; p: pause; ?: help; q: quit.\n",
	.operands = ARGUMENT_FILE | ARGUMENT_FOLDER,
	.n_operands = 1,
};

/* Returns 0, or -1 with a message. */
static int take_interval(uint32_t *ms, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0.1 && seconds <= 3600)) {
		message("option '--interval' wants seconds from 0.1 to 3600, not '%s'", text);
		return -1;
	}
	*ms = (uint32_t)(seconds * 1000 + 0.5);
	return 0;
}

static int take(void *data, int code, const char *text, int word)
{
	struct request *request = data;

	switch (code) {
	case 'd':
		return take_interval(&request->top.interval_ms, text);
	case 'n':
		request->top.is_batch = 1;
		return options_number("count", text, 1, &request->top.n_times);
	default:
		return shared_request_take(data, code, text, word);
	}
}

static void sleep_ms(uint32_t ms)
{
	struct timespec left = { ms / 1000, (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

static int print_picture(struct top *top, int is_first)
{
	struct top_show show = { .view = top->options->view };
	struct terminal terminal;
	char *screen;

	terminal_open(&terminal, top->options->colour, 0);
	show.width = terminal.width;
	show.has_colour = terminal.has_colour;
	screen = top_screen(&show, &top->change, &top->now);
	if (!screen) {
		message("cannot show '%s': out of memory", top->target.path);
		return terminal_close(&terminal, STATUS_FAILURE);
	}
	fprintf(terminal.out, "%s%s", is_first ? "" : "\n", screen);
	free(screen);
	return terminal_close(&terminal, STATUS_OK);
}

static int run_batch(struct top *top, struct diag *diag)
{
	for (uint32_t i = 0; top->options->n_times == 0 || i < top->options->n_times; i++) {
		int status;

		if (i)
			sleep_ms(top->options->interval_ms);
		if (top_read(top, diag) != 0)
			return -1;
		status = print_picture(top, i == 0);
		if (status != STATUS_OK)
			return status;
		if (!top->now.n_running)
			break;
	}
	return STATUS_OK;
}

static void say_ended(const struct top *top)
{
	if (!top->now.n_running)
		message("the program has ended; its profile is in '%s'", top->target.path);
}

static int end_by(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return 128 + signal_number;
}

static int show(struct request *request)
{
	struct diag diag = { "", "" };
	struct top top;
	int has_screen = !request->top.is_batch && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	int status = top_begin(&top, &request->top, &request->target, &diag);

	if (status == 0 && has_screen)
		status = top_watch(&top, NULL, &diag);
	else if (status == 0)
		status = run_batch(&top, &diag);
	if (status < 0)
		message_diag(&diag);
	else if (status == 0)
		say_ended(&top);
	top_release(&top);
	if (has_screen && status > 1)
		return end_by(status - 1);
	return status < 0 ? STATUS_FAILURE : has_screen ? STATUS_OK : status;
}

static int run(int argc, char **argv)
{
	struct request request = { .shared = SHARED_REQUEST_DEFAULT, .top.interval_ms = 1000 };
	struct diag diag = { "", "" };
	int status = options_read(&table, &argc, &argv, take, &request);

	if (status != OPTIONS_GO_ON)
		return status;
	if (top_find(&request.target, argc > 0 ? argv[0] : NULL, &diag) != 0) {
		message_diag(&diag);
		return STATUS_FAILURE;
	}
	request.target.selection = request.shared.report.selection;
	request.top.report = request.shared.report;
	request.top.colour = request.shared.print.colour;
	return show(&request);
}

const struct command command_top = {
	.name = "top",
	.summary = "show what a running program does now",
	.options = &table,
	.run = run,
};
