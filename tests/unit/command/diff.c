/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons: which places are the same, what must hold of any two runs, what is too small to be told from
 * chance, and conditions. Runs are made up by hand, or of the scenes (scenes.h).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/compare/diff.h"
#include "src/compare/diff_condition.h"
#include "tests/unit/scenes/made_metrics.h"
#include "tests/unit/command/scene_report.h"

static struct name_tree strings;

static int set_up_all(void **state)
{
	(void)state;
	memset(&strings, 0, sizeof(strings));
	return name_tree_init(&strings, 1);
}

static int tear_down_all(void **state)
{
	(void)state;
	name_tree_release(&strings);
	return 0;
}

static const char *keep(const char *text)
{
	const char *kept = name_tree_intern(&strings, text);

	assert_non_null(kept);
	return kept;
}

/* --- runs by hand --- */

struct made {
	struct diff_run run;
	struct diff_place places[32];
};

static void made_begin(struct made *made, uint32_t n_slots, uint64_t wall_ns)
{
	memset(made, 0, sizeof(*made));
	made->run.path = made->run.command = made->run.program = (char *)(uintptr_t) "made";
	made->run.places = made->places;
	made->run.n_slots = made->run.n_team = n_slots;
	made->run.wall_ns = wall_ns;
	made->run.capacity_ns = wall_ns * n_slots;
	made->run.is_complete = 1;
}

static struct diff_place *add(struct made *made, enum diff_kind kind, const char *function,
	const char *file, uint32_t line)
{
	struct diff_place *place = &made->places[made->run.n_places++];
	char where[128];

	snprintf(where, sizeof(where), "%s:%u", file, line);
	*place = (struct diff_place){ .kind = (uint8_t)kind,
		.function = keep(function),
		.construct = keep(kind == DIFF_REGION ? "parallel" : ""),
		.module = keep("app"),
		.build_id = keep(""),
		.file = keep(file),
		.line = line,
		.where = keep(where),
		.what = keep(function) };
	return place;
}

static struct diff_place *add_region(
	struct made *made, const char *function, uint32_t decl_line, uint32_t line)
{
	struct diff_place *place = add(made, DIFF_REGION, function, "a.c", line);

	place->decl_line = decl_line;
	place->order = 16ull * line;
	place->listed = 1u << METRICS_IMBALANCE;
	return place;
}

static void same_code(struct made *made, const char *build_id)
{
	for (size_t i = 0; i < made->run.n_places; i++)
		made->places[i].build_id = keep(build_id);
}

/* The line that the place in this line before is at after; 0: gone. */
static uint32_t line_after(const struct made *before, const struct made *after, uint32_t line)
{
	size_t n;
	struct diff_pair *pairs = diff_match(&before->run, &after->run, &n);
	uint32_t found = 0;

	assert_non_null(pairs);
	for (size_t i = 0; i < n; i++)
		if (pairs[i].before && pairs[i].before->line == line && pairs[i].after)
			found = pairs[i].after->line;
	free(pairs);
	return found;
}

static size_t count_pairs(const struct made *before, const struct made *after, int wants_both)
{
	size_t n, n_found = 0;
	struct diff_pair *pairs = diff_match(&before->run, &after->run, &n);

	assert_non_null(pairs);
	for (size_t i = 0; i < n; i++)
		n_found += (pairs[i].before && pairs[i].after) == wants_both;
	free(pairs);
	return n_found;
}

/* The file grew above, the functions changed places, the program was linked anew. */
static void test_moved(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add_region(&before, "solve", 10, 20);
	add_region(&before, "solve", 10, 40);
	add_region(&before, "build", 100, 110);
	add(&before, DIFF_FUNCTION, "kernel", "a.c", 200);
	same_code(&before, "aa");
	made_begin(&after, 4, 1);
	add(&after, DIFF_FUNCTION, "kernel", "a.c", 7);
	add_region(&after, "build", 20, 31);
	add_region(&after, "solve", 310, 320);
	add_region(&after, "solve", 310, 344);
	same_code(&after, "bb");
	assert_int_equal(count_pairs(&before, &after, 1), 4);
	assert_int_equal(count_pairs(&before, &after, 0), 0);
	assert_int_equal(line_after(&before, &after, 20), 320);
	assert_int_equal(line_after(&before, &after, 40), 344);
	assert_int_equal(line_after(&before, &after, 110), 31);
	assert_int_equal(line_after(&before, &after, 200), 7);
}

