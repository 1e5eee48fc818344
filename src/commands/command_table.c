/* SPDX-License-Identifier: Apache-2.0 */
/* The table of verbs, and what `ompprof` takes before them; see command.h. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "src/commands/command.h"
#include "src/text/nearest.h"

/* A new verb is one file, one line here and one in command.h. */
const struct command *const command_table[] = {
	&command_run,
	&command_report,
	&command_why,
	&command_top,
	&command_annotate,
	&command_diff,
	&command_scale,
	&command_history,
	&command_export,
	&command_merge,
	&command_info,
	&command_doctor,
	&command_help,
	NULL,
};

static void list_verbs(FILE *file)
{
	for (size_t i = 0; command_table[i]; i++)
		fprintf(file, "  %-10s %s\n", command_table[i]->name, command_table[i]->summary);
}

static const struct option_row rows[] = {
	OPTION_FLAG(COMMAND_VERSION, "version", "show the version"),
};

const struct option_table command_options = {
	.usage = "Usage: ompprof COMMAND [ARGUMENT...]\n"
		 "   or: ompprof VERB [OPTION...]\n"
		 "Shows which lines of an OpenMP program its threads spend their time in. The\n"
		 "first form runs COMMAND and prints a summary.\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.notes = "'ompprof help VERB' shows how a verb is used.\n",
	.print_more = list_verbs,
	.operands = ARGUMENT_VERB | ARGUMENT_COMMAND,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; command_table[i]; i++) {
		if (strcmp(command_table[i]->name, name) == 0)
			return command_table[i];
	}
	return NULL;
}

int command_hint(const char *name)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; command_table[i]; i++)
		nearest_try(&nearest, command_table[i]->name);
	nearest_hint(&nearest, "ompprof ");
	return nearest.word[0] != '\0';
}
