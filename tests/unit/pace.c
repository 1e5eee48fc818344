/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many like events are timed, and that those stand for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/pace.h"
#include "sampler/pace_region.h"

enum { QUICK = 1000, SLOW = 100 * PACE_QUICK_TICKS, GAP = 3000 };

static struct pace pace;
static uint64_t now, sum, truth;

static int set_up(void **state)
{
	(void)state;
	memset(&pace, 0, sizeof(pace));
	now = sum = truth = 0;
	return 0;
}

/* An event of so many ticks, after a gap. Returns its weight. */
static uint32_t happen(uint64_t ticks)
{
	uint32_t weight = pace_weight(&pace);

	now += GAP + ticks;
	truth += ticks;
	if (weight)
		sum += pace_took(&pace, weight, ticks, now);
	return weight;
}

/* How many of the next n, which are quick, are timed before the first that is not; n if all are. */
static uint32_t timed_of(uint32_t n)
{
	uint32_t n_timed = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (happen(QUICK) != 1)
			return n_timed;
		n_timed++;
	}
	return n_timed;
}

static void get_used_to(void)
{
	assert_true(timed_of(1000) <= PACE_PATIENCE);
	for (int i = 0; i < 100; i++)
		happen(QUICK);
}

static void are_all_timed_at_first(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(timed_of(PACE_PATIENCE - 1), PACE_PATIENCE - 1);
		assert_int_equal(happen(SLOW), 1);
	}
	assert_int_equal(sum, truth);
}

static void one_slow_among_quick_ones(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		get_used_to();
		while (!happen(SLOW))
			;
		assert_int_equal(timed_of(1000), PACE_AGAIN);
	}
}

static void two_slow_ones(void **state)
{
	(void)state;
	get_used_to();
	while (!happen(SLOW))
		;
	assert_int_equal(happen(QUICK), 1);
	assert_int_equal(happen(SLOW), 1);
	assert_int_equal(timed_of(1000), PACE_PATIENCE);
}

static void one_that_was_not_timed(void **state)
{
	(void)state;
	get_used_to();
	pace_was_slow(&pace);
	assert_int_equal(timed_of(1000), PACE_PATIENCE);
}

/* One in 37 takes three times as long as the others, all are quick. */
static void stand_for_all(void **state)
{
	(void)state;
	for (int i = 0; i < 1000000; i++)
		happen(i % 37 ? QUICK : 3 * QUICK);
	assert_in_range(sum, truth / 100 * 99, truth / 100 * 101);
}

static struct pace_region executions;
static uint64_t n_timed;

static int set_up_region(void **state)
{
	(void)state;
	memset(&executions, 0, sizeof(executions));
	n_timed = sum = truth = 0;
	return 0;
}

/* An execution of a region, of so many ticks. Returns its weight. */
static uint32_t execute(uint64_t ticks)
{
	uint32_t weight = pace_region_weight(&executions);

	executions.n++;
	n_timed += weight != 0;
	truth += ticks;
	sum += weight * ticks;
	pace_region_took(&executions, ticks);
	return weight;
}

/* How many of n executions of so many ticks are timed. */
static uint64_t timed_in(uint32_t n, uint64_t ticks)
{
	uint64_t before = n_timed;

	for (uint32_t i = 0; i < n; i++)
		execute(ticks);
	return n_timed - before;
}

static void first_executions(void **state)
{
	(void)state;
	assert_int_equal(timed_in(PACE_PATIENCE, QUICK), PACE_PATIENCE);
	timed_in(100, QUICK);
	assert_in_range(timed_in(12800, QUICK), 99, 101);
	timed_in(PACE_REGION_MANY, QUICK);
	assert_in_range(timed_in(25000, QUICK), 99, 101);
}

static void short_executions(void **state)
{
	(void)state;
	timed_in(200, 2 * PACE_QUICK_TICKS);
	assert_in_range(timed_in(16000, 2 * PACE_QUICK_TICKS), 998, 1002);
	timed_in(200, PACE_REGION_SHORT + PACE_QUICK_TICKS);
	assert_int_equal(timed_in(1000, PACE_REGION_SHORT + PACE_QUICK_TICKS), 1000);
	assert_int_equal(timed_in(1000, SLOW), 1000);
}

/* A tick of the kernel makes an execution slow that is not: what follows is not timed for it. */
static void slow_executions_now_and_then(void **state)
{
	(void)state;
	timed_in(200, QUICK);
	n_timed = 0;
	for (int i = 0; i < 1000; i++) {
		timed_in(99, QUICK);
		execute(2 * PACE_QUICK_TICKS);
	}
	assert_in_range(n_timed, 100000 / 128 - 5, 100000 / 128 + 5);
}

static void a_long_execution(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		timed_in(300, QUICK);
		while (execute(PACE_REGION_LONG))
			timed_in(300, QUICK);
		assert_int_equal(timed_in(3, QUICK), 3);
		assert_true(timed_in(100, QUICK) < 12);
	}
}

static void two_long_executions(void **state)
{
	(void)state;
	timed_in(300, QUICK);
	execute(PACE_REGION_LONG);
	assert_int_equal(execute(PACE_REGION_LONG), 1);
	assert_int_equal(timed_in(20, QUICK), 20);
	/* And as many as there are. */
	for (int i = 0; i < 1000; i++)
		execute(PACE_REGION_LONG);
	assert_int_equal(timed_in(20, QUICK), 20);
}

/* What becomes longer and longer is all timed in the end, and all of it has weights that are right. */
static void executions_of_all_lengths(void **state)
{
	(void)state;
	for (int turn = 0; turn < 10; turn++) {
		for (uint64_t ticks = 500; ticks < PACE_REGION_LONG; ticks += 2)
			execute(ticks);
		assert_int_equal(timed_in(10, PACE_REGION_MOST), 10);
	}
	assert_in_range(sum, truth / 100 * 98, truth / 100 * 102);
}

/* One that took no time went by in a pause. */
static void executions_in_a_pause(void **state)
{
	uint32_t mean;

	(void)state;
	timed_in(300, QUICK);
	mean = pace_region_mean(&executions);
	timed_in(100, 0);
	assert_int_equal(pace_region_mean(&executions), mean);
}

/* HACKING says how many executions of a region can go by without one that is timed. */
static void longest_without(void **state)
{
	uint32_t last = 0, most = 0;

	(void)state;
	for (uint32_t n = 0; n < 1000000; n++) {
		if (!pace_is_one_in(n, PACE_REGION_MANY_OF))
			continue;
		most = n - last > most + 1 ? n - last - 1 : most;
		last = n;
	}
	assert_int_equal(most, 376);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(are_all_timed_at_first, set_up),
		cmocka_unit_test_setup(one_slow_among_quick_ones, set_up),
		cmocka_unit_test_setup(two_slow_ones, set_up),
		cmocka_unit_test_setup(one_that_was_not_timed, set_up),
		cmocka_unit_test_setup(stand_for_all, set_up),
		cmocka_unit_test_setup(first_executions, set_up_region),
		cmocka_unit_test_setup(short_executions, set_up_region),
		cmocka_unit_test_setup(slow_executions_now_and_then, set_up_region),
		cmocka_unit_test_setup(a_long_execution, set_up_region),
		cmocka_unit_test_setup(two_long_executions, set_up_region),
		cmocka_unit_test_setup(executions_of_all_lengths, set_up_region),
		cmocka_unit_test_setup(executions_in_a_pause, set_up_region),
		cmocka_unit_test(longest_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
