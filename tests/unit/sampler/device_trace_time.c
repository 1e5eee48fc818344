/* SPDX-License-Identifier: Apache-2.0 */
/* A device's clock against the host's, how long a device was busy, and the way through a buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/devices/device_trace_cursor.h"
#include "sampler/devices/device_trace_time.h"

static uint64_t random_state = 88172645463325252ULL;

static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % n;
}

static void test_one_pair_says_nothing(void **state)
{
	struct device_trace_time time = { 0 };

	assert_false(device_trace_time_is_known(&time));
	device_trace_time_add(&time, 100, 1000);
	assert_false(device_trace_time_is_known(&time));
	/* The device's clock stood still. */
	device_trace_time_add(&time, 100, 2000);
	assert_false(device_trace_time_is_known(&time));
	device_trace_time_add(&time, 101, 3000);
	assert_true(device_trace_time_is_known(&time));
}

static void test_offset_and_rate(void **state)
{
	/* The device's clock is 10^12 ahead and goes by 3 while the host's goes by 7. */
	struct device_trace_time time = { 0 };

	device_trace_time_add(&time, 1000000000000ULL, 5000);
	device_trace_time_add(&time, 1000000000000ULL + 300, 5000 + 700);
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL), 5000);
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL + 150), 5350);
	/* Beyond both pairs, and rounded to the nearest. */
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL + 3000), 12000);
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL - 300), 4300);
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL + 1), 5002); /* 5002.33 */
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL + 2), 5005); /* 5004.67 */
	assert_int_equal(device_trace_time_host(&time, 1000000000000ULL - 1), 4998); /* 4997.67 */
	/* Before the host's counter began. */
	assert_int_equal(device_trace_time_host(&time, 0), 0);
	assert_int_equal(device_trace_time_host(&time, UINT64_MAX), (uint64_t)1 << 62);
}

/* Any rate and offset: what lies on the line is found to the tick. */
static void test_random_clocks(void **state)
{
	for (int turn = 0; turn < 20000; turn++) {
		uint64_t step_host = 1 + random_below(1000000),
			 base_host = random_below(1ULL << 50);
		uint64_t step = 1 + random_below(1000000), base = random_below(1ULL << 60);
		uint64_t n = 1 + random_below(1000000), at = random_below(2000000);
		struct device_trace_time time = { 0 };

		device_trace_time_add(&time, base, base_host);
		device_trace_time_add(&time, base + n * step, base_host + n * step_host);
		assert_int_equal(device_trace_time_host(&time, base + at * step),
			base_host + at * step_host);
	}
}

static void test_clock_goes_back(void **state)
{
	struct device_trace_time time = { 0 };

	device_trace_time_add(&time, 1000, 100);
	device_trace_time_add(&time, 2000, 200);
	/* The host's clock does not. */
	device_trace_time_add(&time, 3000, 200);
	assert_int_equal(time.last.device, 2000);
	device_trace_time_add(&time, 10, 300);
	assert_int_equal(time.n_resets, 1);
	assert_false(device_trace_time_is_known(&time));
	device_trace_time_add(&time, 20, 400);
	assert_int_equal(device_trace_time_host(&time, 15), 350);
}

static void test_busy(void **state)
{
	struct device_trace_busy busy = { 0 };

	device_trace_busy_add(&busy, 100, 200);
	device_trace_busy_add(&busy, 300, 400);
	assert_int_equal(device_trace_busy_ticks(&busy), 200);
	/* Within one, across both, from the other's end on, and nothing. */
	device_trace_busy_add(&busy, 120, 180);
	assert_int_equal(device_trace_busy_ticks(&busy), 200);
	device_trace_busy_add(&busy, 150, 350);
	assert_int_equal(device_trace_busy_ticks(&busy), 300);
	assert_int_equal(busy.n, 1);
	device_trace_busy_add(&busy, 400, 410);
	device_trace_busy_add(&busy, 500, 500);
	device_trace_busy_add(&busy, 600, 590);
	assert_int_equal(device_trace_busy_ticks(&busy), 310);
	assert_int_equal(busy.n, 1);
	/* Up to the begin of one: they touch. */
	device_trace_busy_add(&busy, 90, 100);
	assert_int_equal(device_trace_busy_ticks(&busy), 320);
	assert_int_equal(busy.n, 1);
	/* An earlier one that came late. */
	device_trace_busy_add(&busy, 10, 20);
	assert_int_equal(device_trace_busy_ticks(&busy), 330);
}

