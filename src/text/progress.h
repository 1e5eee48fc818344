/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on stderr that shows the progress of the command. It appears only on a terminal and only
 * after the work has taken a second. It disappears when the work is done. The work calls
 * progress_show() as often as it likes. Without a progress_begin() before it, as in tests and in
 * some verbs, progress_show() does nothing.
 */
#ifndef OMPPROF_SRC_TEXT_PROGRESS_H
#define OMPPROF_SRC_TEXT_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

/* Begins to show progress on `err`, if that is a terminal that can erase a line. */
void progress_begin(FILE *err);

/* Shows "ompprof: reading files: 12 of 400"; whole 0: without " of ...". One thread at a time. */
void progress_show(const char *what, size_t n, size_t whole);

/* Counts its calls and shows the count: "ompprof: looking names up: 12". */
void progress_count(const char *what);

/* Erases the line. */
void progress_end(void);

/* For tests: acts as if `err` were a terminal and the work had begun `ns_ago` ns ago. */
void progress_pretend(FILE *err, unsigned long long ns_ago);

#endif
