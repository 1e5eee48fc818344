/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a terminal whose locale has no UTF-8: a stream in front of another one that lets ASCII alone
 * through. To such a terminal bytes above 0x7f are other letters, or commands. Used by terminal.c only.
 */
#ifndef OMPPROF_SRC_TEXT_TERMINAL_ASCII_H
#define OMPPROF_SRC_TEXT_TERMINAL_ASCII_H

#include <stdio.h>

/* Whether the environment's locale (LC_ALL, LC_CTYPE, LANG; the first that is set) has UTF-8. */
int terminal_has_utf8(void);

/*
 * A stream that writes to `under`, '?' for each column that another character takes. NULL when out of
 * memory. fclose() it; that writes what is left and leaves `under` open.
 */
FILE *terminal_ascii_open(FILE *under);

#endif
