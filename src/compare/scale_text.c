/* SPDX-License-Identifier: Apache-2.0 */
/* A program's scaling as text; see scale.h. */
#include <math.h>
#include <string.h>

#include "src/compare/diff_table.h"
#include "src/compare/diff_text.h"
#include "src/compare/scale.h"
#include "src/text/table.h"

enum { SHARE = 1000000000, TEXT_BYTES = 1024, FACTORS_WIDTH = 76 };

#define POINT_COLUMNS(X)                                                                           \
	X(POINT_ASKED, "asked", "asked", TABLE_NUMBER, TABLE_IN_CSV, 0)                            \
	X(POINT_THREADS, "threads", "threads", TABLE_NUMBER, TABLE_IN_BOTH, 0)                     \
	X(POINT_RUNS, "runs", "runs", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(POINT_WALL, "wall", "wall s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                           \
	X(POINT_LEAST, "least", "least", TABLE_SECONDS, TABLE_IN_CSV, 0)                           \
	X(POINT_MOST, "most", "most", TABLE_SECONDS, TABLE_IN_CSV, 0)                              \
	X(POINT_LOST, "lost", "lost s", TABLE_CHANGE, TABLE_IN_BOTH, 0)                            \
	X(POINT_SPEED_UP, "speed-up", "speed-up", TABLE_RATIO, TABLE_IN_BOTH, 0)                   \
	X(POINT_IDEAL, "ideal%", "of ideal%", TABLE_SHARE, TABLE_IN_BOTH, 0)                       \
	X(POINT_GLOBAL, "global%", "global%", TABLE_SHARE, TABLE_IN_CSV, 0)                        \
	X(POINT_PARALLEL, "parallel%", "parallel%", TABLE_SHARE, TABLE_IN_CSV, 0)                  \
	X(POINT_PROCESS, "process%", "process", TABLE_SHARE, TABLE_IN_CSV, 0)                      \
	X(POINT_SERIAL, "serial%", "serial", TABLE_SHARE, TABLE_IN_CSV, 0)                         \
	X(POINT_BALANCE, "balance%", "balance", TABLE_SHARE, TABLE_IN_CSV, 0)                      \
	X(POINT_SYNCHRONIZATION, "synchronization%", "sync", TABLE_SHARE, TABLE_IN_CSV, 0)         \
	X(POINT_SCHEDULING, "scheduling%", "sched", TABLE_SHARE, TABLE_IN_CSV, 0)                  \
	X(POINT_OTHER, "other%", "other", TABLE_SHARE, TABLE_IN_CSV, 0)                            \
	X(POINT_COMPUTATION, "computation%", "computation%", TABLE_SHARE, TABLE_IN_CSV, 0)

enum point_column { POINT_COLUMNS(TABLE_ENUM) };
static const struct table_column point_columns[] = { POINT_COLUMNS(TABLE_COLUMN){ .key = NULL } };

int scale_check(const struct table_options *options, struct diag *diag)
{
	return table_check(point_columns, options, "scale", diag);
}

static uint64_t billionths(double share)
{
	return diff_round(fmin(share, 1e9) * SHARE);
}

static void fill_point(const void *data, size_t index, struct table_row *row)
{
	const struct scale *scale = data;
	const struct scale_point *point = &scale->points[index];
	const struct diff_run *first = scale->points[0].run, *run = point->run;
	double compute = diff_computation_scaling(first, run, scale->is_weak);

	row->is_kept = 1;
	table_set(row, POINT_ASKED, point->n_asked);
	table_set(row, POINT_THREADS, run->n_slots);
	table_set(row, POINT_RUNS, point->n_runs);
	table_set(row, POINT_WALL, run->wall_ns);
	table_set(row, POINT_LEAST, point->runs[0].wall_ns);
	table_set(row, POINT_MOST, point->runs[point->n_runs - 1].wall_ns);
	diff_set_change(row, POINT_LOST, point->diff.wall.change_ns);
	table_set_part(
		row, POINT_SPEED_UP, billionths(diff_speed_up(first, run, scale->is_weak)), SHARE);
	table_set_part(
		row, POINT_IDEAL, billionths(diff_scaling(first, run, scale->is_weak)), SHARE);
	table_set_part(
		row, POINT_GLOBAL, billionths(diff_parallel_efficiency(run) * compute), SHARE);
	table_set_part(row, POINT_PARALLEL, billionths(diff_parallel_efficiency(run)), SHARE);
	for (int i = 0; i < EFFICIENCY_N; i++)
		table_set_part(row, POINT_PROCESS + i, run->left_ns[i + 1], run->left_ns[i]);
	table_set_part(row, POINT_COMPUTATION, billionths(compute), SHARE);
}

int scale_print_points(const struct scale *scale, const struct table_options *options,
	const char *fields, struct terminal *terminal)
{
	struct table table = {
		.columns = point_columns,
		.fields = fields,
		.what = "number of threads",
		.n_rows = scale->n_points,
		.fill = fill_point,
		.data = scale,
	};

	return table_print(&table, options, terminal);
}

static void put_heading(const struct scale *scale, struct terminal *terminal)
{
	const struct scale_point *last = &scale->points[scale->n_points - 1];
	char raw[TEXT_BYTES], clean[TEXT_BYTES];

	snprintf(raw, sizeof(raw), "ompprof: %.800s   %s, %u cpu%s", last->run->command,
		scale->is_weak ? "work in proportion to threads" : "the same work",
		last->run->n_cpus, text_plural(last->run->n_cpus));
	text_clean(clean, sizeof(clean), raw);
	text_shorten(clean, (size_t)terminal->width);
	fprintf(terminal->out, "%s%s%s\n\n", terminal_style(terminal, STYLE_HEADING), clean,
		terminal_style(terminal, STYLE_NONE));
}

/* Prints scale_noise in words. */
static void put_noise(const struct scale *scale, struct terminal *terminal)
{
	double noise = scale_noise(scale);
	char percent[TEXT_NUMBER_BYTES], text[128];

	text_percent(percent, billionths(noise), SHARE);
	if (scale_is_repeated(scale))
		snprintf(text, sizeof(text),
			"(the median run; runs of one row differ by up to %s %%)", percent);
	else if (noise < 0)
		snprintf(text, sizeof(text),
			"(one run each: how much runs differ is not known; -r 3 measures it)");
	else
		snprintf(text, sizeof(text),
			"(one run each: differences below %s %% mean nothing, -r 3 tells more)",
			percent);
	text_cut(text, (size_t)terminal->width);
	fprintf(terminal->out, "%s\n", text);
}

static int has_mpi(const struct scale *scale)
{
	for (size_t i = 0; i < scale->n_points; i++) {
		const uint64_t *left_ns = scale->points[i].run->left_ns;

		if (left_ns[EFFICIENCY_PROCESS] != left_ns[EFFICIENCY_PROCESS + 1])
			return 1;
	}
	return 0;
}

/* Prints the efficiencies as a product of POP's factors. */
static int put_factors(const struct scale *scale, struct terminal *terminal)
{
	static const struct table_options all = TABLE_OPTIONS_DEFAULT;
	static const char *const factors[] = {
		"threads,global%,computation%,parallel%,serial%,balance%,synchronization%,"
		"scheduling%,other%",
		"threads,global%,computation%,parallel%,process%,serial%,balance%,"
		"synchronization%,scheduling%,other%",
	};

	fputs("\nglobal = computation scaling x parallel efficiency, which is\n"
	      "the product of the factors right of it\n",
		terminal->out);
	return scale_print_points(scale, &all,
		terminal->width < FACTORS_WIDTH ? "threads,global%,computation%,parallel%"
						: factors[has_mpi(scale)],
		terminal);
}

static int put_details(
	const struct scale *scale, const struct scale_view *view, struct terminal *terminal)
{
	const struct scale_point *point = &scale->points[view->at];
	struct diff_options options = { view->shows_all, view->table->n_rows };

	if (view->by >= 0)
		return diff_table_print(&point->diff, (enum diff_table)view->by, view->shows_all,
			view->table, terminal);
	diff_print_causes(&point->diff, terminal);
	fputc('\n', terminal->out);
	diff_print_changes(&point->diff, &options, terminal);
	return 0;
}

int scale_print(const struct scale *scale, const struct scale_view *view, struct terminal *terminal)
{
	static const struct table_options all = TABLE_OPTIONS_DEFAULT;
	char text[TEXT_BYTES];
	int status;

	put_heading(scale, terminal);
	status = scale_print_points(scale, &all,
		scale_is_repeated(scale) ? "threads,runs,wall,least,most,lost,speed-up,ideal%"
					 : "threads,wall,lost,speed-up,ideal%",
		terminal);
	put_noise(scale, terminal);
	status |= put_factors(scale, terminal);
	if (view->at > 0) {
		fprintf(terminal->out, "\nwith %u threads instead of %u:\n",
			scale->points[view->at].run->n_slots, scale->points[0].run->n_slots);
		status |= put_details(scale, view, terminal);
	}
	for (size_t i = 0; scale_warning(scale, i, text, sizeof(text)); i++)
		diff_print_warning(text, terminal);
	return status;
}
