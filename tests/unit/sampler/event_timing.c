/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many like events are timed, and that those stand for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/region_timing.h"

/* As thresholds.h has them for 2.5 ticks a ns. */
enum {
	TIMING_QUICK_TICKS = 12000,
	REGION_TIMING_SHORT = 4 * TIMING_QUICK_TICKS,
	REGION_TIMING_MEDIUM = 64 * TIMING_QUICK_TICKS,
	QUICK = 1000,
	SLOW = 100 * TIMING_QUICK_TICKS,
	GAP = 3000,
};

struct tool tool;

static struct event_timing event_timing;
static uint64_t now, sum, truth, kept;

static int set_up(void **state)
{
	(void)state;
	memset(&event_timing, 0, sizeof(event_timing));
	now = sum = truth = kept = 0;
	return 0;
}

/* An event of so many ticks, after a gap. Returns its weight. */
static uint32_t happen(uint64_t ticks)
{
	uint32_t weight = timing_weight(&event_timing);

	now += GAP + ticks;
	truth += ticks;
	if (weight)
		sum += timing_took(&event_timing, &kept, weight, ticks, now);
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
	assert_true(timed_of(1000) <= TIMING_PATIENCE);
	for (int i = 0; i < 100; i++)
		happen(QUICK);
}

static void are_all_timed_at_first(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(timed_of(TIMING_PATIENCE - 1), TIMING_PATIENCE - 1);
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
		assert_int_equal(timed_of(1000), TIMING_AGAIN);
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
	assert_int_equal(timed_of(1000), TIMING_PATIENCE);
}

static void one_that_was_not_timed(void **state)
{
	(void)state;
	get_used_to();
	timing_was_slow(&event_timing);
	assert_int_equal(timed_of(1000), TIMING_PATIENCE);
}

/* One in 37 takes three times as long as the others, all are quick. */
static void stand_for_all(void **state)
{
	(void)state;
	for (int i = 0; i < 1000000; i++)
		happen(i % 37 ? QUICK : 3 * QUICK);
	assert_in_range(sum, truth / 100 * 99, truth / 100 * 101);
}

/* One in 500 takes much longer than the time in which as many as it represents come. */
static void rare_slow_ones(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4000000; i++) {
		uint32_t random = i * 0x85ebca6bu;

		random = (random ^ random >> 13) * 0xc2b2ae35u;
		happen(random < UINT32_MAX / 500 ? 1000 * QUICK : QUICK);
	}
	assert_in_range(sum + kept, truth / 100 * 85, truth / 100 * 115);
	assert_true(sum <= now);
}

/* A wait of so many ticks, after a gap. Returns its weight. */
static uint32_t wait_after(uint64_t gap, uint64_t ticks)
{
	uint32_t weight = timing_weight(&event_timing);

	now += gap + ticks;
	if (weight)
		timing_came(&event_timing, weight, ticks, now);
	return weight;
}

static void quick_waits_that_come_slowly(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(wait_after(TIMING_QUICK_TICKS, QUICK), 1);
}

/* In quick succession one in TIMING_OF is timed, until something has taken long between two of them. */
static void quick_waits_that_come_quickly(void **state)
{
	(void)state;
	for (int i = 0; i < TIMING_PATIENCE; i++)
		assert_int_equal(wait_after(GAP, QUICK), 1);
	for (int i = 0; i < 1000; i++)
		assert_int_not_equal(wait_after(GAP, QUICK), 1);
	now += TIMING_OF * TIMING_QUICK_TICKS;
	while (!wait_after(GAP, QUICK))
		;
	for (int i = 0; i < TIMING_AGAIN; i++)
		assert_int_equal(wait_after(GAP, QUICK), 1);
	assert_int_not_equal(wait_after(GAP, QUICK), 1);
}

/* A region, of whose executions the thread waits at the end: so many of ten ticks. */
struct region {
	struct region_timing event_timing;
	struct weight_carry due;
	uint64_t tenths;
	uint64_t n_timed, n_counted, sum, truth;
};

