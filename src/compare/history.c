/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, orders and compares labelled runs; see history.h. */
#include "src/compare/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/compare/diff.h"
#include "src/findings/order.h"

int history_init(struct history *history)
{
	*history = (struct history){ .n_points = 0 };
	return name_tree_init(&history->strings, 1);
}

void history_release(struct history *history)
{
	for (size_t i = 0; i < history->n_points; i++)
		diff_run_release(&history->points[i]);
	free(history->points);
	diff_runs_release(&history->loaded);
	diff_union_release(&history->places);
	free(history->rows);
	free(history->ns);
	free(history->variance);
	name_tree_release(&history->strings);
}

static int refuse_loaded(const struct diff_run *run, const char *path, struct diag *diag)
{
	if (!run->label[0]) {
		diag_set(diag, "'%s' has no label", path);
		diag_hint(diag, "record it with 'ompprof run --label TEXT', such as a version");
		return -1;
	}
	if (run->is_event)
		return diag_set(diag, "'%s' counts events, %s, not time", path, run->clock);
	return 0;
}

int history_has_profile(const char *path)
{
	struct profile_list list;
	struct diag diag;
	int has = profile_list_read(&list, path, &diag) == 0;

	profile_list_release(&list);
	return has;
}

int history_add(struct history *history, const char *path, const struct report_options *options,
	struct diag *diag)
{
	struct diff_runs *loaded = &history->loaded;
	size_t n = loaded->n;

	if (diff_runs_add(loaded, path, options, &history->strings, diag) == 0 &&
		refuse_loaded(&loaded->runs[n], path, diag) == 0)
		return 0;
	while (loaded->n > n)
		diff_run_release(&loaded->runs[--loaded->n]);
	return -1;
}

static int by_label(const void *left, const void *right)
{
	const struct diff_run *a = left, *b = right;
	int order = strcmp(a->label, b->label);

	return order ? order : ORDER({ a->begun_ns, b->begun_ns });
}

static int by_begin(const void *left, const void *right)
{
	const struct diff_run *a = left, *b = right;
	int order = ORDER({ a->begun_ns, b->begun_ns });

	return order ? order : strcmp(a->label, b->label);
}

int history_order(struct history *history)
{
	struct diff_runs *loaded = &history->loaded;
	int status = 0;

	history->points = calloc(loaded->n + 1, sizeof(*history->points));
	if (!history->points)
		return -1;
	qsort(loaded->runs, loaded->n, sizeof(*loaded->runs), by_label);
	for (size_t i = 0, n; i < loaded->n; i += n) {
		struct diff_run *point = &history->points[history->n_points++];
		uint64_t begun_ns = loaded->runs[i].begun_ns;

		for (n = 1; i + n < loaded->n &&
			    strcmp(loaded->runs[i].label, loaded->runs[i + n].label) == 0;
			n++)
			;
		status |= diff_run_join(point, &loaded->runs[i], n);
		point->begun_ns = begun_ns;
	}
	loaded->n = 0;
	qsort(history->points, history->n_points, sizeof(*history->points), by_begin);
	return status;
}

int history_check(const struct history *history, size_t i, struct diag *diag)
{
	const struct diff_run *point = &history->points[i];
	const struct diff_run *last = &history->points[history->n_points - 1];
	char text[512];
	struct diff diff;
	int status = 0;

	if (point->n_slots != last->n_slots)
		return diag_set(diag, "label '%s' has %u threads, label '%s' has %u", point->label,
			point->n_slots, last->label, last->n_slots);
	if (diff_make(&diff, point, last, 0) != 0)
		status = diag_set(diag, "cannot compare the profiles: out of memory");
	else if (!diff_is_comparable(&diff))
		status = diag_set(diag, "label '%s' cannot be compared with label '%s': %s",
			point->label, last->label, diff_why_not(&diff, text, sizeof(text)));
	diff_release(&diff);
	return status;
}

void history_drop(struct history *history, size_t i)
{
	diff_run_release(&history->points[i]);
	history->n_points--;
	memmove(&history->points[i], &history->points[i + 1],
		(history->n_points - i) * sizeof(*history->points));
}

/* --- rows --- */

