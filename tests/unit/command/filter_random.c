/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of a report on random profiles: what they leave is what a look at each path says, parts add up to
 * the whole in every figure and at every node, and order and repetition make no difference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/command/filtered.h"
#include "tests/unit/scenes/scenes.h"

enum { TERMS = 6 };

/* A sum, over reports with filters, that must come to the whole. */
struct sum {
	struct tree_metrics all, *nodes, *tree_nodes;
	size_t n, n_tree;
};

static void add_part(struct sum *sum, const struct build *b, enum tree_view view, int by_thread,
	const struct given *given)
{
	struct filter filter;
	struct report report;

	set_filter(&filter, given);
	make_report(&report, b, view, by_thread, &filter);
	if (!sum->nodes) {
		sum->n = report.names.n_nodes;
		sum->n_tree = report.tree.n_nodes;
		sum->nodes = calloc(sum->n, sizeof(*sum->nodes));
		sum->tree_nodes = calloc(sum->n_tree, sizeof(*sum->tree_nodes));
	}
	assert_int_equal(report.names.n_nodes, sum->n);
	assert_int_equal(report.tree.n_nodes, sum->n_tree);
	tree_metrics_add(&sum->all, &report.totals.shown);
	for (size_t i = 0; i < sum->n; i++) {
		struct tree_metrics self = name_self(&report.names, i);

		tree_metrics_add(&sum->nodes[i], &self);
	}
	for (size_t i = 0; i < sum->n_tree; i++) {
		struct tree_metrics self = tree_self(&report.tree, i);

		tree_metrics_add(&sum->tree_nodes[i], &self);
	}
	report_release(&report);
	filter_release(&filter);
}

static void check_whole(struct sum *sum, const struct build *b, enum tree_view view, int by_thread)
{
	struct report report;

	make_report(&report, b, view, by_thread, NULL);
	same_figures(sum->all, report.totals.all);
	same_figures(report.totals.shown, report.totals.all);
	for (size_t i = 0; i < sum->n; i++)
		same_figures(sum->nodes[i], name_self(&report.names, i));
	for (size_t i = 0; i < sum->n_tree; i++)
		same_figures(sum->tree_nodes[i], tree_self(&report.tree, i));
	report_release(&report);
	free(sum->nodes);
	free(sum->tree_nodes);
	*sum = (struct sum){ .nodes = NULL };
}

/* The parts, one option each, are together everything. */
static void check_parts(const struct build *b, enum filter_kind kind, const char *const *texts)
{
	static const struct {
		enum tree_view view;
		int by_thread;
	} ways[] = { { TREE_USER, 0 }, { TREE_FULL, 0 }, { TREE_USER, 1 }, { TREE_MACHINE, 0 } };

	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		struct sum sum = { .nodes = NULL };

		if (kind == FILTER_REGION && ways[way].view == TREE_MACHINE)
			continue;
		for (size_t i = 0; texts[i]; i++) {
			struct given given[] = { { kind, texts[i] }, { 0, NULL } };

			add_part(&sum, b, ways[way].view, ways[way].by_thread, given);
		}
		check_whole(&sum, b, ways[way].view, ways[way].by_thread);
	}
}

static void check_opposites(const struct build *b, const char *pattern)
{
	for (int view = TREE_USER; view <= TREE_MACHINE; view++) {
		struct given with[] = { { FILTER_FOCUS, pattern }, { 0, NULL } };
		struct given without[] = { { FILTER_IGNORE, pattern }, { 0, NULL } };
		struct sum sum = { .nodes = NULL };

		add_part(&sum, b, view, 0, with);
		add_part(&sum, b, view, 0, without);
		check_whole(&sum, b, view, 0);
	}
}

static void check_partitions(const struct build *b)
{
	static const char *const threads[] = { "0-1", "2", "3-999999999", NULL };
	static const char *const words[] = { "initial", "worker", "other,first,native", NULL };
	static const char *const states[] = { "work", "overhead", "barrier", "taskwait",
		"taskgroup", "lock", "critical", "ordered", "atomic", "target", "idle", "blocked",
		"mpi", NULL };
	static const char *const sums[] = { "work,overhead", "wait", NULL };
	static const char *const regions[] = { ".", "none", NULL };

	check_parts(b, FILTER_THREAD, threads);
	check_parts(b, FILTER_THREAD, words);
	check_parts(b, FILTER_STATE, states);
	check_parts(b, FILTER_STATE, sums);
	check_parts(b, FILTER_REGION, regions);
	check_opposites(b, "^beta$");
	check_opposites(b, "m\\.c:[3-5]$");
	check_opposites(b, "inner|parallel");
	check_opposites(b, "[+]0x");
}

