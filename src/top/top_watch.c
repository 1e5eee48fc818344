/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the profile again and again, and shows it on a terminal; see top.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/top/top.h"

/* How often to look for a profile that does not exist yet. */
enum { AWAIT_MS = 100 };

int top_begin(struct top *top, const struct top_options *options, const struct top_target *target,
	struct diag *diag)
{
	*top = (struct top){ .options = options, .target = *target };
	top->symbols = symbols_open(&options->report.symbols);
	return top->symbols ? 0 : diag_set(diag, "cannot look symbols up: out of memory");
}

static int load(struct top_picture *picture, struct top *top, struct diag *diag)
{
	struct report_options options = top->options->report;
	struct report *report = calloc(1, sizeof(*report));
	int status = -1;

	if (!report)
		return diag_set(diag, "cannot read '%s': out of memory", top->target.path);
	options.kept = top->symbols;
	options.selection = top->target.selection;
	if (report_load(report, top->target.path, &options, diag) == 0) {
		status = top_picture_make(picture, report);
		if (status != 0)
			diag_set(diag, "cannot show '%s': out of memory", top->target.path);
	}
	report_release(report);
	free(report);
	return status;
}

int top_read(struct top *top, struct diag *diag)
{
	struct top_picture next = { 0 }, change = { 0 };

	if (load(&next, top, diag) != 0) {
		top_picture_release(&next);
		return -1;
	}
	if (top_picture_raise(&next, &top->now) != 0 ||
		top_change(&change, &top->now, &next) != 0) {
		top_picture_release(&next);
		top_picture_release(&change);
		return diag_set(diag, "cannot show '%s': out of memory", top->target.path);
	}
	top_picture_release(&top->now);
	top_picture_release(&top->change);
	top->now = next;
	top->change = change;
	top->has_change = 1;
	return 0;
}

void top_release(struct top *top)
{
	top_picture_release(&top->now);
	top_picture_release(&top->change);
	if (top->symbols)
		symbols_close(top->symbols);
	*top = (struct top){ 0 };
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void draw(struct top *top, struct top_show *show)
{
	char *screen;

	if (!top->has_change) {
		top_terminal_put("ompprof: there is no profile of the program yet");
		return;
	}
	top_terminal_size(&show->width, &show->height);
	show->has_keys = 1;
	screen = top_screen(show, &top->change, &top->now);
	if (screen)
		top_terminal_put(screen);
	free(screen);
}

/* Handles a key. Returns 1 for 'q'. */
static int heed(struct top_show *show, int key)
{
	static const char letters[] = "fwrto";
	const char *letter = key > 0 && key < 128 ? strchr(letters, key) : NULL;

	if (key == 'q' || key == TOP_KEY_GONE)
		return 1;
	if (letter)
		show->view = (enum top_view)(letter - letters);
	else if (key == TOP_KEY_LEFT)
		show->view = (show->view + TOP_N_VIEWS - 1) % TOP_N_VIEWS;
	else if (key == TOP_KEY_RIGHT || key == '\t')
		show->view = (show->view + 1) % TOP_N_VIEWS;
	else if (key == 'p')
		show->is_paused = !show->is_paused;
	else if (key == '?' || key == 'h')
		show->has_help = !show->has_help;
	if (letter || key == TOP_KEY_LEFT || key == TOP_KEY_RIGHT)
		show->has_help = 0;
	return 0;
}

/*
 * Reads the profile if `*due` has come. Returns 1 if it was read, 0, or -1 if it cannot be read;
 * with a host 0, as it may appear later.
 */
static int refresh(
	struct top *top, const struct top_show *show, int64_t *due, int has_host, struct diag *diag)
{
	int status;

	if (now_ms() < *due || (show->is_paused && top->has_change))
		return 0;
	status = top_read(top, diag);
	*due = now_ms() + (top->has_change ? (int64_t)top->options->interval_ms : AWAIT_MS);
	return status == 0 ? 1 : has_host ? 0 : -1;
}

/* Handles the signals that came. Returns 0, or the signal that ends the view. */
static int heed_signals(const struct top_host *host)
{
	int signal_number;

	while ((signal_number = top_terminal_signal()) != 0) {
		if (host) {
			if (!host->heed(host->data, signal_number))
				return signal_number;
		} else if (signal_number == SIGTSTP) {
			top_terminal_stop();
		} else if (signal_number != SIGWINCH && signal_number != SIGCONT) {
			return signal_number;
		}
	}
	return 0;
}

static int watch(
	struct top *top, struct top_show *show, const struct top_host *host, struct diag *diag)
{
	int64_t due = 0;

	for (;;) {
		int64_t left;
		int read = refresh(top, show, &due, host != NULL, diag), key, signal_number;

		if (read < 0)
			return -1;
		if (read > 0)
			draw(top, show);
		if (!host && !top->now.n_running && !show->is_paused)
			return 0;
		left = show->is_paused ? 1000 : due - now_ms();
		key = top_terminal_key(left > 0 ? (int)left : 0);
		signal_number = heed_signals(host);
		if (signal_number)
			return signal_number + 1;
		if (key && heed(show, key))
			return 1;
		if (key)
			draw(top, show);
	}
}

/* Prints the last picture to where the program's own output is. */
static void leave_picture(struct top *top, struct top_show *show)
{
	char *screen;

	show->has_keys = show->height = show->has_help = 0;
	screen = top_screen(show, &top->change, &top->now);
	if (screen)
		dprintf(STDOUT_FILENO, "%s", screen);
	free(screen);
}

int top_watch(struct top *top, const struct top_host *host, struct diag *diag)
{
	struct terminal terminal;
	struct top_show show = { .view = top->options->view };
	int error = top_terminal_begin(STDIN_FILENO, STDOUT_FILENO), status;

	if (error) {
		top_terminal_end();
		return diag_set(diag, "cannot use the terminal: %s", strerror(error));
	}
	terminal_open(&terminal, top->options->colour, 0);
	show.has_colour = terminal.has_colour;
	terminal_close(&terminal, 0);
	status = watch(top, &show, host, diag);
	top_terminal_end();
	if (status == 0 && top->has_change)
		leave_picture(top, &show);
	return status;
}
