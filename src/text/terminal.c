/* SPDX-License-Identifier: Apache-2.0 */
/* Width, colour and pager; see terminal.h. */
#include "src/text/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/text/status.h"
#include "src/text/message.h"
#include "src/text/terminal_ascii.h"

enum { WIDTH_LEAST = 60, WIDTH_MOST = 200, HEIGHT_LEAST = 24 };

/* The exit status of a shell that did not find the command. */
enum { COMMAND_NOT_FOUND = 127 };

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

/*
 * The number in COLUMNS: exact below WIDTH_MOST, otherwise some number from WIDTH_MOST on, whatever
 * follows it. 0 if the variable is not set or has no number.
 */
static int columns_asked(void)
{
	const char *text = getenv("COLUMNS");
	int columns = 0;

	for (; text && *text >= '0' && *text <= '9' && columns < WIDTH_MOST; text++)
		columns = columns * 10 + (*text - '0');
	return text && *text && columns < WIDTH_MOST ? 0 : columns;
}

static int find_width(int is_terminal)
{
	struct winsize size = { 0 };
	int columns = columns_asked();

	if (columns == 0 && is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		columns = size.ws_col;
	if (columns == 0)
		return is_terminal ? TERMINAL_USUAL : TERMINAL_ENDLESS;
	return columns < WIDTH_LEAST ? WIDTH_LEAST : columns > WIDTH_MOST ? WIDTH_MOST : columns;
}

/* The prompt that follows takes a line, too. */
static int find_height(int is_terminal)
{
	struct winsize size = { 0 };

	if (!is_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return HEIGHT_LEAST;
	return size.ws_row > HEIGHT_LEAST ? size.ws_row - 1 : HEIGHT_LEAST;
}

static int is_installed(const char *program)
{
	const char *at = getenv("PATH");
	char path[4096];

	while (at && *at) {
		int n = (int)strcspn(at, ":");

		if (snprintf(path, sizeof(path), "%.*s/%s", n, at, program) < (int)sizeof(path) &&
			access(path, X_OK) == 0)
			return 1;
		at += n + (at[n] == ':');
	}
	return 0;
}

/* The pager's command line; NULL: no pager. */
static const char *find_pager(void)
{
	const char *pager = getenv("OMPPROF_PAGER");

	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		return is_installed("less") ? "less -FRX" : NULL;
	return pager[0] && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static void start_pager(struct terminal *terminal)
{
	const char *pager = find_pager();
	FILE *out;

	if (!pager)
		return;
	/* If PAGER is plain less: it shows colour, and leaves a short report on the screen. */
	setenv("LESS", "FRX", 0);
	fflush(stdout);
	out = popen(pager, "w");
	if (!out)
		return;
	/* If the user ends the pager early, the rest of the text is not wanted. */
	signal(SIGPIPE, SIG_IGN);
	terminal->out = out;
	terminal->is_pager = 1;
}

static void put_ascii_before(struct terminal *terminal)
{
	FILE *ascii = terminal_ascii_open(terminal->out);

	if (!ascii)
		return;
	terminal->under = terminal->out;
	terminal->out = ascii;
}

void terminal_open(struct terminal *terminal, enum terminal_colour colour, int use_pager)
{
	int is_terminal = isatty(STDOUT_FILENO);
	const char *term = getenv("TERM");

	terminal_plain(terminal, stdout);
	terminal->has_colour = wants_colour(colour, is_terminal);
	terminal->width = find_width(is_terminal);
	terminal->height = terminal_is_endless((size_t)terminal->width) ? TERMINAL_ENDLESS
									: find_height(is_terminal);
	if (is_terminal && use_pager && !(term && strcmp(term, "dumb") == 0))
		start_pager(terminal);
	if (is_terminal && !terminal_has_utf8())
		put_ascii_before(terminal);
}

void terminal_plain(struct terminal *terminal, FILE *out)
{
	*terminal =
		(struct terminal){ .out = out, .width = TERMINAL_USUAL, .height = HEIGHT_LEAST };
}

int terminal_close(struct terminal *terminal, int status)
{
	int ended;

	if (terminal->under) {
		fclose(terminal->out);
		terminal->out = terminal->under;
	}
	if (!terminal->is_pager)
		return message_finish_stdout(status);
	ended = pclose(terminal->out);
	if (!WIFEXITED(ended) || WEXITSTATUS(ended) != COMMAND_NOT_FOUND)
		return status;
	message("cannot run the pager '%s'; '--no-pager' shows reports without", find_pager());
	return STATUS_FAILURE;
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
