/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines as the program's threads fill them: waits and samples in the buckets of their time, also where buckets become
 * longer meanwhile. The writer of the file is a stand-in; the clock stands where a test puts it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/reader/reader.h"
#include "profile/core/writer.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"
#include "tests/unit/sampler/timeline_stage.h"

enum {
	UNIT = PROFILE_TIMELINE_UNIT,
	BUCKETS = PROFILE_TIMELINE_BUCKETS,
	N_SEGMENTS = 8,
	NODE = 7,
	START = 5000, /* ticks, at which the profile begins */
};

#define WIDTH ((uint64_t)1 << 20) /* of a bucket at the begin */

static struct thread *const thread = &timeline_stage.thread;

/* A thread with an empty timeline, at `now` ticks after the profile's begin. */
static const struct profile_timeline_segment *begin(uint64_t now, uint64_t trace_bytes)
{
	timeline_stage_begin(N_SEGMENTS, 1000000000, START, START + now, trace_bytes);
	assert_non_null(thread->timeline.segment);
	return thread->timeline.segment;
}

static void wait(uint64_t from, uint64_t until, uint64_t ticks)
{
	timeline_wait(thread, PROFILE_LOCK, NODE, START + from, START + until, ticks);
}

static uint64_t sum_of(const struct profile_timeline_segment *timeline)
{
	uint64_t sum = 0;

	for (int i = 0; i < BUCKETS; i++)
		sum += timeline->count[i][PROFILE_TIME_MUTEX];
	return sum;
}

/* Buckets from `first` to the one before `end` have `each`, or one less or more, the others nothing. */
static void assert_even(const struct profile_timeline_segment *timeline, uint32_t first,
	uint32_t end, uint64_t each)
{
	for (uint32_t i = 0; i < BUCKETS; i++) {
		uint64_t count = timeline->count[i][PROFILE_TIME_MUTEX];

		if (i >= first && i < end)
			assert_in_range(count, each - 1, each + 1);
		else
			assert_int_equal(count, 0);
	}
}

static void test_within_one(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait(3 * WIDTH, 3 * WIDTH + 5 * UNIT, 5 * UNIT);
	assert_even(timeline, 3, 4, 5);
	assert_int_equal(sum_of(timeline), 5);
}

static void test_many(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait(10 * WIDTH, 20 * WIDTH, 10 * WIDTH);
	assert_even(timeline, 10, 20, WIDTH / UNIT);
	assert_int_equal(sum_of(timeline), 10 * WIDTH / UNIT);
}

/* Less than the time that went by, as tasks were executed: evenly less. */
static void test_less(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait(10 * WIDTH, 20 * WIDTH, 5 * WIDTH);
	assert_even(timeline, 10, 20, WIDTH / UNIT / 2);
	assert_int_equal(sum_of(timeline), 5 * WIDTH / UNIT);
}

/* More, as it stands for others like it: as far back; before the profile's begin nothing is, it is all behind that. */
static void test_more(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait(19 * WIDTH, 20 * WIDTH, 10 * WIDTH);
	assert_even(timeline, 10, 20, WIDTH / UNIT);
	timeline = begin(0, 0);
	wait(2 * WIDTH, 4 * WIDTH, 8 * WIDTH);
	assert_even(timeline, 0, 4, 2 * WIDTH / UNIT);
	assert_int_equal(sum_of(timeline), 8 * WIDTH / UNIT);
}

/* Of a bucket's first and last tick. */
static void test_edges(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait((BUCKETS - 1) * WIDTH, BUCKETS * WIDTH - 1, WIDTH - 1);
	assert_int_equal(timeline->shift, 20);
	assert_even(timeline, BUCKETS - 1, BUCKETS, WIDTH / UNIT);
	wait(BUCKETS * WIDTH - 1, BUCKETS * WIDTH, 1);
	assert_int_equal(timeline->shift, 21);
	assert_even(timeline, BUCKETS / 2 - 1, BUCKETS / 2, WIDTH / UNIT);
	assert_int_equal(sum_of(timeline), WIDTH / UNIT);
}

/* A wait that goes on while the buckets become eight times as long, after another one. */
static void test_across(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);

	wait(0, 500 * WIDTH, 500 * WIDTH);
	wait(500 * WIDTH, 4000 * WIDTH, 3500 * WIDTH);
	assert_int_equal(timeline->shift, 23);
	assert_int_equal(timeline->begun, 3);
	assert_int_equal(timeline->settled, 3);
	assert_even(timeline, 0, 500, 8 * WIDTH / UNIT);
	assert_int_equal(sum_of(timeline), 4000 * WIDTH / UNIT);
}

/* A thread that begins late has buckets as long as it needs. */
static void test_late(void **state)
{
	const struct profile_timeline_segment *timeline = begin(4 * BUCKETS * WIDTH, 0);

	assert_int_equal(timeline->shift, 23);
	wait(4 * BUCKETS * WIDTH, 4 * BUCKETS * WIDTH + 8 * UNIT, 8 * UNIT);
	assert_even(timeline, BUCKETS / 2, BUCKETS / 2 + 1, 8);
}

/* The shift of the first buckets for a counter of this rate, after so many ticks. */
static uint32_t first_shift(uint64_t ticks_per_s, uint64_t now)
{
	timeline_stage_begin(N_SEGMENTS, ticks_per_s, START, START + now, 0);
	return thread->timeline.segment->shift;
}

