/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on stderr that says what the command is at, on a terminal only, and only once it has taken a
 * second; gone when the work is done. The work calls progress_show() as often as it likes: without a
 * progress_begin() before, as in tests and in other verbs, that does nothing.
 */
#ifndef OMPPROF_SRC_TEXT_PROGRESS_H
#define OMPPROF_SRC_TEXT_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

/* From now on what is shown goes to `err`, if that is a terminal that can take lines back. */
void progress_begin(FILE *err);

/* "ompprof: reading files: 12 of 400". For one thread at a time. */
void progress_show(const char *what, size_t n, size_t whole);

/* Likewise of work whose end is not known: "ompprof: looking names up: 12", how often it was called. */
void progress_count(const char *what);

/* Takes the line back. */
void progress_end(void);

/* For tests: as if stderr were a terminal and the work had begun so many ns ago. */
void progress_pretend(FILE *err, unsigned long long ns_ago);

#endif
