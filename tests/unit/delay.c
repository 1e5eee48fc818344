/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of delay_of: the kernel's figure of a thread, and 0 of one that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sampler/delay.h"

/* Greater than any thread id of Linux. */
#define NO_TID 4000000000u

/* Leaves digits where the next call's variables are. */
static __attribute__((noinline)) void fill_stack(void)
{
	volatile char digits[1024];

	for (size_t i = 0; i < sizeof(digits); i++)
		digits[i] = '7';
}

static void test_no_thread(void **state)
{
	(void)state;
	fill_stack();
	assert_int_equal(delay_of(NO_TID), 0);
}

/* A thread that has ended is asked for after one that has not. */
static void test_no_thread_after_another(void **state)
{
	(void)state;
	delay_of((uint32_t)getpid());
	assert_int_equal(delay_of(NO_TID), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_thread),
		cmocka_unit_test(test_no_thread_after_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
