/* SPDX-License-Identifier: Apache-2.0 */
/* Files of expected text; see expected.h. */
#include "tests/unit/command/expected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void expected_path(char *path, size_t bytes, const char *name)
{
	const char *srcdir = getenv("srcdir");

	snprintf(path, bytes, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

void expected_compare(const char *name, const char *text)
{
	static char expected[1 << 20];
	char path[4096];
	FILE *file;

	expected_path(path, sizeof(path), name);
	if (getenv("OMPPROF_UPDATE_GOLDEN")) {
		write_file(path, text);
		return;
	}
	file = fopen(path, "rb");
	if (!file)
		fail_msg("cannot read '%s'", path);
	expected[fread(expected, 1, sizeof(expected) - 1, file)] = '\0';
	fclose(file);
	if (strcmp(text, expected) != 0)
		fail_msg("%s is not what is shown:\n%s", path, text);
}
