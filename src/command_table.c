/* SPDX-License-Identifier: Apache-2.0 */
/* The table of verbs; see command.h. A new verb is one file and one line here. */
#include <stddef.h>
#include <string.h>

#include "src/command.h"

const struct command *const command_table[] = {
	&command_run,
	&command_report,
	&command_info,
	&command_help,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; command_table[i]; i++) {
		if (strcmp(command_table[i]->name, name) == 0)
			return command_table[i];
	}
	return NULL;
}
