/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that no made-up profile of the scenes has, and warnings without room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/report/report.h"
#include "src/report/report_warnings_internal.h"
#include "src/views/view.h"
#include "tests/unit/scenes/scenes.h"

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

/* The summary of a run with many warnings whose profile is in this folder. */
static char *summarize(const char *given)
{
	struct report_options options = { .view = TREE_USER };
	struct terminal terminal;
	struct report report = { 0 };
	struct build build;
	struct diag diag;
	char *text = NULL;
	size_t size = 0;

	assert_int_equal(scene_build(&build, "crowded"), 0);
	assert_int_equal(profile_parse(&report.profile, build.bytes, build.size, "test", &diag), 0);
	assert_int_equal(report_make(&report, &options, scene_lookup, NULL, &diag), 0);
	build_release(&build);
	report.given = given;
	terminal_plain(&terminal, open_memstream(&text, &size));
	terminal.width = 80;
	assert_int_equal(view_summary.print(&report, &(struct view_options){ 0 }, &terminal), 0);
	fclose(terminal.out);
	report_release(&report);
	return text;
}

/* A command that is cut would be another command. */
static void says_how_to_see_the_rest(void **state)
{
	char far[200], *text = summarize("near");

	(void)state;
	assert_non_null(strstr(text, "warning: and 3 more: ompprof report near --warnings\n"));
	free(text);
	memset(far, 'a', sizeof(far) - 1);
	far[sizeof(far) - 1] = '\0';
	text = summarize(far);
	assert_non_null(strstr(text, "warning: and 3 more: --warnings\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_part_that_was_not_looked_at),
		cmocka_unit_test(says_how_to_see_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
