/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that no made-up profile of the scenes has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/report/report.h"
#include "src/report/report_warnings_internal.h"

static void names_the_part_that_was_not_looked_at(void **state)
{
	struct metrics_lock locks[2] = { { .n_acquired = 500, .n_estimated = 450 },
		{ .n_acquired = 100 } };
	struct report report = { .metrics = { .locks = locks, .n_locks = 2 } };
	char text[256];
	struct warning to = { text, sizeof(text) };

	assert_int_equal(warn_budget(&report, &to), 1);
	assert_string_equal(text, "75.0 % of the acquisitions of locks were not looked at "
				  "(--budget): their waits are "
				  "rough and often too small, each lock's figures are estimates");
	locks[0].n_estimated = 0;
	assert_int_equal(warn_budget(&report, &to), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_part_that_was_not_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
