/* SPDX-License-Identifier: Apache-2.0 */
/* From the attributed tree to the named one: what merges, what folds, what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/views/view_flat.h"
#include "tests/unit/scenes/scenes.h"

#define AT(offset) (0x400000ull + (offset))
#define LIBC       0x7f0000000000ull
#define RUNTIME    0x7f0001000000ull
#define EXACT      PROFILE_FRAME_EXACT
#define OUTLINED   PROFILE_FRAME_OUTLINED

static const struct report_options user_view = { .view = TREE_USER };
static const struct report_options full_view = { .view = TREE_FULL };

/* A profile under construction with one thread, and what is made of it. */
struct fixture {
	struct build build;
	uint32_t root;
	struct report report;
};

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	build_begin(&f->build);
	build_module(&f->build, "/nowhere/bin/cg", AT(0), AT(0x10000), PROFILE_MODULE_MAIN);
	build_module(&f->build, "/nowhere/lib/libc.so.6", LIBC, LIBC + 0x100000, 0);
	f->root = build_root(&f->build, build_thread(&f->build, 1));
}

static uint32_t frame(struct fixture *f, uint32_t parent, uint64_t addr, uint8_t flags)
{
	return build_frame(&f->build, parent, addr, flags);
}

/* One sample of 1 ms of work in a frame of its own. */
static void work(struct fixture *f, uint32_t parent, uint64_t addr)
{
	build_samples(&f->build, frame(f, parent, addr, EXACT), PROFILE_WORK, 1, 1000000);
}

static void finish(struct fixture *f, const struct report_options *options)
{
	struct diag diag;

	if (profile_parse(&f->report.profile, f->build.bytes, f->build.size, "test", &diag) != 0 ||
		report_make(&f->report, options, scene_lookup, NULL, &diag) != 0)
		fail_msg("%s", diag.text);
}

static void end(struct fixture *f)
{
	report_release(&f->report);
	build_release(&f->build);
}

/* The node at a path of names, each led by '|'; NULL if there is none. */
static const struct name_node *find(const struct name_tree *names, const char *path)
{
	uint32_t at = 0;

	while (*path == '|') {
		size_t length = strcspn(++path, "|");
		uint32_t child = names->nodes[at].first_child;

		while (child != NAMES_NONE &&
			(strlen(names->nodes[child].label->name) != length ||
				memcmp(names->nodes[child].label->name, path, length) != 0))
			child = names->nodes[child].next_sibling;
		if (child == NAMES_NONE)
			return NULL;
		at = child;
		path += length;
	}
	return &names->nodes[at];
}

static struct tree_metrics figures(const struct name_tree *names, const struct name_node *node)
{
	return name_self(names, (size_t)(node - names->nodes));
}

static void expect_samples(const struct fixture *f, const char *path, uint64_t samples)
{
	const struct name_node *node = find(&f->report.names, path);

	if (!node)
		fail_msg("no node '%s'", path);
	assert_int_equal(figures(&f->report.names, node).samples, samples);
}

static void expect_executions(const struct fixture *f, const char *path, uint64_t n)
{
	const struct name_node *node = find(&f->report.names, path);

	assert_non_null(node);
	assert_int_equal(figures(&f->report.names, node).n_executions, n);
}

static void expect_none(const struct fixture *f, const char *path)
{
	if (find(&f->report.names, path))
		fail_msg("there is a node '%s'", path);
}

/* _start, two frames of libc, main. */
static uint32_t add_start(struct fixture *f)
{
	uint32_t at = frame(f, f->root, AT(0x1021), 0);

	at = frame(f, at, LIBC + 0x1000, 0);
	return frame(f, at, LIBC + 0x2000, 0);
}

static uint32_t add_main(struct fixture *f)
{
	return frame(f, add_start(f), AT(0x1145), 0);
}

