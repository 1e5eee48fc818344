/* SPDX-License-Identifier: Apache-2.0 */
/* Makes lines of text from a picture; see top.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"
#include "src/text/table.h"
#include "src/text/terminal.h"
#include "src/top/top.h"

enum { LINE_BYTES = 1024, LEAST_HEIGHT = 8, BATCH_ROWS = 10 };

enum { SHARE, SECOND, THIRD, COUNT, STATE, NAME, PLACE };

/*
 * The columns by view. Shares are of the capacity, but wall% of the wall time, events% of all
 * events, and shares of threads and processes of their own time.
 */
static const struct table_column columns[TOP_N_VIEWS][8] = {
	[TOP_FUNCTIONS] = { { "work%", "work%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "wait%", "wait%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "ovhd%", "ovhd%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "n", "n", TABLE_COUNT, 0, 0 }, { "state", "state", TABLE_WORD, 0, 0 },
		{ "name", "function", TABLE_NAME, TABLE_IN_BOTH, 0 },
		{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 0 }, { .key = NULL } },
	[TOP_WAITS] = { { "wait%", "wait%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "second", "", TABLE_SHARE, 0, 0 }, { "third", "", TABLE_SHARE, 0, 0 },
		{ "waits", "waits/s", TABLE_COUNT, TABLE_IN_BOTH, 0, 7 },
		{ "state", "state", TABLE_WORD, 0, 0 },
		{ "name", "wait", TABLE_NAME, TABLE_IN_BOTH, 0 },
		{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 0 }, { .key = NULL } },
	[TOP_REGIONS] = { { "lost%", "lost%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "wall%", "wall%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "third", "", TABLE_SHARE, 0, 0 },
		{ "runs", "runs/s", TABLE_COUNT, TABLE_IN_BOTH, 0, 7 },
		{ "state", "state", TABLE_WORD, 0, 0 },
		{ "name", "region", TABLE_NAME, TABLE_IN_BOTH, 0 },
		{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 0 }, { .key = NULL } },
	[TOP_THREADS] = { { "useful%", "useful%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "wait%", "wait%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "other%", "other%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "n", "n", TABLE_COUNT, 0, 0 },
		{ "state", "now", TABLE_WORD, TABLE_IN_BOTH, 0, 18 },
		{ "name", "thread", TABLE_NAME, TABLE_IN_BOTH, 0 },
		{ "place", "start", TABLE_PLACE, TABLE_IN_BOTH, 0 }, { .key = NULL } },
	[TOP_PROCESSES] = { { "useful%", "useful%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "wait%", "wait%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "other%", "other%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
		{ "n", "n", TABLE_COUNT, 0, 0 },
		{ "state", "now", TABLE_WORD, TABLE_IN_BOTH, 0, 8 },
		{ "name", "process", TABLE_NAME, TABLE_IN_BOTH, 0 },
		{ "place", "host", TABLE_PLACE, TABLE_IN_BOTH, 0 }, { .key = NULL } },
};

/* The columns of functions if the profile counts events. */
static const struct table_column event_columns[] = { { "events%", "events%", TABLE_SHARE,
							     TABLE_IN_BOTH, 0, 0, NULL },
	{ "second", "", TABLE_SHARE, 0, 0, 0, NULL }, { "third", "", TABLE_SHARE, 0, 0, 0, NULL },
	{ "events", "events/s", TABLE_COUNT, TABLE_IN_BOTH, 0, 8, NULL },
	{ "state", "state", TABLE_WORD, 0, 0, 0, NULL },
	{ "name", "function", TABLE_NAME, TABLE_IN_BOTH, 0, 0, NULL },
	{ "place", "place", TABLE_PLACE, TABLE_IN_BOTH, 0, 0, NULL }, { .key = NULL } };

static const char *const titles[] = { "function", "wait", "region", "thread", "process" };
static const char *const plurals[] = { "functions", "waits", "regions", "threads", "processes" };

struct screen {
	const struct top_show *show;
	const struct top_picture *change;
	struct terminal terminal;
	int n_lines;
};

static void set_share(struct table_row *row, int column, uint64_t part, uint64_t whole)
{
	table_set_part(row, column, part < whole ? part : whole, whole ? whole : 1);
}

static uint64_t per_second(uint64_t n, const struct top_picture *change)
{
	return change->wall_ns ? (uint64_t)((double)n * 1e9 / (double)change->wall_ns) : 0;
}

static int is_of_events(enum top_view view, const struct top_picture *change)
{
	return view == TOP_FUNCTIONS && change->event[0];
}

static void fill_sums(struct table_row *row, enum top_view view, const struct top_row *from,
	const struct top_picture *change)
{
	int has_life = view == TOP_THREADS || view == TOP_PROCESSES;
	uint64_t whole = has_life ? from->sums[TOP_LIFE] : change->capacity_ns;

	if (is_of_events(view, change)) {
		set_share(row, SHARE, from->sums[TOP_FIRST], change->n_events);
		table_set(row, COUNT, per_second(from->sums[TOP_FIRST], change));
		return;
	}
	set_share(row, SHARE, from->sums[TOP_FIRST], whole);
	set_share(
		row, SECOND, from->sums[TOP_SECOND], view == TOP_REGIONS ? change->wall_ns : whole);
	if (view == TOP_WAITS || view == TOP_REGIONS)
		table_set(row, COUNT, per_second(from->sums[TOP_THIRD], change));
	else
		set_share(row, THIRD, from->sums[TOP_THIRD], whole);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct screen *screen = data;
	enum top_view view = screen->show->view;
	const struct top_row *from = &screen->change->views[view].rows[index];

	row->identity = index + 1;
	fill_sums(row, view, from, screen->change);
	table_set_text(row, STATE, from->state);
	table_set_text(row, NAME, from->name);
	table_set_text(row, PLACE, from->place);
}

static void put(struct screen *screen, enum terminal_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put(struct screen *screen, enum terminal_style style, const char *format, ...)
{
	char line[LINE_BYTES], clean[LINE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	text_clean(clean, sizeof(clean), line);
	text_cut(clean, (size_t)screen->terminal.width);
	fprintf(screen->terminal.out, "%s%s%s\n",
		style ? terminal_style(&screen->terminal, style) : "", clean,
		style ? terminal_style(&screen->terminal, STYLE_NONE) : "");
	screen->n_lines++;
}

/* The whole of the causes' shares: the capacity, but at least the sum of the causes. */
static uint64_t whole_of(const struct top_picture *change)
{
	uint64_t sum = 0;

	for (int i = 0; i < TOP_N_CAUSES; i++)
		sum += change->causes[i];
	return change->capacity_ns > sum ? change->capacity_ns : sum;
}

static void put_causes(struct screen *screen, const struct top_picture *change)
{
	static const char *const words[TOP_N_CAUSES] = { [TOP_BARRIER] = "barrier",
		[TOP_TASK] = "task",
		[TOP_LOCK] = "lock",
		[TOP_OVERHEAD] = "ovhd",
		[TOP_IDLE] = "idle",
		[TOP_OFF_CPU] = "off cpu",
		[TOP_MPI] = "MPI",
		[TOP_DEVICE] = "device" };
	uint64_t whole = whole_of(change), sum = 0;
	char line[LINE_BYTES], number[TEXT_NUMBER_BYTES];
	size_t at = 0;

	for (int i = 0; i < TOP_N_CAUSES; i++)
		sum += change->causes[i];
	for (int i = TOP_USEFUL + 1; i < TOP_N_CAUSES; i++) {
		uint64_t ns = change->causes[i] + (i == TOP_IDLE ? whole - sum : 0);

		if ((i == TOP_MPI || i == TOP_DEVICE) && ns == 0)
			continue;
		at += (size_t)snprintf(line + at, sizeof(line) - at, "%s%s %s%%", at ? ", " : "",
			words[i], text_percent(number, ns, whole));
	}
	put(screen, STYLE_NONE, "  %s", line);
}

static void put_head(struct screen *screen, const struct top_picture *now)
{
	const struct top_show *show = screen->show;
	const struct top_picture *change = screen->change;
	char wall[TEXT_NUMBER_BYTES], length[TEXT_NUMBER_BYTES], now_percent[TEXT_NUMBER_BYTES],
		all[TEXT_NUMBER_BYTES], some[64] = "";

	if (now->n_processes > 1)
		snprintf(some, sizeof(some), ", %zu of %zu processes run", now->n_counted_running,
			now->n_processes);
	put(screen, STYLE_HEADING, "ompprof top: %s", now->command);
	put(screen, STYLE_NONE, "%s after %s s, the last %s, %zu thread%s%s%s",
		now->n_running ? "running" : "ended", text_seconds(wall, now->wall_ns),
		text_duration(length, change->wall_ns), now->n_threads, text_plural(now->n_threads),
		some, show->is_paused ? "; paused" : "");
	text_percent(now_percent, change->causes[TOP_USEFUL], whole_of(change));
	text_percent(all, now->causes[TOP_USEFUL], whole_of(now));
	put(screen, STYLE_HEADING, "Efficiency now %s%%, so far %s%%", now_percent, all);
	put_causes(screen, change);
	put(screen, STYLE_NONE, "%s", "");
}

static void put_help(struct screen *screen)
{
	static const char *const lines[] = { "Keys", "  f  functions", "  w  waits",
		"  r  parallel regions", "  t  threads, with what each does", "  o  processes",
		"  left, right  the previous view, the next view",
		"  p  pause: the picture stays; again: continue", "  ?  this help; again: back",
		"  q  quit; the program continues" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		put(screen, STYLE_NONE, "%s", lines[i]);
}

static int put_table(struct screen *screen, uint32_t n_most)
{
	enum top_view view = screen->show->view;
	int has_events = is_of_events(view, screen->change);
	char title[64];
	struct table table = {
		.columns = has_events ? event_columns : columns[view],
		.title = has_events ? title : titles[view],
		.what = titles[view],
		.n_most = n_most,
		.n_rows = screen->change->views[view].n,
		.fill = fill,
		.data = screen,
		.is_bare = 1,
	};
	struct table_options options = TABLE_OPTIONS_DEFAULT;
	size_t n = table.n_rows, shown = n < n_most ? n : n_most;

	snprintf(title, sizeof(title), "function (%s)", screen->change->event);
	if (n == 0) {
		put(screen, STYLE_NONE, "no %s in this interval", plurals[view]);
		return 0;
	}
	if (table_print(&table, &options, &screen->terminal) != 0)
		return -1;
	screen->n_lines += (int)shown + 1;
	if (shown < n)
		put(screen, STYLE_NONE, "... and %zu more", n - shown);
	return 0;
}

static int put_all(struct screen *screen, const struct top_picture *now)
{
	const struct top_show *show = screen->show;
	int height = show->height < LEAST_HEIGHT ? LEAST_HEIGHT : show->height;
	int room = show->height ? height - screen->n_lines : BATCH_ROWS;

	put_head(screen, now);
	if (show->has_help) {
		put_help(screen);
		return 0;
	}
	/* Three lines are for the heading, "... and N more", and the keys. */
	if (show->height)
		room = height - screen->n_lines - 3;
	return put_table(screen, room > 1 ? (uint32_t)room : 1);
}

/* Cuts lines that do not fit on a small screen, and writes the keys to the last line. */
static void fit(char *text, int height, const char *keys)
{
	char *at = text;

	for (int i = 0; i < height - 1 && *at; i++)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at);
	strcpy(at, keys);
}

char *top_screen(const struct top_show *show, const struct top_picture *change,
	const struct top_picture *now)
{
	static const char keys[] = "f w r t o: view  p: pause  ?: help  q: quit\n";
	struct screen screen = { .show = show, .change = change };
	char *text = NULL, *bigger;
	size_t bytes = 0;
	int status;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	terminal_plain(&screen.terminal, out);
	screen.terminal.width = show->width < 40 ? 40
				: show->width > 200 && !terminal_is_endless((size_t)show->width)
					? 200
					: show->width;
	screen.terminal.has_colour = show->has_colour;
	status = put_all(&screen, now);
	if (fclose(out) != 0 || status != 0) {
		free(text);
		return NULL;
	}
	if (!show->has_keys)
		return text;
	bigger = realloc(text, bytes + sizeof(keys));
	if (bigger)
		fit(bigger, show->height, keys);
	else
		free(text);
	return bigger;
}
