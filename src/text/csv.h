/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in comma-separated values, RFC 4180. All that writes CSV writes text through these functions: names can be
 * anybody's, and a spreadsheet executes a text that begins as a formula does. Such a text gets an apostrophe before it.
 */
#ifndef OMPPROF_SRC_TEXT_CSV_H
#define OMPPROF_SRC_TEXT_CSV_H

#include <stdio.h>

/* A field, in quotes if need be. The text has no control characters but those that begin a formula. */
void csv_put(FILE *out, const char *text);

/* A field in quotes. */
void csv_put_quoted(FILE *out, const char *text);

/* The same in pieces: the begin of a field whose text begins with `text`, a byte of the text, and then a '"'. */
void csv_begin_quoted(FILE *out, const char *text);
void csv_put_byte(FILE *out, char byte);

#endif
