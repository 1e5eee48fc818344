/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ompprof why over the made-up runs: byte for byte against tests/data/why; what a directive makes of the
 * remedy. With OMPPROF_UPDATE_GOLDEN set the files are written instead: `make update-golden`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/why/why_directive.h"
#include "tests/unit/command/expected.h"
#include "tests/unit/command/scene_report.h"
#include "tests/unit/scenes/scenes.h"

struct golden {
	const char *file; /* in tests/data/why; JSON if it ends so */
	const char *scene;
	size_t number;
	int width;
};

static const struct golden goldens[] = {
	{ "why/lock.txt", "waits", 1, 80 },
	{ "why/serial.txt", "waits", 2, 80 },
	{ "why/imbalance.txt", "waits", 3, 80 },
	{ "why/imbalance-narrow.txt", "waits", 3, 60 },
	{ "why/imbalance-wide.txt", "waits", 3, 120 },
	{ "why/imbalance.json", "waits", 3, 80 },
	{ "why/construct.txt", "counted", 1, 80 },
	{ "why/locks.txt", "mutexes", 1, 80 },
	{ "why/target.txt", "target", 1, 80 },
	{ "why/run.txt", "target", 3, 80 },
};

enum { N_GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

static const struct names_options names = { TREE_USER, scene_lookup, NULL, NULL };

/* The sources lie elsewhere on each machine. */
static void hide_paths(struct why *why)
{
	for (size_t i = 0; i < why->n_listings; i++) {
		struct annotate_plan *plan = &why->listings[i].plan;

		for (size_t k = 0; k < plan->n_sections; k++)
			strcpy(plan->sections[k].source.path, plan->sections[k].file);
	}
}

static char *print(const struct golden *golden, const struct why *why, const struct report *report)
{
	struct terminal terminal;
	char *text = NULL;
	size_t size = 0;

	terminal_plain(&terminal, open_memstream(&text, &size));
	terminal.width = golden->width;
	if (strstr(golden->file, ".json"))
		why_print_json(why, report, terminal.out);
	else
		assert_int_equal(why_print(why, report, &terminal), 0);
	fclose(terminal.out);
	return text;
}

static void test_golden(void **state)
{
	static const struct report_options by_thread = { .by_thread = 1 };
	struct annotate_options source = { .context = 1, .n_most = 4 };
	const struct golden *golden = *state;
	struct report_options options = { 0 };
	struct filter region = { 0 };
	struct report report;
	struct why why;
	struct diag diag;
	char rules[2][1100] = { "/src/solve.c=", "/src/spmv.h=" }, *text;

	expected_path(rules[0] + 13, sizeof(rules[0]) - 13, "annotate/solve.c.txt");
	expected_path(rules[1] + 12, sizeof(rules[1]) - 12, "annotate/spmv.h.txt");
	source.rules.rules[source.rules.n++] = rules[0];
	source.rules.rules[source.rules.n++] = rules[1];
	scene_report(&report, golden->scene, &by_thread);
	assert_int_equal(why_begin(&why, &report, golden->number, &diag), 0);
	report_release(&report);
	if (why.region[0]) {
		assert_int_equal(filter_add(&region, FILTER_REGION, why.region, &diag), 0);
		options.filter = &region;
	}
	scene_report(&report, golden->scene, &options);
	why_find_source(&why, &report, &names, &source);
	hide_paths(&why);
	text = print(golden, &why, &report);
	expected_compare(golden->file, text);
	free(text);
	why_release(&why);
	report_release(&report);
	filter_release(&region);
}

static void test_nothing(void **state)
{
	static const struct report_options by_thread = { .by_thread = 1 };
	struct report report;
	struct why why;
	struct diag diag;

	(void)state;
	scene_report(&report, "waits", &by_thread);
	report.advice.n = 0;
	assert_int_equal(why_begin(&why, &report, 1, &diag), -1);
	assert_string_equal(diag.text, "nothing stands out: 'Fix first' has no items");
	why_release(&why);
	report_release(&report);
}

static void test_directives(void **state)
{
	static const struct {
		enum advice_remedy before;
		const char *directive;
		enum advice_remedy after;
	} rows[] = {
		{ ADVICE_TRY_SPLIT, "", ADVICE_TRY_SPLIT },
		{ ADVICE_TRY_SPLIT, "#pragma omp parallel", ADVICE_TRY_SPLIT },
		{ ADVICE_TRY_SPLIT, "#pragma omp sections", ADVICE_TRY_SPLIT },
		{ ADVICE_TRY_SPLIT, "#pragma omp single", ADVICE_TRY_SINGLE },
		{ ADVICE_TRY_SPLIT, "#pragma omp single copyprivate(x)", ADVICE_TRY_SPLIT },
		{ ADVICE_TRY_SPLIT, "#pragma omp parallel for", ADVICE_TRY_DYNAMIC },
		{ ADVICE_TRY_SPLIT, "#pragma omp for schedule(dynamic, 4)", ADVICE_TRY_CHUNK },
		{ ADVICE_TRY_SPLIT, "!$OMP PARALLEL DO SCHEDULE (DYNAMIC)", ADVICE_TRY_LONGEST },
		{ ADVICE_TRY_SPLIT, "#pragma omp for schedule(dynamic, 1 )", ADVICE_TRY_LONGEST },
		{ ADVICE_TRY_SPLIT, "#pragma omp for schedule(dynamic,16)", ADVICE_TRY_CHUNK },
		{ ADVICE_TRY_SPLIT, "#pragma omp for schedule(dynamic, n)", ADVICE_TRY_CHUNK },
		{ ADVICE_TRY_SPLIT, "!$omp do private(form)", ADVICE_TRY_DYNAMIC },
		{ ADVICE_TRY_SPLIT, "#pragma omp parallel private(for_all)", ADVICE_TRY_SPLIT },
		{ ADVICE_TRY_DYNAMIC, "#pragma omp for schedule(dynamic)", ADVICE_TRY_LONGEST },
		{ ADVICE_TRY_GRAIN, "#pragma omp for", ADVICE_TRY_GRAIN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (why_refine(rows[i].before, rows[i].directive) != rows[i].after)
			fail_msg("%s", rows[i].directive);
}

/* A directive of several lines is known by each of them. */
static void test_lines(void **state)
{
	static char text[] = "  x = 1\n"
			     "!$omp parallel do &\n"
			     "!$omp&   schedule(static) & \n"
			     "!$omp private(i)\n"
			     "  do i = 1, n\n"
			     "\t#pragma omp for \\\n"
			     "\t\tschedule(dynamic)\n"
			     "  for (;;) x = a & \n"
			     "    b;\n"
			     "#pragma omp single /* for all */ nowait // dynamic \\\n"
			     "!$omp parallel & ! the loop is below\n"
			     "!$omp private(i) ! do it\n"
			     "  x = 1; // no omp for\n";
	static const struct {
		uint32_t line;
		const char *directive;
	} rows[] = {
		{ 1, "" },
		{ 2, "!$omp parallel do schedule(static) private(i)" },
		{ 3, "!$omp parallel do schedule(static) private(i)" },
		{ 4, "!$omp parallel do schedule(static) private(i)" },
		{ 5, "" },
		{ 6, "#pragma omp for schedule(dynamic)" },
		{ 8, "" },
		{ 10, "#pragma omp single   nowait" },
		{ 12, "!$omp parallel private(i)" },
		{ 13, "" },
		{ 99, "" },
	};
	struct source source = { .text = text, .n_bytes = sizeof(text) - 1 };
	uint32_t starts[32] = { 0 };

	(void)state;
	source.starts = starts;
	for (size_t i = 0; i < source.n_bytes; i++)
		if (text[i] == '\n')
			starts[++source.n_lines] = (uint32_t)i + 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char directive[WHY_DIRECTIVE_BYTES] = "";

		why_directive_at(directive, sizeof(directive), &source, rows[i].line);
		assert_string_equal(directive, rows[i].directive);
	}
}

/* A directive in the language of the file. */
static void test_languages(void **state)
{
	struct advice advice = { .remedy = ADVICE_TRY_GRAIN, .file = "/src/a.F90" };

	(void)state;
	assert_string_equal(advice_directive(&advice), "!$omp taskloop grainsize(1000)");
	advice.file = "/src/for.c";
	assert_string_equal(advice_directive(&advice), "#pragma omp taskloop grainsize(1000)");
	advice.file = "";
	assert_string_equal(advice_directive(&advice), "#pragma omp taskloop grainsize(1000)");
}

static void expect_command(const struct report *report, const char *expected)
{
	char text[512];

	report_command_of(text, sizeof(text), report, "annotate", NULL);
	assert_string_equal(text, expected);
}

static void test_commands(void **state)
{
	struct report report = { .given = "it's here", .sysroot = "/opt/arm" };

	(void)state;
	expect_command(&report, "ompprof annotate 'it'\\''s here' --sysroot /opt/arm");
	report.sysroot = NULL;
	report.given = "\x1b[31m'\\";
	expect_command(&report, "ompprof annotate $'\\033[31m\\'\\\\'");
}

/* Mutexes are not known by phase. */
static void test_command_of_phase(void **state)
{
	struct report_options options = { .view = TREE_USER };
	struct filter phases = { 0 };
	struct report report;
	struct diag diag;
	struct why why;
	char text[512];

	(void)state;
	scene_report(&report, "waits", &options);
	assert_int_equal(why_begin(&why, &report, 1, &diag), 0);
	assert_string_equal(why.advice.by, "lock");
	assert_non_null(strstr(why_command(&why, &report, 0, text, sizeof(text)), " --by lock"));
	assert_int_equal(filter_add(&phases, FILTER_PHASE, "none", &diag), 0);
	report.phases = &phases;
	assert_non_null(strstr(why_command(&why, &report, 0, text, sizeof(text)), " --by wait"));
	filter_release(&phases);
	why_release(&why);
	report_release(&report);
}

int main(void)
{
	struct CMUnitTest tests[N_GOLDENS + 6] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_directives),
		cmocka_unit_test(test_languages),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_command_of_phase),
	};

	for (size_t i = 0; i < N_GOLDENS; i++)
		tests[i + 6] = (struct CMUnitTest){
			.name = goldens[i].file,
			.test_func = test_golden,
			.initial_state = (void *)(uintptr_t)&goldens[i],
		};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
