/* SPDX-License-Identifier: Apache-2.0 */
/* A program's history as a table; see history.h. */
#include <math.h>
#include <string.h>

#include "src/compare/diff_table.h"
#include "src/compare/diff_text.h"
#include "src/compare/history.h"
#include "src/views/view_causes.h"

enum { ROWS_DEFAULT = 10, TEXT_BYTES = 2 * ADVICE_NAME_BYTES + 16, COURSE_MOST = 32, LEVELS = 8 };

#define HISTORY_COLUMNS(X)                                                                         \
	X(HISTORY_FIRST, "first", "first", TABLE_SECONDS, TABLE_IN_BOTH, 0)                        \
	X(HISTORY_LAST, "last", "last", TABLE_SECONDS, TABLE_IN_BOTH, 0)                           \
	X(HISTORY_CHANGE, "change", "change", TABLE_CHANGE, TABLE_IN_BOTH, 0)                      \
	X(HISTORY_ERROR, "error", "error", TABLE_SECONDS, TABLE_IN_CSV, 0)                         \
	X(HISTORY_TWICE, "+-", "+-", TABLE_SECONDS, TABLE_IN_TEXT, 0)                              \
	X(HISTORY_IS_SURE, "sure", "sure", TABLE_WORD, TABLE_IN_BOTH, 0)                           \
	X(HISTORY_COURSE, "course", "course", TABLE_WORD, TABLE_IN_TEXT, 0)                        \
	X(HISTORY_KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                               \
	X(HISTORY_NAME, "name", "name", TABLE_NAME, TABLE_IN_BOTH, 0)

enum history_column { HISTORY_COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { HISTORY_COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct source {
	const struct history *history;
	int is_ascii;
};

int history_table_check(const struct table_options *options, struct diag *diag)
{
	return table_check(columns, options, "history", diag);
}

/*
 * The mean of the points from `from` up to `to`, in ns; -1 if no point has the place. A character
 * of the course can be of several points.
 */
static double mean(const struct history_row *row, size_t from, size_t to)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (row->ns[i] == UINT64_MAX)
			continue;
		sum += (double)row->ns[i];
		n++;
	}
	return n ? sum / (double)n : -1;
}

/* A bar for a level from 0 to LEVELS - 1, or a digit. */
static const char *picture(int level, int is_ascii)
{
	static const char *const bars[LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const digits[LEVELS] = { "0", "1", "2", "3", "4", "5", "6", "7" };

	return is_ascii ? digits[level] : bars[level];
}

/*
 * Draws the course from the least to the most of the row. Where they differ by less than twice the
 * error it is flat, so that chance makes no hills.
 */
static const char *draw(
	struct table_row *to, const struct source *source, const struct history_row *row)
{
	size_t n = source->history->n_points, width = n < COURSE_MOST ? n : COURSE_MOST;
	double values[COURSE_MOST], least = INFINITY, most = 0;
	char text[COURSE_MOST * 3 + 1] = "";

	for (size_t i = 0; i < width; i++) {
		values[i] = mean(row, i * n / width, (i + 1) * n / width);
		least = values[i] < 0 ? least : fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	for (size_t i = 0; i < width; i++) {
		int is_flat = most - least <= 2 * row->error_ns;
		int level =
			is_flat ? LEVELS / 2 - 1
				: (int)((values[i] - least) / (most - least) * (LEVELS - 1) + 0.5);

		strcat(text, values[i] < 0 ? "." : picture(level, source->is_ascii));
	}
	return table_print_text(to, "%s", text);
}

static const char *kind_of(const struct history_row *row)
{
	if (row->place)
		return row->place->kind == DIFF_REGION ? "region" : "outside";
	return row->cause == METRICS_N_CAUSES ? "wall" : "cause";
}

static void set_name(struct table_row *to, const struct history_row *row)
{
	static const struct metrics any = { .n_slots = 1 };
	char text[TEXT_BYTES];

	if (row->place)
		diff_place_text(text, sizeof(text), row->place);
	else if (row->cause < METRICS_N_CAUSES)
		view_cause_name(text, sizeof(text), &any, row->cause);
	else
		strcpy(text, "wall time");
	table_set_text(to, HISTORY_NAME, table_print_text(to, "%s", text));
}

static void fill(const void *data, size_t index, struct table_row *to)
{
	static const char *const sure[] = { "no", "yes", "?" };
	const struct source *source = data;
	const struct history_row *row = &source->history->rows[index];
	size_t last = source->history->n_points - 1;

	to->weight = row->most_ns;
	to->is_kept = !row->place;
	if (row->ns[0] != UINT64_MAX)
		table_set(to, HISTORY_FIRST, row->ns[0]);
	if (row->ns[last] != UINT64_MAX)
		table_set(to, HISTORY_LAST, row->ns[last]);
	diff_set_change(to, HISTORY_CHANGE, row->change_ns);
	table_set(to, HISTORY_ERROR, diff_round(row->error_ns));
	table_set(to, HISTORY_TWICE, diff_round(2 * row->error_ns));
	table_set_text(to, HISTORY_IS_SURE, sure[row->sure]);
	table_set_text(to, HISTORY_COURSE, draw(to, source, row));
	table_set_text(to, HISTORY_KIND, kind_of(row));
	set_name(to, row);
}

static void put_line(struct terminal *terminal, const char *text, int is_heading)
{
	char clean[TEXT_BYTES];

	text_clean(clean, sizeof(clean), text);
	text_cut(clean, (size_t)terminal->width);
	fprintf(terminal->out, "%s%s%s\n",
		is_heading ? terminal_style(terminal, STYLE_HEADING) : "", clean,
		is_heading ? terminal_style(terminal, STYLE_NONE) : "");
}

/* "first: v1.0, 2026-10-01, 5 runs" */
static void put_point(struct terminal *terminal, const char *which, const struct diff_run *point)
{
	char text[TEXT_BYTES], day[16], runs[32] = "";

	if (point->n_runs > 1)
		snprintf(runs, sizeof(runs), ", median of %u runs", point->n_runs);
	snprintf(text, sizeof(text), "%s %.300s, %s%s", which, point->label,
		history_day(day, point), runs);
	put_line(terminal, text, 0);
}

static void put_heading(const struct history *history, struct terminal *terminal)
{
	const struct diff_run *last = &history->points[history->n_points - 1];
	char text[TEXT_BYTES];

	snprintf(text, sizeof(text), "ompprof: %.800s   %zu labels, %u thread%s", last->command,
		history->n_points, last->n_slots, text_plural(last->n_slots));
	put_line(terminal, text, 1);
	put_point(terminal, "first:", history->points);
	put_point(terminal, "last: ", last);
	fputc('\n', terminal->out);
}

/* Says why it is not known whether changes are sure. */
static void put_notes(const struct history *history, struct terminal *terminal)
{
	const struct history_row *wall = &history->rows[0];
	const struct diff_run *last = &history->points[history->n_points - 1];

	if (wall->sure == HISTORY_UNKNOWN)
		put_line(terminal,
			"(?: how much runs differ is not known; run --repeat 5 measures it)", 0);
	else if (history->points->n_runs < 2 || last->n_runs < 2)
		put_line(terminal,
			"(one run of a label tells little of how runs differ: run --repeat 5)", 0);
}

int history_print(const struct history *history, const struct table_options *options,
	struct terminal *terminal)
{
	struct source source = { history, terminal->under != NULL };
	struct table table = {
		.columns = columns,
		.title = "name (wall s)",
		.what = "region",
		.n_most = ROWS_DEFAULT,
		.n_rows = history->n_rows,
		.whole = history->rows[0].most_ns,
		.fill = fill,
		.data = &source,
	};
	int status;

	if (options->is_csv)
		return table_print(&table, options, terminal);
	put_heading(history, terminal);
	status = table_print(&table, options, terminal);
	put_notes(history, terminal);
	return status;
}
