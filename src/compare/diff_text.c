/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as text; see diff_text.h. */
#include "src/compare/diff_text.h"

#include <math.h>
#include <string.h>

#include "src/text/table.h"
#include "src/views/view_causes.h"

enum {
	ROWS_DEFAULT = 10,
	NAME_MOST = 30,
	NAME_BYTES = 2 * ADVICE_NAME_BYTES,
	PLACE_NAME_LEAST = 6,
	WARNING_BYTES = 1024
};

const char *diff_signed_seconds(char text[TEXT_NUMBER_BYTES], double ns)
{
	double size = fabs(ns);
	char number[TEXT_NUMBER_BYTES];

	/* Below this text_seconds prints no number that could have a sign. */
	if (size < 500000) {
		strcpy(text, size < 1 ? "0" : "<0.001");
		return text;
	}
	text_seconds(number, diff_round(size));
	snprintf(text, TEXT_NUMBER_BYTES, "%c%.24s", ns < 0 ? '-' : '+', number);
	return text;
}

const char *diff_signed_percent(char text[TEXT_NUMBER_BYTES], double part, double whole)
{
	double size = fabs(part);
	char number[TEXT_NUMBER_BYTES];

	if (whole <= 0 && size > 0) {
		strcpy(text, "new");
		return text;
	}
	text_percent(number, (uint64_t)fmin(size, 9e18), (uint64_t)fmin(whole, 9e18));
	snprintf(text, TEXT_NUMBER_BYTES, "%s%.24s",
		strcmp(number, "0.0") == 0 ? ""
		: part < 0                 ? "-"
					   : "+",
		number);
	return text;
}

static void put_heading(struct terminal *terminal, const char *text)
{
	fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), text,
		terminal_style(terminal, STYLE_NONE));
}

/* Prints a line of text from a profile, cleaned and cut to the width. */
static void put_line(struct terminal *terminal, const char *text, int is_heading)
{
	char clean[WARNING_BYTES];

	text_clean(clean, sizeof(clean), text);
	text_cut(clean, (size_t)terminal->width);
	if (is_heading)
		put_heading(terminal, clean);
	else
		fprintf(terminal->out, "%s\n", clean);
}

static void put_both(struct terminal *terminal, const char *before, const char *after)
{
	char text[WARNING_BYTES];

	snprintf(text, sizeof(text), "before: %.900s", before);
	put_line(terminal, text, 0);
	snprintf(text, sizeof(text), "after:  %.900s", after);
	put_line(terminal, text, 0);
}

static void put_runs(struct terminal *terminal, const struct diff *diff)
{
	const struct diff_run *before = diff->before, *after = diff->after;
	char text[WARNING_BYTES];

	snprintf(text, sizeof(text), "ompprof: %.400s -> %.400s", before->path, after->path);
	put_line(terminal, text, 1);
	if (strcmp(before->command, after->command) == 0)
		put_line(terminal, after->command, 0);
	else
		put_both(terminal, before->command, after->command);
	if (before->label && after->label && (before->label[0] || after->label[0]))
		put_both(terminal, before->label[0] ? before->label : "(no label)",
			after->label[0] ? after->label : "(no label)");
}

static const char *percent_of(char text[TEXT_NUMBER_BYTES], double share)
{
	return text_percent(text, diff_round(fmin(share, 1e9) * 1e9), 1000000000);
}

static void put_change(struct terminal *terminal, const struct diff *diff)
{
	const struct diff_run *before = diff->before, *after = diff->after;
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], by[TEXT_NUMBER_BYTES],
		part[TEXT_NUMBER_BYTES], old[TEXT_NUMBER_BYTES], new[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text),
		"wall %s -> %s s, %s s (%s %%)  efficiency %s -> %s %%  %u thread%s",
		text_seconds(a, before->wall_ns), text_seconds(b, after->wall_ns),
		diff_signed_seconds(by, diff->wall.change_ns),
		diff_signed_percent(part, diff->wall.change_ns, (double)before->wall_ns),
		percent_of(old, diff_parallel_efficiency(before)),
		percent_of(new, diff_parallel_efficiency(after)), after->n_slots,
		text_plural(after->n_slots));
	put_line(terminal, text, 1);
}

/* Runs that cannot be compared have no efficiency, and no speed-up. */
static void put_walls(struct terminal *terminal, const struct diff *diff)
{
	const struct diff_run *before = diff->before, *after = diff->after;
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text), "wall %s -> %s s, %u -> %u threads",
		text_seconds(a, before->wall_ns), text_seconds(b, after->wall_ns), before->n_slots,
		after->n_slots);
	put_line(terminal, text, 1);
}

