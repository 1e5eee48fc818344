/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report goes: a terminal, through a pager when there is one, or a pipe or file. Knows the
 * width and whether colour is welcome; knows nothing of what is printed.
 */
#ifndef OMPPROF_SRC_TEXT_TERMINAL_H
#define OMPPROF_SRC_TEXT_TERMINAL_H

#include <stdio.h>

enum terminal_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum terminal_style { STYLE_NONE, STYLE_HEADING, STYLE_STATE, STYLE_WARNING, STYLE_BAR, STYLE_HOT };

struct terminal {
	FILE *out;
	int width; /* columns, 60 to 200: COLUMNS, or the terminal's; 80 when out is none */
	int has_colour;
	int is_pager; /* out, or `under`, is a pipe to the pager */
	FILE *under;  /* what out writes ASCII to, where the terminal has no UTF-8; else NULL */
};

/*
 * Opens standard output. Colour is automatic on a terminal unless NO_COLOR is set or TERM is
 * "dumb" or empty; a pager (OMPPROF_PAGER, PAGER, else `less -FRX` if it is installed) only on a terminal
 * and with use_pager. On a terminal whose locale has no UTF-8 other characters become '?'.
 */
void terminal_open(struct terminal *terminal, enum terminal_colour colour, int use_pager);

/* Any stream, without colour and 80 columns wide. */
void terminal_plain(struct terminal *terminal, FILE *out);

/* Waits for the pager, or flushes. Returns `status`, or STATUS_FAILURE with a message when writing failed
   or there is no such pager. */
int terminal_close(struct terminal *terminal, int status);

/* The escape sequence that begins a style, or STYLE_NONE's that ends it; "" without colour. */
const char *terminal_style(const struct terminal *terminal, enum terminal_style style);

#endif
