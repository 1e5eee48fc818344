/* SPDX-License-Identifier: Apache-2.0 */
/* A function in a child process; see in_child.h. */
#include "tests/unit/profile/in_child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

void in_child(in_child_run *run, const void *data, void *result, size_t bytes)
{
	int fds[2], status;
	pid_t pid;

	memset(result, 0, bytes);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		run(data, result);
		_exit(write(fds[1], result, bytes) == (ssize_t)bytes ? 0 : 3);
	}
	close(fds[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(fds[0], result, bytes), bytes);
	close(fds[0]);
}
