/* SPDX-License-Identifier: Apache-2.0 */
/* What is for a terminal: the line that says what the command is at, when it comes and that it goes; and
   characters that the terminal does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/text/progress.h"
#include "src/text/terminal_ascii.h"

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

/* As many columns as before, however the bytes come. */
static void test_ascii(void **state)
{
	static const char text[] = "gr\xc3\xb6\xc3\x9f"
				   "e \xe6\x95\xb0|e\xcc\x81|\xf0\x9f\x98\x80|\033[1m\n\xc3";
	struct shown *shown = *state;

	for (size_t step = 1; step < 6; step++) {
		FILE *ascii = terminal_ascii_open(shown->err);

		assert_non_null(ascii);
		rewind(shown->err);
		for (size_t i = 0; i < sizeof(text) - 1; i += step) {
			size_t left = sizeof(text) - 1 - i;

			fwrite(text + i, 1, left < step ? left : step, ascii);
			fflush(ascii);
		}
		fclose(ascii);
		assert_string_equal(text_of(shown), "gr??e ??|e|??|\033[1m\n?");
	}
}

static void test_utf8(void **state)
{
	static const struct {
		const char *all, *ctype, *lang;
		int has;
	} rows[] = { { NULL, NULL, NULL, 0 }, { "C", NULL, "en_US.UTF-8", 0 },
		{ "", "", "de_DE.utf8", 1 }, { NULL, "C.UTF-8", "C", 1 },
		{ "POSIX", NULL, NULL, 0 }, { NULL, NULL, "de_DE", 0 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *values[] = { rows[i].all, rows[i].ctype, rows[i].lang };
		const char *names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

		for (size_t k = 0; k < 3; k++) {
			if (values[k])
				setenv(names[k], values[k], 1);
			else
				unsetenv(names[k]);
		}
		assert_int_equal(!!terminal_has_utf8(), rows[i].has);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_quick, open_shown, close_shown),
		cmocka_unit_test_setup_teardown(test_slow, open_shown, close_shown),
		cmocka_unit_test_setup_teardown(test_count, open_shown, close_shown),
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test_setup_teardown(test_ascii, open_shown, close_shown),
		cmocka_unit_test(test_utf8),
	};

	return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
