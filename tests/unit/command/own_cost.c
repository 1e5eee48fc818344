/* SPDX-License-Identifier: Apache-2.0 */
/* What ompprof itself cost: the figure and its parts, and that the report's head and `ompprof info` print the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/commands/command.h"
#include "src/findings/own_cost.h"
#include "src/report/report.h"
#include "tests/unit/scenes/build_profile.h"

#define FILE_NAME "own-cost-test.ompprof"
#define MS        1000000ULL
#define LIBRARY   0x7f0000000000ULL

/*
 * 1 s of CPU time and 1000 signals: 3 ms in the handler. 100 signals met a callback. 15 samples are in the tool's
 * library, where a callback begins or ends, and 5 in libc called from there, which do not count.
 */
static void build_run(struct build *b)
{
	struct profile_thread *thread;
	uint32_t frame;

	build_begin(b);
	build_module(b, "/home/me/cg", 0x400000, 0x410000, PROFILE_MODULE_MAIN);
	build_module(b, "/lib/libompprof.so", LIBRARY, LIBRARY + 0x1000, PROFILE_MODULE_TOOL);
	build_module(b, "/lib/libc.so.6", LIBRARY + 0x1000, LIBRARY + 0x2000, 0);
	build_thread(b, 1);
	frame = build_frame(b, build_root(b, 1), 0x400100, 0);
	build_samples(b, frame, PROFILE_WORK, 880, 880 * MS);
	frame = build_frame(b, frame, LIBRARY + 0x10, PROFILE_FRAME_EXACT);
	build_samples(b, frame, PROFILE_WORK, 15, 15 * MS);
	frame = build_frame(b, frame, LIBRARY + 0x1010, PROFILE_FRAME_EXACT);
	build_samples(b, frame, PROFILE_WORK, 5, 5 * MS);
	thread = build_thread_at(b, 1);
	thread->n_signals = 1000;
	thread->cpu_start_ns = 7 * MS;
	thread->cpu_last_ns = 1007 * MS;
	thread->handler_ticks = 3 * MS;
	thread->capture_ticks = 40 * MS;
	thread->n_captures = 1000;
	thread->n_callbacks = 500000;
	thread->lost[PROFILE_LOST_NESTED] = 100;
}

static struct own_cost cost_of(struct build *b)
{
	struct own_cost cost;
	struct profile profile;
	struct diag diag;

	assert_int_equal(profile_parse(&profile, b->bytes, b->size, "test", &diag), 0);
	own_cost_make(&cost, &profile);
	profile_release(&profile);
	return cost;
}

static void test_parts(void **state)
{
	struct own_cost cost, sum = { 0 };
	struct build b;

	build_run(&b);
	cost = cost_of(&b);
	assert_int_equal(cost.cpu_ns, 1000 * MS);
	assert_int_equal(cost.handler_ns, 3 * MS);
	assert_int_equal(cost.capture_ns, 40 * MS);
	assert_int_equal(cost.n_met, 115);
	assert_int_equal(own_cost_callback_ns(&cost), 115 * MS);
	assert_int_equal(own_cost_ns(&cost), 118 * MS);
	assert_true(own_cost_is_least(&cost));
	own_cost_add(&sum, &cost);
	own_cost_add(&sum, &cost);
	assert_int_equal(own_cost_ns(&sum), 2 * own_cost_ns(&cost));
	build_release(&b);
}

/* The walks in callbacks are timed: they are no less than that. */
static void test_captures_are_in_it(void **state)
{
	struct own_cost cost;
	struct build b;

	build_run(&b);
	build_thread_at(&b, 1)->capture_ticks = 200 * MS;
	cost = cost_of(&b);
	assert_int_equal(own_cost_callback_ns(&cost), 200 * MS);
	assert_int_equal(own_cost_ns(&cost), 203 * MS);
	build_release(&b);
}

/* Few callbacks, none of which was met: the handler's time, which is measured. */
static void test_few_callbacks(void **state)
{
	struct own_cost cost;
	struct build b;

	build_run(&b);
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 0;
	build_thread_at(&b, 1)->capture_ticks = 0;
	build_module_at(&b, 2)->flags = 0;
	cost = cost_of(&b);
	assert_int_equal(own_cost_ns(&cost), 3 * MS);
	assert_false(own_cost_is_least(&cost));
	build_release(&b);
}

/* Signals of wall time meet threads that sleep: they say nothing of callbacks. */
static void test_other_clock(void **state)
{
	struct own_cost cost;
	struct build b;

	build_run(&b);
	build_header(&b)->clock_kind = PROFILE_CLOCK_WALL;
	build_thread_at(&b, 1)->capture_ticks = 1 * MS;
	cost = cost_of(&b);
	assert_int_equal(own_cost_ns(&cost), 4 * MS);
	assert_true(own_cost_is_least(&cost));
	build_thread_at(&b, 1)->n_callbacks = 20;
	cost = cost_of(&b);
	assert_false(own_cost_is_least(&cost));
	build_release(&b);
}

static void test_not_known(void **state)
{
	struct own_cost cost;
	struct build b;

	build_run(&b);
	build_header(&b)->ticks_per_s = 0;
	cost = cost_of(&b);
	assert_int_equal(own_cost_ns(&cost), 0);
	build_header(&b)->ticks_per_s = 1000000000;
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 5000;
	cost = cost_of(&b);
	assert_int_equal(own_cost_callback_ns(&cost), 40 * MS);
	build_release(&b);
}

/* What a command prints on stdout. */
static void print_info(char *text, size_t text_bytes)
{
	const char *argv[] = { "info", "-i", FILE_NAME, NULL };
	FILE *file = tmpfile();
	int saved = dup(STDOUT_FILENO);
	size_t n;

	assert_non_null(file);
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	assert_int_equal(command_info.run(3, (char **)argv), 0);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	rewind(file);
	n = fread(text, 1, text_bytes - 1, file);
	text[n] = '\0';
	fclose(file);
}

/* The head of the report and the last line of info's own cost, about a run with this many signals that met a callback. */
static void check_printed(uint64_t n_met, const char *head, const char *together)
{
	static char text[65536];
	struct build b;
	FILE *file = tmpfile();
	size_t n;

	build_run(&b);
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = n_met;
	assert_int_equal(build_write(&b, FILE_NAME), 0);
	assert_non_null(file);
	assert_int_equal(report_summary(FILE_NAME, file), 0);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	assert_non_null(strstr(text, head));
	print_info(text, sizeof(text));
	assert_non_null(strstr(text, together));
	unlink(FILE_NAME);
	build_release(&b);
}

static void test_head_and_info(void **state)
{
	check_printed(100, "cost at least 11.8 % of CPU time: the figures contain it\n",
		"  together    at least 0.118 s, 11.8 % of the threads' CPU time of 1.00 s\n");
	check_printed(30, "cost at least 4.8 % of CPU time\n",
		"  together    at least 0.048 s, 4.8 % of the threads' CPU time of 1.00 s\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_captures_are_in_it),
		cmocka_unit_test(test_few_callbacks),
		cmocka_unit_test(test_other_clock),
		cmocka_unit_test(test_not_known),
		cmocka_unit_test(test_head_and_info),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
