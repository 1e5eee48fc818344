/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributed tree: where every kind of sample ends up. Trees are compared as text, a line per
 * node: depth, kind, address, flags (e exact, r runtime, o outlined, g guessed), executions,
 * samples, and time by class.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/elide.h"
#include "attribution/tree.h"
#include "tests/unit/build_profile.h"

/* Address ranges of the modules that build_program() makes. */
#define USER    0x10000
#define RUNTIME 0x20000
#define LIBC    0x30000
#define LIBUSER 0x40000
#define VDSO    0x50000
#define OFFLOAD 0x60000

static const char *const kind_names[] = { [TREE_ROOT] = "root",
	[TREE_FRAME] = "frame",
	[TREE_REGION] = "region",
	[TREE_TASK] = "task",
	[TREE_WAIT] = "wait",
	[TREE_RUNTIME] = "runtime",
	[TREE_THREAD] = "thread",
	[TREE_TRUNCATED] = "truncated" };

static const char *const class_names[] = { "work", "overhead", "barrier", "taskwait", "taskgroup",
	"lock", "critical", "ordered", "atomic", "target", "idle" };

static void build_program(struct build *b)
{
	build_begin(b);
	build_module(b, "/bin/a.out", USER, USER + 0xffff, PROFILE_MODULE_MAIN);
	build_module(b, "/lib/libomp.so.5", RUNTIME, RUNTIME + 0xffff, PROFILE_MODULE_RUNTIME);
	build_module(b, "/lib/libc.so.6", LIBC, LIBC + 0xffff, 0);
	build_module(b, "/lib/libmine.so", LIBUSER, LIBUSER + 0xffff, 0);
	build_module(b, "[vdso]", VDSO, VDSO + 0xffff, PROFILE_MODULE_VDSO);
	build_module(b, "/lib/libomptarget-19.so", OFFLOAD, OFFLOAD + 0xffff, 0);
}

static void print_node(FILE *out, const struct tree_node *node, int depth)
{
	static const struct {
		uint8_t flag;
		char letter;
	} flags[] = { { PROFILE_FRAME_EXACT, 'e' }, { PROFILE_FRAME_RUNTIME, 'r' },
		{ PROFILE_FRAME_OUTLINED, 'o' }, { PROFILE_FRAME_GUESSED, 'g' } };

	fprintf(out, "%*s%s", depth, "", kind_names[node->kind]);
	if (node->kind == TREE_WAIT || node->kind == TREE_RUNTIME)
		fprintf(out, " %s", class_names[node->class]);
	else if (node->kind != TREE_ROOT)
		fprintf(out, " %llx", (unsigned long long)node->addr);
	for (int i = 0; i < 4; i++) {
		if (node->kind == TREE_FRAME && node->flags & flags[i].flag)
			fprintf(out, " %c", flags[i].letter);
	}
	if (node->self.n_executions)
		fprintf(out, " x%llu", (unsigned long long)node->self.n_executions);
	if (node->self.samples)
		fprintf(out, " n=%llu", (unsigned long long)node->self.samples);
	for (int i = 0; i < PROFILE_N_CLASSES; i++) {
		if (node->self.time_ns[i])
			fprintf(out, " %s=%llu", class_names[i],
				(unsigned long long)node->self.time_ns[i]);
	}
	fputc('\n', out);
}

static char *tree_to_text(const struct tree *tree)
{
	uint32_t at = 0;
	int depth = 0;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (at != UINT32_MAX) {
		print_node(out, &tree->nodes[at], depth);
		if (tree->nodes[at].first_child != UINT32_MAX) {
			at = tree->nodes[at].first_child;
			depth++;
			continue;
		}
		while (at != UINT32_MAX && tree->nodes[at].next_sibling == UINT32_MAX) {
			at = tree->nodes[at].parent;
			depth--;
		}
		if (at != UINT32_MAX)
			at = tree->nodes[at].next_sibling;
	}
	fclose(out);
	return text;
}

