/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on stderr that shows the progress of the command. It appears only on a terminal and only
 * after the work has taken a second. It disappears when the work is done. The work calls
 * progress_show() as often as it likes. Without a progress_begin() before it, as in tests and in
 * other verbs, progress_show() does nothing.
 */
#ifndef OMPPROF_SRC_TEXT_PROGRESS_H
#define OMPPROF_SRC_TEXT_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

/* From now on the progress is shown on `err`, if `err` is a terminal that can erase a line. */
void progress_begin(FILE *err);

/* "ompprof: reading files: 12 of 400". For one thread at a time. */
void progress_show(const char *what, size_t n, size_t whole);

/*
 * The same for work whose end is not known: "ompprof: looking names up: 12". The number is the
 * count of calls.
 */
void progress_count(const char *what);

/* Erases the line. */
void progress_end(void);

/* For tests: acts as if stderr were a terminal and the work had begun `ns_ago` ns ago. */
void progress_pretend(FILE *err, unsigned long long ns_ago);

#endif
