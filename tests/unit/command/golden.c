/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every view of the made-up runs (scenes.c), byte for byte against tests/data. With
 * OMPPROF_UPDATE_GOLDEN set the files are written instead: `make update-golden`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/views/view.h"
#include "tests/unit/command/expected.h"
#include "tests/unit/scenes/made_metrics.h"
#include "tests/unit/command/scene_report.h"

struct golden {
	const char *file; /* in tests/data */
	const char *scene;
	const struct view *view;
	struct report_options report;
	struct view_options options;
	int width;                                       /* 0: 80 */
	enum { FROM_PROFILE, MADE, MADE_SLEEP } figures; /* whose: made_metrics.h */
};

#define ALL                                                                                        \
	{                                                                                          \
		.table = TABLE_OPTIONS_DEFAULT                                                     \
	}
#define D TABLE_DEFAULT
#define CSV                                                                                        \
	{                                                                                          \
		{ NULL, NULL, D, D, D, 1 }, 0                                                      \
	}
enum { NARROW = 60, WIDE = 132 };

/* A view of a scene in all other forms than text of 80 columns. */
#define FORMS(name, scene, view, made)                                                             \
	{ name "-narrow.txt", scene, view, { 0 }, ALL, NARROW, made },                             \
		{ name "-wide.txt", scene, view, { 0 }, ALL, WIDE, made },                         \
	{                                                                                          \
		name ".csv", scene, view, { 0 }, CSV, 0, made                                      \
	}