/* One region more in front of the others of its function, which moved by as much. */
static void test_inserted(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add_region(&before, "solve", 10, 30);
	add_region(&before, "solve", 10, 60);
	made_begin(&after, 4, 1);
	add_region(&after, "solve", 10, 15);
	add_region(&after, "solve", 10, 33);
	add_region(&after, "solve", 10, 63);
	assert_int_equal(line_after(&before, &after, 30), 33);
	assert_int_equal(line_after(&before, &after, 60), 63);
	assert_int_equal(count_pairs(&before, &after, 0), 1);
	/* ... and the other way round. */
	assert_int_equal(line_after(&after, &before, 15), 0);
	assert_int_equal(line_after(&after, &before, 33), 30);
	assert_int_equal(line_after(&after, &before, 63), 60);
}

/* Other parts of the same program were executed: what is not the same line is not the same. */
static void test_same_code(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add_region(&before, "solve", 10, 20);
	add_region(&before, "solve", 10, 30);
	same_code(&before, "aa");
	made_begin(&after, 4, 1);
	add_region(&after, "solve", 10, 30);
	add_region(&after, "solve", 10, 40);
	same_code(&after, "aa");
	assert_int_equal(line_after(&before, &after, 20), 0);
	assert_int_equal(line_after(&before, &after, 30), 30);
	assert_int_equal(count_pairs(&before, &after, 0), 2);
}

static void test_renamed(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add_region(&before, "solve", 10, 20);
	add(&before, DIFF_FUNCTION, "kernel", "k.c", 5);
	add(&before, DIFF_FUNCTION, "other", "k.c", 50);
	made_begin(&after, 4, 1);
	add_region(&after, "solve_fast", 10, 20);
	add(&after, DIFF_FUNCTION, "kernel_fast", "k.c", 5);
	add(&after, DIFF_FUNCTION, "another", "k.c", 51);
	assert_int_equal(line_after(&before, &after, 20), 20);
	assert_int_equal(line_after(&before, &after, 5), 5);
	assert_int_equal(line_after(&before, &after, 50), 0);
}

/* Static functions of one name go by their files. */
static void test_homonyms(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add(&before, DIFF_FUNCTION, "init", "a.c", 1);
	add(&before, DIFF_FUNCTION, "init", "b.c", 2);
	made_begin(&after, 4, 1);
	add(&after, DIFF_FUNCTION, "init", "b.c", 12);
	assert_int_equal(line_after(&before, &after, 1), 0);
	assert_int_equal(line_after(&before, &after, 2), 12);
}

/* Without a name an address tells nothing, but of the same code where in it it is. */
static void test_unnamed(void **state)
{
	struct made before, after;

	(void)state;
	made_begin(&before, 4, 1);
	add(&before, DIFF_FUNCTION, "0x1234", "", 0);
	made_begin(&after, 4, 1);
	add(&after, DIFF_FUNCTION, "0x1234", "", 0);
	same_code(&before, "aa");
	same_code(&after, "bb");
	assert_int_equal(count_pairs(&before, &after, 1), 0);
	same_code(&after, "aa");
	assert_int_equal(count_pairs(&before, &after, 1), 1);
}

/* More of one kind than any person writes: each is in exactly one pair. */
static void test_many(void **state)
{
	enum { N = 300 };
	struct diff_place *places = calloc(2 * N, sizeof(*places));
	struct made before, after;

	(void)state;
	assert_non_null(places);
	made_begin(&before, 4, 1);
	made_begin(&after, 4, 1);
	for (size_t i = 0; i < 2 * N; i++) {
		struct made *made = i < N ? &before : &after;

		made->run.n_places = 0;
		places[i] = *add_region(made, "f", 1, (uint32_t)(i % N) + 10);
	}
	before.run.places = places;
	before.run.n_places = N;
	after.run.places = places + N;
	after.run.n_places = N - 7;
	assert_int_equal(count_pairs(&before, &after, 1), N - 7);
	assert_int_equal(count_pairs(&before, &after, 0), 7);
	free(places);
}

