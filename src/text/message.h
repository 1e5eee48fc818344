/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place that writes to stderr: "ompprof: what failed 'subject': cause". Not used inside
 * the profiled program.
 */
#ifndef OMPPROF_SRC_TEXT_MESSAGE_H
#define OMPPROF_SRC_TEXT_MESSAGE_H

#include "profile/shared/diag.h"

/* One line on stderr, printf-style, with the program's name before it. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* diag's sentence, and its hint on a line of its own if it has one. */
void message_diag(const struct diag *diag);

/*
 * "Try 'ompprof VERB --help' for more information.", or 'ompprof help' where verb is NULL. Returns
 * STATUS_USAGE.
 */
int message_try_help(const char *verb);

/*
 * Says what getopt_long refused: `code` is its answer, '?' or ':'. It is told to print nothing
 * itself (the option string begins with ':', or "+:"), as it would begin with the verb. Returns
 * STATUS_USAGE.
 */
int message_refuse_option(const char *verb, int code, char **argv);

/* Flushes stdout; on failure (a full disk) says so and returns STATUS_FAILURE, else `status`. */
int message_finish_stdout(int status);

#endif
