/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: says what is in a profile. */
#include <stdio.h>

#include "src/command.h"
#include "src/info.h"
#include "src/message.h"

#define DEFAULT_INPUT "ompprof.out"

static const struct option_row rows[] = {
	OPTION_TAKES('i', "input", "PATH", ARGUMENT_FILE | ARGUMENT_FOLDER, NULL, "the profile"),
};

static const struct option_table table = {
	.verb = "info",
	.usage = "Usage: ompprof info [-i PATH]\n"
		 "Says what is in the profile at PATH, a file or a folder, by default\n"
		 "'ompprof.out': what was run and how, threads, loaded objects, losses, and what\n"
		 "profiling cost.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
};

static int show(const char *input)
{
	struct diag diag = { "", "" };
	struct info info = { 0 };
	char path[4096];

	if (profile_find(input, path, sizeof(path), &info.n_others, &diag) ||
		profile_open(&info.profile, path, &diag)) {
		message_diag(&diag);
		return STATUS_FAILURE;
	}
	info.path = path;
	info_print_run(&info);
	info_print_threads(&info);
	info_print_losses(&info);
	info_print_cost(&info);
	info_print_modules(&info);
	info_print_environment(&info);
	profile_release(&info.profile);
	return message_finish_stdout(STATUS_OK);
}

static int take(void *data, int code, const char *text, int word)
{
	const char **input = data;

	(void)code;
	(void)word;
	*input = text;
	return 0;
}

static int run(int argc, char **argv)
{
	const char *input = DEFAULT_INPUT;
	int status = options_read(&table, &argc, &argv, take, &input);

	return status == OPTIONS_GO_ON ? show(input) : status;
}

const struct command command_info = {
	.name = "info",
	.summary = "say what is in a profile and what it cost",
	.options = &table,
	.run = run,
};