/* --- what is too small --- */

static void test_hidden(void **state)
{
	struct made before, after;
	struct diff diff;

	(void)state;
	made_begin(&before, 4, 1000000000);
	made_begin(&after, 4, 1000000000);
	for (int i = 0; i < 2; i++) {
		struct diff_place *a = add_region(&before, "f", 1, 10 + 10 * (uint32_t)i);
		struct diff_place *b = add_region(&after, "f", 1, 10 + 10 * (uint32_t)i);

		/* Errors of 3 and 4 ms are one of 5. */
		a->wall_ns[METRICS_IMBALANCE] = 100000000;
		a->variance[METRICS_IMBALANCE] = 9e12;
		b->wall_ns[METRICS_IMBALANCE] = i ? 110100000 : 109900000;
		b->variance[METRICS_IMBALANCE] = 16e12;
	}
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	assert_int_equal(diff.n_rows, 2);
	assert_int_equal(diff.n_hidden, 1);
	assert_false(diff.rows[0].is_hidden);
	assert_int_equal(diff.rows[0].pair->after->line, 20);
	assert_true(fabs(diff.rows[0].value.error_ns - 5e6) < 1);
	assert_string_equal(diff_row_word(&diff.rows[0]), "worse");
	diff_release(&diff);
}

/* What a place lists in one of the runs alone is no part of it in the other: there it is listed elsewhere. */
static void test_listed_elsewhere(void **state)
{
	struct made before, after;
	struct diff_place *a, *b;
	struct diff diff;

	(void)state;
	made_begin(&before, 2, 1000000000);
	made_begin(&after, 2, 1000000000);
	a = add_region(&before, "f", 1, 10);
	b = add_region(&after, "f", 1, 10);
	a->wall_ns[METRICS_SERIAL] = 50000000;
	b->wall_ns[METRICS_SERIAL] = 2000000;
	b->listed |= 1u << METRICS_SERIAL;
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	assert_int_equal(diff.n_rows, 1);
	assert_int_equal(diff.rows[0].cause, METRICS_SERIAL);
	assert_int_equal(diff.rows[0].value.before_ns, 0);
	assert_int_equal(diff.rows[0].value.after_ns, 2000000);
	diff_release(&diff);
}

/* --- runs of scenes --- */

static void load(struct diff_run *run, const char *scene, int is_made)
{
	struct report report;
	struct diag diag;

	scene_report(&report, scene, NULL);
	if (is_made) {
		metrics_release(&report.metrics);
		made_metrics(&report.metrics, &report.tree);
		report.metrics.ticks_per_s = 1000000000;
		assert_int_equal(report_figure(&report, &diag), 0);
	}
	snprintf(report.path, sizeof(report.path), "%s", scene);
	assert_int_equal(diff_run_make(run, &report, &strings, 1, &diag), 0);
	report_release(&report);
}

static const char *const scenes[] = { "cg", "faults", "waits", "native", "plain", "crowded",
	"killed", "events", "eventless", "lossy", "unblamed", "guessed", "hostile", "long",
	"empty" };

enum { N_SCENES = sizeof(scenes) / sizeof(scenes[0]) };

/* What listed places take of a run's wall time is what its causes do, as far as samples met the work. */
static void test_places_are_all(void **state)
{
	struct diff_run run;

	(void)state;
	load(&run, "faults", 1);
	for (size_t c = 0; c < METRICS_N_CAUSES; c++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < run.n_places; i++)
			if ((run.places[i].listed >> c) & 1)
				sum += run.places[i].wall_ns[c];
		if (fabs((double)sum - (double)run.wall_of_ns[c]) > 1000)
			fail_msg("%s: %llu at places, %llu in all", report_cause_word(c),
				(unsigned long long)sum, (unsigned long long)run.wall_of_ns[c]);
	}
	diff_run_release(&run);
}

