/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is shown of comparisons and of scaling, byte for byte against tests/data. With OMPPROF_UPDATE_GOLDEN set
 * the files are written instead: `make update-golden`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/compare/diff_data.h"
#include "src/compare/diff_table.h"
#include "src/compare/diff_text.h"
#include "src/compare/history.h"
#include "src/compare/scale.h"
#include "tests/unit/command/expected.h"
#include "tests/unit/scenes/made_metrics.h"
#include "tests/unit/command/scene_report.h"

enum what {
	SUMMARY,
	ALL,
	FUNCTIONS,
	REGIONS,
	CSV,
	JSON,
	SCALE,
	SCALE_ONCE,
	SCALE_CSV,
	SCALE_JSON,
	HISTORY,
	HISTORY_CSV,
	HISTORY_JSON
};

struct golden {
	const char *file; /* in tests/data */
	const char *before, *after;
	enum what what;
	int width; /* 0: 80 */
};

/*
 * "faults" is as made_metrics.h has it, "mended" is better at two places, "faults/N" is with N threads. With a star it
 * is the median of three runs.
 */
static const struct golden goldens[] = {
	{ "diff/summary.txt", "faults", "mended", SUMMARY, 0 },
	{ "diff/narrow.txt", "faults", "mended", SUMMARY, 60 },
	{ "diff/back.txt", "mended", "faults", SUMMARY, 0 },
	{ "diff/all.txt", "faults", "mended", ALL, 0 },
	{ "diff/same.txt", "waits", "waits", SUMMARY, 0 },
	{ "diff/function.txt", "cg", "killed", FUNCTIONS, 0 },
	{ "diff/region.txt", "faults", "mended", REGIONS, 0 },
	{ "diff/region-wide.txt", "faults", "mended", REGIONS, 120 },
	{ "diff/report.csv", "faults", "mended", CSV, 0 },
	{ "diff/report.json", "faults", "mended", JSON, 0 },
	{ "diff/scaling.txt", "faults/2", "faults", SUMMARY, 0 },
	{ "diff/scaling.json", "faults/2", "faults", JSON, 0 },
	{ "diff/other.txt", "cg", "plain", SUMMARY, 0 },
	{ "diff/hostile.txt", "hostile", "guessed", SUMMARY, 0 },
	{ "diff/hostile-function.txt", "empty", "hostile", FUNCTIONS, 0 },
	{ "diff/events.txt", "events", "eventless", FUNCTIONS, 0 },
	{ "diff/empty.txt", "empty", "empty", SUMMARY, 0 },
	{ "diff/repeated.txt", "faults*", "mended*", SUMMARY, 0 },
	{ "diff/repeated.json", "faults*", "mended*", JSON, 0 },
	{ "diff/repeated-once.txt", "faults", "mended*", ALL, 0 },
	{ "history/report.txt", NULL, NULL, HISTORY, 0 },
	{ "history/narrow.txt", NULL, NULL, HISTORY, 60 },
	{ "history/report.csv", NULL, NULL, HISTORY_CSV, 0 },
	{ "history/report.json", NULL, NULL, HISTORY_JSON, 0 },
	{ "scale/report.txt", NULL, NULL, SCALE, 0 },
	{ "scale/once.txt", NULL, NULL, SCALE_ONCE, 0 },
	{ "scale/narrow.txt", NULL, NULL, SCALE, 60 },
	{ "scale/report.csv", NULL, NULL, SCALE_CSV, 0 },
	{ "scale/report.json", NULL, NULL, SCALE_JSON, 0 },
};

