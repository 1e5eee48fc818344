/* SPDX-License-Identifier: Apache-2.0 */
/* Which frames are the runtime's and which the user's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "attribution/tree/elide.h"
#include "tests/unit/attribution/check_tree.h"

/* The closing barrier: a worker's stack has only the runtime's frames. */
static void test_closing_barrier(void **state)
{
	struct build b;
	uint32_t region = build_main_region(&b, 2);
	uint32_t frame = build_context(&b, 2, region);

	frame = build_frame(&b, frame, LIBC + 1, 0);
	frame = build_frame(&b, frame, LIBC + 2, 0);
	frame = build_frame(&b, frame, RUNTIME + 1, 0);
	build_samples(&b, build_frame(&b, frame, LIBC + 3, PROFILE_FRAME_EXACT),
		PROFILE_WAIT_BARRIER, 4, 40);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   wait barrier n=4 barrier=40\n");
	check_view(&b, TREE_FULL, 0,
		"root\n"
		" frame 10100\n"
		"  frame 20100 r\n"
		"   region 10104 x3\n"
		"    frame 30001 r\n"
		"     frame 30002 r\n"
		"      frame 20001 r\n"
		"       frame 30003 e r n=4 barrier=40\n");
	build_release(&b);
}

static void test_idle_worker(void **state)
{
	struct build b;
	uint32_t frame;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 2);
	frame = build_frame(&b, build_root(&b, 2), LIBC + 1, 0);
	frame = build_frame(&b, frame, RUNTIME + 1, 0);
	build_samples(&b, frame, PROFILE_IDLE, 5, 50);
	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" wait idle n=5 idle=50\n"
		" runtime overhead n=1 overhead=1\n");
	check_view(&b, TREE_USER, 1,
		"root\n"
		" thread 0\n"
		" thread 1\n"
		"  wait idle n=5 idle=50\n"
		"  runtime overhead n=1 overhead=1\n");
	check_view(&b, TREE_FULL, 0,
		"root\n"
		" frame 30001 r\n"
		"  frame 20001 r n=6 overhead=1 idle=50\n");
	build_release(&b);
}

/* A thread that is not OpenMP's keeps the frames that started it. */
static void test_other_thread(void **state)
{
	struct build b;
	uint32_t frame;

	build_program(&b);
	build_thread(&b, 0);
	frame = build_frame(&b, build_root(&b, 1), LIBC + 1, 0);
	build_samples(&b, build_frame(&b, frame, USER + 1, 0), PROFILE_WORK, 1, 1);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 30001\n"
		"  frame 10001 n=1 work=1\n");
	build_release(&b);
}

static void test_runtime_by_module(void **state)
{
	struct build b;
	uint32_t main, entry, frame;

	build_program(&b);
	build_thread(&b, 1);
	main = build_frame(&b, build_root(&b, 1), USER + 1, 0);
	entry = build_frame(&b, main, RUNTIME + 1, 0);
	/* sched_yield through the C library, the clock through the vdso, offloading */
	build_samples(&b, build_frame(&b, build_frame(&b, entry, LIBC + 1, 0), VDSO + 1, 0),
		PROFILE_WORK, 1, 1);
	build_samples(&b, build_frame(&b, main, OFFLOAD + 1, 0), PROFILE_WORK, 1, 2);
	/* the program's own call into the C library */
	build_samples(&b, build_frame(&b, main, LIBC + 2, 0), PROFILE_WORK, 1, 4);
	/* a user function that the runtime calls, unmarked and marked, with what it calls */
	build_samples(&b, build_frame(&b, entry, LIBUSER + 1, 0), PROFILE_WORK, 1, 8);
	frame = build_frame(&b, entry, RUNTIME + 2, PROFILE_FRAME_RUNTIME);
	frame = build_frame(&b, frame, USER + 2, PROFILE_FRAME_RUNTIME);
	build_samples(
		&b, build_frame(&b, frame, LIBC + 3, PROFILE_FRAME_RUNTIME), PROFILE_WORK, 1, 16);
	frame = build_frame(&b, frame, RUNTIME + 3, PROFILE_FRAME_RUNTIME);
	build_samples(
		&b, build_frame(&b, frame, LIBC + 4, PROFILE_FRAME_RUNTIME), PROFILE_WORK, 1, 32);
	/* code in no module: the mark decides */
	build_samples(
		&b, build_frame(&b, main, 0x900001, PROFILE_FRAME_RUNTIME), PROFILE_WORK, 1, 64);
	build_samples(&b, build_frame(&b, main, 0x900002, 0), PROFILE_WORK, 1, 128);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10001\n"
		"  frame 30002 n=1 work=4\n"
		"  frame 900002 n=1 work=128\n"
		"  frame 40001 n=1 work=8\n"
		"  runtime overhead n=3 overhead=67\n"
		"  frame 10002\n"
		"   frame 30003 n=1 work=16\n"
		"   runtime overhead n=1 overhead=32\n");
	build_release(&b);
}

