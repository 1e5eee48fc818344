/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ompprof annotate over the made-up runs: byte for byte against tests/data, the sources in
 * tests/data/annotate; whose figures are whose; what a person may type. With OMPPROF_UPDATE_GOLDEN set
 * the files are written instead: `make update-golden`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/annotate/annotate_print.h"
#include "tests/unit/command/expected.h"
#include "tests/unit/command/scene_report.h"
#include "tests/unit/scenes/scenes.h"

enum form { TEXT, JSON, CSV };

struct golden {
	const char *file; /* in tests/data */
	const char *scene;
	const char *place;
	enum form form;
	struct annotate_options options;
	int width; /* 0: 80 */
};

#define PLAIN                                                                                      \
	{                                                                                          \
		.context = 2                                                                       \
	}

static const struct golden goldens[] = {
	{ "annotate/region.txt", "cg", "solve_cg", TEXT, PLAIN, 0 },
	{ "annotate/narrow.txt", "cg", "solve_cg", TEXT, PLAIN, 60 },
	{ "annotate/inclusive.txt", "cg", "solve_cg", TEXT, { .context = 0, .is_inclusive = 1 },
		0 },
	{ "annotate/inlined.txt", "cg", NULL, TEXT, PLAIN, 0 },
	{ "annotate/all.txt", "cg", "spmv_row", TEXT, { .show_all = 1 }, 120 },
	{ "annotate/line.txt", "cg", "solve.c:126", TEXT, PLAIN, 0 },
	{ "annotate/file.txt", "cg", "solve.c", TEXT, PLAIN, 0 },
	{ "annotate/hostile.txt", "cg", "read_matrix", TEXT, { .show_all = 1 }, 0 },
	{ "annotate/missing.txt", "cg", "grow", TEXT, PLAIN, 0 },
	{ "annotate/stripped.txt", "cg", "stripped_kernel", TEXT, PLAIN, 0 },
	{ "annotate/waits.txt", "waits", "solve_cg", TEXT, PLAIN, 0 },
	{ "annotate/events.txt", "events", NULL, TEXT, PLAIN, 0 },
	{ "annotate/report.json", "waits", "solve_cg", JSON, PLAIN, 0 },
	{ "annotate/hostile.json", "cg", "io.c", JSON, PLAIN, 0 },
	{ "annotate/report.csv", "waits", "solve_cg", CSV, PLAIN, 0 },
	{ "annotate/hostile.csv", "cg", "io.c", CSV, PLAIN, 0 },
};

enum { N_GOLDENS = sizeof(goldens) / sizeof(goldens[0]) };

static const char *const scenes[] = { "cg", "faults", "waits", "native", "plain", "killed",
	"events", "unblamed", "guessed", "hostile", "long" };

enum { N_SCENES = sizeof(scenes) / sizeof(scenes[0]) };

static const struct names_options names = { TREE_USER, scene_lookup, NULL, NULL };

/* --- goldens --- */

static const char *const sources[] = { "cg.c", "solve.c", "spmv.h", "io.c" };

enum { N_SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* Where the sources of the made-up programs are. */
static void add_rules(struct source_rules *rules, char texts[N_SOURCES][2048])
{
	char folder[1024];

	expected_path(folder, sizeof(folder), "annotate");
	for (size_t i = 0; i < N_SOURCES; i++) {
		snprintf(texts[i], 2048, "/src/%s=%s/%s.txt", sources[i], folder, sources[i]);
		rules->rules[rules->n++] = texts[i];
	}
}

static char *render(const struct golden *golden)
{
	struct annotate_options options = golden->options;
	struct annotate_listing listing;
	struct terminal terminal;
	struct report report;
	struct diag diag;
	char rules[N_SOURCES][2048], *text = NULL;
	size_t size = 0;

	add_rules(&options.rules, rules);
	options.code_for_source = golden->form == TEXT;
	scene_report(&report, golden->scene, NULL);
	if (annotate_listing_make(&listing, &report, &names, golden->place, &options, &diag) != 0)
		fail_msg("%s", diag.text);
	/* The sources lie elsewhere on each machine. */
	for (size_t i = 0; i < listing.plan.n_sections; i++)
		strcpy(listing.plan.sections[i].source.path, listing.plan.sections[i].file);
	terminal_plain(&terminal, open_memstream(&text, &size));
	if (golden->width)
		terminal.width = golden->width;
	if (golden->form == JSON)
		annotate_print_json(&listing, &terminal);
	else if (golden->form == CSV)
		annotate_print_csv(&listing, &terminal);
	else
		annotate_print_text(&listing, &terminal);
	fclose(terminal.out);
	annotate_listing_release(&listing);
	report_release(&report);
	return text;
}

static void test_golden(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden);