/* The variance of the difference between runs, as far as the point's own error lacks it. */
static double noise_of(const struct diff_run *point)
{
	return point->n_runs < 2 ? diff_square(point->noise_ns) : 0;
}

static void compare_ends(const struct history *history, struct history_row *row)
{
	const struct diff_run *first = history->points;
	const struct diff_run *last = &history->points[history->n_points - 1];
	size_t end = history->n_points - 1;
	double before = row->ns[0] == UINT64_MAX ? 0 : (double)row->ns[0];
	double after = row->ns[end] == UINT64_MAX ? 0 : (double)row->ns[end];

	row->change_ns = after - before;
	row->error_ns =
		sqrt(row->variance[0] + row->variance[end] + noise_of(first) + noise_of(last));
	if (!diff_run_knows_noise(first) || !diff_run_knows_noise(last))
		row->sure = HISTORY_UNKNOWN;
	else
		row->sure =
			fabs(row->change_ns) > 2 * row->error_ns ? HISTORY_SURE : HISTORY_UNSURE;
}

/* Fills the figures of a row, whose place or cause is set. */
static void fill_row(struct history *history, struct history_row *row)
{
	size_t p = row->place ? (size_t)(row->place - history->places.places) : 0;

	for (size_t i = 0; i < history->n_points; i++) {
		const struct diff_run *point = &history->points[i];
		const struct diff_place *found = history->places.found[p * history->n_points + i];

		row->variance[i] = 0;
		if (row->place) {
			row->ns[i] = found ? found->region_ns : UINT64_MAX;
			row->variance[i] = found ? found->region_variance : 0;
		} else if (row->cause < METRICS_N_CAUSES) {
			row->ns[i] = point->wall_of_ns[row->cause];
			row->variance[i] = point->variance[row->cause];
		} else {
			row->ns[i] = point->wall_ns;
			row->variance[i] = diff_square(point->noise_ns) - noise_of(point);
		}
		if (row->ns[i] != UINT64_MAX && row->ns[i] > row->most_ns)
			row->most_ns = row->ns[i];
	}
	compare_ends(history, row);
}

static void add_row(struct history *history, const struct diff_place *place, int cause)
{
	struct history_row *row = &history->rows[history->n_rows];

	*row = (struct history_row){ .place = place,
		.cause = cause,
		.ns = history->ns + history->n_rows * history->n_points,
		.variance = history->variance + history->n_rows * history->n_points };
	fill_row(history, row);
	history->n_rows += row->most_ns > 0;
}

static int by_most(const void *left, const void *right)
{
	const struct history_row *a = left, *b = right;
	int order = ORDER({ b->most_ns, a->most_ns }, { a->place->line, b->place->line });

	return order ? order : strcmp(a->place->what, b->place->what);
}

int history_compare(struct history *history)
{
	size_t n_causes, n_most;

	if (diff_union_make(&history->places, history->points, history->n_points) != 0)
		return -1;
	n_most = history->places.n_places + METRICS_N_CAUSES + 1;
	history->rows = calloc(n_most, sizeof(*history->rows));
	history->ns = calloc(n_most * history->n_points, sizeof(*history->ns));
	history->variance = calloc(n_most * history->n_points, sizeof(*history->variance));
	if (!history->rows || !history->ns || !history->variance)
		return -1;
	add_row(history, NULL, METRICS_N_CAUSES);
	for (int i = 0; i < METRICS_N_CAUSES; i++)
		add_row(history, NULL, i);
	n_causes = history->n_rows;
	for (size_t i = 0; i < history->places.n_places; i++) {
		const struct diff_place *place = &history->places.places[i];

		if (place->kind == DIFF_REGION || place->kind == DIFF_OUTSIDE)
			add_row(history, place, 0);
	}
	qsort(history->rows + n_causes, history->n_rows - n_causes, sizeof(*history->rows),
		by_most);
	return 0;
}

const char *history_day(char day[16], const struct diff_run *point)
{
	time_t seconds = (time_t)(point->begun_ns / 1000000000);
	struct tm when;

	if (!gmtime_r(&seconds, &when) || strftime(day, 16, "%Y-%m-%d", &when) == 0)
		strcpy(day, "-");
	return day;
}