static struct region one, other;
static uint32_t all_from;

static int set_up_region(void **state)
{
	(void)state;
	memset(&one, 0, sizeof(one));
	memset(&other, 0, sizeof(other));
	one.tenths = 5;
	other.tenths = 1;
	all_from = REGION_TIMING_SHORT;
	now = 0;
	return 0;
}

/* An execution of so many ticks. Returns its weight. */
static uint32_t execute(struct region *region, uint64_t ticks)
{
	uint32_t weight = region_timing_begin(&region->event_timing);
	uint64_t wait = ticks * region->tenths / 10;

	now += ticks;
	region->n_timed += weight != 0;
	region->n_counted += weight;
	region->truth += wait;
	if (weight)
		region->sum += timing_pay(&region->due, wait * weight, now - wait, now);
	region_timing_took(&region->event_timing, ticks, all_from);
	return weight;
}

/* How many of n executions of so many ticks are timed. */
static uint64_t timed_in(uint32_t n, uint64_t ticks)
{
	uint64_t before = one.n_timed;

	for (uint32_t i = 0; i < n; i++)
		execute(&one, ticks);
	return one.n_timed - before;
}

/* Executions count once each, on average. */
static void assert_counted(const struct region *region)
{
	uint64_t n = region->event_timing.n, off = 2 * region->event_timing.of;

	assert_in_range(region->n_counted, n - off, n + off);
}

static void assert_near(uint64_t found, uint64_t right, uint64_t per_thousand)
{
	uint64_t off = right * per_thousand / 1000;

	assert_in_range(found, right - off, right + off);
}

static void first_executions(void **state)
{
	(void)state;
	assert_int_equal(timed_in(TIMING_PATIENCE, QUICK), TIMING_PATIENCE);
	assert_in_range(timed_in(800, QUICK), 99, 101);
	assert_counted(&one);
	timed_in(1 << 10, QUICK);
	assert_in_range(timed_in(3200, QUICK), 99, 101);
	assert_counted(&one);
	timed_in(1 << 13, QUICK);
	assert_in_range(timed_in(12800, QUICK), 99, 101);
	assert_counted(&one);
	assert_near(one.sum, one.truth, 20);
	timed_in(1 << 17, QUICK);
	assert_in_range(timed_in(25600, QUICK), 99, 101);
	assert_counted(&one);
	assert_near(one.sum, one.truth, 5);
}

static void short_executions(void **state)
{
	(void)state;
	timed_in(2000, 2 * TIMING_QUICK_TICKS);
	assert_in_range(timed_in(16000, 2 * TIMING_QUICK_TICKS), 998, 1002);
	assert_counted(&one);
	assert_near(one.sum, one.truth, 2);
	timed_in(2000, REGION_TIMING_SHORT - 1000);
	assert_in_range(timed_in(16000, REGION_TIMING_SHORT - 1000), 998, 1002);
	timed_in(400, REGION_TIMING_SHORT + TIMING_QUICK_TICKS);
	assert_int_equal(timed_in(1000, REGION_TIMING_SHORT + TIMING_QUICK_TICKS), 1000);
	assert_int_equal(timed_in(1000, SLOW), 1000);
}

/* Executions of medium length, much alike: the first ones are all timed, with a trace all of them. */
static void medium_executions(void **state)
{
	(void)state;
	assert_int_equal(timed_in(500, 10 * REGION_TIMING_SHORT), 500);
	set_up_region(NULL);
	all_from = REGION_TIMING_MEDIUM;
	assert_int_equal(timed_in(REGION_TIMING_MEDIUM_ALL, 10 * REGION_TIMING_SHORT),
		REGION_TIMING_MEDIUM_ALL);
	assert_in_range(timed_in(REGION_TIMING_MEDIUM_FEW - REGION_TIMING_MEDIUM_ALL,
				10 * REGION_TIMING_SHORT),
		190, 194);
	assert_in_range(timed_in(REGION_TIMING_MEDIUM_MANY - REGION_TIMING_MEDIUM_FEW,
				10 * REGION_TIMING_SHORT),
		446, 450);
	assert_in_range(timed_in(32000, 10 * REGION_TIMING_SHORT), 498, 502);
	assert_counted(&one);
	assert_near(one.sum, one.truth, 2);
	timed_in(400, REGION_TIMING_MEDIUM + REGION_TIMING_MEDIUM / 4);
	assert_int_equal(timed_in(1000, REGION_TIMING_MEDIUM + REGION_TIMING_MEDIUM / 4), 1000);
}