	expected_compare(golden->file, text);
	free(text);
}

/* Whatever names and sources hold, text is text, and but for sentences as wide as it may be. */
static void test_harmless(void **state)
{
	const struct golden *golden = *state;
	char *text = render(golden), *line = text;
	size_t width = golden->width ? golden->width : 80, columns = 0;

	for (char *at = text; *at; at++) {
		if (*at == '\n') {
			line = at + 1;
			columns = 0;
			continue;
		}
		if (golden->form == CSV && *at == '\r' && at[1] == '\n')
			continue;
		assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
		columns += ((unsigned char)*at & 0xc0) != 0x80;
		if (columns > width && golden->form == TEXT && strncmp(line, "warning:", 8) != 0)
			fail_msg("%s: a line is longer than %zu columns", golden->file, width);
	}
	free(text);
}

/* --- figures --- */

static int same(const struct annotate_figures *a, const struct annotate_figures *b)
{
	return a->amount == b->amount && a->work_ns == b->work_ns && a->wait_ns == b->wait_ns &&
	       a->overhead_ns == b->overhead_ns && a->blame_ns == b->blame_ns &&
	       a->samples == b->samples;
}

static int is_code(const struct name_label *label)
{
	return label->kind == NAME_FUNCTION || label->kind == NAME_INLINED;
}

/* The function of a node of the named tree, a wait's being that of the code around it; or NULL. */
static const struct name_label *function_at(const struct name_tree *tree, uint32_t i)
{
	const struct name_label *label = tree->nodes[i].label;

	if (label->kind == NAME_WAIT || label->kind == NAME_RUNTIME)
		label = tree->nodes[tree->nodes[i].parent].label;
	if (is_code(label))
		return label;
	if ((label->kind == NAME_REGION || label->kind == NAME_TASK) && label->module[0])
		return label;
	return NULL;
}

static const char *function_name(const struct name_label *label)
{
	if (is_code(label))
		return label->name;
	return label->function[0] ? label->function : label->name;
}

static struct annotate_figures findings_of(const struct report *report, struct tree_metrics metrics)
{
	return annotate_figures_of(report, &metrics);
}

/* The same figures, made of the named tree: all functions of one name and object. */
static struct annotate_figures sum_names(
	const struct report *report, const char *name, const char *module)
{
	struct annotate_figures sum = { 0 };

	for (uint32_t i = 1; i < report->names.n_nodes; i++) {
		const struct name_label *label = function_at(&report->names, i);
		struct annotate_figures figures = findings_of(report, name_self(&report->names, i));

		if (label && strcmp(function_name(label), name) == 0 && label->module == module)
			annotate_add(&sum, &figures);
	}
	return sum;
}

static struct annotate_figures sum_places(
	const struct annotate *a, const char *name, const char *module)
{
	struct annotate_figures sum = { 0 };

	for (uint32_t i = 1; i < a->places.n_nodes; i++)
		if (a->places.nodes[i].parent == 0 &&
			strcmp(a->places.nodes[i].label->name, name) == 0 &&
			a->places.nodes[i].label->module == module)
			annotate_add(&sum, &a->self[i]);
	return sum;
}

/* Each function has what the named tree says it has itself, constructs' bodies and waits included. */
static void test_functions(void **state)
{
	struct annotate a;
	struct report report;

	scene_report(&report, *state, NULL);
	assert_int_equal(annotate_make(&a, &report, &names, ANNOTATE_FUNCTIONS), 0);
	for (uint32_t i = 1; i < a.places.n_nodes; i++) {
		const struct name_label *label = a.places.nodes[i].label;
		struct annotate_figures here, there;

		if (a.places.nodes[i].parent != 0)
			continue;
		here = sum_places(&a, label->name, label->module);
		there = sum_names(&report, label->name, label->module);
		if (!same(&here, &there))
			fail_msg("%s: %s: %llu ns, not %llu", (const char *)*state, label->name,
				(unsigned long long)here.amount, (unsigned long long)there.amount);
	}
	annotate_release(&a);
	report_release(&report);
}

/* Lines add up to their function or file, these to the run less what is of no code, and nothing has more than
   the run, or less than itself. */
