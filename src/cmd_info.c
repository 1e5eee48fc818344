/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: says what is in a profile. */
#include <getopt.h>
#include <stdio.h>

#include "src/command.h"
#include "src/info.h"
#include "src/message.h"

#define DEFAULT_INPUT "ompprof.out"

static const char usage[] =
	"Usage: ompprof info [-i PATH]\n"
	"Says what is in the profile at PATH, a file or a folder, by default 'ompprof.out':\n"
	"what was run and how, threads, loaded objects, losses, and what profiling cost.\n"
	"\n"
	"  -i, --input PATH         the profile\n"
	"  -h, --help               show this text\n";

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
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

static int run(int argc, char **argv)
{
	const char *input = DEFAULT_INPUT;
	int code;

	optind = 0;
	while ((code = getopt_long(argc, argv, ":i:h", long_options, NULL)) != -1) {
		switch (code) {
		case 'i':
			input = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return message_finish_stdout(STATUS_OK);
		default:
			return message_refuse_option("info", code, argv);
		}
	}
	if (optind < argc) {
		message("unexpected argument '%s'", argv[optind]);
		return message_try_help("info");
	}
	return show(input);
}

const struct command command_info = {
	.name = "info",
	.summary = "say what is in a profile and what it cost",
	.usage = usage,
	.run = run,
};
