/* SPDX-License-Identifier: Apache-2.0 */
/* What the program's environment loses at its start, and that of a child: sampler/tool/child_environment.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/tool/child_environment.h"

enum { MOST = 8 };

#define MARK      "OMPPROF_FOR_ONE=:OMP_SCHEDULE=dynamic,1:KMP_WARNINGS=0"
#define FOLDER    "LD_LIBRARY_PATH=/tmp/ompprof-libomp-1-abcdef"
#define OURS      "/x/libompprof.so"
#define PRELOADED "LD_PRELOAD=" OURS ":/y/libomp.so.5:/x/ompprof/stand-in-libgomp.so"

struct row {
	const char *what;
	const char *before[MOST], *after[MOST];
};

static const struct row rows[] = {
	{ "nothing is done without the mark", { "A=1", FOLDER ":/one" },
		{ "A=1", FOLDER ":/one" } },
	{ "the folder alone", { "A=1", FOLDER, MARK, "B=" }, { "A=1", MARK, "B=" } },
	{ "the folder before others", { FOLDER ":/one:/two", MARK },
		{ "LD_LIBRARY_PATH=/one:/two", MARK } },
	{ "an empty folder of the user's", { FOLDER "::/two", MARK },
		{ "LD_LIBRARY_PATH=:/two", MARK } },
	{ "libomp that is preloaded", { PRELOADED, FOLDER, MARK }, { "LD_PRELOAD=" OURS, MARK } },
	{ "libomp before what the user preloads", { FOLDER, MARK, PRELOADED ":libm.so.6:libz.so" },
		{ MARK, "LD_PRELOAD=" OURS ":libm.so.6:libz.so" } },
	{ "libomp before all", { "LD_PRELOAD=/y/libomp.so.5:/x/stand-in-libgomp.so", FOLDER, MARK },
		{ MARK } },
	{ "a child", { "OMP_SCHEDULE=dynamic,1", "A=1", "KMP_WARNINGS=0", MARK, "B=2" },
		{ "A=1", "B=2" } },
	{ "a child with a path of its own", { "LD_LIBRARY_PATH=/one", MARK, "KMP_WARNINGS=0" },
		{ "LD_LIBRARY_PATH=/one" } },
	{ "a child of a program whose user had set one",
		{ "OMP_SCHEDULE=guided", "OMPPROF_FOR_ONE=:KMP_WARNINGS=0", "KMP_WARNINGS=0" },
		{ "OMP_SCHEDULE=guided" } },
	{ "a child to which the program gives other values",
		{ "OMP_SCHEDULE=dynamic,10", MARK, "KMP_WARNINGS=" },
		{ "OMP_SCHEDULE=dynamic,10", "KMP_WARNINGS=" } },
	{ "a user who had set all", { "OMP_SCHEDULE=static", "OMPPROF_FOR_ONE=" },
		{ "OMP_SCHEDULE=static" } },
	{ "names that begin alike", { "OMP_SCHEDULE_X=dynamic,1", MARK, "LD_LIBRARY_PATHS=/a" },
		{ "OMP_SCHEDULE_X=dynamic,1", "LD_LIBRARY_PATHS=/a" } },
	{ "an empty environment", { NULL }, { NULL } },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *environment[MOST + 1] = { NULL }, *texts[MOST] = { NULL };
		size_t n = 0;

		for (; n < MOST && rows[i].before[n]; n++)
			environment[n] = texts[n] = strdup(rows[i].before[n]);
		child_environment_restore(environment);
		for (size_t k = 0; k < MOST; k++) {
			const char *want = rows[i].after[k];

			if (!want && environment[k])
				fail_msg("%s: '%s' is left", rows[i].what, environment[k]);
			if (want && (!environment[k] || strcmp(environment[k], want) != 0))
				fail_msg("%s: '%s', not '%s'", rows[i].what,
					environment[k] ? environment[k] : "nothing", want);
			if (!want)
				break;
		}
		for (size_t k = 0; k < n; k++)
			free(texts[k]);
	}
	child_environment_restore(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
