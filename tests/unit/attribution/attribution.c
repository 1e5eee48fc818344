/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree: where every kind of sample ends up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/attribution/check_tree.h"

static void test_empty(void **state)
{
	struct build b;

	build_begin(&b);
	check_view(&b, TREE_USER, 0, "root\n");
	check_view(&b, TREE_FULL, 1, "root\n");
	build_thread(&b, 1);
	check_view(&b, TREE_USER, 0, "root\n");
	check_view(&b, TREE_USER, 1, "root\n thread 0\n");
	build_release(&b);
}

static void test_serial_code(void **state)
{
	struct build b;
	uint32_t main, leaf;

	build_program(&b);
	build_thread(&b, 1);
	main = build_frame(&b, build_root(&b, 1), USER + 0x10, 0);
	build_samples(
		&b, build_frame(&b, main, USER + 0x20, PROFILE_FRAME_EXACT), PROFILE_WORK, 2, 20);
	leaf = build_frame(&b, main, LIBC + 1, PROFILE_FRAME_EXACT);
	build_samples(&b, leaf, PROFILE_WORK, 3, 30);
	build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1);
	check_view(&b, TREE_USER, 0,
		"root n=1 work=1\n"
		" frame 10010\n"
		"  frame 10020 e n=2 work=20\n"
		"  frame 30001 e n=3 work=30\n");
	build_release(&b);
}

/* Every class of sample, in a user frame, in a runtime frame and under no frame. */
static void test_every_class(void **state)
{
	struct build b;
	uint32_t user, runtime;

	build_program(&b);
	build_thread(&b, 1);
	user = build_frame(&b, build_root(&b, 1), USER + 1, 0);
	runtime = build_frame(&b, user, RUNTIME + 1, PROFILE_FRAME_RUNTIME);
	for (int class = 0; class < PROFILE_N_CLASSES; class ++) {
		build_samples(&b, user, class, 1, 1);
		build_samples(&b, runtime, class, 1, 2);
		build_samples(&b, build_root(&b, 1), class, 1, 4);
	}
	check_view(&b, TREE_USER, 0,
		"root n=1 work=4\n"
		" frame 10001 n=1 work=1\n"
		"  runtime overhead n=3 overhead=5\n"
		"  wait barrier n=2 barrier=3\n"
		"  wait taskwait n=2 taskwait=3\n"
		"  wait taskgroup n=2 taskgroup=3\n"
		"  wait lock n=2 lock=3\n"
		"  wait critical n=2 critical=3\n"
		"  wait ordered n=2 ordered=3\n"
		"  wait atomic n=2 atomic=3\n"
		"  wait target n=2 target=3\n"
		"  wait blocked n=2 blocked=3\n"
		"  wait mpi n=2 mpi=3\n"
		" runtime overhead n=1 overhead=4\n"
		" wait barrier n=1 barrier=4\n"
		" wait taskwait n=1 taskwait=4\n"
		" wait taskgroup n=1 taskgroup=4\n"
		" wait lock n=1 lock=4\n"
		" wait critical n=1 critical=4\n"
		" wait ordered n=1 ordered=4\n"
		" wait atomic n=1 atomic=4\n"
		" wait target n=1 target=4\n"
		" wait idle n=3 idle=7\n"
		" wait blocked n=1 blocked=4\n"
		" wait mpi n=1 mpi=4\n");
	check_view(&b, TREE_FULL, 0,
		"root n=1 work=4\n"
		" frame 10001 n=13 work=1 overhead=1 barrier=1 taskwait=1 taskgroup=1 lock=1"
		" critical=1 ordered=1 atomic=1 target=1 idle=1 blocked=1 mpi=1\n"
		"  frame 20001 r n=13 overhead=4 barrier=2 taskwait=2 taskgroup=2 lock=2"
		" critical=2 ordered=2 atomic=2 target=2 idle=2 blocked=2 mpi=2\n"
		" runtime overhead n=1 overhead=4\n"
		" wait barrier n=1 barrier=4\n"
		" wait taskwait n=1 taskwait=4\n"
		" wait taskgroup n=1 taskgroup=4\n"
		" wait lock n=1 lock=4\n"
		" wait critical n=1 critical=4\n"
		" wait ordered n=1 ordered=4\n"
		" wait atomic n=1 atomic=4\n"
		" wait target n=1 target=4\n"
		" wait idle n=1 idle=4\n"
		" wait blocked n=1 blocked=4\n"
		" wait mpi n=1 mpi=4\n");
	build_release(&b);
}