static void put_scaling(struct terminal *terminal, const struct diff *diff)
{
	const struct diff_run *before = diff->before, *after = diff->after;
	int is_weak = diff->mode == DIFF_WEAK;
	double compute = diff_computation_scaling(before, after, is_weak);
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], part[TEXT_NUMBER_BYTES],
		old[TEXT_NUMBER_BYTES], new[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text), "%u -> %u threads, %s: speed-up %.2f, %s %% of the ideal",
		before->n_slots, after->n_slots, is_weak ? "more work" : "the same work",
		diff_speed_up(before, after, is_weak),
		percent_of(part, diff_scaling(before, after, is_weak)));
	put_line(terminal, text, 1);
	snprintf(text, sizeof(text), "wall %s -> %s s, global efficiency %s -> %s %%",
		text_seconds(a, before->wall_ns), text_seconds(b, after->wall_ns),
		percent_of(old, diff_parallel_efficiency(before)),
		percent_of(new, diff_parallel_efficiency(after) * compute));
	put_line(terminal, text, 0);
	snprintf(text, sizeof(text), "= parallel efficiency %s %% x computation scaling %s %%",
		percent_of(a, diff_parallel_efficiency(after)), percent_of(b, compute));
	put_line(terminal, text, 0);
}

/* The columns of the screen that figures leave for a cause. */
static size_t name_columns(const struct terminal *terminal)
{
	return terminal->width < NAME_MOST + 38 ? (size_t)terminal->width - 38 : NAME_MOST;
}

static void put_value(struct terminal *terminal, const char *name, const struct diff *diff,
	const struct diff_value *value)
{
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], by[TEXT_NUMBER_BYTES],
		error[TEXT_NUMBER_BYTES], cut[64];
	int columns = (int)name_columns(terminal);

	snprintf(cut, sizeof(cut), "%s", name);
	text_cut(cut, (size_t)columns);
	fprintf(terminal->out, "  %-*s %8s %8s %8s", columns, cut,
		text_seconds(a, diff_round((double)value->before_ns * diff->scale)),
		text_seconds(b, value->after_ns), diff_signed_seconds(by, value->change_ns));
	/* The wall time of one run has no error. */
	if (value != &diff->wall || diff_is_repeated(diff))
		fprintf(terminal->out, " %7s",
			text_seconds(error, diff_round(2 * value->error_ns)));
	fputc('\n', terminal->out);
}

void diff_print_causes(const struct diff *diff, struct terminal *terminal)
{
	static const struct metrics any = { .n_slots = 1 };
	int is_change = diff->mode == DIFF_CHANGE;
	const char *title = name_columns(terminal) < NAME_MOST ? "wall s"
			    : is_change                        ? "Where the time went, wall s"
							       : "Where speed-up is lost, wall s";
	char text[128], name[64];

	snprintf(text, sizeof(text), "  %-*s %8s %8s %8s %7s", (int)name_columns(terminal), title,
		is_change ? "before" : "ideal", "after", is_change ? "change" : "lost", "+-");
	put_heading(terminal, text);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		const struct diff_value *value = &diff->cause[i];

		if (i != METRICS_USEFUL && value->before_ns < 500000 && value->after_ns < 500000)
			continue;
		view_cause_name(name, sizeof(name), &any, i);
		put_value(terminal, name, diff, value);
	}
	put_value(terminal, "total", diff, &diff->wall);
}

/* The text beside `where`. A region's line identifies it, so its function is enough. */
static const char *name_of(const struct diff_place *place)
{
	int is_region = place->kind == DIFF_REGION ||
			(place->kind == DIFF_BODY && strcmp(place->construct, "parallel") == 0);

	if (is_region && place->where[0])
		return diff_is_unnamed(place) ? "" : place->function;
	if (place->kind == DIFF_MUTEX && place->where[0] && strchr(place->construct, '('))
		return place->construct;
	return strcmp(place->where, place->what) == 0 ? "" : place->what;
}

void diff_place_text(char *text, size_t text_bytes, const struct diff_place *place)
{
	const char *name = name_of(place);
	char raw[NAME_BYTES + 8];

	snprintf(raw, sizeof(raw), "%.*s%s%.*s", ADVICE_NAME_BYTES, place->where,
		place->where[0] && name[0] ? "  " : "", ADVICE_NAME_BYTES, name);
	text_clean(text, text_bytes, raw);
}

/* Cuts the name after "FILE:LINE  ". Only that prefix tells places of one function apart. */
static void shorten_place(char *text, size_t width)
{
	char *name = strstr(text, "  ");
	size_t where = name ? text_width(text) - text_width(name) + 2 : 0;

	if (name && width >= where + PLACE_NAME_LEAST)
		text_shorten(name + 2, width - where);
	else if (name && text_width(text) > width && width + 2 >= where)
		name[0] = '\0';
	else
		text_shorten(text, width);
}

static void put_row(struct terminal *terminal, const struct diff *diff, const struct diff_row *row)
{
	char a[TEXT_NUMBER_BYTES], b[TEXT_NUMBER_BYTES], by[TEXT_NUMBER_BYTES], line[160],
		name[NAME_BYTES + 8];

	diff_signed_seconds(by, row->value.change_ns);
	text_seconds(a, diff_round((double)row->value.before_ns * diff->scale));
	text_seconds(b, row->value.after_ns);
	snprintf(line, sizeof(line), "  %-6s %7s %-11s %6s %6s  ", diff_row_word(row), by,
		advice_word(row->cause), row->pair->before ? a : "-", row->pair->after ? b : "-");
	diff_place_text(name, sizeof(name), diff_place(row->pair));
	shorten_place(name, (size_t)terminal->width - strlen(line));
	fprintf(terminal->out, "%s%s\n", line, name);
}