/* ... such whose lengths differ somewhat, too; not where a few have much of the time. */
static void medium_executions_of_different_lengths(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 20000; i++)
		execute(&one, (uint64_t)(i * 7 % 10 + 10) * REGION_TIMING_SHORT / 2);
	assert_in_range(one.n_timed, 1079, 1083);
	assert_counted(&one);
	assert_near(one.sum, one.truth, 20);
	set_up_region(NULL);
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 20000; i++)
		execute(&one, (i % 60 ? 2 : 80) * REGION_TIMING_SHORT);
	assert_int_equal(one.n_timed, 20000);
}

/* What becomes longer is timed in all executions until it is much alike again. */
static void executions_that_become_medium(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	timed_in(1 << 13, QUICK);
	timed_in(20, 4 * REGION_TIMING_SHORT);
	assert_int_equal(timed_in(50, 4 * REGION_TIMING_SHORT), 50);
	timed_in(400, 4 * REGION_TIMING_SHORT);
	assert_in_range(timed_in(6400, 4 * REGION_TIMING_SHORT), 99, 101);
	assert_counted(&one);
}

/* What was medium and becomes long, at once. */
static void medium_executions_that_become_long(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	timed_in(2000, 6 * REGION_TIMING_SHORT);
	timed_in(20, 60 * REGION_TIMING_SHORT);
	assert_int_equal(timed_in(1000, 60 * REGION_TIMING_SHORT), 1000);
}

/* Few that take hundreds of times as long: they have a third of the time, or a tenth of it. */
static void medium_executions_among_which_few_are_very_long(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 30000; i++)
		execute(&one, (i % 400 == 399 ? 2000 : 10) * REGION_TIMING_SHORT);
	assert_in_range(one.n_timed, 28900, 30000);
	set_up_region(NULL);
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 30000; i++)
		execute(&one, (i % 2000 == 1999 ? 2000 : 10) * REGION_TIMING_SHORT);
	assert_in_range(one.n_timed, 5000, 9000);
}

/* The mean of the first executions is theirs alone. */
static void the_mean_from_the_begin_on(void **state)
{
	(void)state;
	timed_in(TIMING_PATIENCE, REGION_TIMING_SHORT + 1000);
	assert_int_equal(timed_in(10, REGION_TIMING_SHORT + 1000), 10);
}

/* A tick of the kernel makes an execution slow that is not: what follows is not timed for it. */
static void slow_executions_now_and_then(void **state)
{
	(void)state;
	timed_in(1 << 13, QUICK);
	one.n_timed = 0;
	for (int i = 0; i < 1000; i++) {
		timed_in(99, QUICK);
		execute(&one, 10 * TIMING_QUICK_TICKS);
	}
	assert_in_range(one.n_timed, 100000 / 128 - 5, 100000 / 128 + 5);
}

/* Those that take nearly all of the time are timed, though most are quick, and their mean is medium. */
static void long_executions_among_quick_ones(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 1000; i++) {
		uint64_t n = timed_in(30, QUICK);

		execute(&one, 60 * REGION_TIMING_SHORT);
		if (i > 8)
			assert_int_equal(n, 30);
	}
	assert_in_range(one.n_timed, 31000 - 100, 31000);
}

/* Likewise, if they are fewer, and less long. */
static void less_long_executions_among_more_quick_ones(void **state)
{
	(void)state;
	all_from = REGION_TIMING_MEDIUM;
	for (int i = 0; i < 1000; i++) {
		uint64_t n = timed_in(60, QUICK);

		execute(&one, 25 * REGION_TIMING_SHORT);
		if (i > 30)
			assert_int_equal(n, 60);
	}
}