enum { N_GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

static const uint64_t msec = 1000000;

/* Without three quarters of an imbalance, and half of what is waited for a critical section. */
static void mend(struct metrics *metrics)
{
	struct metrics_region *solve = &metrics->regions[MADE_SOLVE];
	struct metrics_region *assemble = &metrics->regions[MADE_ASSEMBLE];

	solve->cause_ns[METRICS_IMBALANCE] -= 9000 * msec;
	solve->wall_ns -= 9000 * msec / 8;
	assemble->cause_ns[METRICS_LOCK] -= 4000 * msec;
	assemble->wall_ns -= 4000 * msec / 8;
	metrics->cause_ns[METRICS_IMBALANCE] -= 9000 * msec;
	metrics->cause_ns[METRICS_LOCK] -= 4000 * msec;
	metrics->waits[2].wait_ns -= 4000 * msec;
	metrics->wall_ns -= 13000 * msec / 8;
}

/* With n threads: losses grow as their number does, useful work by 2 % for each that there is more. */
static void set_threads(struct metrics *metrics, uint64_t n)
{
	uint64_t *serial_ns = metrics->serial_cause_ns;

	serial_ns[METRICS_SERIAL] = (n - 1) * 1800 * msec;
	memcpy(metrics->cause_ns, serial_ns, sizeof(metrics->cause_ns));
	metrics->n_slots = (uint32_t)n;
	metrics->wall_ns = metrics->serial_ns;
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct metrics_region *region = &metrics->regions[i];
		uint64_t sum_ns = 0;

		for (size_t c = 0; c < METRICS_N_CAUSES; c++) {
			uint64_t *ns = &region->cause_ns[c];

			*ns = c == METRICS_USEFUL ? *ns / 57 * (49 + n) : *ns / 7 * (n - 1);
			metrics->cause_ns[c] += *ns;
			sum_ns += *ns;
		}
		region->wall_ns = sum_ns / n;
		metrics->wall_ns += region->wall_ns;
	}
	for (size_t i = 0; i < metrics->n_waits; i++)
		metrics->waits[i].wait_ns = metrics->waits[i].wait_ns / 7 * (n - 1);
	/* No nanosecond may be missing. */
	metrics->cause_ns[METRICS_OVERHEAD] += metrics->wall_ns * n - metrics_capacity(metrics);
}

/* An imbalance that makes the run longer. */
static void delay(struct metrics *metrics, uint64_t ns)
{
	struct metrics_region *solve = &metrics->regions[MADE_SOLVE];

	solve->cause_ns[METRICS_IMBALANCE] += ns * metrics->n_slots;
	solve->wall_ns += ns;
	metrics->cause_ns[METRICS_IMBALANCE] += ns * metrics->n_slots;
	metrics->wall_ns += ns;
}

/* The run is longer by delay_ns. */
static void make_one(
	struct diff_run *run, const char *name, uint64_t delay_ns, struct name_tree *strings)
{
	int is_mended = strncmp(name, "mended", 6) == 0, is_made = strncmp(name, "faults", 6) == 0;
	const char *threads = strchr(name, '/');
	struct report report;
	struct diag diag;

	scene_report(&report, is_mended || is_made ? "faults" : name, NULL);
	if (is_mended || is_made) {
		metrics_release(&report.metrics);
		made_metrics(&report.metrics, &report.tree);
		if (is_mended)
			mend(&report.metrics);
		if (threads)
			set_threads(&report.metrics, strtoul(threads + 1, NULL, 10));
		delay(&report.metrics, delay_ns);
		assert_int_equal(report_figure(&report, &diag), 0);
	}
	snprintf(report.path, sizeof(report.path), "%s", name);
	assert_int_equal(diff_run_make(run, &report, strings, 1, &diag), 0);
	report_release(&report);
}

static void make_run(struct diff_run *run, const char *name, struct name_tree *strings)
{
	struct diff_run runs[3];

	if (!strchr(name, '*')) {
		make_one(run, name, 0, strings);
		return;
	}
	for (size_t i = 0; i < 3; i++)
		make_one(&runs[i], name, (i + 1) % 3 * 100 * msec, strings);
	assert_int_equal(diff_run_join(run, runs, 3), 0);
}

static const struct table_options no_options = {
	.limit_permyriad = TABLE_DEFAULT, .n_rows = TABLE_DEFAULT, .max_depth = TABLE_DEFAULT
};

static void render_diff(const struct golden *golden, struct terminal *terminal)
{
	struct diff_options options = { golden->what == ALL, TABLE_DEFAULT };
	struct table_options csv = no_options;
	struct name_tree strings = { 0 };
	struct diff_run before, after;
	struct diff diff;

	csv.is_csv = 1;
	assert_int_equal(name_tree_init(&strings, 1), 0);
	make_run(&before, golden->before, &strings);
	make_run(&after, golden->after, &strings);
	assert_int_equal(diff_make(&diff, &before, &after, 0), 0);
	if (golden->what == SUMMARY || golden->what == ALL)
		diff_print(&diff, &options, terminal);
	else if (golden->what == JSON)
		diff_put_json(&diff, NULL, 0, terminal->out);
	else
		assert_int_equal(diff_table_print(&diff,
					 golden->what == FUNCTIONS ? DIFF_TABLE_FUNCTIONS
					 : golden->what == REGIONS ? DIFF_TABLE_REGIONS
								   : DIFF_TABLE_CHANGES,
					 0, golden->what == CSV ? &csv : &no_options, terminal),
			0);
	diff_release(&diff);
	diff_run_release(&before);
	diff_run_release(&after);
	name_tree_release(&strings);
}