static void check_sums(struct report *report, enum annotate_by by)
{
	struct annotate_figures all = annotate_figures_of(report, &report->totals.all);
	struct annotate_figures sum = { 0 }, rest = { 0 };
	struct annotate_figures *lines;
	struct annotate a;

	assert_int_equal(annotate_make(&a, report, &names, by), 0);
	lines = calloc(a.places.n_nodes, sizeof(*lines));
	for (uint32_t i = 1; i < a.places.n_nodes; i++) {
		assert_true(a.self[i].amount <= a.total[i].amount);
		assert_true(a.total[i].amount <= all.amount);
		assert_true(a.self[i].blame_ns <= a.total[i].blame_ns);
		assert_true(a.total[i].blame_ns <= all.blame_ns);
		annotate_add(a.places.nodes[i].parent ? &lines[a.places.nodes[i].parent] : &sum,
			&a.self[i]);
	}
	for (uint32_t i = 1; i < a.places.n_nodes; i++)
		if (a.places.nodes[i].parent == 0)
			assert_true(same(&lines[i], &a.self[i]));
	for (uint32_t i = 0; i < report->tree.n_nodes; i++) {
		struct annotate_figures figures = findings_of(report, tree_self(&report->tree, i));
		uint32_t code = annotate_code_of(&report->tree, i);

		if (code == NAMES_NONE || a.first[code] == a.first[code + 1])
			annotate_add(&rest, &figures);
	}
	annotate_add(&sum, &rest);
	assert_true(same(&sum, &all));
	free(lines);
	annotate_release(&a);
}

static void test_sums(void **state)
{
	struct report report;

	scene_report(&report, *state, NULL);
	check_sums(&report, ANNOTATE_FUNCTIONS);
	check_sums(&report, ANNOTATE_FILES);
	report_release(&report);
}

/* What is shown of a function adds up to it, whatever of it is shown. */
static void test_shown(void **state)
{
	static const struct annotate_options options = { .context = 1 };
	struct annotate_target target = { .function = NAMES_NONE };
	struct annotate a;
	struct report report;

	scene_report(&report, *state, NULL);
	assert_int_equal(annotate_make(&a, &report, &names, ANNOTATE_FUNCTIONS), 0);
	for (uint32_t i = 1; i < a.places.n_nodes; i++) {
		struct annotate_figures sum;
		struct annotate_plan plan;

		if (a.places.nodes[i].parent != 0)
			continue;
		assert_int_equal(annotate_plan_make(&plan, &a, i, &target, &options, 0), 0);
		sum = plan.nowhere.self;
		for (size_t k = 0; k < plan.n_sections; k++) {
			struct annotate_section *section = &plan.sections[k];

			for (size_t r = 0; r < section->n_ranges; r++)
				for (uint32_t n = section->ranges[r].first;
					n <= section->ranges[r].last; n++)
					if (annotate_row_at(section, n))
						annotate_add(
							&sum, &annotate_row_at(section, n)->self);
		}
		assert_true(same(&sum, &a.self[i]));
		annotate_plan_release(&plan);
	}
	annotate_release(&a);
	report_release(&report);
}

/* --- what a person types --- */

struct choice {
	const char *scene;
	const char *text;
	const char *function; /* NULL: a file; "": not found */
	const char *file;
	uint32_t line;
};

static const struct choice choices[] = {
	{ "cg", NULL, "spmv_row", NULL, 0 },
	{ "cg", "solve_cg", "solve_cg", NULL, 0 },
	{ "cg", "spmv_row (inlined)", "spmv_row", NULL, 0 },
	{ "cg", "grow (x4)", "grow", NULL, 0 },
	{ "cg", "solve.c", NULL, "/src/solve.c", 0 },
	{ "cg", "src/solve.c", NULL, "/src/solve.c", 0 },
	{ "cg", "../src/solve.c", NULL, "/src/solve.c", 0 },
	{ "cg", "/src/solve.c", NULL, "/src/solve.c", 0 },
	{ "cg", "/olve.c", "", NULL, 0 },
	{ "cg", "solve.c:126", "solve_cg", "/src/solve.c", 126 },
	{ "cg", "[omp parallel @solve.c:126]", "solve_cg", "/src/solve.c", 126 },
	{ "cg", "[omp parallel @solve.c:126] x400", "solve_cg", "/src/solve.c", 126 },
	{ "cg", "closing barrier solve.c:126", "solve_cg", "/src/solve.c", 126 },
	{ "cg", "solve.c:126 #2", "solve_cg", "/src/solve.c", 126 },
	{ "cg", "solve.c:123", "solve_cg", "/src/solve.c", 123 },
	{ "cg", "solve.c:7", NULL, "/src/solve.c", 7 },
	{ "cg", "spmv.h:31", "spmv_row", "/src/spmv.h", 31 },
	{ "cg", "pmv_r", "spmv_row", NULL, 0 },
	{ "cg", "sp..ow", "spmv_row", NULL, 0 },
	{ "cg", "^spmv_.*w$", "spmv_row", NULL, 0 },
	{ "cg", "nothing_like_it", "", NULL, 0 },
	{ "cg", "", "", NULL, 0 },
	{ "cg", "*", "", NULL, 0 },
	{ "cg", "[", "", NULL, 0 },
	{ "cg", "none.c:12", "", NULL, 0 },
	{ "empty", NULL, "", NULL, 0 },
	{ "empty", "main", "", NULL, 0 },
};