/* One of some seconds is remembered for a thousand executions, no longer. */
static void one_that_is_very_long(void **state)
{
	(void)state;
	timed_in(1 << 13, QUICK);
	execute(&one, 1ULL << 34);
	assert_int_equal(timed_in(300, QUICK), 300);
	timed_in(700, QUICK);
	assert_in_range(timed_in(2000, QUICK), 0, 60);
}

/* How long it takes to begin is known of the latest one that was timed before such that are not. */
static void nearness(void **state)
{
	int is_near = 0;

	(void)state;
	for (uint32_t i = 0; i < 100000; i++) {
		uint64_t ticks = i / 1000 % 3 == 0   ? QUICK
				 : i / 1000 % 3 == 1 ? SLOW
						     : 3 * TIMING_QUICK_TICKS;

		if (execute(&one, 0))
			is_near = region_timing_is_near(&one.event_timing, all_from);
		else
			assert_true(is_near);
		region_timing_took(&one.event_timing, ticks, all_from);
	}
}

/* What becomes long is all timed when it has taken 64 times what is short. */
static void executions_that_become_long(void **state)
{
	for (uint64_t ticks = 2 * REGION_TIMING_SHORT; ticks < 200 * REGION_TIMING_SHORT;
		ticks *= 3) {
		uint64_t n = 64 * REGION_TIMING_SHORT / ticks + 1;

		set_up_region(state);
		all_from =
			ticks < REGION_TIMING_MEDIUM ? REGION_TIMING_SHORT : REGION_TIMING_MEDIUM;
		timed_in(300, QUICK);
		timed_in((uint32_t)(ticks > 10 * REGION_TIMING_SHORT ? n : 2 * n), ticks);
		assert_int_equal(timed_in(100, ticks), 100);
	}
}

/* Few that are timed stand for those that are much longer than most, in the end for all of them. */
static void few_that_are_much_longer(void **state)
{
	(void)state;
	for (int i = 0; i < 3000000; i++) {
		execute(&one, i % 29 ? QUICK : 60 * QUICK);
		assert_true(one.sum <= now);
	}
	assert_true(one.n_timed < 3000000 / 128 * 2);
	assert_near(one.sum, one.truth, 150);
}

/* Each has its own part of the time, though they are all timed in the same turns. */
static void two_regions_in_turns(void **state)
{
	(void)state;
	other.tenths = 9;
	for (int i = 0; i < 100000; i++) {
		execute(&one, 2 * QUICK);
		execute(&other, 3 * QUICK);
	}
	assert_near(one.sum, one.truth, 10);
	assert_near(other.sum, other.truth, 10);
	set_up_region(state);
	for (int i = 0; i < 100000; i++) {
		execute(&one, 2 * TIMING_QUICK_TICKS);
		execute(&other, 20 * TIMING_QUICK_TICKS);
	}
	assert_near(one.sum, one.truth, 10);
	assert_int_equal(other.sum, other.truth);
}

/* One that took no time went by in a pause. */
static void executions_in_a_pause(void **state)
{
	uint32_t mean;

	(void)state;
	timed_in(300, QUICK);
	mean = one.event_timing.mean;
	timed_in(100, 0);
	assert_int_equal(one.event_timing.mean, mean);
}

/* What is too much for the time is there later, and what is kept is not more than was asked for. */
static void what_is_due(void **state)
{
	struct weight_carry due = { 0 };

	(void)state;
	assert_int_equal(timing_pay(&due, 700, 1000, 1100), 100);
	assert_int_equal(timing_pay(&due, 50, 1150, 1200), 100);
	assert_int_equal(timing_pay(&due, 1, 2999, 3000), 551);
	assert_int_equal(timing_pay(&due, 10, 3090, 3100), 10);
	/* One that began before the latest ended, at the same place: a task's, within a wait of another one. */
	assert_int_equal(timing_pay(&due, 600, 2500, 3110), 600);
	assert_int_equal(due.ticks, 0);
}

