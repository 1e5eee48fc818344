/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What options of filters are taken and refused, places, names of any length; which rows of tables are left,
 * and the machine view.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/attribution/check_tree.h"
#include "tests/unit/command/filtered.h"

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
			.name = i ? tree.nodes[1].label->name : name_tree_intern(&tree, long_name),
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
	hits = filter_match(&filter, FILTER_ALL, &tree);
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
	struct filter filter;
	struct report report;
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
	set_filter(&filter, (struct given[]){ { FILTER_REGION, "m.c:16" }, { 0, NULL } });
	make_named(&report, &b, &filter, look_up);
	assert_int_equal(report.figures.n_regions, 2);
	assert_int_equal(report_shows(report.rows.regions, 0), 1);
	assert_int_equal(report_shows(report.rows.regions, 1), 1);
	assert_int_equal(report.rows.n_mixed, 1);
	assert_int_equal(report_shows_outside(&report), 0);
	report_release(&report);
	filter_release(&filter);
	build_release(&b);
}

/* Which rows of the tables are left, and that those of regions are a partition, too. */
static void check_rows(const struct build *b)
{
	static const char *const regions[] = { ".", "none" };
	struct filter filter;
	struct report report;
	size_t n_waits = 0, n_mutexes = 0, n_all = 0;

	for (size_t i = 0; i < 2; i++) {
		set_filter(&filter, (struct given[]){ { FILTER_REGION, regions[i] }, { 0, NULL } });
		make_report(&report, b, TREE_USER, 0, &filter);
		n_all = report.figures.n_waits;
		n_mutexes = 0;
		for (size_t k = 0; k < report.figures.n_regions; k++)
			assert_int_equal(report_shows(report.rows.regions, k), i == 0);
		for (size_t k = 0; k < report.figures.n_waits; k++) {
			n_waits += (size_t)report_shows(report.rows.waits, k);
			n_mutexes += (size_t)findings_is_mutex(report.figures.waits[k].sum.kind);
		}
		assert_int_equal(report.rows.n_mixed, 0);
		report_release(&report);
		filter_release(&filter);
	}
	assert_int_equal(n_waits, n_all - n_mutexes);
	set_filter(&filter,
		(struct given[]){ { FILTER_THREAD, "2" }, { FILTER_STATE, "lock" }, { 0, NULL } });
	make_report(&report, b, TREE_USER, 0, &filter);
	for (size_t k = 0; k < report.metrics.n_threads; k++)
		assert_int_equal(
			report_shows(report.rows.threads, k), report.profile.threads[k].index == 2);
	for (size_t k = 0; k < report.figures.n_waits; k++)
		assert_int_equal(report_shows(report.rows.waits, k),
			report.figures.waits[k].sum.kind == PROFILE_LOCK ||
				report.figures.waits[k].sum.kind == PROFILE_NEST_LOCK);
	report_release(&report);
	filter_release(&filter);
}

static void test_rows(void **state)
{
	(void)state;
	for_each_profile(check_rows);
}

/* In the machine view every frame has its address, and nothing hangs under a region or a task. */
static void check_machine(const struct build *b)
{
	struct report report, full;

	make_report(&report, b, TREE_MACHINE, 0, NULL);
	make_report(&full, b, TREE_FULL, 1, NULL);
	same_figures(report.totals.all, full.totals.all);
	for (uint32_t i = 1; i < report.tree.n_nodes; i++) {
		const struct tree_node *node = &report.tree.nodes[i];
		const struct name_node *name = &report.names.nodes[report.names.node_of[i]];

		assert_true(node->kind != TREE_REGION && node->kind != TREE_TASK);
		assert_int_equal(tree_self(&report.tree, i).n_executions, 0);
		assert_true(node->parent != 0 || node->kind == TREE_THREAD);
		if (node->kind != TREE_FRAME)
			continue;
		assert_int_equal(name->label->kind, NAME_FUNCTION);
		assert_int_equal(name->label->addr, node->addr);
		assert_int_equal(name->parent, report.names.node_of[node->parent]);
		if (node->module < report.profile.n_modules)
			assert_int_equal(
				name->label->offset + report.profile.modules[node->module].bias,
				node->addr);
	}
	for (size_t i = 0; i < report.profile.n_nodes; i++) {
		const struct profile_tree_node *frame = &report.profile.nodes[i], *up;
		const struct tree_node *above =
			&report.tree.nodes[report.tree.nodes[report.tree.place[i]].parent];

		if (frame->kind != PROFILE_NODE_FRAME)
			continue;
		up = &report.profile.nodes[frame->parent];
		if (up->kind == PROFILE_NODE_FRAME)
			assert_int_equal(above->addr, up->addr);
		if (up->kind == PROFILE_NODE_CONTEXT)
			assert_true(above->kind == TREE_THREAD && above->addr == frame->owner);
	}
	report_release(&full);
	report_release(&report);
}

static void test_machine(void **state)
{
	(void)state;
	for_each_profile(check_machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_machine),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
