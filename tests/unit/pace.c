/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many like events are timed, and that those stand for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/pace.h"

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

/* HACKING says how many executions of a region can go by without one that is timed. */
static void longest_without(void **state)
{
	uint32_t last = 0, most = 0;

	(void)state;
	for (uint32_t n = 0; n < 1000000; n++) {
		if (!pace_is_one_in(n, PACE_OF_REGIONS))
			continue;
		most = n - last > most + 1 ? n - last - 1 : most;
		last = n;
	}
	assert_int_equal(most, 232);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(are_all_timed_at_first, set_up),
		cmocka_unit_test_setup(one_slow_among_quick_ones, set_up),
		cmocka_unit_test_setup(two_slow_ones, set_up),
		cmocka_unit_test_setup(one_that_was_not_timed, set_up),
		cmocka_unit_test_setup(stand_for_all, set_up),
		cmocka_unit_test(longest_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