/* One of each so many is drawn, at any place; region_timing.h says how many can go by without one. */
static void draws(void **state)
{
	uint32_t at[REGION_TIMING_MOST_OF] = { 0 }, most = 0, last = 0, n = 0;

	(void)state;
	while (n < 1u << 24) {
		uint32_t drawn = region_timing_draw(n, REGION_TIMING_MOST_OF);

		assert_in_range(drawn, n, n + REGION_TIMING_MOST_OF - 1);
		at[drawn % REGION_TIMING_MOST_OF]++;
		most = drawn - last > most ? drawn - last : most;
		last = drawn;
		n += REGION_TIMING_MOST_OF;
		assert_true(region_timing_draw(drawn, REGION_TIMING_MOST_OF) == drawn);
		assert_true(region_timing_draw(drawn + 1, REGION_TIMING_MOST_OF) >= n);
	}
	for (uint32_t i = 0; i < REGION_TIMING_MOST_OF; i++)
		assert_in_range(at[i], 180, 332);
	assert_in_range(most, 500, 511);
	assert_in_range(region_timing_draw(UINT32_MAX - 3, 8) + 4, 0, 12);
}

/* Executions that come with a rhythm are not met too often or too seldom. */
static void rhythms(void **state)
{
	uint64_t found = 0, right = 0;

	for (uint32_t period = 50; period < 90; period++) {
		set_up_region(state);
		for (uint32_t i = 0; i < 2000 * period; i++)
			execute(&one, i % period ? QUICK : 200 * QUICK);
		/* Some 16 of the long ones are timed. */
		assert_near(one.sum, one.truth, 800);
		found += one.sum;
		right += one.truth;
	}
	assert_near(found, right, 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(are_all_timed_at_first, set_up),
		cmocka_unit_test_setup(one_slow_among_quick_ones, set_up),
		cmocka_unit_test_setup(two_slow_ones, set_up),
		cmocka_unit_test_setup(one_that_was_not_timed, set_up),
		cmocka_unit_test_setup(stand_for_all, set_up),
		cmocka_unit_test_setup(rare_slow_ones, set_up),
		cmocka_unit_test_setup(quick_waits_that_come_slowly, set_up),
		cmocka_unit_test_setup(quick_waits_that_come_quickly, set_up),
		cmocka_unit_test_setup(first_executions, set_up_region),
		cmocka_unit_test_setup(short_executions, set_up_region),
		cmocka_unit_test_setup(medium_executions, set_up_region),
		cmocka_unit_test_setup(medium_executions_of_different_lengths, set_up_region),
		cmocka_unit_test_setup(executions_that_become_medium, set_up_region),
		cmocka_unit_test_setup(medium_executions_that_become_long, set_up_region),
		cmocka_unit_test_setup(
			medium_executions_among_which_few_are_very_long, set_up_region),
		cmocka_unit_test_setup(the_mean_from_the_begin_on, set_up_region),
		cmocka_unit_test_setup(slow_executions_now_and_then, set_up_region),
		cmocka_unit_test_setup(long_executions_among_quick_ones, set_up_region),
		cmocka_unit_test_setup(less_long_executions_among_more_quick_ones, set_up_region),
		cmocka_unit_test_setup(one_that_is_very_long, set_up_region),
		cmocka_unit_test_setup(nearness, set_up_region),
		cmocka_unit_test_setup(executions_that_become_long, set_up_region),
		cmocka_unit_test_setup(few_that_are_much_longer, set_up_region),
		cmocka_unit_test_setup(two_regions_in_turns, set_up_region),
		cmocka_unit_test_setup(executions_in_a_pause, set_up_region),
		cmocka_unit_test(what_is_due),
		cmocka_unit_test(draws),
		cmocka_unit_test_setup(rhythms, set_up_region),
	};

	thresholds_set(&tool.thresholds, 2500000000);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