/*
 * Both runs' call trees as one: each has its own total, no node has less than its nodes below, and no two
 * nodes below one node have the same function.
 */
static void check_tree(const struct diff *diff)
{
	uint64_t *below = calloc(2 * diff->n_nodes, sizeof(*below));

	assert_non_null(below);
	assert_int_equal(diff->nodes[0].value.before_ns, diff->before->amounts.total);
	assert_int_equal(diff->nodes[0].value.after_ns, diff->after->amounts.total);
	for (size_t i = diff->n_nodes; i-- > 0;) {
		const struct diff_node *node = &diff->nodes[i];

		assert_true(below[2 * i] <= node->value.before_ns);
		assert_true(below[2 * i + 1] <= node->value.after_ns);
		if (i == 0)
			continue;
		assert_true(node->parent < i && node->function < diff->n_functions);
		below[2 * node->parent] += node->value.before_ns;
		below[2 * node->parent + 1] += node->value.after_ns;
		for (size_t k = 1; k < i; k++)
			assert_true(diff->nodes[k].parent != node->parent ||
				    diff->nodes[k].function != node->function);
	}
	free(below);
}

static void test_self(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SCENES; i++) {
		struct diff_run a, b;
		struct diff diff;

		load(&a, scenes[i], 0);
		load(&b, scenes[i], 0);
		assert_int_equal(diff_make(&diff, &a, &b, 0), 0);
		assert_int_equal(diff.n_hidden, diff.n_rows);
		for (size_t k = 0; k < diff.n_pairs; k++)
			if (!diff.pairs[k].before || !diff.pairs[k].after)
				fail_msg("%s: '%s' is not itself", scenes[i],
					diff_place(&diff.pairs[k])->what);
		for (size_t k = 0; k < diff.n_rows; k++)
			assert_true(diff.rows[k].value.change_ns == 0);
		assert_true(diff.common_ns == diff.placed_ns);
		assert_int_equal(diff.n_nodes, a.n_paths);
		check_tree(&diff);
		diff_release(&diff);
		diff_run_release(&a);
		diff_run_release(&b);
	}
}

static void compare_ways(const struct diff_run *a, const struct diff_run *b)
{
	struct diff there, back;
	double causes = 0;

	assert_int_equal(diff_make(&there, a, b, 0), 0);
	assert_int_equal(diff_make(&back, b, a, 0), 0);
	for (size_t c = 0; c < METRICS_N_CAUSES; c++)
		causes += there.cause[c].change_ns;
	/* The causes add up to the change, with ideal speed-up as without. */
	if (a->capacity_ns && b->capacity_ns)
		assert_true(fabs(causes - there.wall.change_ns) < 1);
	assert_true(
		fabs(there.wall.change_ns -
			((double)b->wall_ns - (double)a->wall_ns * a->n_slots / b->n_slots)) < 1);
	assert_int_equal(there.n_pairs, back.n_pairs);
	assert_int_equal(there.n_nodes, back.n_nodes);
	check_tree(&there);
	assert_int_equal(there.n_rows, back.n_rows);
	if (there.mode == DIFF_CHANGE) {
		assert_int_equal(there.n_hidden, back.n_hidden);
		for (size_t i = 0; i < there.n_rows; i++)
			assert_true(there.rows[i].value.change_ns == -back.rows[i].value.change_ns);
	} else if (a->capacity_ns && b->capacity_ns && a->useful_ns && b->useful_ns) {
		/* POP: the speed-up is that of the threads, times both ratios of efficiency. */
		double pop = diff_parallel_efficiency(b) / diff_parallel_efficiency(a) *
			     diff_computation_scaling(a, b, 0);

		assert_true(fabs(pop / diff_scaling(a, b, 0) - 1) < 1e-6);
	}
	diff_release(&there);
	diff_release(&back);
}

