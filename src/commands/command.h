/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ompprof command's subcommands. Each is one file cmd_*.c with one `const struct command`,
 * listed in command_table.c. A command reports failures through message.h and returns its exit
 * status.
 */
#ifndef OMPPROF_SRC_COMMANDS_COMMAND_H
#define OMPPROF_SRC_COMMANDS_COMMAND_H

#include "src/text/options.h"
#include "src/text/status.h"

struct command {
	const char *name;
	const char *summary; /* for `ompprof help`, lower case, no full stop */
	const struct option_table *options;

	/*
	 * argv[0] is the verb. Returns the exit status: 0, 1 failure, 2 usage; `run`, `scale`,
	 * `diff`, `doctor` and `help` have others, too.
	 */
	int (*run)(int argc, char **argv);
};

extern const struct command command_run;
extern const struct command command_report;
extern const struct command command_annotate;
extern const struct command command_why;
extern const struct command command_diff;
extern const struct command command_scale;
extern const struct command command_history;
extern const struct command command_export;
extern const struct command command_merge;
extern const struct command command_info;
extern const struct command command_top;
extern const struct command command_doctor;
extern const struct command command_help;

/* All verbs, in the order of `ompprof help`. NULL ends the list. */
extern const struct command *const command_table[];

/* The options of `ompprof` itself, and their codes. */
enum { COMMAND_VERSION = 256 };
extern const struct option_table command_options;

/* The verb called `name`, or NULL. */
const struct command *command_find(const char *name);

/* Prints a hint with the verb that was probably meant. Returns whether there is such a verb. */
int command_hint(const char *name);

/* `ompprof COMMAND`: as `ompprof run`, then the summary on stderr. Returns the exit status. */
int command_run_summary(char **argv);

/*
 * `ompprof help VERB`: shows the man page of the verb, on a terminal in man's pager, elsewhere as
 * plain text of 80 columns. On a terminal man takes this process's place. Returns 0 if the page was
 * shown; -1, with nothing printed, if there is no page, or no program that can show it.
 */
int help_page_show(const char *verb);

#endif
