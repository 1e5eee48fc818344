/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several runs as one: figures are medians, a place that a run lacks counts as 0 there, and twice the error of a
 * change holds in 95 of 100 cases, which is played with runs that differ by chance alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/compare/diff.h"

enum { RUNS_MOST = 10, TRIALS = 2000 };

/* About a normal deviate: the sum of twelve numbers from 0 to 1, less 6. The same in each run of the test. */
static double deviate(void)
{
	static uint64_t state = 1;
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(state >> 40) / (1 << 24);
	}
	return sum;
}

static struct diff_run make_run(uint64_t wall_ns, size_t n_places)
{
	static const char *const names[] = { "solve", "build" };
	struct diff_run run = { .n_runs = 1, .n_slots = 2, .wall_ns = wall_ns, .is_complete = 1 };

	run.path = strdup("made");
	run.command = strdup("made");
	run.program = strdup("made");
	run.label = strdup("");
	run.places = calloc(2, sizeof(*run.places));
	run.wall_of_ns[METRICS_USEFUL] = wall_ns;
	for (size_t i = 0; i < n_places; i++) {
		run.places[i] = (struct diff_place){ .kind = DIFF_FUNCTION,
			.listed = 1u << METRICS_USEFUL,
			.function = names[i],
			.construct = "",
			.module = "app",
			.build_id = "",
			.path = "",
			.file = "a.c",
			.line = 1 + (uint32_t)i,
			.where = "",
			.what = names[i],
			.region_ns = wall_ns,
			.amounts = { .total = wall_ns } };
		run.places[i].wall_ns[METRICS_USEFUL] = wall_ns;
		run.places[i].variance[METRICS_USEFUL] = 16;
	}
	run.n_places = n_places;
	run.paths = calloc(2, sizeof(*run.paths));
	run.paths[1] = (struct diff_path){ 0, (uint32_t)n_places - 1, wall_ns / 2 };
	run.n_paths = 2;
	return run;
}

static void test_medians(void **state)
{
	static const uint64_t walls[] = { 500, 100, 300, 200, 400 };
	struct diff_run runs[5], joined;

	(void)state;
	for (int i = 0; i < 5; i++)
		runs[i] = make_run(walls[i], walls[i] % 400 == 100 ? 2 : 1);
	/* In the longest run the other function is the first one. */
	runs[0].places[0].line = 3;
	assert_int_equal(diff_run_join(&joined, runs, 5), 0);
	assert_int_equal(joined.n_runs, 5);
	assert_int_equal(joined.wall_ns, 300);
	assert_int_equal(joined.least_ns, 100);
	assert_int_equal(joined.most_ns, 500);
	assert_int_equal(joined.n_places, 2);
	for (size_t i = 0; i < joined.n_places; i++)
		assert_int_equal(joined.places[i].wall_ns[METRICS_USEFUL],
			strcmp(joined.places[i].function, "solve") == 0 ? 300 : 0);
	/* The median run has no other function: its path is to that one, wherever the place is now. */
	assert_string_equal(joined.places[joined.paths[1].place].function, "solve");
	/* s = 158.1, t of 4 degrees = 2.776: s * t / 2 * sqrt(pi / 2 / 5) = 123.0. */
	assert_true(fabs(joined.noise_ns - 123.0) < 0.5);
	assert_true(diff_run_knows_noise(&joined));
	diff_run_release(&joined);
}

static void test_equal_runs_err(void **state)
{
	struct diff_run runs[4], joined;

	(void)state;
	for (int i = 0; i < 4; i++)
		runs[i] = make_run(1000, 1);
	assert_int_equal(diff_run_join(&joined, runs, 4), 0);
	assert_true(fabs(joined.places[0].variance[METRICS_USEFUL] - 4) < 1e-9);
	diff_run_release(&joined);
}

/* Half of a function's time is in a node: the node has half of the error of 123.0 by which runs differ. */
static void test_errors_of_nodes(void **state)
{
	struct diff_run runs[5], before, after;
	struct diff diff;

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		runs[i] = make_run(900 + 100 * i, 1);
	assert_int_equal(diff_run_join(&before, runs, 5), 0);
	after = make_run(1100, 1);
	assert_int_equal(diff_make(&diff, &before, &after, 0), 0);
	assert_int_equal(diff.n_nodes, 2);
	assert_int_equal(diff.nodes[1].value.before_ns, 550);
	assert_true(fabs(diff.nodes[1].value.error_ns - 61.5) < 0.3);
	diff_release(&diff);
	diff_run_release(&before);
	diff_run_release(&after);
}

static void test_even(void **state)
{
	struct diff_run runs[2], joined;

	(void)state;
	runs[0] = make_run(400, 1);
	runs[1] = make_run(200, 1);
	assert_int_equal(diff_run_join(&joined, runs, 2), 0);
	assert_int_equal(joined.wall_ns, 300);
	assert_int_equal(joined.places[0].wall_ns[METRICS_USEFUL], 300);
	diff_run_release(&joined);
}

static void test_one(void **state)
{
	struct diff_run run = make_run(400, 1), joined;

	(void)state;
	assert_int_equal(diff_run_join(&joined, &run, 1), 0);
	assert_int_equal(joined.n_runs, 1);
	assert_int_equal(joined.wall_ns, 400);
	diff_run_release(&joined);
}

static void draw(struct diff_run *joined, size_t n)
{
	struct diff_run runs[RUNS_MOST];

	for (size_t i = 0; i < n; i++)
		runs[i] = make_run((uint64_t)(1e9 + 1e7 * deviate()), 1);
	assert_int_equal(diff_run_join(joined, runs, n), 0);
}

/* How many of 1000 changes are beyond twice the error, although nothing but chance changed. */
static double count_wrong(size_t n, int of_wall)
{
	int n_wrong = 0;

	for (int i = 0; i < TRIALS; i++) {
		struct diff_run before, after;
		struct diff diff;
		const struct diff_value *value;

		draw(&before, n);
		draw(&after, n);
		assert_int_equal(diff_make(&diff, &before, &after, 0), 0);
		assert_true(diff_is_repeated(&diff));
		value = of_wall ? &diff.wall : &diff.rows[0].value;
		n_wrong += fabs(value->change_ns) > 2 * value->error_ns;
		diff_release(&diff);
		diff_run_release(&before);
		diff_run_release(&after);
	}
	return n_wrong * 1000.0 / TRIALS;
}

static void test_error_holds(void **state)
{
	(void)state;
	for (int of_wall = 0; of_wall < 2; of_wall++) {
		assert_true(count_wrong(2, of_wall) <= 50);
		assert_true(count_wrong(3, of_wall) <= 50);
		assert_true(count_wrong(5, of_wall) <= 50);
		assert_true(count_wrong(RUNS_MOST, of_wall) <= 60);
		/* An error that is far too large would hold, too. */
		assert_true(count_wrong(RUNS_MOST, of_wall) >= 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_medians),
		cmocka_unit_test(test_equal_runs_err), cmocka_unit_test(test_errors_of_nodes),
		cmocka_unit_test(test_even), cmocka_unit_test(test_one),
		cmocka_unit_test(test_error_holds) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