/* More spans than are kept: the earliest are given up, and what comes too late is not counted twice. */
static void test_busy_without_room(void **state)
{
	struct device_trace_busy busy = { 0 };

	for (uint64_t i = 1; i <= 1000; i++)
		device_trace_busy_add(&busy, 100 * i, 100 * i + 10);
	assert_int_equal(device_trace_busy_ticks(&busy), 10000);
	assert_int_equal(busy.n, DEVICE_TRACE_BUSY_SPANS);
	device_trace_busy_add(&busy, 200, 210);
	assert_int_equal(device_trace_busy_ticks(&busy), 10000);
	/* Full, and earlier than all that are kept. */
	device_trace_busy_add(&busy, busy.until + 5, busy.until + 8);
	assert_int_equal(device_trace_busy_ticks(&busy), 10003);
	/* Over everything that is kept. */
	device_trace_busy_add(&busy, 0, 1000000);
	assert_int_equal(device_trace_busy_ticks(&busy), busy.done + 1000000 - busy.until);
	assert_int_equal(busy.n, 1);
}

/* Compared with one bit for each tick; as long as nothing is given up, in any order. */
static void test_random_busy(void **state)
{
	for (int turn = 0; turn < 2000; turn++) {
		struct device_trace_busy busy = { 0 };
		uint8_t is_busy[400] = { 0 };
		uint64_t n = 0;

		for (int i = 0; i < DEVICE_TRACE_BUSY_SPANS; i++) {
			uint64_t begin = random_below(390), end = begin + random_below(10);

			device_trace_busy_add(&busy, begin, end);
			memset(is_busy + begin, 1, end - begin);
		}
		for (size_t i = 0; i < sizeof(is_busy); i++)
			n += is_busy[i];
		assert_int_equal(device_trace_busy_ticks(&busy), n);
	}
}

/* The stand-in of a runtime: the buffer is a list of the cursor that follows each; 0 ends it. */
static int advance(ompt_device_t *device, ompt_buffer_t *buffer, size_t bytes,
	ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
	const uint64_t *cursors = buffer;

	++*(uint64_t *)device;
	if (current >= bytes / 8 || cursors[current] == 0)
		return 0;
	*next = cursors[current] - 1;
	return 1;
}

enum { N_CURSORS = 64 };

static size_t count(uint64_t *cursors, int *is_odd, uint64_t *n_steps)
{
	struct device_trace_cursors way = { advance, n_steps, cursors, N_CURSORS * 8 };

	*n_steps = 0;
	return device_trace_cursor_count(&way, 0, is_odd);
}

static void test_cursors(void **state)
{
	uint64_t cursors[N_CURSORS] = { 0 }, n_steps;
	int is_odd;

	assert_int_equal(count(cursors, &is_odd, &n_steps), 1);
	assert_false(is_odd);
	/* All of them, in order. */
	for (uint64_t i = 0; i + 1 < N_CURSORS; i++)
		cursors[i] = i + 2;
	assert_int_equal(count(cursors, &is_odd, &n_steps), N_CURSORS);
	assert_false(is_odd);
	/* From the last to the first one; to itself; to the one before. */
	cursors[N_CURSORS - 1] = 1;
	assert_int_equal(count(cursors, &is_odd, &n_steps), N_CURSORS);
	assert_true(is_odd);
	cursors[10] = 11;
	assert_int_equal(count(cursors, &is_odd, &n_steps), 11);
	assert_true(is_odd);
	cursors[10] = 10;
	assert_int_equal(count(cursors, &is_odd, &n_steps), 11);
	assert_true(is_odd);
}

/* Any list: compared with marking those that were met. */
static void test_random_cursors(void **state)
{
	for (int turn = 0; turn < 20000; turn++) {
		uint64_t cursors[N_CURSORS], at = 0, n = 0, n_steps;
		uint8_t is_met[N_CURSORS + 1] = { 0 };
		int is_odd;

		for (int i = 0; i < N_CURSORS; i++)
			cursors[i] = random_below(16) ? 1 + random_below(N_CURSORS) : 0;
		while (!is_met[at]) {
			is_met[at] = 1;
			n++;
			if (!cursors[at])
				break;
			at = cursors[at] - 1;
		}
		assert_int_equal(count(cursors, &is_odd, &n_steps), n);
		assert_int_equal(is_odd, cursors[at] != 0);
		assert_in_range(n_steps, n, 5 * n + 4);
	}
}

/* One that never says the same twice does not go on for ever. */
static int advance_for_ever(ompt_device_t *device, ompt_buffer_t *buffer, size_t bytes,
	ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
	*next = ++*(uint64_t *)device;
	return 1;
}

static void test_cursors_without_end(void **state)
{
	uint64_t n = 0;
	struct device_trace_cursors way = { advance_for_ever, &n, NULL, 8000 };
	int is_odd;

	assert_int_equal(device_trace_cursor_count(&way, 0, &is_odd), 1000);
	assert_true(is_odd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_pair_says_nothing),
		cmocka_unit_test(test_offset_and_rate),
		cmocka_unit_test(test_random_clocks),
		cmocka_unit_test(test_clock_goes_back),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_busy_without_room),
		cmocka_unit_test(test_random_busy),
		cmocka_unit_test(test_cursors),
		cmocka_unit_test(test_random_cursors),
		cmocka_unit_test(test_cursors_without_end),
	};

	return cmocka_run_group_tests_name("trace_time", tests, NULL, NULL);
}