static void test_workers_join_the_region(void **state)
{
	struct build b;
	uint32_t region = build_main_region(&b, 2);

	for (uint32_t thread = 1; thread <= 2; thread++) {
		uint32_t body = build_frame(&b, build_context(&b, thread, region), USER + 0x200,
			PROFILE_FRAME_OUTLINED);

		build_samples(&b, build_frame(&b, body, USER + 0x300, PROFILE_FRAME_EXACT),
			PROFILE_WORK, thread, 10);
	}
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 o\n"
		"    frame 10300 e n=3 work=20\n");
	check_view(&b, TREE_FULL, 0,
		"root\n"
		" frame 10100\n"
		"  frame 20100 r\n"
		"   region 10104 x3\n"
		"    frame 10200 o\n"
		"     frame 10300 e n=3 work=20\n");
	check_view(&b, TREE_USER, 1,
		"root\n"
		" thread 0\n"
		"  frame 10100\n"
		"   region 10104 x3\n"
		"    frame 10200 o\n"
		"     frame 10300 e n=1 work=10\n"
		" thread 1\n"
		"  frame 10100\n"
		"   region 10104\n"
		"    frame 10200 o\n"
		"     frame 10300 e n=2 work=10\n");
	build_release(&b);
}

/* Two outer threads begin an inner region each; four threads run it; equal paths merge. */
static void test_nested_regions(void **state)
{
	struct build b;
	uint32_t outer = build_main_region(&b, 4);
	uint32_t inner[2];

	b.max_records = 2;
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t frame = build_frame(
			&b, build_context(&b, i + 1, outer), USER + 0x200, PROFILE_FRAME_OUTLINED);

		frame = build_frame(&b, frame, RUNTIME + 0x100, PROFILE_FRAME_RUNTIME);
		inner[i] = build_region(&b, frame, USER + 0x204, 5);
	}
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t frame = build_frame(&b, build_context(&b, i + 1, inner[i % 2]),
			USER + 0x300, PROFILE_FRAME_OUTLINED);

		build_samples(&b, frame, PROFILE_WORK, 1, 1);
		build_samples(&b, frame, PROFILE_WAIT_CRITICAL, 1, 2);
	}
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 o\n"
		"    region 10204 x10\n"
		"     frame 10300 o n=4 work=4\n"
		"      wait critical n=4 critical=8\n");
	build_release(&b);
}

/* In programs built by GCC one frame, GOMP_parallel, is all there is of the runtime. */
static void test_gcc_shape(void **state)
{
	struct build b;
	uint32_t region = build_main_region(&b, 1);
	uint32_t frame =
		build_frame(&b, build_context(&b, 1, region), USER + 0x200, PROFILE_FRAME_OUTLINED);

	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	frame = build_frame(&b, frame, RUNTIME + 0x300, 0);
	build_samples(&b, build_frame(&b, frame, LIBC + 9, PROFILE_FRAME_EXACT),
		PROFILE_WAIT_BARRIER, 1, 2);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 o n=1 work=1\n"
		"    wait barrier n=1 barrier=2\n");
	build_release(&b);
}

static void test_serialized_region(void **state)
{
	struct build b;
	uint32_t region = build_main_region(&b, 1);
	uint32_t frame;

	frame = build_frame(&b, build_context(&b, 1, region), USER + 0x200, 0);
	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 n=1 work=1\n");
	build_release(&b);
}

