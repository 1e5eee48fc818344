/* SPDX-License-Identifier: Apache-2.0 */
/* When an event of a mutex is a step on the fast path, and when it takes the slow path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <omp-tools.h>

#include "sampler/core/mutex_fast.h"

enum { LOCK = 4096, OTHER = 8192, LEFT = 5 };

static struct thread thread;

/* A thread that is armed for a lock, and at this phase. */
static void arm(uint8_t phase)
{
	thread.quick = (struct mutex_fast){
		.wait_id = LOCK,
		.ompt_kind = ompt_mutex_lock,
		.left = LEFT,
		.n = LEFT,
		.phase = phase,
	};
	thread.mutexes.requested.kind = PROFILE_NO_WAIT;
	thread.gate.is_pending = 0;
}

static int step(ompt_wait_id_t wait_id, uint32_t kind, uint8_t from, uint8_t to)
{
	int is_step = mutex_fast_step(&thread, wait_id, kind, from, to);

	assert_int_equal(thread.gate.in_tool, 0);
	return is_step;
}

static int step_from(uint8_t phase)
{
	return step(LOCK, ompt_mutex_lock, phase, (phase + 1) % (MUTEX_FAST_HELD + 1));
}

/* From none to asked to held to none; an acquisition is used. */
static void test_turn(void **state)
{
	arm(MUTEX_FAST_NONE);
	assert_true(step_from(MUTEX_FAST_NONE));
	assert_int_equal(thread.quick.phase, MUTEX_FAST_ASKED);
	assert_true(step_from(MUTEX_FAST_ASKED));
	assert_int_equal(thread.quick.phase, MUTEX_FAST_HELD);
	assert_true(step_from(MUTEX_FAST_HELD));
	assert_int_equal(thread.quick.phase, MUTEX_FAST_NONE);
	assert_int_equal(thread.quick.left, LEFT - 1);
}

/* Whatever does not fit changes nothing. */
static void assert_no_step(ompt_wait_id_t wait_id, uint32_t kind, uint8_t phase, uint8_t from)
{
	assert_false(step(wait_id, kind, from, MUTEX_FAST_HELD));
	assert_int_equal(thread.quick.phase, phase);
	assert_int_equal(thread.quick.left, LEFT);
}

static void test_others(void **state)
{
	for (uint8_t phase = MUTEX_FAST_NONE; phase <= MUTEX_FAST_HELD; phase++) {
		arm(phase);
		assert_no_step(OTHER, ompt_mutex_lock, phase, phase);
		assert_no_step(LOCK, ompt_mutex_nest_lock, phase, phase);
		assert_no_step(LOCK, ompt_mutex_lock, phase, (phase + 1) % (MUTEX_FAST_HELD + 1));
	}
}

/* A pending sample is taken on the slow path, at the next event whichever it is. */
static void test_pending(void **state)
{
	for (uint8_t phase = MUTEX_FAST_NONE; phase <= MUTEX_FAST_HELD; phase++) {
		arm(phase);
		thread.gate.is_pending = 1;
		assert_no_step(LOCK, ompt_mutex_lock, phase, phase);
	}
}

/* Another mutex is asked for, or it is the turn of one that is timed. */
static void test_begin(void **state)
{
	arm(MUTEX_FAST_NONE);
	thread.mutexes.requested.kind = PROFILE_LOCK;
	assert_no_step(LOCK, ompt_mutex_lock, MUTEX_FAST_NONE, MUTEX_FAST_NONE);
	arm(MUTEX_FAST_NONE);
	thread.quick.left = 0;
	assert_false(step_from(MUTEX_FAST_NONE));
	assert_int_equal(thread.quick.left, 0);
}

/* Armed for any mutex of the kind, unless the thread holds one. */
static void test_any(void **state)
{
	arm(MUTEX_FAST_NONE);
	thread.quick.is_any = 1;
	assert_true(step(OTHER, ompt_mutex_lock, MUTEX_FAST_NONE, MUTEX_FAST_ASKED));
	assert_false(step(LOCK, ompt_mutex_lock, MUTEX_FAST_ASKED, MUTEX_FAST_HELD));
	assert_true(step(OTHER, ompt_mutex_lock, MUTEX_FAST_ASKED, MUTEX_FAST_HELD));
	assert_true(step(OTHER, ompt_mutex_lock, MUTEX_FAST_HELD, MUTEX_FAST_NONE));
	assert_false(step(OTHER, ompt_mutex_nest_lock, MUTEX_FAST_NONE, MUTEX_FAST_ASKED));
	thread.mutexes.n_held = 1;
	assert_false(step(OTHER, ompt_mutex_lock, MUTEX_FAST_NONE, MUTEX_FAST_ASKED));
	thread.mutexes.n_held = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turn),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_pending),
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests_name("mutex_quick", tests, NULL, NULL);
}
