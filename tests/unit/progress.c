/* SPDX-License-Identifier: Apache-2.0 */
/* The line that says what the command is at: when it comes, and that it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/progress.h"

struct shown {
	FILE *err;
	char *text;
	size_t size;
};

static int open_shown(void **state)
{
	static struct shown shown;

	shown.err = open_memstream(&shown.text, &shown.size);
	*state = &shown;
	return shown.err ? 0 : -1;
}

static int close_shown(void **state)
{
	struct shown *shown = *state;

	progress_end();
	fclose(shown->err);
	free(shown->text);
	return 0;
}

static const char *text_of(struct shown *shown)
{
	fflush(shown->err);
	return shown->text;
}

/* Work that takes less than a second says nothing. */
static void test_quick(void **state)
{
	struct shown *shown = *state;

	progress_pretend(shown->err, 900000000);
	progress_show("reading files", 1, 2);
	progress_count("looking names up");
	progress_end();
	assert_string_equal(text_of(shown), "");
}

/* What takes longer has one line, not too often, which is taken back. */
static void test_slow(void **state)
{
	struct shown *shown = *state;

	progress_pretend(shown->err, 1000000001);
	progress_show("reading files", 12, 400);
	for (int i = 0; i < 1000; i++)
		progress_show("reading files", 13, 400);
	assert_string_equal(text_of(shown), "\rompprof: reading files: 12 of 400\033[K");
	progress_end();
	assert_string_equal(text_of(shown), "\rompprof: reading files: 12 of 400\033[K\r\033[K");
}

static void test_count(void **state)
{
	struct shown *shown = *state;

	progress_pretend(shown->err, 0);
	progress_count("looking names up");
	progress_count("looking names up");
	progress_pretend(shown->err, 2000000000);
	progress_count("looking names up");
	assert_string_equal(text_of(shown), "\rompprof: looking names up: 3\033[K");
}

/* Where nobody sees it, and where it has not begun, nothing is written. */
static void test_no_terminal(void **state)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	setenv("TERM", "xterm", 1);
	progress_begin(file);
	progress_pretend(NULL, 2000000000);
	progress_show("reading files", 1, 1);
	progress_end();
	progress_begin(file);
	progress_show("reading files", 1, 1);
	progress_end();
	assert_int_equal(ftell(file), 0);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_quick, open_shown, close_shown),
		cmocka_unit_test_setup_teardown(test_slow, open_shown, close_shown),
		cmocka_unit_test_setup_teardown(test_count, open_shown, close_shown),
		cmocka_unit_test(test_no_terminal),
	};

	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