static void test_both_ways(void **state)
{
	struct diff_run runs[N_SCENES];

	(void)state;
	for (size_t i = 0; i < N_SCENES; i++)
		load(&runs[i], scenes[i], 0);
	for (size_t i = 0; i < N_SCENES; i++)
		for (size_t k = 0; k < N_SCENES; k++)
			compare_ways(&runs[i], &runs[k]);
	for (size_t i = 0; i < N_SCENES; i++)
		diff_run_release(&runs[i]);
}

/* 400 samples of 1 ms: 20 of them is one error; of what is known in all it is as large a part. */
static void test_sampling_error(void **state)
{
	struct diff_run run;
	double error = 0, expected;

	(void)state;
	load(&run, "cg", 0);
	for (size_t i = 0; i < run.n_places; i++) {
		const struct diff_place *place = &run.places[i];

		if (place->kind != DIFF_FUNCTION || strcmp(place->function, "read_matrix") != 0)
			continue;
		error = sqrt(place->variance[METRICS_USEFUL]);
		/* 210 samples of 1 ms, in wall time of its slots. */
		expected = (double)place->wall_ns[METRICS_USEFUL] / sqrt(210);
		assert_true(fabs(error / expected - 1) < 0.01);
	}
	assert_true(error > 0);
	assert_true(fabs(run.period_ns - 1e6) < 1e4);
	diff_run_release(&run);
}

/* Samples tell a part of waits for tasks and at barriers, at most all of it, and nothing of waits for locks. */
static void test_unseen_error(void **state)
{
	static const uint64_t cause_ns[METRICS_N_CAUSES] = {
		[METRICS_TASK] = 70,
		[METRICS_IMBALANCE] = 30,
		[METRICS_LOCK] = 90,
	};

	(void)state;
	assert_int_equal(diff_unseen(METRICS_TASK, cause_ns, 50), 50);
	assert_int_equal(diff_unseen(METRICS_IMBALANCE, cause_ns, 50), 30);
	assert_int_equal(diff_unseen(METRICS_LOCK, cause_ns, 50), 0);
}

static double scatter_of(double n, double least, double most)
{
	return n * n / (n - 1) * (most - least) * (most - least) / 12;
}

/* Executions of a bucket are spread evenly from its shortest to its longest: 64 Ki to 80 Ki ticks of 1 ns. */
static void test_noise(void **state)
{
	struct diff_run run;
	double blocked, expected;

	(void)state;
	load(&run, "faults", 1);
	blocked = (double)run.wall_of_ns[METRICS_NOT_RUNNING];
	expected = sqrt(scatter_of(400, 65536, 81920) + scatter_of(20, 65536, 81920) +
			scatter_of(12000, 65536, 81920) + blocked * blocked);
	assert_true(fabs(run.noise_ns / expected - 1) < 1e-9);
	diff_run_release(&run);
}

static void test_clocks(void **state)
{
	struct diff_run a, b;
	struct diff diff;
	char text[512];

	(void)state;
	load(&a, "cg", 0);
	load(&b, "killed", 0);
	assert_int_equal(diff_make(&diff, &a, &b, 0), 0);
	assert_non_null(diff_warning(&diff, 0, text, sizeof(text)));
	assert_string_equal(text, "'killed' is incomplete: the program was killed, or still runs");
	diff_release(&diff);
	diff_run_release(&a);
	diff_run_release(&b);
}

static void test_different_programs(void **state)
{
	struct made before, after;
	struct diff diff;
	char text[512];

	(void)state;
	made_begin(&before, 4, 1000000000);
	made_begin(&after, 4, 1000000000);
	after.run.program = (char *)(uintptr_t) "other";
	add_region(&before, "f", 1, 10);
	add_region(&after, "g", 1, 11)->wall_ns[METRICS_IMBALANCE] = 500000000;
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	assert_false(diff_is_comparable(&diff));
	assert_non_null(diff_warning(&diff, 0, text, sizeof(text)));
	assert_string_equal(
		text, "different programs (made, other): 0 % of the time is at places of both");
	diff_release(&diff);
}

/* --- conditions --- */

