/* SPDX-License-Identifier: Apache-2.0 */
/* Width, colour and pager; see terminal.h. */
#include "src/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/command.h"
#include "src/message.h"

enum { WIDTH_PLAIN = 80, WIDTH_LEAST = 60, WIDTH_MOST = 200 };

static int is_set(const char *variable)
{
	const char *text = getenv(variable);

	return text && text[0];
}

static int wants_colour(enum terminal_colour colour, int is_terminal)
{
	const char *term = getenv("TERM");

	if (colour != COLOUR_AUTO)
		return colour == COLOUR_ALWAYS;
	return is_terminal && !is_set("NO_COLOR") && term && term[0] && strcmp(term, "dumb") != 0;
}

static int find_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_PLAIN;
	if (size.ws_col < WIDTH_LEAST)
		return WIDTH_LEAST;
	return size.ws_col > WIDTH_MOST ? WIDTH_MOST : size.ws_col;
}

/* The pager's command line, or NULL for none. */
static const char *find_pager(void)
{
	const char *pager = getenv("OMPPROF_PAGER");

	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		return "less -FRX";
	return pager[0] && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static void start_pager(struct terminal *terminal)
{
	const char *pager = find_pager();
	FILE *out;

	if (!pager)
		return;
	fflush(stdout);
	out = popen(pager, "w");
	if (!out)
		return;
	/* A reader who has seen enough ends the pager: then what is still written is not wanted. */
	signal(SIGPIPE, SIG_IGN);
	terminal->out = out;
	terminal->is_pager = 1;
}

void terminal_open(struct terminal *terminal, enum terminal_colour colour, int use_pager)
{
	int is_terminal = isatty(STDOUT_FILENO);
	const char *term = getenv("TERM");

	terminal_plain(terminal, stdout);
	terminal->has_colour = wants_colour(colour, is_terminal);
	if (!is_terminal)
		return;
	terminal->width = find_width();
	if (use_pager && !(term && strcmp(term, "dumb") == 0))
		start_pager(terminal);
}

void terminal_plain(struct terminal *terminal, FILE *out)
{
	*terminal = (struct terminal){ .out = out, .width = WIDTH_PLAIN };
}

int terminal_close(struct terminal *terminal, int status)
{
	if (!terminal->is_pager)
		return message_finish_stdout(status);
	pclose(terminal->out);
	return status;
}

const char *terminal_style(const struct terminal *terminal, enum terminal_style style)
{
	static const char *const codes[] = {
		[STYLE_NONE] = "\033[0m",
		[STYLE_HEADING] = "\033[1m",
		[STYLE_STATE] = "\033[36m",
		[STYLE_WARNING] = "\033[33m",
		[STYLE_BAR] = "\033[32m",
		[STYLE_HOT] = "\033[31m",
	};

	return terminal->has_colour ? codes[style] : "";
}