static void test_callers_of_main_are_left_out(void **state)
{
	struct fixture f;

	begin(&f);
	work(&f, add_main(&f), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|main|read_matrix", 1);
	expect_none(&f, "|_start");
	end(&f);
}

static void test_callers_of_main_are_in_the_full_view(void **state)
{
	struct fixture f;

	begin(&f);
	work(&f, add_main(&f), AT(0x1844));
	finish(&f, &full_view);
	expect_samples(&f, "|_start|0xfff|0x1fff|main|read_matrix", 1);
	end(&f);
}

/* A sample in libc before main is not lost and not main's. */
static void test_startup_with_own_time_stays(void **state)
{
	struct fixture f;
	uint32_t start;

	begin(&f);
	start = add_start(&f);
	work(&f, frame(&f, start, AT(0x1145), 0), AT(0x1844));
	build_samples(&f.build, start, PROFILE_WORK, 3, 3000000);
	work(&f, start, AT(0x1f44));
	finish(&f, &user_view);
	expect_samples(&f, "|_start|0xfff|0x1fff", 3);
	expect_samples(&f, "|main|read_matrix", 1);
	expect_samples(&f, "|construct", 1);
	end(&f);
}

/* Whatever called main: a wrapper of the program's own, or code in a part of main split off. */
static void test_any_caller_of_main_is_left_out(void **state)
{
	struct fixture f;
	uint32_t start;

	begin(&f);
	start = frame(&f, add_start(&f), AT(0x1f11), 0);
	work(&f, frame(&f, start, AT(0x1145), 0), AT(0x1844));
	start = frame(&f, f.root, AT(0x1f21), 0);
	work(&f, frame(&f, start, AT(0x2311), 0), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|main|read_matrix", 1);
	expect_samples(&f, "|main.cold|read_matrix", 1);
	expect_none(&f, "|construct");
	end(&f);
}

static void test_thread_begins_at_its_function(void **state)
{
	struct fixture f;
	uint32_t at;

	begin(&f);
	at = build_root(&f.build, build_thread(&f.build, 0));
	at = frame(&f, frame(&f, at, LIBC + 0x3001, 0), AT(0x2111), 0);
	work(&f, frame(&f, at, AT(0x1911), 0), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|log_thread|read_matrix", 1);
	end(&f);
}

/* A caller is looked up at the call, a sampled frame where it stood. */
static void test_return_addresses(void **state)
{
	struct fixture f;

	begin(&f);
	work(&f, frame(&f, f.root, AT(0x1300), 0), AT(0x1200));
	finish(&f, &user_view);
	expect_samples(&f, "|solve_cg|solve_cg", 1);
	end(&f);
}

static void test_inlined_chain(void **state)
{
	const struct name_node *node;
	struct fixture f;

	begin(&f);
	work(&f, f.root, AT(0x1390));
	finish(&f, &user_view);
	node = find(&f.report.names, "|solve_cg.omp_outlined");
	assert_non_null(node);
	assert_int_equal(node->label->kind, NAME_FUNCTION);
	assert_int_equal(node->label->line, 144);
	node = find(&f.report.names, "|solve_cg.omp_outlined|spmv_row");
	assert_non_null(node);
	assert_int_equal(node->label->kind, NAME_INLINED);
	assert_int_equal(node->label->line, 32);
	assert_string_equal(node->label->file, "/src/spmv.h");
	assert_int_equal(figures(&f.report.names, node).samples, 1);
	end(&f);
}

static void test_same_line_merges(void **state)
{
	struct fixture f;

	begin(&f);
	work(&f, f.root, AT(0x1840));
	work(&f, f.root, AT(0x1844));
	work(&f, f.root, AT(0x1850));
	finish(&f, &user_view);
	assert_int_equal(f.report.names.n_nodes, 3);
	expect_samples(&f, "|read_matrix", 1); /* the line that came last */
	end(&f);
}

static void test_fold_merges_lines_and_recursion(void **state)
{
	struct name_tree folded;
	const struct name_node *node;
	struct fixture f;
	uint32_t at;

	begin(&f);
	at = f.root;
	for (int i = 0; i < 5; i++)
		at = frame(&f, at, AT(0x1711 + 0x10 * i), 0);
	work(&f, at, AT(0x1840));
	work(&f, at, AT(0x1850));
	finish(&f, &user_view);
	assert_int_equal(name_tree_fold(&folded, &f.report.names), 0);
	node = find(&folded, "|grow");
	assert_non_null(node);
	assert_int_equal(node->repeats, 5);
	node = find(&folded, "|grow|read_matrix");
	assert_non_null(node);
	assert_int_equal(figures(&folded, node).samples, 2);
	assert_int_equal(node->repeats, 1);
	name_tree_release(&folded);
	end(&f);
}

/* The body's own time is the region's; what is inlined into the body stays. */
static void test_outlined_folds_into_region(void **state)
{
	struct fixture f;
	uint32_t region, at;

	begin(&f);
	region = build_region(&f.build, add_main(&f), AT(0x1151), 7);
	at = frame(&f, region, AT(0x2011), OUTLINED | EXACT);
	build_samples(&f.build, at, PROFILE_WORK, 2, 2000000);
	at = frame(&f, region, AT(0x2091), OUTLINED | EXACT);
	build_samples(&f.build, at, PROFILE_WORK, 5, 5000000);
	work(&f, frame(&f, region, AT(0x2021), OUTLINED), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]", 2);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]|kernel", 5);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]|read_matrix", 1);
	expect_executions(&f, "|main|[omp parallel @cg.c:95]", 7);
	end(&f);
}

static void test_outlined_stays_in_full_view(void **state)
{
	struct fixture f;
	uint32_t region;

	begin(&f);
	region = build_region(&f.build, f.root, AT(0x1151), 7);
	work(&f, frame(&f, region, AT(0x2021), OUTLINED), AT(0x1844));
	finish(&f, &full_view);
	expect_samples(&f, "|[omp parallel @cg.c:95]|main._omp_fn.0|read_matrix", 1);
	end(&f);
}

/* clang -O0 makes two functions of a body, one below the other. */
static void test_two_levels_fold(void **state)
{
	struct fixture f;
	uint32_t region, at;

	begin(&f);
	region = build_region(&f.build, add_main(&f), AT(0x1151), 1);
	at = frame(&f, region, AT(0x1511), OUTLINED);
	work(&f, frame(&f, at, AT(0x1e11), 0), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]|read_matrix", 1);
	end(&f);
}

/* A body whose name says nothing, as in a stripped program, is known by its mark. */
static void test_outlined_without_name_folds(void **state)
{
	struct fixture f;
	uint32_t region;

	begin(&f);
	region = build_region(&f.build, f.root, AT(0x1151), 1);
	work(&f, frame(&f, region, AT(0x9011), OUTLINED), AT(0x1844));
	finish(&f, &user_view);
	expect_samples(&f, "|[omp parallel @cg.c:95]|read_matrix", 1);
	end(&f);
}

/*
 * The function that a body jumps to stands in its place: it is no compiler's artefact, and one node
 * with the same function that another body calls.
 */
static void test_function_jumped_to_stays(void **state)
{
	struct fixture f;
	uint32_t region;

	begin(&f);
	region = build_region(&f.build, add_main(&f), AT(0x1151), 7);
	work(&f, frame(&f, region, AT(0x2021), OUTLINED), AT(0x1844));
	build_samples(&f.build, frame(&f, region, AT(0x1844), OUTLINED | EXACT), PROFILE_WORK, 2,
		2000000);
	work(&f, frame(&f, region, AT(0x1845), OUTLINED), AT(0x1711));
	finish(&f, &user_view);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]", 0);
	expect_samples(&f, "|main|[omp parallel @cg.c:95]|read_matrix", 3);
	assert_int_equal(f.report.names.n_nodes, 5); /* root, main, region, it, grow */
	end(&f);
}