static void test_tasks(void **state)
{
	struct build b;
	uint32_t region = build_main_region(&b, 2);
	uint32_t body =
		build_frame(&b, build_context(&b, 1, region), USER + 0x200, PROFILE_FRAME_OUTLINED);
	uint32_t task = build_task(&b, body, USER + 0x204, 8);
	uint32_t frame =
		build_frame(&b, build_context(&b, 2, task), USER + 0x400, PROFILE_FRAME_OUTLINED);
	uint32_t inner;

	/* The task creates tasks: the inner ones' context is the inner node. */
	build_samples(&b, frame, PROFILE_WAIT_TASKWAIT, 1, 1);
	inner = build_task(&b, frame, USER + 0x404, 16);
	frame = build_frame(&b, build_context(&b, 1, inner), USER + 0x400, PROFILE_FRAME_OUTLINED);
	build_samples(&b, frame, PROFILE_WORK, 2, 2);
	/* An undeferred task runs at once, in the thread that creates it. */
	task = build_task(&b, body, USER + 0x208, 1);
	build_node_at(&b, task)->flags = PROFILE_TASK_UNDEFERRED;
	frame = build_frame(&b, build_context(&b, 1, task), USER + 0x500, PROFILE_FRAME_OUTLINED);
	build_samples(&b, frame, PROFILE_WORK, 4, 4);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 o\n"
		"    task 10204 x8\n"
		"     frame 10400 o\n"
		"      task 10404 x16\n"
		"       frame 10400 o n=2 work=2\n"
		"      wait taskwait n=1 taskwait=1\n"
		"    task 10208 x1\n"
		"     frame 10500 o n=4 work=4\n");
	build_release(&b);
}

/* A region of which no creation frame is known, and one whose path was cut. */
static void test_region_without_path(void **state)
{
	struct build b;
	uint32_t bare, cut;

	build_program(&b);
	build_thread(&b, 1);
	bare = build_region(&b, build_root(&b, 1), 0, 1);
	cut = build_truncated(&b, build_root(&b, 1), PROFILE_WALK_NO_CFI);
	cut = build_region(&b, build_frame(&b, cut, USER + 1, 0), USER + 2, 2);
	build_samples(&b, build_context(&b, 1, bare), PROFILE_WORK, 1, 1);
	build_samples(&b, build_truncated(&b, build_context(&b, 1, cut), PROFILE_WALK_LIMIT),
		PROFILE_WORK, 2, 2);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" region 0 x1 n=1 work=1\n"
		" truncated 1\n"
		"  frame 10001\n"
		"   region 10002 x2\n"
		"    truncated 5 n=2 work=2\n");
	build_release(&b);
}

static void test_orphan_context(void **state)
{
	struct build b;
	uint32_t context, frame;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 2);
	context = build_context(&b, 2, 0x7ffffff);
	frame = build_frame(&b, context, USER + 1, 0);
	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	build_samples(&b, context, PROFILE_WAIT_BARRIER, 1, 2);
	check_view(&b, TREE_USER, 1,
		"root\n"
		" thread 0\n"
		" thread 1\n"
		"  frame 10001 n=1 work=1\n"
		"  wait barrier n=1 barrier=2\n");
	build_release(&b);
}

/* Regions that were begun inside one another. */
static void test_ring(void **state)
{
	struct build b;
	uint32_t first, second, context, self;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 2);
	context = build_context(&b, 1, 0);
	first = build_region(&b, build_frame(&b, context, USER + 1, 0), USER + 2, 1);
	second = build_region(
		&b, build_frame(&b, build_context(&b, 2, first), USER + 3, 0), USER + 4, 1);
	build_node_at(&b, context)->addr = second;
	build_samples(&b, build_context(&b, 2, second), PROFILE_WORK, 1, 1);
	self = build_context(&b, 1, 0);
	build_node_at(&b, self)->addr = build_region(&b, self, USER + 5, 1);
	build_samples(&b, self, PROFILE_WORK, 2, 2);
	check_view(&b, TREE_USER, 0,
		"root n=2 work=2\n"
		" frame 10003\n"
		"  region 10004 x1 n=1 work=1\n"
		"   frame 10001\n"
		"    region 10002 x1\n"
		" region 10005 x1\n");
	check_view(&b, TREE_USER, 1,
		"root\n"
		" thread 0 n=2 work=2\n"
		"  frame 10003\n"
		"   region 10004\n"
		"    frame 10001\n"
		"     region 10002 x1\n"
		"  region 10005 x1\n"
		" thread 1\n"
		"  frame 10001\n"
		"   region 10002\n"
		"    frame 10003\n"
		"     region 10004 x1 n=1 work=1\n");
	build_release(&b);
}