static void check_choice(const struct choice *choice, const struct annotate *a)
{
	struct annotate_target target;
	struct diag diag = { "", "" };
	const char *text = choice->text ? choice->text : "(nothing)";
	int is_missing = choice->function && !choice->function[0];

	if ((annotate_choose(&target, a, choice->text, &diag) != 0) != is_missing)
		fail_msg("'%s': found or not, it is the other way round: %s", text, diag.text);
	if (is_missing) {
		assert_true(diag.text[0]);
		return;
	}
	if (!choice->function != (target.function == NAMES_NONE))
		fail_msg("'%s': function or file, it is the other", text);
	if (choice->function)
		assert_string_equal(a->places.nodes[target.function].label->name, choice->function);
	if (choice->file)
		assert_string_equal(target.file, choice->file);
	else
		assert_null(target.file);
	assert_int_equal(target.line, choice->line);
}

static void test_choices(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		struct annotate a;
		struct report report;

		scene_report(&report, choices[i].scene, NULL);
		assert_int_equal(annotate_make(&a, &report, &names, ANNOTATE_FUNCTIONS), 0);
		check_choice(&choices[i], &a);
		annotate_release(&a);
		report_release(&report);
	}
}

/* Of several the one with most time is taken, and the next ones are named in that order. */
static void test_several(void **state)
{
	struct annotate_target target;
	struct annotate a;
	struct report report;
	struct diag diag;

	(void)state;
	scene_report(&report, "cg", NULL);
	assert_int_equal(annotate_make(&a, &report, &names, ANNOTATE_FUNCTIONS), 0);
	assert_int_equal(annotate_choose(&target, &a, "r", &diag), 0);
	assert_string_equal(a.places.nodes[target.function].label->name, "spmv_row");
	assert_true(target.n_others >= 3);
	for (size_t i = 0; i < target.n_others && i < ANNOTATE_MOST_OTHERS; i++)
		assert_true(a.self[i ? target.others[i - 1] : target.function].amount >=
			    a.self[target.others[i]].amount);
	annotate_release(&a);
	report_release(&report);
}

static size_t add_tests(struct CMUnitTest *tests)
{
	static char texts[2 * N_GOLDENS + 3 * N_SCENES][64];
	size_t n = 0;

	for (size_t i = 0; i < N_GOLDENS; i++) {
		void *row = (void *)(uintptr_t)&goldens[i];
		snprintf(texts[n], sizeof(texts[n]), "%s", goldens[i].file);
		tests[n] = (struct CMUnitTest){ texts[n], test_golden, NULL, NULL, row };
		n++;
		snprintf(texts[n], sizeof(texts[n]), "%s is harmless", goldens[i].file);
		tests[n] = (struct CMUnitTest){ texts[n], test_harmless, NULL, NULL, row };
		n++;
	}
	for (size_t i = 0; i < N_SCENES; i++) {
		void *scene = (void *)(uintptr_t)scenes[i];
		snprintf(texts[n], sizeof(texts[n]), "%s: functions", scenes[i]);
		tests[n] = (struct CMUnitTest){ texts[n], test_functions, NULL, NULL, scene };
		n++;
		snprintf(texts[n], sizeof(texts[n]), "%s: sums", scenes[i]);
		tests[n] = (struct CMUnitTest){ texts[n], test_sums, NULL, NULL, scene };
		n++;
		snprintf(texts[n], sizeof(texts[n]), "%s: what is shown", scenes[i]);
		tests[n] = (struct CMUnitTest){ texts[n], test_shown, NULL, NULL, scene };
		n++;
	}
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_choices);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_several);
	return n;
}

int main(void)
{
	static struct CMUnitTest tests[2 * N_GOLDENS + 3 * N_SCENES + 2];
	size_t n = add_tests(tests);

	return _cmocka_run_group_tests("annotate", tests, n, NULL, NULL);
}
