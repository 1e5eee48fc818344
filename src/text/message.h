/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only code that writes to stderr: "ompprof: what failed 'subject': cause". Not used inside
 * the profiled program.
 */
#ifndef OMPPROF_SRC_TEXT_MESSAGE_H
#define OMPPROF_SRC_TEXT_MESSAGE_H

#include "profile/shared/diag.h"

/* One line on stderr, printf-style, with the program's name before it. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the sentence of `diag`, and its hint on a line of its own if there is a hint. */
void message_diag(const struct diag *diag);

/*
 * "Try 'ompprof VERB --help' for more information.", or 'ompprof help' where verb is NULL. Returns
 * STATUS_USAGE.
 */
int message_try_help(const char *verb);

/*
 * Says which option getopt_long refused. `code` is its answer, '?' or ':'. The option string begins
 * with ':' or "+:", so getopt_long prints nothing itself: its message would begin with the verb.
 * Returns STATUS_USAGE.
 */
int message_refuse_option(const char *verb, int code, char **argv);

/*
 * Flushes stdout. On failure (a full disk) it says so and returns STATUS_FAILURE; else it returns
 * `status`.
 */
int message_finish_stdout(int status);

#endif
