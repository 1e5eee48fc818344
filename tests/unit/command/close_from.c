/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors from a given one on are closed, with the kernel's call and without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <fcntl.h>

#include "src/run/close_from.h"

enum { KEPT = 40, CLOSED = 50, HIGH = 900 };

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* In a child, as the command does: the test's own descriptors stay open. */
static void expect_closed(void (*close_them)(int))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (dup2(0, KEPT) < 0 || dup2(0, CLOSED) < 0 || dup2(0, HIGH) < 0)
			_exit(2);
		close_them(CLOSED);
		_exit(!is_open(KEPT) || is_open(CLOSED) || is_open(HIGH));
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_close_from(void **state)
{
	(void)state;
	expect_closed(close_from);
}

static void test_close_listed(void **state)
{
	(void)state;
	expect_closed(close_listed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_close_from),
		cmocka_unit_test(test_close_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
