/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report goes: a terminal, through a pager if there is a pager, or a pipe or a file. This
 * file knows the width and whether colour is welcome. It knows nothing about the printed text.
 */
#ifndef OMPPROF_SRC_TEXT_TERMINAL_H
#define OMPPROF_SRC_TEXT_TERMINAL_H

#include <stdio.h>

enum {
	TERMINAL_USUAL = 80,
	TERMINAL_ENDLESS = 1 << 20, /* longer than any line, and more than the lines of a summary */
};

enum terminal_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum terminal_style { STYLE_NONE, STYLE_HEADING, STYLE_STATE, STYLE_WARNING, STYLE_BAR, STYLE_HOT };

struct terminal {
	FILE *out;
	/*
	 * Columns: from COLUMNS or else the terminal, within 60 to 200; 80 if the terminal does not
	 * say it. TERMINAL_ENDLESS in a pipe or a file without COLUMNS: nothing is cut there.
	 */
	int width;
	/*
	 * Lines of a screen: a terminal has one line more, for the prompt; at least 24. Endless if
	 * the width is.
	 */
	int height;
	int has_colour;
	int is_pager; /* `out`, or `under` if it is set, is a pipe to the pager */
	/* the stream that `out` writes ASCII to, if the terminal has no UTF-8; else NULL */
	FILE *under;
};

/*
 * Opens standard output. With automatic colour, a terminal has colour unless NO_COLOR is set or
 * TERM is "dumb", empty or not set. A pager (OMPPROF_PAGER, PAGER, else `less -FRX` if it is
 * installed; none if the variable is empty or "cat") is used only with use_pager and on a terminal
 * whose TERM is not "dumb". On a terminal whose locale has no UTF-8, characters that are not ASCII
 * become '?'.
 */
void terminal_open(struct terminal *terminal, enum terminal_colour colour, int use_pager);

/* Makes a terminal of any stream, without colour and 80 columns wide and 24 lines high. */
void terminal_plain(struct terminal *terminal, FILE *out);

/*
 * Waits for the pager, or flushes. Returns `status`, or STATUS_FAILURE with a message when writing
 * failed or the pager does not exist.
 */
int terminal_close(struct terminal *terminal, int status);

/* Whether a number of columns that is left of a terminal's width is as good as endless. */
static inline int terminal_is_endless(size_t columns)
{
	return columns > TERMINAL_ENDLESS / 2;
}

/* The columns after which text at the right edge ends. */
static inline int terminal_edge(const struct terminal *terminal)
{
	return terminal_is_endless((size_t)terminal->width) ? TERMINAL_USUAL : terminal->width;
}

/* The escape sequence that begins a style. STYLE_NONE ends a style. "" without colour. */
const char *terminal_style(const struct terminal *terminal, enum terminal_style style);

#endif