static void test_parts_are_the_whole(void **state)
{
	(void)state;
	for_each_profile(check_partitions);
}

/* What a thread has is what its own tree has; what is in a state is what has its class. */
static void check_figures(const struct build *b)
{
	struct filter filter;
	struct report whole, part;
	struct name_totals totals;

	make_report(&whole, b, TREE_USER, 1, NULL);
	assert_int_equal(name_totals_make(&totals, &whole.names), 0);
	for (size_t i = 0; i < whole.profile.n_threads; i++) {
		struct tree_metrics expected = { .samples = 0 };
		char number[16];

		for (uint32_t k = 0; k < whole.tree.n_nodes; k++)
			if (whole.tree.nodes[k].kind == TREE_THREAD &&
				whole.tree.nodes[k].addr == i)
				expected = name_totals_get(&totals, whole.names.node_of[k]);
		snprintf(number, sizeof(number), "%u", whole.profile.threads[i].index);
		set_filter(&filter, (struct given[]){ { FILTER_THREAD, number }, { 0, NULL } });
		make_report(&part, b, TREE_USER, 0, &filter);
		same_figures(part.totals.shown, expected);
		report_release(&part);
		filter_release(&filter);
	}
	set_filter(&filter, (struct given[]){ { FILTER_STATE, "barrier" }, { 0, NULL } });
	make_report(&part, b, TREE_FULL, 0, &filter);
	assert_int_equal(part.totals.shown.time_ns[PROFILE_WAIT_BARRIER],
		whole.totals.all.time_ns[PROFILE_WAIT_BARRIER]);
	assert_int_equal(tree_metrics_time(&part.totals.shown),
		whole.totals.all.time_ns[PROFILE_WAIT_BARRIER]);
	assert_int_equal(part.totals.shown.blame_ns, 0);
	report_release(&part);
	filter_release(&filter);
	name_totals_release(&totals);
	report_release(&whole);
}

static void test_figures(void **state)
{
	(void)state;
	for_each_profile(check_figures);
}

/* By hand: whether the path of a named node has a function, and a region at all. */
static int has_on_path(const struct name_tree *tree, uint32_t i, const char *name)
{
	for (; i; i = tree->nodes[i].parent) {
		uint8_t kind = tree->nodes[i].label->kind;

		if ((kind == NAME_FUNCTION || kind == NAME_INLINED) &&
			strcmp(tree->nodes[i].label->name, name) == 0)
			return 1;
	}
	return 0;
}

static int is_in_region(const struct name_tree *tree, uint32_t i)
{
	for (; i; i = tree->nodes[i].parent)
		if (tree->nodes[i].label->kind == NAME_REGION)
			return 1;
	return 0;
}

static void check_nodes(const struct build *b, const struct given *given,
	int (*is_left)(const struct name_tree *tree, uint32_t i))
{
	const struct tree_metrics nothing = { .samples = 0 };
	struct report whole, part;
	struct filter filter;

	set_filter(&filter, given);
	make_report(&whole, b, TREE_USER, 0, NULL);
	make_report(&part, b, TREE_USER, 0, &filter);
	for (uint32_t i = 0; i < whole.names.n_nodes; i++)
		same_figures(name_self(&part.names, i),
			is_left(&whole.names, i) ? name_self(&whole.names, i) : nothing);
	report_release(&part);
	report_release(&whole);
	filter_release(&filter);
}

static int left_by_all(const struct name_tree *tree, uint32_t i)
{
	return (has_on_path(tree, i, "beta") || has_on_path(tree, i, "gamma")) &&
	       !has_on_path(tree, i, "inner") && !has_on_path(tree, i, "delta") &&
	       is_in_region(tree, i);
}

static int left_nowhere(const struct name_tree *tree, uint32_t i)
{
	(void)tree;
	(void)i;
	return 0;
}

static int left_outside(const struct name_tree *tree, uint32_t i)
{
	return !is_in_region(tree, i);
}