/* The tree is one, and holds exactly the profile's samples. */
static void check_tree(const struct tree *tree, const struct profile *profile)
{
	uint64_t samples = 0, time_ns = 0, events = 0, blame_ns = 0, n_executions = 0;
	struct tree_metrics sum = { 0 };
	size_t n_children = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		blame_ns += node->blame_ns;
		if (node->kind == PROFILE_NODE_REGION || node->kind == PROFILE_NODE_TASK)
			n_executions += node->n;
		if (node->kind != PROFILE_NODE_SAMPLES)
			continue;
		samples += node->n;
		time_ns += node->time_ns;
		events += node->events;
	}
	assert_int_equal(tree->nodes[0].kind, TREE_ROOT);
	assert_int_equal(tree->nodes[0].parent, UINT32_MAX);
	for (size_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		tree_metrics_add(&sum, &node->self);
		assert_true(i == 0 || node->parent < i);
		for (uint32_t c = node->first_child; c != UINT32_MAX;
			c = tree->nodes[c].next_sibling) {
			assert_int_equal(tree->nodes[c].parent, i);
			n_children++;
		}
		if (node->kind == TREE_WAIT || node->kind == TREE_RUNTIME)
			assert_int_equal(node->first_child, UINT32_MAX);
	}
	assert_int_equal(n_children, tree->n_nodes - 1);
	assert_int_equal(sum.samples, samples);
	assert_int_equal(tree_metrics_time(&sum), time_ns);
	assert_int_equal(sum.events, events);
	assert_int_equal(sum.blame_ns, blame_ns);
	assert_int_equal(sum.n_executions, n_executions);
}

static void check_view(
	const struct build *build, enum tree_view view, int by_thread, const char *expected)
{
	struct tree_options options = { .view = view, .by_thread = by_thread };
	struct profile profile;
	struct diag diag;
	struct tree tree;
	char *text;

	assert_int_equal(profile_parse(&profile, build->bytes, build->size, "x", &diag), 0);
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	check_tree(&tree, &profile);
	if (expected) {
		text = tree_to_text(&tree);
		assert_string_equal(text, expected);
		free(text);
	}
	tree_release(&tree);
	profile_release(&profile);
}

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
		" runtime overhead n=1 overhead=4\n"
		" wait barrier n=1 barrier=4\n"
		" wait taskwait n=1 taskwait=4\n"
		" wait taskgroup n=1 taskgroup=4\n"
		" wait lock n=1 lock=4\n"
		" wait critical n=1 critical=4\n"
		" wait ordered n=1 ordered=4\n"
		" wait atomic n=1 atomic=4\n"
		" wait target n=1 target=4\n"
		" wait idle n=3 idle=7\n");
	check_view(&b, TREE_FULL, 0,
		"root n=1 work=4\n"
		" frame 10001 n=11 work=1 overhead=1 barrier=1 taskwait=1 taskgroup=1 lock=1"
		" critical=1 ordered=1 atomic=1 target=1 idle=1\n"
		"  frame 20001 r n=11 overhead=4 barrier=2 taskwait=2 taskgroup=2 lock=2"
		" critical=2 ordered=2 atomic=2 target=2 idle=2\n"
		" runtime overhead n=1 overhead=4\n"
		" wait barrier n=1 barrier=4\n"
		" wait taskwait n=1 taskwait=4\n"
		" wait taskgroup n=1 taskgroup=4\n"
		" wait lock n=1 lock=4\n"
		" wait critical n=1 critical=4\n"
		" wait ordered n=1 ordered=4\n"
		" wait atomic n=1 atomic=4\n"
		" wait target n=1 target=4\n"
		" wait idle n=1 idle=4\n");
	build_release(&b);
}

/* main, a region begun through the runtime's fork call; returns the region's id. */
static uint32_t build_main_region(struct build *b, uint32_t n_threads)
{
	uint32_t frame;

	build_program(b);
	for (uint32_t i = 0; i < n_threads; i++)
		build_thread(b, i ? 2 : 1);
	frame = build_frame(b, build_root(b, 1), USER + 0x100, 0);
	frame = build_frame(b, frame, RUNTIME + 0x100, PROFILE_FRAME_RUNTIME);
	return build_region(b, frame, USER + 0x104, 3);
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

	build_node_at(&b, region)->flags = PROFILE_REGION_SERIALIZED;
	frame = build_frame(&b, build_context(&b, 1, region), USER + 0x200, 0);
	build_samples(&b, frame, PROFILE_WORK, 1, 1);
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 n=1 work=1\n");
	build_release(&b);
}

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

