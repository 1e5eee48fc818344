/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The man page of a verb, for `ompprof help VERB`: in man's pager on a terminal, elsewhere as plain
 * text of 80 columns that man or mandoc makes of it. Used by cmd_help.c only.
 */
#ifndef OMPPROF_SRC_COMMANDS_HELP_PAGE_H
#define OMPPROF_SRC_COMMANDS_HELP_PAGE_H

/*
 * Shows the page of `verb`. On a terminal man takes this process's place. Returns 0 if the page was
 * shown. Returns -1, with nothing printed, if there is no page, or no program that can show it.
 */
int help_page_show(const char *verb);

#endif
