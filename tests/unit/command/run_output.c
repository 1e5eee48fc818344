/* SPDX-License-Identifier: Apache-2.0 */
/* The output folder: what others put at its names between two looks at them is not followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/run/run.h"

static char folder[64], victim[128], precious[160];

static int set_up(void **state)
{
	int fd;

	strcpy(folder, "/tmp/ompprof-output.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(victim, sizeof(victim), "%s/victim", folder);
	snprintf(precious, sizeof(precious), "%s/x.ompprof", victim);
	if (mkdir(victim, 0700) != 0)
		return -1;
	fd = open(precious, O_WRONLY | O_CREAT | O_EXCL, 0600);
	return close(fd);
}

static int tear_down(void **state)
{
	unlink(precious);
	rmdir(victim);
	return rmdir(folder);
}

static void test_removes_what_is_older(void **state)
{
	struct run_output output = { 0 };

	strcpy(output.older, victim);
	run_output_commit(&output);
	assert_int_not_equal(access(victim, F_OK), 0);
}

static void test_removes_nothing_behind_a_link(void **state)
{
	struct run_output output = { 0 };

	snprintf(output.older, sizeof(output.older), "%s/older", folder);
	assert_int_equal(symlink("victim", output.older), 0);
	run_output_commit(&output);
	assert_int_equal(access(precious, F_OK), 0);
	unlink(output.older);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_removes_what_is_older, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_removes_nothing_behind_a_link, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("run_output", tests, NULL, NULL);
}
