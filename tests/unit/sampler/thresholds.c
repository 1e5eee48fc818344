/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of time in ticks of slow, middling and fast counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sampler/core/thresholds.h"

/* Each is as long as the source says, to a tick, but at least 2 ticks long. */
static void assert_for(uint64_t ticks_per_s)
{
	struct thresholds thresholds;

	thresholds_set(&thresholds, ticks_per_s);
#define THRESHOLD(name, ns)                                                                        \
	assert_true(thresholds.name >= 2);                                                         \
	if (thresholds.name > 2)                                                                   \
		assert_in_range((uint64_t)thresholds.name * 1000000000,                            \
			(ns)*ticks_per_s - 1000000000, (ns)*ticks_per_s);
#include "sampler/core/thresholds.def"
#undef THRESHOLD
}

static void slow(void **state)
{
	struct thresholds thresholds;

	(void)state;
	assert_for(25000000);
	thresholds_set(&thresholds, 25000000);
	assert_int_equal(thresholds.quick, 120);
	assert_int_equal(thresholds.free_most, 2);
	assert_int_equal(thresholds.free_at_first, 10);
	assert_int_equal(thresholds.cold_wait_least, 25);
	assert_int_equal(thresholds.device_pair, 10000000);
}

static void middling(void **state)
{
	struct thresholds thresholds;

	(void)state;
	assert_for(1000000000);
	thresholds_set(&thresholds, 1000000000);
	assert_int_equal(thresholds.quick, 4800);
	assert_int_equal(thresholds.region_most, 26843546);
}

static void fast(void **state)
{
	struct thresholds thresholds;

	(void)state;
	assert_for(2600000000);
	thresholds_set(&thresholds, 2600000000);
	assert_int_equal(thresholds.quick, 12480);
	assert_int_equal(thresholds.region_medium, 798720);
	assert_int_equal(thresholds.disturbed, 312000);
}

/* The fastest counter that is believed does not overflow any. */
static void fastest(void **state)
{
	(void)state;
	assert_for(10000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow),
		cmocka_unit_test(middling),
		cmocka_unit_test(fast),
		cmocka_unit_test(fastest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