/* Of one kind any will do, all kinds must hold, and ignore takes away. */
static void check_by_hand(const struct build *b)
{
	static const struct given all[] = { { FILTER_FOCUS, "^beta$" },
		{ FILTER_IGNORE, "^inner$" }, { FILTER_FOCUS, "^gamma$" },
		{ FILTER_REGION, "omp (parallel|teams)" }, { FILTER_IGNORE, "^delta$" },
		{ 0, NULL } };
	static const struct given nothing[] = { { FILTER_FOCUS, "beta" }, { FILTER_IGNORE, "^b" },
		{ 0, NULL } };
	static const struct given outside[] = { { FILTER_REGION, "none" }, { 0, NULL } };

	check_nodes(b, all, left_by_all);
	check_nodes(b, nothing, left_nowhere);
	check_nodes(b, outside, left_outside);
}

static void test_by_hand(void **state)
{
	(void)state;
	for_each_profile(check_by_hand);
}

/* Code of a construct's body has no node of its own, but its lines can be asked for. */
static void test_body_lines(void **state)
{
	struct report whole, part;
	struct filter filter;
	struct build b;
	uint64_t expected_ns = 0;

	(void)state;
	assert_int_equal(scene_build(&b, "faults"), 0);
	make_named(&whole, &b, NULL, scene_lookup);
	for (uint32_t i = 1; i < whole.tree.n_nodes; i++) {
		uint32_t at = i;

		while (at && !(whole.tree.nodes[at].kind == TREE_FRAME &&
				     whole.names.place_of[at].line == 89 &&
				     strcmp(whole.names.place_of[at].file, "/src/assemble.c") == 0))
			at = whole.tree.nodes[at].parent;
		if (at) {
			struct tree_metrics self = tree_self(&whole.tree, i);

			expected_ns += tree_metrics_time(&self);
		}
	}
	assert_true(expected_ns > 0);
	set_filter(&filter, (struct given[]){ { FILTER_FOCUS, "^assemble[.]c:89$" }, { 0, NULL } });
	make_named(&part, &b, &filter, scene_lookup);
	assert_int_equal(tree_metrics_time(&part.totals.shown), expected_ns);
	report_release(&part);
	report_release(&whole);
	filter_release(&filter);
	build_release(&b);
}

/* Options in another order, or twice, leave the same. */
static void check_order(const struct build *b)
{
	static const struct given orders[][TERMS * 2 + 1] = {
		{ { FILTER_FOCUS, "beta|gamma" }, { FILTER_THREAD, "1-2" },
			{ FILTER_STATE, "work,barrier" }, { FILTER_IGNORE, "m.c:4" },
			{ FILTER_REGION, "m.c" } },
		{ { FILTER_REGION, "m.c" }, { FILTER_IGNORE, "m.c:4" },
			{ FILTER_STATE, "barrier,work" }, { FILTER_THREAD, "2,1" },
			{ FILTER_FOCUS, "gamma" }, { FILTER_FOCUS, "beta" } },
		{ { FILTER_FOCUS, "beta|gamma" }, { FILTER_FOCUS, "beta|gamma" },
			{ FILTER_THREAD, "1-2" }, { FILTER_THREAD, "2" },
			{ FILTER_STATE, "work,barrier" }, { FILTER_STATE, "work" },
			{ FILTER_IGNORE, "m.c:4" }, { FILTER_IGNORE, "m.c:4" },
			{ FILTER_REGION, "m.c" }, { FILTER_REGION, "m.c" } },
	};
	struct report first, other;
	struct filter filters[2];

	set_filter(&filters[0], orders[0]);
	make_report(&first, b, TREE_USER, 0, &filters[0]);
	for (size_t i = 1; i < sizeof(orders) / sizeof(orders[0]); i++) {
		set_filter(&filters[1], orders[i]);
		make_report(&other, b, TREE_USER, 0, &filters[1]);
		for (size_t k = 0; k < first.names.n_nodes; k++) {
			struct tree_metrics one = name_self(&other.names, k);
			struct tree_metrics same = name_self(&first.names, k);

			assert_memory_equal(&one, &same, sizeof(one));
		}
		report_release(&other);
		filter_release(&filters[1]);
	}
	report_release(&first);
	filter_release(&filters[0]);
}

static void test_order(void **state)
{
	(void)state;
	for_each_profile(check_order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_are_the_whole),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_body_lines),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests_name("filter_random", tests, NULL, NULL);
}