/* Two regions of solve_cg called from one line, with these bodies. */
static void begin_twins(struct fixture *f, uint64_t first_body, uint64_t second_body)
{
	uint32_t at, region;

	begin(f);
	at = add_main(f);
	region = build_region(&f->build, frame(f, at, AT(0x1209), 0), AT(0x1209), 3);
	work(f, frame(f, region, second_body, OUTLINED), AT(0x1711));
	region = build_region(&f->build, frame(f, at, AT(0x1205), 0), AT(0x1205), 5);
	work(f, frame(f, region, first_body, OUTLINED), AT(0x1711));
	work(f, region, AT(0x1844));
	finish(f, &user_view);
}

static void test_regions_of_one_line_are_numbered(void **state)
{
	/* The bodies' names tell them apart; so does an address when a body is not to be seen. */
	static const uint64_t bodies[][2] = { { 0x1311, 0x2011 }, { 0x1711, 0x1721 } };
	struct fixture f;

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		begin_twins(&f, AT(bodies[i][0]), AT(bodies[i][1]));
		expect_samples(&f, "|main|solve_cg|[omp parallel @solve.c:120 #1]|read_matrix", 1);
		expect_none(&f, "|main|solve_cg|[omp parallel @solve.c:120 #2]|read_matrix");
		expect_executions(&f, "|main|solve_cg|[omp parallel @solve.c:120 #2]", 3);
		end(&f);
	}
}