/* The runtime is part of the executable: only marks tell. */
static void test_static_runtime(void **state)
{
	struct build b;
	uint32_t main, frame;

	build_begin(&b);
	build_module(&b, "/bin/a.out", USER, USER + 0xffff,
		PROFILE_MODULE_MAIN | PROFILE_MODULE_RUNTIME);
	build_thread(&b, 1);
	main = build_frame(&b, build_root(&b, 1), USER + 1, 0);
	frame = build_frame(&b, main, USER + 2, PROFILE_FRAME_RUNTIME);
	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	build_samples(&b, main, PROFILE_WORK, 1, 2);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10001 n=1 work=2\n"
		"  runtime overhead n=1 overhead=1\n");
	build_release(&b);
}

/* A return address one past its module belongs to the module of the call. */
static void test_modules_of_nodes(void **state)
{
	struct tree_options options = { .view = TREE_USER };
	struct profile profile;
	struct diag diag;
	struct tree tree;
	struct build b;
	uint32_t frame;

	build_begin(&b);
	build_module(&b, "one", 0x100, 0x200, 0);
	build_module(&b, "two", 0x200, 0x300, 0);
	build_thread(&b, 1);
	frame = build_frame(&b, build_root(&b, 1), 0x200, 0);
	frame = build_frame(&b, frame, 0x200, PROFILE_FRAME_EXACT);
	build_frame(&b, build_region(&b, frame, 0x300, 1), 0x500, 0);
	assert_int_equal(profile_parse(&profile, b.bytes, b.size, "x", &diag), 0);
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	assert_int_equal(tree.nodes[1].module, 0);
	assert_int_equal(tree.nodes[2].module, 1);
	assert_int_equal(tree.nodes[3].module, 1);
	assert_int_equal(tree.nodes[4].module, UINT32_MAX);
	tree_release(&tree);
	profile_release(&profile);
	build_release(&b);
}

/* What the C++ library does to call a thread's function is not shown; further in it is code like any. */
static void test_library_start(void **state)
{
	struct build b;
	uint32_t at;

	build_program(&b);
	build_module(&b, "/lib/libstdc++.so.6", 0x90000, 0x91000, 0);
	build_thread(&b, 1);
	build_thread(&b, 0);
	build_thread_at(&b, 2)->start = 0x90100;
	for (uint32_t thread = 1; thread <= 2; thread++) {
		at = build_frame(&b, build_root(&b, thread), 0x90101, 0);
		at = build_frame(&b, at, USER + 0x101, 0);
		build_samples(&b, build_frame(&b, at, 0x90201, 0), PROFILE_WORK, 4, 40);
	}
	check_view(&b, TREE_USER, 1,
		"root\n"
		" thread 0\n"
		"  frame 90101\n"
		"   frame 10101\n"
		"    frame 90201 n=4 work=40\n"
		" thread 1\n"
		"  frame 10101\n"
		"   frame 90201 n=4 work=40\n");
	build_release(&b);
}