static const struct {
	const char *text, *reason;
} bad[] = {
	{ "", "condition '' has no '>' or '<', as in 'wall>+5%'" },
	{ "wall", "condition 'wall' has no '>' or '<', as in 'wall>+5%'" },
	{ "wall=5%", "condition 'wall=5%' has no '>' or '<', as in 'wall>+5%'" },
	{ "speed>5%", "condition 'speed>5%' begins with no metric" },
	{ ">5%", "condition '>5%' begins with no metric" },
	{ "wall>", "condition 'wall>' does not end in" },
	{ "wall>+", "condition 'wall>+' does not end in" },
	{ "wall>+5", "condition 'wall>+5' does not end in" },
	{ "wall>+5 m", "condition 'wall>+5 m' does not end in" },
	{ "wall>+5%sure", "condition 'wall>+5%sure' does not end in" },
	{ "wall>+5%%", "condition 'wall>+5%%' does not end in" },
	{ "wall>+.5%", "condition 'wall>+.5%' does not end in" },
	{ "wall>+5.%", "condition 'wall>+5.%' does not end in" },
	{ "wall>+5e3s", "condition 'wall>+5e3s' does not end in" },
	{ "wall>+-5%", "condition 'wall>+-5%' does not end in" },
	{ "wall>+99999999999999999999s",
		"condition 'wall>+99999999999999999999s' does not end in" },
	{ "wall>5%", "condition 'wall>5%' wants the wall time in percent of itself" },
	{ "efficiency<80s", "condition 'efficiency<80s' wants an efficiency in seconds" },
	{ "wall@f>+5%", "condition 'wall@f>+5%' asks for a figure of the whole run at a place" },
	{ "lock@>+5%", "condition 'lock@>+5%' names no place after '@'" },
};

static void test_bad_conditions(void **state)
{
	struct diff_condition condition;
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (diff_condition_parse(&condition, bad[i].text, &diag) == 0)
			fail_msg("'%s' is taken", bad[i].text);
		if (strncmp(diag.text, bad[i].reason, strlen(bad[i].reason)) != 0)
			fail_msg("'%s': %s", bad[i].text, diag.text);
	}
}

static const struct {
	const char *text;
	int holds;
} judged[] = {
	/* wall 10 -> 10.5 s: exactly 5 %. */
	{ "wall>+5%", 0 },
	{ "wall>+4.999999%", 1 },
	{ "wall>+5.000001%", 0 },
	{ "wall<+5%", 0 },
	{ "wall<+5.000001%", 1 },
	{ "wall>+0.5s", 0 },
	{ "wall>+499ms", 1 },
	{ "wall > 10.4 s", 1 },
	{ "wall>10.5s", 0 },
	{ "wall>-5%", 1 },
	{ "wall<-5%", 0 },
	/* useful 6 -> 6 s: efficiency 60 -> 57.142857 %. */
	{ "useful>+0%", 0 },
	{ "useful<+0s", 0 },
	{ "efficiency<60%", 1 },
	{ "efficiency<57.1%", 0 },
	{ "efficiency<-2.8%", 1 },
	{ "efficiency<-2.9%", 0 },
	/* imbalance 1 -> 1.3 s, lock 0 -> 0.21 s, task 0.1 -> 0.1 s. */
	{ "imbalance>+30%", 0 },
	{ "imbalance>+29.9999%", 1 },
	{ "lock>+1000%", 1 },
	{ "lock>2%", 0 },
	{ "lock>1.9%", 1 },
	{ "task>+0s", 0 },
	{ "waiting>+0.51s", 0 },
	{ "waiting>+0.509999s", 1 },
	/* At places. */
	{ "imbalance@f>+0.2s", 1 },
	{ "imbalance@a.c:10>+0.2s", 1 },
	{ "imbalance @ a.c:10 > +0.3s", 0 },
	{ "imbalance@std::less<int>::operator<>+0.1s", 0 },
	{ "waiting@f>+29.99%", 1 },
	{ "lock@f>+0s", 0 },
};

static void judge(const char *text, const struct diff *diff, int holds, int is_unsure)
{
	struct diff_judgement judgement;
	struct diag diag = { "", "" };

	if (diff_condition_parse(&judgement.condition, text, &diag) != 0)
		fail_msg("%s", diag.text);
	diff_judge(&judgement, diff);
	if (!judgement.is_known || judgement.holds != holds || judgement.is_unsure != is_unsure)
		fail_msg("'%s': %d, not %d: %s", text, judgement.holds, holds, judgement.why);
}