/* A region in a loop that the compiler unrolled is one. */
static void test_one_region_called_twice_is_one(void **state)
{
	struct fixture f;

	begin_twins(&f, AT(0x1311), AT(0x1321));
	expect_executions(&f, "|main|solve_cg|[omp parallel @solve.c:120]", 8);
	end(&f);
}

/*
 * What the program's code says of its calls: 0x1204 begins gcc's outlined function, 0x1208 begins
 * nothing, so the call that begins the construct was a tail call.
 */
static int find_body(void *data, const struct symbols_object *object, uint64_t addr,
	enum names_function which, struct symbol *body)
{
	int is_code = which == NAMES_AROUND;

	*body = (struct symbol){ .name = "solve_cg._omp_fn.0", .file = "/nowhere/body.c" };
	body->line = is_code ? (uint32_t)(addr & 0xfff) : 77;
	return is_code || addr == 0x1205 ? 1 : -1;
}

/* The call that returns to 0x1209 is of a function that jumped at 0x1741, 0x1419 of one elsewhere. */
static int find_tail(void *data, const struct symbols_object *object, uint64_t addr,
	enum names_function which, struct symbol *function)
{
	(void)data;
	(void)object;
	*function = (struct symbol){ .name = "0x1741", .file = "", .decl_file = "", .line = 1 };
	if ((addr & 0xffff) == 0x1419) {
		function->name = "elsewhere";
		function->line = 0;
	}
	return which == NAMES_TAIL && (addr & 0xffff) != 0x1809;
}

static void name_by(struct fixture *f, names_body *body)
{
	const struct names_options options = { TREE_USER, scene_lookup, NULL, body };
	struct diag diag;

	name_tree_release(&f->report.names);
	assert_int_equal(
		names_build(&f->report.names, &f->report.tree, &f->report.profile, &options, &diag),
		0);
}

/* A wait is in the function that ended with a jump into the runtime, if one did. */
static void test_wait_of_a_tail_call(void **state)
{
	struct fixture f;
	const uint64_t calls[] = { AT(0x1209), AT(0x1419), AT(0x1809) };
	uint32_t main_node;

	begin(&f);
	main_node = add_main(&f);
	for (size_t i = 0; i < 3; i++)
		build_wait(&f.build, frame(&f, main_node, calls[i], 0), PROFILE_TASKWAIT, 0, 3, 10);
	finish(&f, &user_view);
	name_by(&f, find_tail);
	assert_non_null(find(&f.report.names, "|main|solve_cg|grow|[taskwait]"));
	assert_non_null(find(&f.report.names, "|main|build_tree|elsewhere|[taskwait]"));
	assert_non_null(find(&f.report.names, "|main|read_matrix|[taskwait]"));
	end(&f);
}