static void render_scale(const struct golden *golden, struct terminal *terminal)
{
	static const char *const names[] = { "faults/2", "faults/4", "faults/4", "faults/8" };
	uint32_t asked[] = { 2, 4, 4, 16 };
	int is_once = golden->what == SCALE_ONCE;
	struct scale_view view = { 2, -1, 0, &no_options };
	struct table_options csv = no_options;
	struct scale scale = { .n_points = 0 };
	struct diff_run *runs = calloc(4, sizeof(*runs));

	csv.is_csv = 1;
	asked[2] = is_once ? 5 : 4;
	asked[3] = is_once ? 8 : 16;
	view.at = is_once ? 3 : 2;
	assert_non_null(runs);
	assert_int_equal(name_tree_init(&scale.strings, 1), 0);
	for (size_t i = 0; i < 4; i++)
		make_run(&runs[i], names[i], &scale.strings);
	/* The same again takes 3 % longer. */
	if (!is_once)
		runs[2].wall_ns += runs[2].wall_ns / 100 * 3;
	assert_int_equal(scale_make(&scale, runs, asked, 4, 0), 0);
	if (golden->what == SCALE_JSON)
		scale_put_json(&scale, terminal->out);
	else if (golden->what == SCALE_CSV)
		assert_int_equal(scale_print_points(&scale, &csv, NULL, terminal), 0);
	else
		assert_int_equal(scale_print(&scale, &view, terminal), 0);
	scale_release(&scale);
}

/* Three labels: two runs, a run that is like them, and two runs that are better. */
static void load_history(struct history *history)
{
	static const char *const labels[] = { "v1.0", "v1.0", "v1.1", "v2.0", "v2.0" };
	struct diff_runs *loaded = &history->loaded;

	loaded->runs = calloc(5, sizeof(*loaded->runs));
	assert_non_null(loaded->runs);
	for (loaded->n = 0; loaded->n < 5; loaded->n++) {
		struct diff_run *run = &loaded->runs[loaded->n];

		make_one(run, loaded->n < 3 ? "faults" : "mended", loaded->n % 2 * 100 * msec,
			&history->strings);
		free(run->label);
		run->label = strdup(labels[loaded->n]);
		run->begun_ns = (20000 + loaded->n) * 86400 * 1000 * msec;
	}
}

static void render_history(const struct golden *golden, struct terminal *terminal)
{
	struct table_options options = no_options;
	struct history history;

	options.is_csv = golden->what == HISTORY_CSV;
	assert_int_equal(history_init(&history), 0);
	load_history(&history);
	assert_int_equal(history_order(&history), 0);
	assert_int_equal(history_compare(&history), 0);
	if (golden->what == HISTORY_JSON)
		history_put_json(&history, terminal->out);
	else
		assert_int_equal(history_print(&history, &options, terminal), 0);
	history_release(&history);
}

static char *render(const struct golden *golden)
{
	struct terminal terminal;
	char *text = NULL;
	size_t size = 0;

	terminal_plain(&terminal, open_memstream(&text, &size));
	if (golden->width)
		terminal.width = golden->width;
	if (golden->before)
		render_diff(golden, &terminal);
	else if (golden->what >= HISTORY)
		render_history(golden, &terminal);
	else
		render_scale(golden, &terminal);
	fclose(terminal.out);
	return text;
}

static void test_golden(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden);

	expected_compare(golden->file, text);
	free(text);
}

static int is_text(const struct golden *golden)
{
	return strstr(golden->file, ".txt") != NULL;
}

/* What no text may hold, whatever the names: control characters, lines longer than the screen. */
static void test_harmless(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden);
	size_t width = golden->width ? (size_t)golden->width : 80, columns = 0;

	for (const char *at = text; *at; at++) {
		if (*at == '\n') {
			columns = 0;
			continue;
		}
		assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
		columns += ((unsigned char)*at & 0xc0) != 0x80;
		if (columns > width)
			fail_msg("%s: a line is longer than %zu columns", golden->file, width);
	}
	free(text);
}

int main(void)
{
	static struct CMUnitTest tests[2 * N_GOLDENS];
	static char names[2 * N_GOLDENS][64];
	size_t n = 0;

	for (size_t i = 0; i < N_GOLDENS; i++) {
		void *row = (void *)(uintptr_t)&goldens[i];

		snprintf(names[n], sizeof(names[n]), "%s", goldens[i].file);
		tests[n] = (struct CMUnitTest){ names[n], test_golden, NULL, NULL, row };
		n++;
		if (!is_text(&goldens[i]))
			continue;
		snprintf(names[n], sizeof(names[n]), "%s is harmless", goldens[i].file);
		tests[n] = (struct CMUnitTest){ names[n], test_harmless, NULL, NULL, row };
		n++;
	}
	return _cmocka_run_group_tests("diff_golden", tests, n, NULL, NULL);
}
