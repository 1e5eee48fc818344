/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof help: the commands, or the usage of one. */
#include <stdio.h>
#include <string.h>

#include "src/command.h"
#include "src/message.h"

static const char usage[] = "Usage: ompprof help [VERB]\n"
			    "Lists the commands, or shows how VERB is used.\n"
			    "\n"
			    "  -h, --help               show this text\n";

static void list(void)
{
	printf("Usage: ompprof COMMAND [ARGUMENT...]\n"
	       "   or: ompprof VERB [OPTION...]\n"
	       "Shows which lines of an OpenMP program its threads spend their time in. The first\n"
	       "form runs COMMAND and prints a summary.\n"
	       "\n");
	for (size_t i = 0; command_table[i]; i++)
		printf("  %-10s %s\n", command_table[i]->name, command_table[i]->summary);
	printf("\n"
	       "  -h, --help               show this text\n"
	       "      --version            show the version\n"
	       "\n"
	       "'ompprof help VERB' shows how a verb is used.\n");
}

static int help(int argc, char **argv)
{
	const struct command *command;

	if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
		fputs(usage, stdout);
		return message_finish_stdout(STATUS_OK);
	}
	if (argc < 2) {
		list();
		return message_finish_stdout(STATUS_OK);
	}
	command = command_find(argv[1]);
	if (!command) {
		message("no verb is called '%s'", argv[1]);
		fprintf(stderr, "Try 'ompprof help' for more information.\n");
		return STATUS_USAGE;
	}
	fputs(command->usage, stdout);
	return message_finish_stdout(STATUS_OK);
}

const struct command command_help = {
	.name = "help",
	.summary = "list the verbs, or show how one is used",
	.usage = usage,
	.run = help,
};
