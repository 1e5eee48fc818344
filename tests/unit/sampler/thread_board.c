/* SPDX-License-Identifier: Apache-2.0 */
/* The thread board: a thread finds a place if there is one, and is told if there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sampler/core/thread_board.h"

static void test_full(void **state)
{
	static struct profile_now lines[BOARD_MAX_THREADS + 1];
	struct profile_now *last = &lines[BOARD_MAX_THREADS];

	(void)state;
	for (uint32_t i = 0; i < BOARD_MAX_THREADS; i++)
		assert_int_equal(board_join(&lines[i]), 0);
	assert_int_equal(board_join(last), -1);
	assert_int_equal(board_n_listed(), BOARD_MAX_THREADS);
	board_leave(&lines[7]);
	assert_int_equal(board_join(last), 0);
	assert_ptr_equal(board_at(7), last);
	board_forget_all();
	assert_int_equal(board_n_listed(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests_name("thread_board", tests, NULL, NULL);
}