/* The wall time rises by 0.5 s. */
static void test_sure(void **state)
{
	struct made before, after;
	struct diff diff;

	(void)state;
	made_begin(&before, 2, 10000000000);
	made_begin(&after, 2, 10500000000);
	before.run.noise_of_ns = after.run.noise_of_ns = 6000000000;
	before.run.noise_ns = 60000000;
	after.run.noise_ns = 80000000;
	before.run.wall_of_ns[METRICS_IMBALANCE] = 1000000000;
	after.run.wall_of_ns[METRICS_IMBALANCE] = 1300000000;
	/* Twice the error is 0.2 s. */
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	judge("wall>+0.29s sure", &diff, 1, 0);
	judge("wall > +2% sure", &diff, 1, 0);
	judge("wall>+0.31s sure", &diff, 0, 1);
	judge("wall>+0.31s", &diff, 1, 0);
	judge("wall>+0.6s sure", &diff, 0, 0);
	judge("imbalance>+0.05s sure", &diff, 1, 0);
	judge("imbalance>+0.2s sure", &diff, 0, 1);
	after.run.noise_of_ns = 5000000000;
	judge("wall>+0.29s sure", &diff, 0, 1);
	diff_release(&diff);
}

static void test_conditions(void **state)
{
	struct made before, after;
	struct diff diff;

	(void)state;
	made_begin(&before, 2, 10000000000);
	made_begin(&after, 2, 10500000000);
	before.run.useful_ns = after.run.useful_ns = 12000000000;
	before.run.wall_of_ns[METRICS_USEFUL] = after.run.wall_of_ns[METRICS_USEFUL] = 6000000000;
	before.run.wall_of_ns[METRICS_IMBALANCE] = 1000000000;
	after.run.wall_of_ns[METRICS_IMBALANCE] = 1300000000;
	/* 2 % exactly of 10.5 s is 210 ms. */
	after.run.wall_of_ns[METRICS_LOCK] = 210000000;
	before.run.wall_of_ns[METRICS_TASK] = after.run.wall_of_ns[METRICS_TASK] = 100000000;
	add_region(&before, "f", 1, 10)->wall_ns[METRICS_IMBALANCE] = 1000000000;
	add_region(&after, "f", 1, 10)->wall_ns[METRICS_IMBALANCE] = 1300000000;
	add(&after, DIFF_FUNCTION, "std::less<int>::operator<", "less.h", 3);
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	for (size_t i = 0; i < sizeof(judged) / sizeof(judged[0]); i++) {
		judge(judged[i].text, &diff, judged[i].holds, 0);
	}
	diff_release(&diff);
}

static void test_unknown_place(void **state)
{
	struct made before, after;
	struct diff_judgement judgement;
	struct diff diff;
	struct diag diag;

	(void)state;
	made_begin(&before, 2, 1);
	made_begin(&after, 2, 1);
	assert_int_equal(diff_make(&diff, &before.run, &after.run, 0), 0);
	assert_int_equal(diff_condition_parse(&judgement.condition, "lock@gone>+1s", &diag), 0);
	diff_judge(&judgement, &diff);
	assert_int_equal(judgement.is_known, 0);
	assert_string_equal(
		judgement.why, "condition 'lock@gone>+1s' names a place that neither profile has");
	diff_release(&diff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_inserted),
		cmocka_unit_test(test_same_code),
		cmocka_unit_test(test_renamed),
		cmocka_unit_test(test_homonyms),
		cmocka_unit_test(test_unnamed),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_listed_elsewhere),
		cmocka_unit_test(test_places_are_all),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_sampling_error),
		cmocka_unit_test(test_unseen_error),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_different_programs),
		cmocka_unit_test(test_bad_conditions),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_sure),
		cmocka_unit_test(test_unknown_place),
	};

	return cmocka_run_group_tests_name("diff", tests, set_up_all, tear_down_all);
}
