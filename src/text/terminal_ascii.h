/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream in front of another stream that lets only ASCII through, for a terminal whose locale has
 * no UTF-8. Such a terminal treats bytes above 0x7f as other letters, or as commands. Used by
 * terminal.c only.
 */
#ifndef OMPPROF_SRC_TEXT_TERMINAL_ASCII_H
#define OMPPROF_SRC_TEXT_TERMINAL_ASCII_H

#include <stdio.h>

/* Whether the locale has UTF-8: the first of LC_ALL, LC_CTYPE and LANG that is set. */
int terminal_has_utf8(void);

/*
 * Makes a stream that writes to `under`. A character that is not ASCII becomes a '?' for each of
 * its columns. Returns NULL when out of memory. fclose() writes the remaining bytes and leaves
 * `under` open.
 */
FILE *terminal_ascii_open(FILE *under);

#endif