/* The tool stands between the program and pthread_create: what that does is the program's. */
static void test_tool_between(void **state)
{
	struct build b;
	uint32_t tool, at;

	build_program(&b);
	tool = build_module(&b, "/opt/libompprof.so", 0x90000, 0x91000, PROFILE_MODULE_TOOL);
	assert_true(tool > 0);
	build_thread(&b, 1);
	at = build_frame(&b, build_root(&b, 1), USER + 0x101, 0);
	at = build_frame(&b, at, 0x90101, 0);
	build_samples(&b, build_frame(&b, at, LIBC + 1, 0), PROFILE_WORK, 4, 40);
	build_samples(&b, build_frame(&b, at, 0x90201, PROFILE_FRAME_EXACT), PROFILE_WORK, 2, 20);
	at = build_frame(&b, build_root(&b, 1), RUNTIME + 1, 0);
	at = build_frame(&b, at, 0x90301, 0);
	build_samples(&b, build_frame(&b, at, LIBC + 2, 0), PROFILE_WORK, 1, 10);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10101\n"
		"  frame 30001 n=4 work=40\n"
		"  runtime overhead n=2 overhead=20\n"
		" runtime overhead n=1 overhead=10\n");
	build_release(&b);
}

/* The library's own calls are left out, and a function of the program that it calls is not. */
static void test_mpi(void **state)
{
	struct build b;
	uint32_t frame;

	build_program(&b);
	build_thread(&b, 1);
	build_module(&b, "/lib/libmpi.so.40", 0x90000, 0x91000, 0);
	build_module(&b, "/lib/mca_pml_ob1.so", 0x92000, 0x93000, 0);
	frame = build_frame(&b, build_root(&b, 1), USER + 1, 0);
	frame = build_frame(&b, frame, 0x90001, 0);
	frame = build_frame(&b, frame, 0x90002, 0);
	frame = build_frame(&b, frame, 0x92001, 0);
	build_samples(
		&b, build_frame(&b, frame, LIBC + 3, PROFILE_FRAME_EXACT), PROFILE_WORK, 4, 40);
	build_samples(
		&b, build_frame(&b, frame, USER + 2, PROFILE_FRAME_EXACT), PROFILE_WORK, 1, 10);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10001\n"
		"  frame 90001 n=4 work=40\n"
		"   frame 10002 e n=1 work=10\n");
	build_release(&b);
}

static void test_roles(void **state)
{
	static const struct {
		const char *path;
		uint32_t flags;
		enum elide_role role;
	} rows[] = {
		{ "/lib/libc.so.6", 0, ELIDE_SYSTEM },
		{ "/lib/libc-2.31.so", 0, ELIDE_SYSTEM },
		{ "/lib64/ld-linux-x86-64.so.2", 0, ELIDE_SYSTEM },
		{ "libm.so.6", 0, ELIDE_SYSTEM },
		{ "linux-vdso.so.1", 0, ELIDE_SYSTEM },
		{ "", PROFILE_MODULE_VDSO, ELIDE_SYSTEM },
		{ "/lib/libcrypto.so", 0, ELIDE_USER },
		{ "/libc.so/libmine.so", 0, ELIDE_USER },
		{ "/opt/libstrange.so", PROFILE_MODULE_RUNTIME, ELIDE_RUNTIME },
		{ "/opt/libstrange.so", PROFILE_MODULE_TOOL, ELIDE_RUNTIME },
		{ "/lib/libgomp.so.1.0.0", 0, ELIDE_RUNTIME },
		{ "/lib/libomptarget.rtl.cuda.so", 0, ELIDE_RUNTIME },
		{ "/home/me/libomp", PROFILE_MODULE_MAIN, ELIDE_USER },
		{ "/home/me/libomptimal.so", 0, ELIDE_USER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct profile_module module = { .flags = rows[i].flags };

		snprintf(module.path, sizeof(module.path), "%s", rows[i].path);
		assert_int_equal(elide_role(&module), rows[i].role);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closing_barrier),
		cmocka_unit_test(test_idle_worker),
		cmocka_unit_test(test_other_thread),
		cmocka_unit_test(test_runtime_by_module),
		cmocka_unit_test(test_static_runtime),
		cmocka_unit_test(test_modules_of_nodes),
		cmocka_unit_test(test_library_start),
		cmocka_unit_test(test_tool_between),
		cmocka_unit_test(test_mpi),
		cmocka_unit_test(test_roles),
	};

	return cmocka_run_group_tests_name("elide", tests, NULL, NULL);
}
