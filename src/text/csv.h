/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in comma-separated values, RFC 4180. All code that writes CSV writes its text through these
 * functions. Names can come from anybody, and a spreadsheet executes a text that begins like a
 * formula. So these functions put an apostrophe before such a text.
 */
#ifndef OMPPROF_SRC_TEXT_CSV_H
#define OMPPROF_SRC_TEXT_CSV_H

#include <stdio.h>

/* Writes a field, in quotes if it needs them. */
void csv_put(FILE *out, const char *text);

void csv_put_quoted(FILE *out, const char *text);

/* A field in quotes, in pieces: begin (given its text), each byte; the caller adds the last '"'. */
void csv_begin_quoted(FILE *out, const char *text);
void csv_put_byte(FILE *out, char byte);

#endif
