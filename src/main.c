/* SPDX-License-Identifier: Apache-2.0 */
/* The ompprof command: a table of verbs; anything else is a program to run and summarise. */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "src/commands/command.h"
#include "src/text/message.h"
#include "src/text/large_stack.h"

static int take(void *data, int code, const char *text, int word)
{
	int *wants_version = data;

	(void)text;
	(void)word;
	*wants_version = code == COMMAND_VERSION;
	return 0;
}

/*
 * Larger blocks go back to the system when they are freed. Otherwise the C library would keep more
 * and more memory, which is seldom used again: each step of a report needs arrays of another kind.
 */
enum { KEPT_BYTES = 8 << 20 };

static int run_command(int argc, char **argv)
{
	const struct command *command;
	int wants_version = 0;
	int status = options_read(&command_options, &argc, &argv, take, &wants_version);

	mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
	if (status != OPTIONS_GO_ON)
		return status;
	if (wants_version) {
		printf("ompprof %s\n", PACKAGE_VERSION);
		return message_finish_stdout(STATUS_OK);
	}
	if (argc < 1) {
		message("no command to run");
		return message_try_help(NULL);
	}
	/* After "--" stands a program, whatever its name. */
	command = strcmp(argv[-1], "--") == 0 ? NULL : command_find(argv[0]);
	return command ? command->run(argc, argv) : command_run_summary(argv);
}

int main(int argc, char **argv)
{
	return large_stack_call(run_command, argc, argv);
}
