/* SPDX-License-Identifier: Apache-2.0 */
/* What options of filters are taken and refused, places, names of any length, and regions within others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "src/filter.h"
#include "src/report.h"
#include "tests/unit/check_tree.h"

/* Options as on a command line. */
struct given {
	enum filter_kind kind;
	const char *text;
};

static void test_refused(void **state)
{
	static const struct given refused[] = { { FILTER_FOCUS, "" }, { FILTER_FOCUS, "(" },
		{ FILTER_IGNORE, "a{2,1}" }, { FILTER_IGNORE, "[" }, { FILTER_REGION, "" },
		{ FILTER_REGION, "*[" }, { FILTER_FOCUS, "(a)\\1" }, { FILTER_FOCUS, "a)b(c" },
		{ FILTER_THREAD, "" }, { FILTER_THREAD, "1," }, { FILTER_THREAD, ",1" },
		{ FILTER_THREAD, "3-1" }, { FILTER_THREAD, "1-" }, { FILTER_THREAD, "-1" },
		{ FILTER_THREAD, "1x" }, { FILTER_THREAD, "all" }, { FILTER_THREAD, "1 " },
		{ FILTER_THREAD, "12345678901" }, { FILTER_STATE, "" }, { FILTER_STATE, "work," },
		{ FILTER_STATE, "Work" }, { FILTER_STATE, "wor" }, { FILTER_STATE, "works" },
		{ FILTER_STATE, "work;idle" } };

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct filter filter = { 0 };
		struct diag diag = { "", "" };

		if (filter_add(&filter, refused[i].kind, refused[i].text, &diag) == 0)
			fail_msg("--%s '%s' was taken", filter_word(refused[i].kind),
				refused[i].text);
		assert_non_null(strstr(diag.text, filter_word(refused[i].kind)));
		filter_release(&filter);
	}
}

static void test_places(void **state)
{
	static const struct {
		const char *text, *file;
		uint32_t line;
		int is_place;
	} places[] = {
		{ "m.c:12", "/src/dir/m.c", 12, 1 },
		{ "m.c:12", "/src/dir/m.c", 120, 0 },
		{ "m.c:12", "/src/dir/xm.c", 12, 0 },
		{ "dir/m.c:12", "/src/dir/m.c", 12, 1 },
		{ "/src/dir/m.c:12", "/src/dir/m.c", 12, 1 },
		{ "mXc:12", "/src/dir/m.c", 12, 0 },
		{ "c++.cc:7", "c++.cc", 7, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct filter filter = { 0 };
		struct diag diag;

		assert_int_equal(filter_add(&filter, FILTER_REGION, places[i].text, &diag), 0);
		assert_int_equal(filter_match_line(&filter, places[i].file, places[i].line),
			places[i].is_place);
		filter_release(&filter);
	}
}

/* A name of a megabyte, which is a hundred thousand nodes', is matched once. */
static void test_long_names(void **state)
{
	enum { NODES = 100000, NAME_BYTES = 1 << 20 };
	char *long_name = malloc(NAME_BYTES);
	struct name_tree tree;
	struct filter filter = { 0 };
	struct diag diag;
	clock_t begin;
	uint8_t *hits;

	(void)state;
	memset(long_name, 'a', NAME_BYTES - 1);
	long_name[NAME_BYTES - 1] = '\0';
	assert_int_equal(name_tree_init(&tree, 1), 0);
	for (uint32_t i = 0; i < NODES; i++) {
		struct name_label label = { .kind = NAME_FUNCTION,
			.name = i ? tree.nodes[1].label.name : name_tree_intern(&tree, long_name),
			.module = "m",
			.file = "f.c",
			.line = i + 1,
			.decl_file = "",
			.function = "" };

		assert_true(name_tree_child(&tree, i / 2, &label) != NAMES_NONE);
	}
	assert_int_equal(filter_add(&filter, FILTER_FOCUS, "(a|aa)+b", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_IGNORE, "a.*a.*z$", &diag), 0);
	begin = clock();
	hits = filter_match(&filter, &tree);
	assert_true((clock() - begin) / CLOCKS_PER_SEC < 10);
	assert_non_null(hits);
	assert_int_equal(hits[NODES], 0);
	free(hits);
	filter_release(&filter);
	name_tree_release(&tree);
	free(long_name);
}

static void look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at)
{
	(void)data;
	(void)object;
	at->n = 1;
	at->symbol[0] = (struct symbol){ .name = "f",
		.linkage = "f",
		.file = "m.c",
		.line = (uint32_t)addr + 1,
		.decl_file = "" };
}

/* A region that was executed in another and by itself has one row: it stays, and is counted as mixed. */
static void test_mixed(void **state)
{
	struct report_options options = { .view = TREE_USER };
	struct filter filter = { 0 };
	struct report report;
	struct diag diag;
	struct build b;
	uint32_t root, ids[3];

	(void)state;
	build_program(&b);
	root = build_frame(&b, build_root(&b, build_thread(&b, 1)), USER, 0);
	ids[0] = build_region(&b, root, USER + 0x10, 1);
	ids[1] = build_region(&b, root, USER + 0x20, 1);
	root = build_frame(&b, build_context(&b, 1, ids[0]), USER + 0x30, 0);
	ids[2] = build_region(&b, root, USER + 0x20, 1);
	for (size_t i = 0; i < 3; i++)
		build_region_record(&b, ids[i], 1, 1000000, 1);
	memset(&report, 0, sizeof(report));
	assert_int_equal(profile_parse(&report.profile, b.bytes, b.size, "x", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_REGION, "m.c:16", &diag), 0);
	options.filter = &filter;
	assert_int_equal(report_make(&report, &options, look_up, NULL, &diag), 0);
	assert_int_equal(report.figures.n_regions, 2);
	assert_int_equal(report_shows(report.rows.regions, 0), 1);
	assert_int_equal(report_shows(report.rows.regions, 1), 1);
	assert_int_equal(report.rows.n_mixed, 1);
	assert_int_equal(report_shows_outside(&report), 0);
	report_release(&report);
	filter_release(&filter);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