/* An address and an equal return address are two things; other flags add up. */
static void test_merging(void **state)
{
	struct build b;
	uint32_t root;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 1);
	root = build_root(&b, 1);
	build_samples(&b, build_frame(&b, root, USER + 1, PROFILE_FRAME_EXACT), PROFILE_WORK, 1, 1);
	build_samples(
		&b, build_frame(&b, root, USER + 1, PROFILE_FRAME_GUESSED), PROFILE_WORK, 1, 2);
	root = build_root(&b, 2);
	build_samples(
		&b, build_frame(&b, root, USER + 1, PROFILE_FRAME_OUTLINED), PROFILE_WORK, 1, 4);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10001 e n=1 work=1\n"
		" frame 10001 o g n=2 work=6\n");
	build_release(&b);
}

/* A frame, a region and a task of an object that lies at LIBUSER, under `call`. */
static void call_plugin(struct build *b, uint32_t call, uint16_t generation)
{
	uint32_t frame = build_frame(b, call, LIBUSER + 0x100, PROFILE_FRAME_EXACT);
	uint32_t region = build_region(b, call, LIBUSER + 0x204, 1);
	uint32_t task = build_task(b, call, LIBUSER + 0x304, 1);

	build_node_at(b, frame)->module = generation;
	build_node_at(b, region)->module = generation;
	build_node_at(b, task)->module = generation;
	build_samples(b, frame, PROFILE_WORK, 1, 10);
}

/* Three plugins, one after the other at the same place and called from the same one, are three; records of
   the same object are one. */
static void test_objects_at_one_address(void **state)
{
	struct build b;
	uint32_t call, again;

	build_program(&b);
	build_module(&b, "/lib/plugin.so", LIBUSER, LIBUSER + 0xffff, 0);
	again = build_module(&b, "/lib/plugin.so", LIBUSER, LIBUSER + 0xffff, 0);
	build_thread(&b, 1);
	build_thread(&b, 1);
	call = build_frame(&b, build_root(&b, 1), USER + 0x10, 0);
	call_plugin(&b, call, 4);
	call_plugin(&b, call, 7);
	call_plugin(&b, call, (uint16_t)again);
	memcpy(build_module_at(&b, again)->build_id, build_module_at(&b, again - 1)->build_id, 20);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10010\n"
		"  frame 40100 e n=1 work=10\n"
		"  region 40204 x1\n"
		"  task 40304 x1\n"
		"  frame 40100 e n=2 work=20\n"
		"  region 40204 x2\n"
		"  task 40304 x2\n");
	build_module_at(&b, again)->build_id[0]++;
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10010\n"
		"  frame 40100 e n=1 work=10\n"
		"  region 40204 x1\n"
		"  task 40304 x1\n"
		"  frame 40100 e n=1 work=10\n"
		"  region 40204 x1\n"
		"  task 40304 x1\n"
		"  frame 40100 e n=1 work=10\n"
		"  region 40204 x1\n"
		"  task 40304 x1\n");
	build_release(&b);
}

/* A part of a run can have time of samples, but less than half a sample. */
static void test_any_figures(void **state)
{
	(void)state;
	assert_true(tree_metrics_any(&(struct tree_metrics){ .sampled_ns = 1 }));
	assert_true(tree_metrics_any(&(struct tree_metrics){ .blame_ns = 1 }));
	assert_false(tree_metrics_any(&(struct tree_metrics){ .n_executions = 1 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_figures),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_serial_code),
		cmocka_unit_test(test_every_class),
		cmocka_unit_test(test_workers_join_the_region),
		cmocka_unit_test(test_nested_regions),
		cmocka_unit_test(test_gcc_shape),
		cmocka_unit_test(test_serialized_region),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_region_without_path),
		cmocka_unit_test(test_orphan_context),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_objects_at_one_address),
	};

	return cmocka_run_group_tests_name("attribution", tests, NULL, NULL);
}
