/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof help: the verbs, or the manual page of one. */
#include <stdio.h>

#include "src/commands/command.h"
#include "src/text/message.h"

static const struct option_table table = {
	.verb = "help",
	.usage = "Usage: ompprof help [VERB]\n"
		 "Lists the verbs, or shows the manual page of VERB.\n",
	.operands = ARGUMENT_VERB,
	.n_operands = 1,
};

static int help(int argc, char **argv)
{
	const struct command *command;
	int status = options_read(&table, &argc, &argv, NULL, NULL);

	if (status != OPTIONS_GO_ON)
		return status;
	if (argc < 1) {
		options_print_help(&command_options, stdout);
		return message_finish_stdout(STATUS_OK);
	}
	command = command_find(argv[0]);
	if (!command) {
		message("no verb is called '%s'", argv[0]);
		command_hint(argv[0]);
		return message_try_help(NULL);
	}
	if (help_page_show(command->name) != 0)
		options_print_help(command->options, stdout);
	return message_finish_stdout(STATUS_OK);
}

const struct command command_help = {
	.name = "help",
	.summary = "list the verbs, or show how one is used",
	.options = &table,
	.run = help,
};
