/* SPDX-License-Identifier: Apache-2.0 */
/* The ompprof command: a table of verbs; anything else is a program to run and summarise. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "src/command.h"
#include "src/message.h"

int main(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		message("no command to run");
		fprintf(stderr, "Try 'ompprof help' for more information.\n");
		return STATUS_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("ompprof %s\n", PACKAGE_VERSION);
		return message_finish_stdout(STATUS_OK);
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
		return command_help.run(1, argv + 1);
	command = command_find(argv[1]);
	if (command)
		return command->run(argc - 1, argv + 1);
	if (strcmp(argv[1], "--") == 0 && argc > 2)
		return command_run_summary(argv + 2);
	if (argv[1][0] == '-') {
		message("unknown option '%s'", argv[1]);
		fprintf(stderr, "Try 'ompprof help' for more information.\n");
		return STATUS_USAGE;
	}
	return command_run_summary(argv + 1);
}
