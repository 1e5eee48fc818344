/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof top` on made-up runs (scenes.c): its screens, byte for byte against tests/data (`make update-golden`), and
 * what comes from one picture to the next.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/top/top.h"
#include "tests/unit/command/expected.h"
#include "tests/unit/command/scene_report.h"

/* A process of the job, with the sums of its own slots. */
static struct report_process make_process(const char *path, uint64_t wall_ns)
{
	struct report_process process = { .path = strdup(path),
		.program = strdup("app"),
		.pid = 4711,
		.host = "node",
		.n_slots = 2,
		.wall_ns = wall_ns,
		.is_counted = 1,
		.is_running = 1 };

	assert_non_null(process.path);
	assert_non_null(process.program);
	return process;
}

static void set_processes(struct report *report, size_t n, const char *const *paths)
{
	report->job.processes = calloc(n, sizeof(*report->job.processes));
	assert_non_null(report->job.processes);
	for (size_t i = 0; i < n; i++)
		report->job.processes[i] = make_process(paths[i], 2000000000);
	report->job.n = report->job.n_counted = n;
}

static const char *const one[] = { "run/node-4711.ompprof" };

static void show_scene(const char *scene, const struct top_show *show, const char *golden)
{
	struct top_picture before = { 0 }, now, change;
	struct report report;
	char *screen;

	scene_report(&report, scene, NULL);
	set_processes(&report, 1, one);
	assert_int_equal(top_picture_make(&now, &report), 0);
	assert_int_equal(top_change(&change, &before, &now), 0);
	screen = top_screen(show, &change, &now);
	assert_non_null(screen);
	expected_compare(golden, screen);
	free(screen);
	top_picture_release(&change);
	top_picture_release(&now);
	report_release(&report);
}

static void screens(void **state)
{
	static const struct {
		const char *scene, *golden;
		struct top_show show;
	} shown[] = {
		{ "cg", "top/cg.txt", { .view = TOP_FUNCTIONS, .width = 80 } },
		{ "cg", "top/cg-narrow.txt", { .view = TOP_FUNCTIONS, .width = 50 } },
		{ "cg", "top/cg-regions.txt", { .view = TOP_REGIONS, .width = 80 } },
		{ "waits", "top/waits.txt", { .view = TOP_WAITS, .width = 80 } },
		{ "native", "top/native-threads.txt", { .view = TOP_THREADS, .width = 80 } },
		{ "cg", "top/cg-processes.txt", { .view = TOP_PROCESSES, .width = 80 } },
		{ "events", "top/events.txt", { .view = TOP_FUNCTIONS, .width = 80 } },
		{ "hostile", "top/hostile.txt", { .view = TOP_FUNCTIONS, .width = 80 } },
		{ "empty", "top/empty.txt", { .view = TOP_FUNCTIONS, .width = 80 } },
		{ "cg", "top/cg-terminal.txt",
			{ .view = TOP_FUNCTIONS,
				.width = 80,
				.height = 10,
				.has_keys = 1,
				.has_colour = 1,
				.is_paused = 1 } },
		{ "cg", "top/cg-help.txt",
			{ .width = 80, .height = 24, .has_keys = 1, .has_help = 1 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		show_scene(shown[i].scene, &shown[i].show, shown[i].golden);
}

static uint64_t sum_of(const struct top_rows *rows, enum top_sum which)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < rows->n; i++)
		sum += rows->rows[i].sums[which];
	return sum;
}

static void nothing_comes_from_a_picture_to_itself(void **state)
{
	struct top_picture now, change;
	struct report report;

	(void)state;
	scene_report(&report, "cg", NULL);
	set_processes(&report, 1, one);
	assert_int_equal(top_picture_make(&now, &report), 0);
	assert_int_equal(top_change(&change, &now, &now), 0);
	assert_int_equal(change.views[TOP_FUNCTIONS].n, 0);
	assert_int_equal(change.views[TOP_THREADS].n, now.views[TOP_THREADS].n);
	assert_int_equal(sum_of(&change.views[TOP_THREADS], TOP_LIFE), 0);
	assert_int_equal(change.wall_ns, 0);
	top_picture_release(&change);
	top_picture_release(&now);
	report_release(&report);
}

/* What estimates have lost since, and rows that are gone, stay as they were. */
static void no_sum_shrinks(void **state)
{
	struct top_picture first, second;
	struct report report;
	uint64_t work;

	(void)state;
	scene_report(&report, "cg", NULL);
	set_processes(&report, 1, one);
	assert_int_equal(top_picture_make(&first, &report), 0);
	assert_int_equal(top_picture_make(&second, &report), 0);
	work = sum_of(&first.views[TOP_FUNCTIONS], TOP_FIRST);
	assert_true(work > 0);
	for (size_t i = 0; i < second.views[TOP_FUNCTIONS].n; i++)
		second.views[TOP_FUNCTIONS].rows[i].sums[TOP_FIRST] /= 2;
	strcpy(second.views[TOP_FUNCTIONS].rows[0].name, "?");
	assert_int_equal(top_picture_raise(&second, &first), 0);
	assert_true(sum_of(&second.views[TOP_FUNCTIONS], TOP_FIRST) >= work);
	assert_int_equal(second.views[TOP_FUNCTIONS].n, first.views[TOP_FUNCTIONS].n + 1);
	top_picture_release(&second);
	top_picture_release(&first);
	report_release(&report);
}

/* Two processes, of which each has half of the threads. */
static void make_two(struct top_picture *picture, const char *const *paths, size_t n_first)
{
	struct profile_process *processes = calloc(2, sizeof(*processes));
	struct report report;

	scene_report(&report, "cg", NULL);
	assert_non_null(processes);
	set_processes(&report, 2, paths);
	processes[0] = (struct profile_process){ 0, 4711, 0, n_first };
	processes[1] =
		(struct profile_process){ 0, 4711, n_first, report.profile.n_threads - n_first };
	report.profile.processes = processes;
	report.profile.n_processes = 2;
	assert_int_equal(top_picture_make(picture, &report), 0);
	report_release(&report);
}

/* A number comes again when a process has ended: the other one is another row, and what it did its own. */
static void processes_of_one_number_are_told_apart(void **state)
{
	static const char *const both[] = { "run/node-4711.ompprof", "run/node-4711-2.ompprof" };
	struct top_picture now;
	const struct top_rows *processes = &now.views[TOP_PROCESSES];

	(void)state;
	make_two(&now, both, 1);
	assert_int_equal(processes->n, 2);
	assert_true(processes->rows[0].sums[TOP_FIRST] > 0);
	assert_true(processes->rows[1].sums[TOP_FIRST] > 0);
	assert_int_equal(sum_of(processes, TOP_FIRST), now.causes[TOP_USEFUL]);
	top_picture_release(&now);
}

/* A thread stays the same row when a process before its own gets another thread. */
static void threads_stay_the_same(void **state)
{
	static const char *const both[] = { "run/a.ompprof", "run/b.ompprof" };
	struct top_picture before, now;
	const struct top_row *kept;
	uint64_t last;

	(void)state;
	make_two(&before, both, 1);
	make_two(&now, both, 2);
	last = 0;
	for (size_t i = 0; i < before.views[TOP_THREADS].n; i++) {
		kept = &before.views[TOP_THREADS].rows[i];
		for (size_t k = 0; k < now.views[TOP_THREADS].n; k++)
			last += now.views[TOP_THREADS].rows[k].identity == kept->identity;
	}
	/* All but the last of the second process, which has one less. */
	assert_int_equal(last, before.views[TOP_THREADS].n - 1);
	top_picture_release(&before);
	top_picture_release(&now);
}

/* Everything that is typed is taken, one key after the other, whatever comes together. */
static void keys_are_told_apart(void **state)
{
	static const struct {
		const char *bytes;
		int keys[6];
	} typed[] = {
		{ "w", { 'w' } },
		{ "wrq", { 'w', 'r', 'q' } },
		{ "\033[C", { TOP_KEY_RIGHT } },
		{ "\033OD", { TOP_KEY_LEFT } },
		{ "t\033[Cp\033[Dq", { 't', TOP_KEY_RIGHT, 'p', TOP_KEY_LEFT, 'q' } },
		{ "\033[1;5Cq", { TOP_KEY_RIGHT, 'q' } },
		{ "\033[15~q", { 0, 'q' } },
		{ "\033q", { 0 } },
		{ "\033", { '\033' } },
		{ "\033[", { 0 } },
		{ "\033[1;", { 0 } },
		{ "\303\244q", { 0, 0, 'q' } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		size_t at = 0, n = strlen(typed[i].bytes);

		for (int k = 0; at < n; k++) {
			int key;
			size_t taken = top_key_parse(
				(const unsigned char *)typed[i].bytes + at, n - at, &key);

			assert_in_range(taken, 1, n - at);
			assert_int_equal(key, typed[i].keys[k]);
			at += taken;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens),
		cmocka_unit_test(nothing_comes_from_a_picture_to_itself),
		cmocka_unit_test(no_sum_shrinks),
		cmocka_unit_test(processes_of_one_number_are_told_apart),
		cmocka_unit_test(threads_stay_the_same),
		cmocka_unit_test(keys_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