static size_t put_rows(
	struct terminal *terminal, const struct diff *diff, const struct diff_options *options)
{
	uint32_t n_most = options->n_rows == TABLE_DEFAULT ? ROWS_DEFAULT : options->n_rows;
	size_t n_shown = 0, n_more = 0;
	int is_change = diff->mode == DIFF_CHANGE;
	char text[128];

	snprintf(text, sizeof(text), "  %14s %-11s %6s %6s  %s", is_change ? "change" : "lost",
		"cause", is_change ? "before" : "ideal", "after", "place (wall s)");
	for (size_t i = 0; i < diff->n_rows; i++) {
		if (diff->rows[i].is_hidden && !options->shows_all)
			continue;
		if (n_shown == n_most) {
			n_more++;
			continue;
		}
		if (n_shown++ == 0)
			put_heading(terminal, text);
		put_row(terminal, diff, &diff->rows[i]);
	}
	if (n_shown == 0)
		fprintf(terminal->out, "  No place changed by more than twice its error\n");
	return n_more;
}

static void put_cut(struct terminal *terminal, const struct diff *diff,
	const struct diff_options *options, size_t n_more)
{
	if (n_more)
		fprintf(terminal->out, "(%zu smaller change%s: -n %zu shows them)\n", n_more,
			text_plural(n_more),
			n_more + (options->n_rows == TABLE_DEFAULT ? ROWS_DEFAULT
								   : options->n_rows));
	if (diff->n_hidden && !options->shows_all)
		fprintf(terminal->out, "(%zu change%s below twice the error or 0.1 %%: --all)\n",
			diff->n_hidden, text_plural(diff->n_hidden));
}

/* "one run each", "medians of 5 runs each" or "one run, and the median of 5". */
static void count_runs(char *text, size_t text_bytes, const struct diff *diff)
{
	uint32_t before = diff->before->n_runs, after = diff->after->n_runs;

	if (before < 2 && after < 2)
		snprintf(text, text_bytes, "one run each");
	else if (before == after)
		snprintf(text, text_bytes, "medians of %u runs each", after);
	else if (before < 2)
		snprintf(text, text_bytes, "one run, and the median of %u", after);
	else if (after < 2)
		snprintf(text, text_bytes, "the median of %u runs, and one", before);
	else
		snprintf(text, text_bytes, "medians of %u and %u runs", before, after);
}

/* Prints how much runs differ by themselves. */
static void put_noise(struct terminal *terminal, const struct diff *diff)
{
	char text[192], runs[64], number[TEXT_NUMBER_BYTES];

	count_runs(runs, sizeof(runs), diff);
	if (diff_knows_noise(diff))
		snprintf(text, sizeof(text), "(%s: changes of wall below %s s mean nothing)", runs,
			text_seconds(number, diff_round(2 * diff_noise_ns(diff))));
	else
		snprintf(text, sizeof(text), "(%s: how much runs differ is not known)", runs);
	put_line(terminal, text, 0);
}

void diff_print_warning(const char *text, struct terminal *terminal)
{
	enum { column = sizeof("warning: ") - 1 };
	char clean[WARNING_BYTES];

	text_clean(clean, sizeof(clean), text);
	fprintf(terminal->out, "%swarning:%s ", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE));
	text_put(terminal->out, clean, (struct text_lines){ terminal->width, column, column });
}

void diff_print_warnings(const struct diff *diff, struct terminal *terminal)
{
	char text[WARNING_BYTES];

	for (size_t i = 0; diff_warning(diff, i, text, sizeof(text)); i++)
		diff_print_warning(text, terminal);
}

void diff_print_changes(
	const struct diff *diff, const struct diff_options *options, struct terminal *terminal)
{
	size_t n_more = put_rows(terminal, diff, options);

	put_cut(terminal, diff, options, n_more);
}

void diff_print(
	const struct diff *diff, const struct diff_options *options, struct terminal *terminal)
{
	int is_comparable = diff_is_comparable(diff);

	put_runs(terminal, diff);
	if (!is_comparable)
		diff_print_warnings(diff, terminal);
	if (!is_comparable)
		put_walls(terminal, diff);
	else if (diff->mode == DIFF_CHANGE)
		put_change(terminal, diff);
	else
		put_scaling(terminal, diff);
	fputc('\n', terminal->out);
	diff_print_causes(diff, terminal);
	fputc('\n', terminal->out);
	diff_print_changes(diff, options, terminal);
	put_noise(terminal, diff);
	if (is_comparable)
		diff_print_warnings(diff, terminal);
}