/* The first buckets take from half a millisecond to one, or less with a fast counter. */
static void test_rates(void **state)
{
	assert_int_equal(first_shift(2600000000, 0), 20);
	assert_int_equal(first_shift(1000000000, 0), 20);
	assert_int_equal(first_shift(25000000, 0), 14);
	assert_int_equal(first_shift(19200000, 0), 14);
	assert_int_equal(first_shift(1000000, 0), 12);
	/* A thread that begins late, as above. */
	assert_int_equal(first_shift(25000000, 4 * BUCKETS << 14), 17);
	/* A wait of ten buckets, and all of it. */
	assert_int_equal(first_shift(25000000, 0), 14);
	wait(10 << 14, 20 << 14, 10 << 14);
	assert_even(thread->timeline.segment, 10, 20, (1 << 14) / UNIT);
	assert_int_equal(sum_of(thread->timeline.segment), (10 << 14) / UNIT);
}

/* A sample's time is what is right before it. */
static void test_sample(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 0);
	static const uint32_t times[] = { PROFILE_TIME_WORK, PROFILE_TIME_OVERHEAD,
		PROFILE_TIME_IN_WAIT, PROFILE_TIME_IN_WAIT, PROFILE_TIME_WORK };
	static const enum profile_class classes[] = { PROFILE_WORK, PROFILE_OVERHEAD,
		PROFILE_WAIT_BARRIER, PROFILE_IDLE, PROFILE_WAIT_MPI };

	for (int i = 0; i < 5; i++) {
		timeline = begin(0, 0);
		tool.stands_ticks = START + 8 * WIDTH;
		timeline_sample(thread, NODE, classes[i], 4 * WIDTH, 1);
		for (int k = 4; k < 8; k++)
			assert_in_range(
				timeline->count[k][times[i]], WIDTH / UNIT - 1, WIDTH / UNIT + 1);
		assert_int_equal(timeline->count[3][times[i]] + timeline->count[8][times[i]], 0);
	}
}

/* Random waits one after the other, against what each bucket has of them by a model of its own. */
static void test_random(void **state)
{
	static double model[1 << 13];
	const struct profile_timeline_segment *timeline = begin(0, 0);
	uint64_t now = 0, sum = 0;
	size_t n_waits = 0, per;

	srand(1);
	memset(model, 0, sizeof(model));
	for (;; n_waits++) {
		uint64_t from = now + (uint64_t)rand() % (2 * WIDTH);
		uint64_t until = from + (uint64_t)rand() % (rand() % 8 ? WIDTH : 90 * WIDTH);
		uint64_t ticks = (until - from) / (1 + (uint64_t)rand() % 3);

		if (until >= sizeof(model) / sizeof(*model) * WIDTH)
			break;
		wait(from, until, ticks);
		for (uint64_t at = from; at < until;) {
			uint64_t next = (at / WIDTH + 1) * WIDTH;

			next = next < until ? next : until;
			model[at / WIDTH] +=
				(double)ticks * (double)(next - at) / (double)(until - from);
			at = next;
		}
		sum += ticks;
		now = until;
	}
	assert_true(n_waits > 500);
	assert_int_equal(timeline->shift, 25);
	assert_int_equal(sum_of(timeline), sum / UNIT);
	per = 1 << (timeline->shift - 20);
	for (size_t i = 0; i < BUCKETS; i++) {
		double expected = 0, got = timeline->count[i][PROFILE_TIME_MUTEX] * (double)UNIT;

		for (size_t k = 0; k < per && i * per + k < sizeof(model) / sizeof(*model); k++)
			expected += model[i * per + k];
		assert_true(got - expected < 2 * UNIT && expected - got < 2 * UNIT);
	}
}

/* What a wait counts for is what the reader says that it does; so is it in the trace. */
static void test_times(void **state)
{
	for (uint32_t kind = PROFILE_NO_WAIT + 1; kind < PROFILE_N_WAITS; kind++) {
		const struct profile_timeline_segment *timeline =
			begin(0, 4 * PROFILE_SEGMENT_BYTES);
		const struct profile_moment *moment;
		uint32_t time = profile_time_of_wait(kind);

		timeline_wait(thread, kind, NODE, START, START + UNIT, UNIT);
		assert_int_equal(timeline->count[0][time], 1);
		assert_int_equal(timeline->n_moments, 1);
		moment = (const struct profile_moment *)(thread->timeline.moments + 1);
		assert_int_equal(moment->time, time);
		assert_int_equal(moment->what, kind);
		assert_int_equal(moment->kind, PROFILE_MOMENT_WAIT);
		assert_int_equal(moment->end, START + UNIT);
		assert_int_equal(moment->node, NODE);
	}
}

/* A trace takes as many segments as it may, and counts what has no room. */
static void test_full(void **state)
{
	const struct profile_timeline_segment *timeline = begin(0, 2 * PROFILE_SEGMENT_BYTES);
	uint64_t most =
		(PROFILE_SEGMENT_BYTES - sizeof(struct profile_segment)) / PROFILE_MOMENT_BYTES;

	for (uint64_t i = 0; i < 2 * most + 3; i++)
		wait(i * UNIT, (i + 1) * UNIT, UNIT);
	assert_int_equal(timeline->n_moments, 2 * most);
	assert_int_equal(timeline->n_dropped, 3);
	assert_int_equal(timeline->dropped_from, START + 2 * most * UNIT);
	assert_int_equal(timeline_stage.n_segments, 4);
	assert_int_equal(sum_of(timeline), 2 * most + 3);
	wait(7 * UNIT, 3 * most * UNIT, UNIT);
	wait((2 * most + 1) * UNIT, 3 * most * UNIT, UNIT);
	assert_int_equal(timeline->dropped_from, START + 7 * UNIT);
	assert_int_equal(timeline->n_dropped, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_within_one),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_less),
		cmocka_unit_test(test_more),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_across),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests_name("timeline_write", tests, NULL, NULL);
}
