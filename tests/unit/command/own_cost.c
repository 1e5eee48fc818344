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
 * 1 s of wall and of CPU time, 1500 signals and 1000 samples: 3 ms in the handler. 100 samples met a callback. 15 are
 * in the tool's library, where a callback begins or ends, and 5 in libc called from there, which do not count. Without
 * records of locks and regions, events are of tasks.
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
	thread->n_signals = 1500;
	thread->n_samples = 1000;
	thread->cpu_start_ns = 7 * MS;
	thread->cpu_last_ns = 1007 * MS;
	thread->handler_ticks = 3 * MS;
	thread->capture_ticks = 40 * MS;
	thread->n_captures = 1000;
	thread->n_callbacks = 500000;
	thread->lost[PROFILE_LOST_NESTED] = 100;
}

/* As build_run, with 1000 callbacks, of which a sample met one. */
static void build_few_callbacks(struct build *b)
{
	struct profile_thread *thread;

	build_run(b);
	thread = build_thread_at(b, 1);
	thread->lost[PROFILE_LOST_NESTED] = 1;
	thread->capture_ticks = 0;
	thread->n_callbacks = 1000;
	build_module_at(b, 2)->flags = 0;
}

/* As build_run, on GCC's libgomp with the provider. */
static void build_gomp_run(struct build *b)
{
	build_run(b);
	build_module(b, "/lib/libompprof-gomp.so", 0x7e0000000000, 0x7e0000001000,
		PROFILE_MODULE_RUNTIME);
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

/* Usual callbacks of tasks take 22 ns, here 11 ms. Walks took 40 ms, which 40 samples meet. Their surroundings take 25 ns at most. */
static void test_parts(void **state)
{
	struct own_cost cost, sum = { 0 };
	struct build b;

	build_run(&b);
	cost = cost_of(&b);
	assert_int_equal(cost.cpu_ns, 1000 * MS);
	assert_int_equal(cost.handler_ns, 3 * MS);
	assert_int_equal(cost.delivery_ns, 3 * MS);
	assert_int_equal(cost.capture_ns, 40 * MS);
	assert_int_equal(cost.n_met, 115);
	assert_int_equal(cost.callback_ns / 1000, (115 * 115 + 2 * 40) * 1000 / 117);
	assert_int_equal(cost.announce_ns, 500000 * 25);
	assert_int_equal(own_cost_ns(&cost), 6 * MS + cost.callback_ns);
	assert_int_equal(cost.longer_ns, own_cost_ns(&cost));
	assert_int_equal(cost.most_ns, own_cost_ns(&cost) + 500000 * 25);
	assert_true(own_cost_is_range(&cost));
	assert_false(own_cost_is_of_runtime(&cost));
	assert_int_equal(own_cost_without_ns(&cost), 1000 * MS - cost.longer_ns);
	assert_string_equal(own_cost_word(&cost), "about ");
	assert_int_equal(own_cost_main_kind(&cost), OWN_COST_TASKS);
	own_cost_add(&sum, &cost);
	own_cost_add(&sum, &cost);
	assert_int_equal(own_cost_ns(&sum), 2 * own_cost_ns(&cost));
	assert_int_equal(sum.longer_ns, 2 * cost.longer_ns);
	assert_int_equal(sum.most_ns, 2 * cost.most_ns);
	build_release(&b);
}

/* Where no sample met a callback, there is the time of walks. */
static void test_captures_are_in_it(void **state)
{
	struct own_cost cost;
	struct build b;

	build_run(&b);
	build_thread_at(&b, 1)->capture_ticks = 200 * MS;
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 0;
	build_module_at(&b, 2)->flags = 0;
	cost = cost_of(&b);
	assert_int_equal(cost.callback_ns, 200 * MS);
	assert_int_equal(cost.capture_ns, 200 * MS);
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 100;
	cost = cost_of(&b);
	assert_int_equal(cost.callback_ns / MS, (100 * 100 + 2 * 200) / 102);
	assert_int_equal(cost.capture_ns, cost.callback_ns);
	build_release(&b);
}

/* Few callbacks: little more than their usual time, even if chance let one sample of 1000 meet one. */
static void test_few_callbacks(void **state)
{
	struct own_cost cost;
	struct build b;

	build_few_callbacks(&b);
	cost = cost_of(&b);
	assert_in_range(cost.callback_ns, 22000, MS / 2);
	assert_int_equal(cost.announce_ns, 25000);
	assert_string_equal(own_cost_word(&cost), "");
	assert_int_equal(own_cost_main_kind(&cost), OWN_COST_N_KINDS);
	build_release(&b);
}

/* Half of 500000 events are only counted. 100000 undeferred tasks have three each, with 20 ns around each event. */
static void test_unseen_tasks(void **state)
{
	struct own_cost cost;
	struct build b;
	uint32_t task;

	build_run(&b);
	task = build_task(&b, build_root(&b, 1), 0x400200, 100000);
	build_node_at(&b, task)->flags = PROFILE_TASK_UNDEFERRED;
	build_thread_at(&b, 1)->more.n_unseen = 250001;
	cost = cost_of(&b);
	assert_in_range(cost.announce_ns, 300000 * 20 + 200000 * 25 - 2, 300000 * 20 + 200000 * 25);
	assert_true(own_cost_is_of_runtime(&cost));
	build_thread_at(&b, 1)->more.n_unseen = 250000;
	cost = cost_of(&b);
	assert_false(own_cost_is_of_runtime(&cost));
	build_thread_at(&b, 1)->more.n_unseen = 500000;
	cost = cost_of(&b);
	/* In callbacks, all cost the same. */
	assert_in_range(cost.by_kind_ns[OWN_COST_UNDEFERRED],
		300000 * 20 + cost.callback_ns / 10 * 6 - 10,
		300000 * 20 + cost.callback_ns / 10 * 6 + 10);
	build_release(&b);
}

/* Code of the provider is ompprof's own. Tasks of libgomp share a lock. */
static void test_provider(void **state)
{
	struct own_cost cost;
	struct build b;
	uint32_t frame;

	build_gomp_run(&b);
	frame = build_frame(&b, build_root(&b, 1), 0x7e0000000010, 0);
	build_samples(&b, frame, PROFILE_WORK, 7, 7 * MS);
	cost = cost_of(&b);
	assert_int_equal(cost.n_met, 115 + 7);
	assert_int_equal(cost.announce_ns, 500000 * 200);
	build_release(&b);
}

/* Callbacks of a team's events take 2.8 times as long around them, and 20 ns, at most. */
static void test_around_teams(void **state)
{
	struct own_cost cost;
	struct build b;
	uint32_t region;

	build_run(&b);
	region = build_region(&b, build_root(&b, 1), 0x400100, 1);
	build_region_record(&b, region, 1000000, 1000 * MS, 2);
	cost = cost_of(&b);
	assert_in_range(cost.announce_ns, 500000 * 20 + cost.callback_ns * 28 / 10 - 2,
		500000 * 20 + cost.callback_ns * 28 / 10 + 2);
	assert_int_equal(own_cost_main_kind(&cost), OWN_COST_TEAMS);
	build_release(&b);
}

/* On libgomp a region of one thread has six events, of which none is a task's. */
static void test_provider_alone(void **state)
{
	struct own_cost cost;
	struct build b;
	uint32_t region;

	build_gomp_run(&b);
	region = build_region(&b, build_root(&b, 1), 0x400100, 50000);
	build_region_record(&b, region, 50000, 500 * MS, 1);
	cost = cost_of(&b);
	assert_int_equal(cost.announce_ns, 300000 * 10 + 200000 * 200);
	build_release(&b);
}

/* The start comes before all else, and is most of the cost of a run with few events. */
static void test_start(void **state)
{
	struct own_cost cost, without, sum = { 0 };
	struct build b;

	build_few_callbacks(&b);
	without = cost_of(&b);
	build_header(&b)->usage.setup_ns = 60 * MS;
	cost = cost_of(&b);
	assert_int_equal(cost.longer_ns, without.longer_ns + 60 * MS);
	assert_int_equal(cost.most_ns, without.most_ns + 60 * MS);
	assert_int_equal(own_cost_without_ns(&cost), own_cost_without_ns(&without));
	assert_int_equal(own_cost_ns(&cost), own_cost_ns(&without));
	assert_int_equal(own_cost_main_kind(&cost), OWN_COST_START);
	own_cost_add(&sum, &cost);
	assert_int_equal(own_cost_main_kind(&sum), OWN_COST_START);
	build_release(&b);
}

/* The run waits for the thread that has lost most, and for the CPUs. */
static void test_slowest_thread(void **state)
{
	struct profile_thread *worker;
	struct own_cost cost;
	struct build b;

	build_run(&b);
	for (int i = 0; i < 2; i++) {
		build_thread(&b, 2);
		worker = build_thread_at(&b, (uint32_t)i + 2);
		worker->n_samples = worker->n_signals = 100;
		worker->handler_ticks = 5 * MS;
		worker->cpu_last_ns = worker->cpu_start_ns + 500 * MS;
	}
	cost = cost_of(&b);
	assert_true(cost.longer_ns > 100 * MS && cost.longer_ns < own_cost_ns(&cost) - 10 * MS);
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 0;
	build_thread_at(&b, 1)->n_callbacks = 0;
	build_thread_at(&b, 1)->capture_ticks = 0;
	cost = cost_of(&b);
	assert_int_equal(cost.longer_ns, 6 * MS);
	/* Half of the time the threads had no CPU. */
	build_thread_at(&b, 2)->run_delay_ns = build_thread_at(&b, 3)->run_delay_ns = 500 * MS;
	cost = cost_of(&b);
	assert_int_equal(cost.longer_ns, 10400000);
	/* They live for half of the run: it is as long as two such lives. */
	build_thread_at(&b, 2)->run_delay_ns = build_thread_at(&b, 3)->run_delay_ns = 0;
	build_thread_at(&b, 2)->start_ns = build_thread_at(&b, 3)->start_ns = 500 * MS;
	cost = cost_of(&b);
	assert_int_equal(cost.longer_ns, 10400000);
	build_header(&b)->n_cpus = 1;
	cost = cost_of(&b);
	assert_int_equal(cost.longer_ns, own_cost_ns(&cost));
	build_release(&b);
}

/* 16 threads with 100 signals each, handler_ms in all, in one region with n_barriers barriers. */
static struct own_cost cost_of_team(uint64_t n_barriers, uint32_t n_cpus, uint64_t handler_ms)
{
	struct own_cost cost;
	struct build b;
	uint32_t region;

	build_begin(&b);
	build_header(&b)->end_ns = 1000 * MS;
	build_header(&b)->n_cpus = n_cpus;
	for (uint32_t i = 1; i <= 16; i++) {
		struct profile_thread *thread;

		build_thread(&b, i == 1 ? 1 : 2);
		thread = build_thread_at(&b, i);
		thread->n_signals = thread->n_samples = 100;
		thread->cpu_last_ns = thread->cpu_start_ns + 1000 * MS;
		thread->handler_ticks = handler_ms * MS;
	}
	region = build_region(&b, build_root(&b, 1), 0x400100, 1);
	build_region_record(&b, region, 1, 1000 * MS, 16)->n_barriers = n_barriers;
	cost = cost_of(&b);
	build_release(&b);
	return cost;
}

/* The more often a team meets, the more of its members' signals delay all of it. */
static void test_delays_add_up(void **state)
{
	struct own_cost cost = cost_of_team(1, 16, 4);
	uint64_t mean_ns = cost.longer_ns;

	assert_in_range(mean_ns, 4 * MS, 5 * MS);
	assert_int_equal(cost.most_ns, mean_ns);
	assert_false(own_cost_is_range(&cost));
	cost = cost_of_team(200, 16, 4); /* a signal in every other interval: nearly 2 a meeting */
	assert_in_range(cost.most_ns, 19 * mean_ns / 10, 2 * mean_ns);
	cost = cost_of_team(1000000, 16, 4);
	assert_in_range(cost.most_ns - cost.longer_ns + mean_ns, 159 * mean_ns / 10, 16 * mean_ns);
	assert_true(own_cost_is_range(&cost));
	/* On 4 CPUs no more than 4 members delay the team one after the other; and no run takes longer than it did. */
	cost = cost_of_team(1000000, 4, 4);
	assert_in_range(
		cost.most_ns - cost.longer_ns, 29 * cost.longer_ns / 10, 3 * cost.longer_ns);
	cost = cost_of_team(1000000, 16, 80);
	assert_int_equal(cost.most_ns, 1000 * MS);
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
	assert_int_equal(own_cost_ns(&cost), 7 * MS);
	assert_string_equal(own_cost_word(&cost), "at least ");
	build_thread_at(&b, 1)->n_callbacks = 20;
	cost = cost_of(&b);
	assert_string_equal(own_cost_word(&cost), "");
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
	assert_int_equal(cost.longer_ns, 0);
	build_header(&b)->ticks_per_s = 1000000000;
	build_thread_at(&b, 1)->lost[PROFILE_LOST_NESTED] = 5000;
	cost = cost_of(&b);
	assert_int_equal(cost.callback_ns, 40 * MS);
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

/* The head of the report and the last line of info's sum, about a run with so many samples that met a callback. */
static void check_printed(uint64_t n_met, const char *head, const char *longer)
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
	assert_non_null(strstr(text, longer));
	unlink(FILE_NAME);
	build_release(&b);
}

static void test_head_and_info(void **state)
{
	check_printed(100,
		"cost about 13.6 to 15.2 % more time\n  by events of tasks and others; none: "
		"ompprof run "
		"env "
		"OMP_TOOL=disabled ...\n",
		"  longer      about 13.6 to 15.2 % by that: 0.120 s of wall time, of 1.00 s\n");
	check_printed(1, "cost about 2.5 to 3.9 % more time\n\n",
		"  longer      about 2.5 to 3.9 % by that: 0.025 s of wall time, of 1.00 s\n");
}

/* A cost of more than half of the run is not known well. */
static void test_percent(void **state)
{
	struct own_cost cost = { .run_ns = 100, .longer_ns = 20, .most_ns = 20, .callback_ns = 20 };
	char text[OWN_COST_TEXT_BYTES];

	(void)state;
	assert_string_equal(own_cost_percent(text, &cost), "about 25.0");
	cost.most_ns = 50;
	assert_true(own_cost_is_range(&cost));
	assert_string_equal(own_cost_percent(text, &cost), "about 25.0 to 100.0");
	cost.most_ns = 51;
	assert_string_equal(own_cost_percent(text, &cost), "about 25.0 to over 100");
	cost.longer_ns = cost.most_ns = 50;
	assert_string_equal(own_cost_percent(text, &cost), "about 100.0");
	cost.longer_ns = cost.most_ns = 51;
	assert_string_equal(own_cost_percent(text, &cost), "over 100");
	/* Less than a point is no range. */
	cost.run_ns = 1000;
	cost.longer_ns = 200;
	cost.most_ns = 205;
	assert_string_equal(own_cost_percent(text, &cost), "about 25.0");
	cost.run_ns = 100;
	cost.longer_ns = 51;
	cost.most_ns = 90;
	assert_false(own_cost_is_range(&cost));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_captures_are_in_it),
		cmocka_unit_test(test_few_callbacks),
		cmocka_unit_test(test_unseen_tasks),
		cmocka_unit_test(test_provider),
		cmocka_unit_test(test_around_teams),
		cmocka_unit_test(test_provider_alone),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_slowest_thread),
		cmocka_unit_test(test_delays_add_up),
		cmocka_unit_test(test_other_clock),
		cmocka_unit_test(test_not_known),
		cmocka_unit_test(test_head_and_info),
		cmocka_unit_test(test_percent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
