/* SPDX-License-Identifier: Apache-2.0 */
/* The command's messages on stderr: "ompprof: what failed 'subject': cause". */
#ifndef OMPPROF_SRC_TEXT_MESSAGE_H
#define OMPPROF_SRC_TEXT_MESSAGE_H

#include "profile/shared/diag.h"

/* Prints a line on stderr, printf-style, after "ompprof: ". */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the sentence of `diag`, and its hint, if any, on a second line. */
void message_diag(const struct diag *diag);

/* Prints "Try 'ompprof VERB --help' ...", for NULL 'ompprof help'. Returns STATUS_USAGE. */
int message_try_help(const char *verb);

/*
 * Prints which option getopt_long refused. `code` is what getopt_long returned: '?' or ':'. The
 * option string must begin with ':' or "+:", so that getopt_long prints nothing.
 */
void message_refuse_option(int code, char **argv);

/* Flushes stdout. Returns `status`, or STATUS_FAILURE with a message if writing failed. */
int message_finish_stdout(int status);

#endif
