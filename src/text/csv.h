/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in comma-separated values, RFC 4180. All code that writes CSV writes its text through these
 * functions. Names can come from anybody, and a spreadsheet executes a text that begins like a
 * formula. So these functions put an apostrophe before such a text.
 */
#ifndef OMPPROF_SRC_TEXT_CSV_H
#define OMPPROF_SRC_TEXT_CSV_H

#include <stdio.h>

/*
 * Writes a field, in quotes if it needs them. The only control characters in the text are
 * characters that begin a formula.
 */
void csv_put(FILE *out, const char *text);

/* Writes a field in quotes. */
void csv_put_quoted(FILE *out, const char *text);

/*
 * The same in pieces: the beginning of a field whose text begins with `text`; then a byte of the
 * text; at the end the caller writes a '"'.
 */
void csv_begin_quoted(FILE *out, const char *text);
void csv_put_byte(FILE *out, char byte);

#endif