static void name_by_bodies(struct fixture *f)
{
	name_by(f, find_body);
}

/* Where the call of the runtime does not tell a construct's place, its outlined function does. */
static void test_place_of_body(void **state)
{
	struct fixture f;

	begin_twins(&f, AT(0x1311), AT(0x1321));
	name_by_bodies(&f);
	expect_executions(&f, "|main|solve_cg|[omp parallel @body.c:77]", 5);
	expect_executions(&f, "|main|solve_cg|[omp parallel @body.c:800]", 3);
	end(&f);
}

/* Two constructs that are reached by tail calls of one place cannot be told apart. */
static void test_two_bodies_of_one_call(void **state)
{
	struct fixture f;
	uint32_t region;

	begin(&f);
	region = build_region(&f.build, add_main(&f), AT(0x1209), 7);
	work(&f, frame(&f, region, AT(0x1311), OUTLINED), AT(0x1711));
	work(&f, frame(&f, region, AT(0x2011), OUTLINED), AT(0x1711));
	finish(&f, &user_view);
	name_by_bodies(&f);
	expect_executions(&f, "|main|[omp parallel @body.c:784 +1 more]", 7);
	end(&f);
}

static void expect_construct(uint64_t codeptr, int is_task, uint8_t flags, const char *path)
{
	struct fixture f;
	uint32_t id;

	begin(&f);
	id = is_task ? build_task(&f.build, f.root, codeptr, 1)
		     : build_region(&f.build, f.root, codeptr, 1);
	build_node_at(&f.build, id)->flags = flags;
	work(&f, id, AT(0x1844));
	finish(&f, &user_view);
	if (!find(&f.report.names, path))
		fail_msg("no '%s' but '%s'", path, f.report.names.nodes[1].label->name);
	end(&f);
}

static void test_construct_names(void **state)
{
	expect_construct(AT(0x1251), 0, 0, "|[omp parallel @solve.c:125]");
	expect_construct(AT(0x1250), 0, 0, "|[omp parallel @solve.c:124]");
	expect_construct(AT(0x1251), 0, PROFILE_REGION_LEAGUE, "|[omp teams @solve.c:125]");
	expect_construct(AT(0x1251), 1, 0, "|[omp task @solve.c:125]");
	expect_construct(AT(0x1251), 1, PROFILE_TASK_TARGET, "|[omp target task @solve.c:125]");
	expect_construct(AT(0x1a51), 0, 0, "|[omp parallel @stripped_kernel 0x1a50]");
	expect_construct(AT(0x9051), 0, 0, "|[omp parallel @cg+0x9050]");
	expect_construct(0xdead0001, 0, 0, "|[omp parallel @0xdead0000]");
	expect_construct(0, 0, 0, "|[omp parallel]");
}