static const struct golden goldens[] = {
	{ "cg/summary.txt", "cg", &view_summary, { 0 }, ALL, 0, 0 },
	{ "cg/tree.txt", "cg", &view_tree, { 0 }, ALL, 0, 0 },
	{ "cg/tree-wait.txt", "cg", &view_tree, { 0 }, { { NULL, "wait", 0, 10, D, 0 }, 0 }, 0, 0 },
	{ "cg/tree-depth.txt", "cg", &view_tree, { 0 }, { { NULL, NULL, D, D, 2, 0 }, 0 }, 0, 0 },
	{ "cg/tree-full.txt", "cg", &view_tree, { .view = TREE_FULL }, ALL, 0, 0 },
	{ "cg/tree-threads.txt", "cg", &view_tree, { .by_thread = 1 }, ALL, 0, 0 },
	{ "cg/tree-machine.txt", "cg", &view_tree, { .view = TREE_MACHINE }, ALL, 0, 0 },
	{ "hostile/tree-machine.txt", "hostile", &view_tree, { .view = TREE_MACHINE }, ALL, 0, 0 },
	{ "cg/machine.json", "cg", &view_json, { .view = TREE_MACHINE }, ALL, 0, 0 },
	{ "cg/flat.txt", "cg", &view_flat, { 0 }, ALL, 0, 0 },
	{ "cg/flat-work.txt", "cg", &view_flat, { 0 }, { { NULL, "work", 0, 4, D, 0 }, 0 }, 0, 0 },
	{ "cg/bottom-up.txt", "cg", &view_bottom_up, { 0 }, ALL, 0, 0 },
	{ "cg/bottom-up-2.txt", "cg", &view_bottom_up, { 0 }, { { NULL, NULL, D, 2, D, 0 }, 0 }, 0,
		0 },
	{ "cg/report.json", "cg", &view_json, { 0 }, ALL, 0, 0 },
	{ "cg/full.json", "cg", &view_json, { .view = TREE_FULL }, ALL, 0, 0 },
	{ "faults/summary.txt", "faults", &view_summary, { 0 }, ALL, 0, 1 },
	{ "faults/region.txt", "faults", &view_by_region, { 0 }, ALL, 0, 1 },
	{ "asleep/region.txt", "faults", &view_by_region, { 0 }, ALL, 0, MADE_SLEEP },
	{ "asleep/region-narrow.txt", "faults", &view_by_region, { 0 }, ALL, 60, MADE_SLEEP },
	{ "asleep/region-wide.txt", "faults", &view_by_region, { 0 }, ALL, 120, MADE_SLEEP },
	{ "asleep/summary.txt", "faults", &view_summary, { 0 }, ALL, 0, MADE_SLEEP },
	{ "faults/region-2.txt", "faults", &view_by_region, { 0 },
		{ { NULL, NULL, D, 2, D, 0 }, 0 }, 0, 1 },
	{ "faults/wait.txt", "faults", &view_by_wait, { 0 }, ALL, 0, 1 },
	{ "faults/wait-reverse.txt", "faults", &view_by_wait, { 0 }, { TABLE_OPTIONS_DEFAULT, 1 },
		0, 1 },
	{ "faults/thread.txt", "faults", &view_by_thread, { 0 }, ALL, 0, 1 },
	{ "faults/lock.txt", "faults", &view_by_lock, { 0 }, ALL, 0, 1 },
	{ "target/summary.txt", "target", &view_summary, { 0 }, ALL, 0, 0 },
	{ "target/driver.txt", "driver", &view_summary, { 0 }, ALL, 0, 0 },
	{ "target/target.txt", "target", &view_by_target, { 0 }, ALL, 0, 0 },
	{ "target/target-wide.txt", "target", &view_by_target, { 0 }, ALL, 140, 0 },
	{ "target/device.txt", "target", &view_by_device, { 0 }, ALL, 0, 0 },
	{ "target/device-wide.txt", "target", &view_by_device, { 0 }, ALL, 140, 0 },
	{ "target/device.csv", "target", &view_by_device, { 0 }, CSV, 0, 0 },
	{ "target/tree.txt", "target", &view_tree, { 0 }, ALL, 0, 0 },
	{ "target/wait.txt", "target", &view_by_wait, { 0 }, ALL, 0, 0 },
	{ "target/thread.txt", "target", &view_by_thread, { 0 }, ALL, 0, 0 },
	{ "target/pop.txt", "target", &view_pop, { 0 }, ALL, 0, 0 },
	{ "target/report.json", "target", &view_json, { 0 }, ALL, 0, 0 },
	{ "counted/phase.txt", "counted", &view_by_phase, { 0 }, ALL, 0, 0 },
	{ "cg/process.txt", "cg", &view_by_process, { 0 }, ALL, 0, 0 },
	{ "faults/task.txt", "faults", &view_by_task, { 0 }, ALL, 0, 1 },
	{ "incomplete/killed-warnings.txt", "killed", &view_warnings, { 0 }, ALL, 0, 0 },
	{ "incomplete/crowded-warnings-narrow.txt", "crowded", &view_warnings, { 0 }, ALL, 60, 0 },
	{ "cg/warnings.txt", "cg", &view_warnings, { 0 }, ALL, 0, 0 },
	{ "faults/pop.txt", "faults", &view_pop, { 0 }, ALL, 0, 1 },
	{ "faults/function.txt", "faults", &view_by_function, { 0 }, ALL, 0, 1 },
	{ "faults/line.txt", "faults", &view_by_line, { 0 }, ALL, 0, 1 },
	{ "faults/module.txt", "faults", &view_by_module, { 0 }, ALL, 0, 1 },
	{ "faults/report.json", "faults", &view_json, { 0 }, ALL, 0, 1 },
	{ "native/summary.txt", "native", &view_summary, { 0 }, ALL, 0, 0 },
	{ "native/tree.txt", "native", &view_tree, { 0 }, ALL, 0, 0 },
	{ "native/thread.txt", "native", &view_by_thread, { 0 }, ALL, 0, 0 },
	{ "native/report.json", "native", &view_json, { 0 }, ALL, 0, 0 },
	{ "plain/summary.txt", "plain", &view_summary, { 0 }, ALL, 0, 0 },
	{ "plain/report.json", "plain", &view_json, { 0 }, ALL, 0, 0 },
	{ "plain/summary.csv", "plain", &view_summary, { 0 }, CSV, 0, 0 },
	{ "asleep/slept-summary.txt", "asleep", &view_summary, { 0 }, ALL, 0, 0 },
	{ "asleep/slept.json", "asleep", &view_json, { 0 }, ALL, 0, 0 },
	{ "plain/tree.txt", "plain", &view_tree, { 0 }, ALL, 0, 0 },
	{ "plain/thread.txt", "plain", &view_by_thread, { 0 }, ALL, 0, 0 },
	{ "counted/event.txt", "counted", &view_by_event, { 0 }, ALL, 0, 0 },
	{ "counted/event-fields.txt", "counted", &view_by_event, { 0 },
		{ { "event,detail,count,looked%,thread_mean,place", "detail", D, D, D, 0 }, 0 }, 0,
		0 },
	{ "counted/loop.txt", "counted", &view_by_loop, { 0 }, ALL, 0, 0 },
	{ "counted/report.json", "counted", &view_json, { 0 }, ALL, 0, 0 },
	{ "waits/quickfix.txt", "waits", &view_quickfix, { 0 }, ALL, 160, 0 },
	{ "waits/event.txt", "waits", &view_by_event, { 0 }, ALL, 0, 0 },
	{ "waits/loop.txt", "waits", &view_by_loop, { 0 }, ALL, 0, 0 },
	{ "waits/summary.txt", "waits", &view_summary, { 0 }, ALL, 0, 0 },
	{ "waits/tree.txt", "waits", &view_tree, { 0 }, ALL, 0, 0 },
	{ "waits/flat.txt", "waits", &view_flat, { 0 }, ALL, 0, 0 },
	{ "waits/bottom-up.txt", "waits", &view_bottom_up, { 0 }, ALL, 0, 0 },
	{ "waits/region.txt", "waits", &view_by_region, { 0 }, ALL, 0, 0 },
	{ "waits/wait.txt", "waits", &view_by_wait, { 0 }, ALL, 0, 0 },
	{ "waits/construct.txt", "waits", &view_by_construct, { 0 }, ALL, 0, 0 },
	{ "target/construct.txt", "target", &view_by_construct, { 0 }, ALL, 0, 0 },
	{ "waits/thread.txt", "waits", &view_by_thread, { 0 }, ALL, 0, 0 },
	{ "waits/lock.txt", "waits", &view_by_lock, { 0 }, ALL, 0, 0 },
	{ "waits/pop.txt", "waits", &view_pop, { 0 }, ALL, 0, 0 },
	{ "waits/report.json", "waits", &view_json, { 0 }, ALL, 0, 0 },
	{ "asleep/timed.json", "timed", &view_json, { 0 }, ALL, 0, 0 },
	{ "counters/summary.txt", "counters", &view_summary, { 0 }, ALL, 0, 0 },
	{ "counters/warnings.txt", "counters", &view_warnings, { 0 }, ALL, 0, 0 },
	{ "counters/function.txt", "counters", &view_by_function, { 0 }, ALL, WIDE, 0 },
	{ "counters/tree.csv", "counters", &view_tree, { 0 }, CSV, 0, 0 },
	{ "counters/report.json", "counters", &view_json, { 0 }, ALL, 0, 0 },
	{ "counters/region.txt", "counters", &view_by_region, { 0 }, ALL, WIDE, 0 },
	{ "counters/thread.txt", "counters", &view_by_thread, { 0 }, ALL, WIDE, 0 },
	{ "waits/full.json", "waits", &view_json, { .view = TREE_FULL }, ALL, 0, 0 },
	{ "cg/region.txt", "cg", &view_by_region, { 0 }, ALL, 0, 0 },
	{ "empty/region.txt", "empty", &view_by_region, { 0 }, ALL, 0, 0 },
	{ "empty/wait.txt", "empty", &view_by_wait, { 0 }, ALL, 0, 0 },
	{ "empty/pop.txt", "empty", &view_pop, { 0 }, ALL, 0, 0 },
	{ "hostile/region.txt", "hostile", &view_by_region, { 0 }, ALL, 0, 0 },
	{ "events/wait.txt", "events", &view_by_wait, { 0 }, ALL, 0, 0 },
	{ "incomplete/crowded-summary.txt", "crowded", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/killed-summary.txt", "killed", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/killed-summary-narrow.txt", "killed", &view_summary, { 0 }, ALL, 60, 0 },
	{ "incomplete/killed-tree.txt", "killed", &view_tree, { 0 }, ALL, 0, 0 },
	{ "incomplete/killed-flat.txt", "killed", &view_flat, { 0 }, ALL, 0, 0 },
	{ "incomplete/killed-bottom-up.txt", "killed", &view_bottom_up, { 0 }, ALL, 0, 0 },
	{ "incomplete/killed.json", "killed", &view_json, { 0 }, ALL, 0, 0 },
	{ "events/summary.txt", "events", &view_summary, { 0 }, ALL, 0, 0 },
	{ "events/tree.txt", "events", &view_tree, { 0 }, ALL, 0, 0 },
	{ "events/flat.txt", "events", &view_flat, { 0 }, ALL, 0, 0 },
	{ "events/bottom-up.txt", "events", &view_bottom_up, { 0 }, ALL, 0, 0 },
	{ "events/report.json", "events", &view_json, { 0 }, ALL, 0, 0 },
	{ "incomplete/eventless-summary.txt", "eventless", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/lossy-summary.txt", "lossy", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/lossy-flat.txt", "lossy", &view_flat, { 0 }, ALL, 0, 0 },
	{ "incomplete/brief-summary.txt", "brief", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/brief.json", "brief", &view_json, { 0 }, ALL, 0, 0 },
	{ "incomplete/unblamed-summary.txt", "unblamed", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/unblamed-wait.txt", "unblamed", &view_by_wait, { 0 }, ALL, 0, 0 },
	{ "incomplete/unblamed.json", "unblamed", &view_json, { 0 }, ALL, 0, 0 },
	{ "incomplete/guessed-summary.txt", "guessed", &view_summary, { 0 }, ALL, 0, 0 },
	{ "incomplete/guessed-tree.txt", "guessed", &view_tree, { 0 }, ALL, 0, 0 },
	{ "incomplete/guessed-tree-narrow.txt", "guessed", &view_tree, { 0 }, ALL, 60, 0 },
	{ "incomplete/guessed.json", "guessed", &view_json, { 0 }, ALL, 0, 0 },
	{ "hostile/summary.txt", "hostile", &view_summary, { 0 }, ALL, 0, 0 },
	{ "hostile/tree.txt", "hostile", &view_tree, { 0 }, ALL, 0, 0 },
	{ "hostile/tree-narrow.txt", "hostile", &view_tree, { 0 }, ALL, 60, 0 },
	{ "hostile/flat.txt", "hostile", &view_flat, { 0 }, ALL, 0, 0 },
	{ "hostile/report.json", "hostile", &view_json, { 0 }, ALL, 0, 0 },
	{ "empty/summary.txt", "empty", &view_summary, { 0 }, ALL, 0, 0 },
	{ "empty/tree.txt", "empty", &view_tree, { 0 }, ALL, 0, 0 },
	{ "empty/flat.txt", "empty", &view_flat, { 0 }, ALL, 0, 0 },
	{ "empty/report.json", "empty", &view_json, { 0 }, ALL, 0, 0 },
	FORMS("cg/summary", "cg", &view_summary, 0),
	FORMS("cg/tree", "cg", &view_tree, 0),
	FORMS("cg/flat", "cg", &view_flat, 0),
	FORMS("cg/bottom-up", "cg", &view_bottom_up, 0),
	FORMS("faults/summary", "faults", &view_summary, 1),
	FORMS("faults/region", "faults", &view_by_region, 1),
	FORMS("faults/wait", "faults", &view_by_wait, 1),
	{ "waits/loop-none.txt", "mutexes", &view_by_loop, { 0 }, ALL, 0, 0 },
	{ "waits/tree-mutexes.txt", "mutexes", &view_tree, { 0 }, ALL, 0, 0 },
	FORMS("waits/construct-mutexes", "mutexes", &view_by_construct, 0),
	FORMS("faults/thread", "faults", &view_by_thread, 1),
	FORMS("faults/lock", "faults", &view_by_lock, 1),
	FORMS("faults/task", "faults", &view_by_task, 1),
	FORMS("counted/event", "counted", &view_by_event, 0),
	FORMS("counted/loop", "counted", &view_by_loop, 0),
	FORMS("faults/pop", "faults", &view_pop, 1),
	FORMS("faults/function", "faults", &view_by_function, 1),
	FORMS("faults/line", "faults", &view_by_line, 1),
	FORMS("faults/module", "faults", &view_by_module, 1),
	FORMS("native/thread", "native", &view_by_thread, 0),
	FORMS("waits/tree", "waits", &view_tree, 0),
	FORMS("events/tree", "events", &view_tree, 0),
	FORMS("events/summary", "events", &view_summary, 0),
	FORMS("hostile/flat", "hostile", &view_flat, 0),
	FORMS("hostile/region", "hostile", &view_by_region, 0),
	{ "faults/wait-reverse.csv", "faults", &view_by_wait, { 0 },
		{ { NULL, NULL, D, D, D, 1 }, 1 }, 0, 1 },
	{ "cg/tree-fields.txt", "cg", &view_tree, { 0 },
		{ { "name,work,blame,samples", NULL, D, D, D, 0 }, 0 }, 0, 0 },
	{ "faults/region-fields.txt", "faults", &view_by_region, { 0 },
		{ { "name,function,runs,p95,gain", "p95", D, D, D, 0 }, 0 }, 0, 1 },
	{ "faults/thread-sort.txt", "faults", &view_by_thread, { 0 },
		{ { NULL, "blame", D, 3, D, 0 }, 0 }, 0, 1 },
	{ "hostile/tree.csv", "hostile", &view_tree, { 0 }, CSV, 0, 0 },
};

enum { N_GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

static void replace_metrics(struct report *report, int sleeps)
{
	struct diag diag;

	metrics_release(&report->metrics);
	made_metrics(&report->metrics, &report->tree);
	if (sleeps)
		made_sleep(&report->metrics);
	assert_int_equal(report_figure(report, &diag), 0);
}

static char *render(const struct golden *golden)
{
	struct terminal terminal;
	struct report report;
	char *text = NULL;
	size_t size = 0;

	scene_report(&report, golden->scene, &golden->report);
	if (golden->figures != FROM_PROFILE)
		replace_metrics(&report, golden->figures == MADE_SLEEP);
	terminal_plain(&terminal, open_memstream(&text, &size));
	if (golden->width)
		terminal.width = golden->width;
	assert_int_equal(golden->view->print(&report, &golden->options, &terminal), 0);
	fclose(terminal.out);
	report_release(&report);
	return text;
}

static void test_golden(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden);

	expected_compare(golden->file, text);
	free(text);
}

/* What no text may hold, whatever the names: control characters, lines longer than the screen. */
static void test_harmless(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden), *at = text;
	size_t width = golden->width ? golden->width : 80, columns = 0;

	for (; *at; at++) {
		if (*at == '\n') {
			columns = 0;
			continue;
		}
		if (golden->options.table.is_csv && at[0] == '\r' && at[1] == '\n')
			continue;
		assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
		columns += ((unsigned char)*at & 0xc0) != 0x80;
		if (columns > width && golden->view != &view_json && !golden->options.table.is_csv)
			fail_msg("%s: a line is longer than %zu columns", golden->file, width);
	}
	free(text);
}

/* The summary is one screen. */
static void test_screen(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden);
	int n_lines = 0;

	for (const char *at = text; *at; at++)
		n_lines += *at == '\n';
	assert_true(n_lines <= 24);
	free(text);
}

