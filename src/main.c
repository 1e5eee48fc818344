/* SPDX-License-Identifier: Apache-2.0 */
/* The ompprof command: a table of subcommands. */
#include <stdio.h>

#include "config.h"
#include "src/command.h"
#include "src/message.h"

int main(int argc, char **argv)
{
	printf("ompprof %s\n", PACKAGE_VERSION);
	return message_finish_stdout(STATUS_OK);
}