/* xorshift64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/* One more node of a random kind under a random parent; contexts may stand for anything. */
static void build_random_node(struct build *b, uint32_t *ids, size_t n, uint64_t *random)
{
	uint32_t parent = ids[next_random(random) % n];
	uint64_t addr = 0x10000 * (1 + next_random(random) % 7) + next_random(random) % 3;
	uint32_t thread = 1 + (uint32_t)(next_random(random) % b->n_threads);

	if (build_node_at(b, parent)->kind == PROFILE_NODE_SAMPLES)
		parent = build_root(b, thread);
	switch (next_random(random) % 8) {
	case 0:
		ids[n] = build_region(b, parent, addr, 1);
		break;
	case 1:
		ids[n] = build_task(b, parent, addr, 1);
		break;
	case 2:
		ids[n] = build_context(b, thread, ids[next_random(random) % n]);
		break;
	case 3:
		ids[n] = build_truncated(b, parent, addr % PROFILE_WALK_N_ENDS);
		break;
	case 4:
	case 5:
		ids[n] = build_samples(
			b, parent, addr % PROFILE_N_CLASSES, 1 + (uint32_t)(addr % 5), addr);
		break;
	default:
		ids[n] = build_frame(b, parent, addr, (uint8_t)(next_random(random) % 16));
	}
	build_node_at(b, ids[n])->blame_ns = addr;
}

/* Makes contexts stand for regions that came later, so that rings arise. */
static void redirect_contexts(struct build *b, const uint32_t *ids, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++) {
		struct profile_node *node = build_node_at(b, ids[i]);

		if (node->kind != PROFILE_NODE_CONTEXT)
			continue;
		for (int tries = 0; tries < 20; tries++) {
			uint32_t id = ids[next_random(random) % n];
			uint8_t kind = build_node_at(b, id)->kind;

			if (kind == PROFILE_NODE_REGION || kind == PROFILE_NODE_TASK)
				node->addr = id;
		}
	}
}

static void test_nothing_is_lost(void **state)
{
	uint64_t random = 42;
	uint32_t ids[400];

	for (int round = 0; round < 500; round++) {
		size_t n = 0, n_nodes = 20 + next_random(&random) % 380;
		struct build b;

		build_program(&b);
		b.max_records = 1 + (uint32_t)(next_random(&random) % 100);
		while (n < 3) {
			uint32_t thread = build_thread(&b, (uint32_t)n);

			ids[n++] = build_root(&b, thread);
		}
		for (; n < n_nodes; n++)
			build_random_node(&b, ids, n, &random);
		if (round % 2)
			redirect_contexts(&b, ids, n, &random);
		for (int variant = 0; variant < 4; variant++)
			check_view(&b, variant & 1 ? TREE_FULL : TREE_USER, variant >> 1, NULL);
		build_release(&b);
	}
}

/* A chain of 22,000 nodes through regions of two threads in turn. */
static void test_deep(void **state)
{
	struct build b;
	uint32_t at;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 2);
	at = build_root(&b, 1);
	for (uint32_t i = 0; i < 1000; i++) {
		for (uint32_t j = 0; j < 20; j++)
			at = build_frame(&b, at, USER + j, 0);
		at = build_context(&b, 1 + i % 2, build_region(&b, at, USER + i, 1));
	}
	build_samples(&b, at, PROFILE_WORK, 1, 1);
	for (int variant = 0; variant < 4; variant++)
		check_view(&b, variant & 1 ? TREE_FULL : TREE_USER, variant >> 1, NULL);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_serial_code),
		cmocka_unit_test(test_every_class),
		cmocka_unit_test(test_workers_join_the_region),
		cmocka_unit_test(test_nested_regions),
		cmocka_unit_test(test_gcc_shape),
		cmocka_unit_test(test_serialized_region),
		cmocka_unit_test(test_closing_barrier),
		cmocka_unit_test(test_idle_worker),
		cmocka_unit_test(test_other_thread),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_region_without_path),
		cmocka_unit_test(test_orphan_context),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_runtime_by_module),
		cmocka_unit_test(test_static_runtime),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_modules_of_nodes),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_nothing_is_lost),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests_name("attribution", tests, NULL, NULL);
}