/* Each view of views.def has a row. */
static void test_each_view(void **state)
{
	for (size_t i = 0; view_list[i]; i++) {
		size_t at = 0;

		while (at < N_GOLDENS && goldens[at].view != view_list[i])
			at++;
		if (at == N_GOLDENS)
			fail_msg("no row shows '--%s'", view_list[i]->name);
	}
}

/* Tests that each row takes part in; the test's name is the file's. */
static size_t add_tests(struct CMUnitTest *tests, size_t n)
{
	static char names[3 * N_GOLDENS + 1][64];

	for (size_t i = 0; i < N_GOLDENS; i++) {
		void *row = (void *)(uintptr_t)&goldens[i];
		snprintf(names[n], sizeof(names[n]), "%s", goldens[i].file);
		tests[n] = (struct CMUnitTest){ names[n], test_golden, NULL, NULL, row };
		n++;
		snprintf(names[n], sizeof(names[n]), "%s is harmless", goldens[i].file);
		tests[n] = (struct CMUnitTest){ names[n], test_harmless, NULL, NULL, row };
		n++;
		if (goldens[i].view != &view_summary || goldens[i].options.table.is_csv)
			continue;
		snprintf(names[n], sizeof(names[n]), "%s is one screen", goldens[i].file);
		tests[n] = (struct CMUnitTest){ names[n], test_screen, NULL, NULL, row };
		n++;
	}
	return n;
}

int main(void)
{
	static struct CMUnitTest tests[3 * N_GOLDENS + 1] = { cmocka_unit_test(test_each_view) };
	size_t n = add_tests(tests, 1);

	return _cmocka_run_group_tests("golden", tests, n, NULL, NULL);
}