/* The function that contains a construct is the one people wrote. */
static void test_construct_function(void **state)
{
	const struct name_node *node;
	struct fixture f;
	uint32_t region, at;

	begin(&f);
	region = build_region(&f.build, add_main(&f), AT(0x1151), 1);
	at = frame(&f, region, AT(0x2011), OUTLINED);
	work(&f, build_task(&f.build, at, AT(0x2021), 1), AT(0x1844));
	at = frame(&f, region, AT(0x1511), OUTLINED);
	work(&f, build_task(&f.build, at, AT(0x1521), 1), AT(0x1844));
	finish(&f, &user_view);
	node = find(&f.report.names, "|main|[omp parallel @cg.c:95]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "main");
	node = find(&f.report.names, "|main|[omp parallel @cg.c:95]|[omp task @cg.c:97]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "main"); /* main._omp_fn.0 */
	node = find(&f.report.names, "|main|[omp parallel @cg.c:95]|[omp task @tree.c:50]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "main"); /* .omp_outlined..1 */
	end(&f);
}

/* clang inlines the host's version of a target construct. The construct is where it was inlined. */
static void test_target_in_inlined_code(void **state)
{
	const struct name_node *node;
	struct fixture f;

	begin(&f);
	work(&f, build_target(&f.build, add_main(&f), PROFILE_TARGET_CONSTRUCT, AT(0x2a91), 1),
		AT(0x1844));
	finish(&f, &user_view);
	node = find(&f.report.names, "|main|[omp target @kernel.c:52]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "update");
	end(&f);
}

/* libomp creates a taskloop's tasks itself: they are where the user's code called it. */
static void test_taskloop(void **state)
{
	const struct name_node *node;
	struct fixture f;
	uint32_t at;

	begin(&f);
	build_module(&f.build, "/nowhere/lib/libomp.so.5", RUNTIME, RUNTIME + 0x100000,
		PROFILE_MODULE_RUNTIME);
	at = frame(&f, add_main(&f), AT(0x1421), 0);
	at = frame(&f, at, RUNTIME + 0x2211, PROFILE_FRAME_RUNTIME);
	work(&f, build_task(&f.build, at, RUNTIME + 0x2221, 9), AT(0x1844));
	finish(&f, &user_view);
	node = find(&f.report.names, "|main|build_tree|[omp taskloop @tree.c:42]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "build_tree");
	assert_string_equal(node->label->module, "/nowhere/bin/cg");
	end(&f);
}

/* A nameless body's function is that of its region, even if the region's own path was lost. */
static void test_construct_function_without_path(void **state)
{
	const struct name_node *node;
	struct fixture f;
	uint32_t at;

	begin(&f);
	at = build_region(&f.build, f.root, AT(0x1151), 1);
	at = frame(&f, at, AT(0x1511), OUTLINED);
	work(&f, build_task(&f.build, at, AT(0x1521), 1), AT(0x1844));
	finish(&f, &user_view);
	node = find(&f.report.names, "|[omp parallel @cg.c:95]|[omp task @tree.c:50]");
	assert_non_null(node);
	assert_string_equal(node->label->function, "main");
	end(&f);
}

static void test_outlined_names(void **state)
{
	static const char *const outlined[] = { "main.omp_outlined", ".omp_outlined..1",
		".omp_outlined.", "main._omp_fn.0", ".omp_task_entry.",
		"solve.omp_outlined_debug__", ".omp_outlined._debug__", "_QMmymodPsolve..omp_par",
		"mymod::solve.omp_par", "A::run() [clone .omp_outlined]",
		"__mymod_MOD_solve._omp_fn.0" };
	static const char *const others[] = { "main", "omp_outlined_test", "my_omp_fn", "" };

	for (size_t i = 0; i < sizeof(outlined) / sizeof(outlined[0]); i++)
		if (!names_is_outlined(outlined[i]))
			fail_msg("'%s' is not taken for outlined", outlined[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (names_is_outlined(others[i]))
			fail_msg("'%s' is taken for outlined", others[i]);
}

/* Whatever is folded, merged or left out: no sample and no time is lost or counted twice. */
static void check_sums(const char *scene, const struct report_options *options)
{
	struct tree_metrics sum = { 0 }, flat_sum = { 0 }, all;
	struct name_totals totals;
	struct report report;
	struct build build;
	struct flat flat;
	struct diag diag;

	memset(&report, 0, sizeof(report));
	assert_int_equal(scene_build(&build, scene), 0);
	assert_int_equal(profile_parse(&report.profile, build.bytes, build.size, scene, &diag), 0);
	assert_int_equal(report_make(&report, options, scene_lookup, NULL, &diag), 0);
	for (size_t i = 0; i < report.profile.n_nodes; i++) {
		const struct profile_tree_node *node = &report.profile.nodes[i];
		if (node->kind != PROFILE_NODE_SAMPLES)
			continue;
		sum.samples += node->n;
		sum.time_ns[node->addr] += node->time_ns;
		sum.events += node->events;
	}
	assert_int_equal(name_totals_make(&totals, &report.names), 0);
	all = name_totals_get(&totals, 0);
	all.n_executions = 0;
	assert_memory_equal(&all, &sum, sizeof(sum));
	assert_int_equal(flat_make(&flat, &report, flat_by_function), 0);
	for (size_t i = 0; i < flat.names.n_nodes; i++) {
		struct tree_metrics self = name_self(&flat.names, i);

		tree_metrics_add(&flat_sum, &self);
	}
	flat_sum.n_executions = 0;
	assert_memory_equal(&flat_sum, &sum, sizeof(sum));
	for (size_t i = 0; i < flat.names.n_nodes; i++)
		assert_true(name_totals_get(&flat.totals, i).samples <= sum.samples);
	flat_release(&flat);
	name_totals_release(&totals);
	report_release(&report);
	build_release(&build);
}

static void test_sums(void **state)
{
	static const char *const scenes[] = { "cg", "crowded", "killed", "events", "hostile",
		"empty" };
	static const struct report_options options[] = {
		{ .view = TREE_USER },
		{ .view = TREE_FULL },
		{ .view = TREE_USER, .by_thread = 1 },
		{ .view = TREE_FULL, .by_thread = 1 },
	};

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		for (size_t k = 0; k < sizeof(options) / sizeof(options[0]); k++)
			check_sums(scenes[i], &options[k]);
}

/* What a function took with all it calls counts each sample once, however deep it recurses. */
static void test_recursion_counts_once(void **state)
{
	struct name_label label;
	struct fixture f;
	struct flat flat;
	uint32_t at, function;

	begin(&f);
	at = f.root;
	for (int i = 0; i < 6; i++)
		at = frame(&f, at, i % 2 ? AT(0x1711) : AT(0x1811), 0);
	work(&f, at, AT(0x1844));
	finish(&f, &user_view);
	assert_int_equal(flat_make(&flat, &f.report, flat_by_function), 0);
	label = flat_label(find(&f.report.names, "|read_matrix")->label);
	function = name_tree_child(&flat.names, 0, &label);
	assert_int_equal(name_totals_get(&flat.totals, function).samples, 1);
	flat_release(&flat);
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callers_of_main_are_left_out),
		cmocka_unit_test(test_callers_of_main_are_in_the_full_view),
		cmocka_unit_test(test_startup_with_own_time_stays),
		cmocka_unit_test(test_any_caller_of_main_is_left_out),
		cmocka_unit_test(test_thread_begins_at_its_function),
		cmocka_unit_test(test_return_addresses),
		cmocka_unit_test(test_inlined_chain),
		cmocka_unit_test(test_same_line_merges),
		cmocka_unit_test(test_fold_merges_lines_and_recursion),
		cmocka_unit_test(test_outlined_folds_into_region),
		cmocka_unit_test(test_outlined_stays_in_full_view),
		cmocka_unit_test(test_two_levels_fold),
		cmocka_unit_test(test_outlined_without_name_folds),
		cmocka_unit_test(test_function_jumped_to_stays),
		cmocka_unit_test(test_regions_of_one_line_are_numbered),
		cmocka_unit_test(test_one_region_called_twice_is_one),
		cmocka_unit_test(test_place_of_body),
		cmocka_unit_test(test_two_bodies_of_one_call),
		cmocka_unit_test(test_wait_of_a_tail_call),
		cmocka_unit_test(test_construct_names),
		cmocka_unit_test(test_construct_function),
		cmocka_unit_test(test_target_in_inlined_code),
		cmocka_unit_test(test_construct_function_without_path),
		cmocka_unit_test(test_taskloop),
		cmocka_unit_test(test_outlined_names),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_recursion_counts_once),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
