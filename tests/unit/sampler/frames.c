/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose frames: paths as real runtimes leave them. Addresses from 0x9000 on are the runtime's,
 * below are the user's; a frame's CFA is given, its frame pointer is CFA - 16.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/shared/layout.h"
#include "sampler/core/frames.h"

#define FP(cfa) ((cfa)-16)

enum {
	E = PROFILE_FRAME_EXACT,
	R = PROFILE_FRAME_RUNTIME,
	G = PROFILE_FRAME_GUESSED,
	O = PROFILE_FRAME_OUTLINED,
};

/* A frame with the flags that it must get; after the last one that belongs to the context, -1. */
struct row {
	uint64_t ip;
	uint64_t cfa;
	int flags;
};

static struct walk_path path;
static struct frames_marks marks;
static const struct ompprof_runtime_code code = { 1, { { 0x9000, 0xa000 } } };
static int is_static; /* the runtime is a part of the executable */

static void mark(
	const struct row *rows, size_t n, enum walk_end end, const struct frames_context *given)
{
	struct frames_context context = *given;

	context.runtime = is_static ? NULL : &code;
	path.frame = path.store;
	path.n = (uint32_t)n;
	path.end = end;
	for (size_t i = 0; i < n; i++) {
		path.store[i] = (struct walk_frame){
			.ip = rows[i].ip, .cfa = rows[i].cfa, .fp = FP(rows[i].cfa)
		};
		path.store[i].how = rows[i].flags & G ? WALK_GUESS : i ? WALK_CALL : WALK_EXACT;
	}
	memset(&marks, 0xff, sizeof(marks));
	frames_mark(&path, &context, &marks);
}

#define CHECK(rows, end, cut_short, ...)                                                           \
	do {                                                                                       \
		struct frames_context context = { __VA_ARGS__ };                                   \
		size_t n = sizeof(rows) / sizeof(rows[0]), own = 0;                                \
		mark(rows, n, end, &context);                                                      \
		while (own < n && rows[own].flags >= 0)                                            \
			own++;                                                                     \
		assert_int_equal(marks.n, own);                                                    \
		for (size_t i = 0; i < own; i++)                                                   \
			assert_int_equal(frames_flags(&path, &marks, i), rows[i].flags);           \
		assert_int_equal(marks.is_cut_short, cut_short);                                   \
	} while (0)

static void test_serial(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x200, 0x1200, 0 },
		{ 0x300, 0x1300, 0 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ALL);
	CHECK(rows, WALK_NO_CFI, 1, .task = FRAMES_ALL);
}

/* The primary thread in its region: leaf, outlined function, microtask, fork call, main. */
static void test_primary(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x150, 0x1150, O },
		{ 0x9100, 0x1200, R }, { 0x9200, 0x1300, R }, { 0x9300, 0x1400, R },
		{ 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.base_cfa = 0x1500);
}

/* GCC: the exit frame of the implicit task and the enter frame of its parent are one. */
static void test_primary_gcc(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x150, 0x1150, O },
		{ 0x9100, 0x1200, R }, { 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.base_cfa = 0x1500);
}

/* In the barrier of a loop: the API function's frame is the enter frame. */
static void test_barrier_in_region(void **state)
{
	static const struct row rows[] = { { 0x9400, 0x1080, R | E }, { 0x9500, 0x10a0, R },
		{ 0x150, 0x1150, O }, { 0x9100, 0x1200, R }, { 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.enter_frame = FP(0x10a0), .base_cfa = 0x1500);
}

static void test_worker(void **state)
{
	static const struct row rows[] = { { 0x100, 0x2100, E }, { 0x150, 0x2150, O },
		{ 0x9100, 0x2200, R }, { 0x9200, 0x2300, R }, { 0x400, 0x2400, R } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_WORKER, .exit_frame = FP(0x2200));
}

/* A walk that stopped at the exit frame is whole. */
static void test_worker_stopped(void **state)
{
	static const struct row rows[] = { { 0x100, 0x2100, E }, { 0x150, 0x2150, O },
		{ 0x9100, 0x2200, R } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_WORKER, .exit_frame = FP(0x2200));
}

/* The closing barrier: both pointers are gone, everything is the runtime's. */
static void test_worker_closing(void **state)
{
	static const struct row rows[] = { { 0x500, 0x2100, R | E }, { 0x9600, 0x2150, R },
		{ 0x9200, 0x2300, R }, { 0x400, 0x2400, R } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_WORKER);
}

/* The primary thread in fork or join: no exit frame, but the runtime lies above its caller. */
static void test_primary_closing(void **state)
{
	static const struct row rows[] = { { 0x500, 0x1100, R | E }, { 0x9600, 0x1200, R },
		{ 0x9300, 0x1400, R }, { 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .base_cfa = 0x1500);
}

/* if(0), num_threads(1): the exit frame is left over and lies in the outlined function. */
static void test_serialized(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x150, 0x1400, O },
		{ 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = 0x13f0,
		.base_cfa = 0x1500);
	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = 0x10f0,
		.base_cfa = 0x1500);
	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .base_cfa = 0x1500);
}

/* An explicit task run in the closing barrier of a worker. */
static void test_deferred_in_barrier(void **state)
{
	static const struct row rows[] = { { 0x100, 0x2100, E }, { 0x160, 0x2180, O },
		{ 0x9700, 0x2200, R }, { 0x9600, 0x2250, -1 }, { 0x9200, 0x2300, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_DEFERRED, .exit_frame = FP(0x2200));
}

/* An explicit task run in a taskwait: what lies beyond its exit frame is the task that waits. */
static void test_deferred_in_taskwait(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x160, 0x1180, O },
		{ 0x9700, 0x1200, R }, { 0x9800, 0x1250, -1 }, { 0x150, 0x1300, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_DEFERRED, .exit_frame = FP(0x1200));
}

/* A walk that stopped at the exit frame is whole, for the primary thread, too. */
static void test_primary_stopped(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x150, 0x1150, O },
		{ 0x9100, 0x1200, R } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.base_cfa = 0x1500);
}

/* A serialized region's stale exit frame falls into a call of the runtime that is going on. */
static void test_stale_in_live_call(void **state)
{
	static const struct row rows[] = { { 0x9400, 0x1080, E }, { 0x100, 0x1100, 0 },
		{ 0x150, 0x1400, O }, { 0x200, 0x1500, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1080),
		.base_cfa = 0x1500, .to_base = 1);
}

/* A walk that stopped at an exit frame in user code has to go on. */
static void test_stale(void **state)
{
	static const struct row stale[] = { { 0x100, 0x1100, E }, { 0x150, 0x1400, 0 } };
	static const struct row valid[] = { { 0x100, 0x1100, E }, { 0x9100, 0x1400, 0 } };
	struct frames_context context = {
		.task = FRAMES_ON_STACK, .exit_frame = 0x13f0, .base_cfa = 0x1500, .runtime = &code
	};

	mark(stale, 2, WALK_COMPLETE, &context);
	assert_true(frames_is_stale(&path, &context));
	context.to_base = 1;
	assert_false(frames_is_stale(&path, &context));
	context.to_base = 0;
	mark(valid, 2, WALK_COMPLETE, &context);
	assert_false(frames_is_stale(&path, &context));
	mark(stale, 2, WALK_NO_CFI, &context);
	assert_false(frames_is_stale(&path, &context));
}

/* An undeferred task is called by user code. */
static void test_undeferred(void **state)
{
	static const struct row rows[] = { { 0x100, 0x1100, E }, { 0x160, 0x1180, O },
		{ 0x150, 0x1300, -1 }, { 0x9100, 0x1400, -1 } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1400),
		.base_cfa = 0x1300);
}

/* A runtime in the executable: its frames are known by the exact pointers alone. */
static void test_static_runtime(void **state)
{
	static const struct row primary[] = { { 0x100, 0x1100, E }, { 0x150, 0x1150, O },
		{ 0x9100, 0x1200, R }, { 0x9300, 0x1400, R }, { 0x200, 0x1500, -1 } };
	static const struct row waits[] = { { 0x9400, 0x1080, R | E }, { 0x9500, 0x10a0, R },
		{ 0x150, 0x1150, O }, { 0x9100, 0x1200, R }, { 0x9300, 0x1400, R },
		{ 0x200, 0x1500, -1 } };
	static const struct row worker[] = { { 0x100, 0x2100, E }, { 0x150, 0x2150, O },
		{ 0x9100, 0x2200, R } };
	static const struct row serialized[] = { { 0x100, 0x1100, E }, { 0x150, 0x1400, O },
		{ 0x200, 0x1500, -1 } };
	struct frames_context on_stack = {
		.task = FRAMES_ON_STACK, .exit_frame = FP(0x1200), .base_cfa = 0x1500
	};

	is_static = 1;
	CHECK(primary, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.base_cfa = 0x1500);
	CHECK(waits, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1200),
		.enter_frame = FP(0x10a0), .base_cfa = 0x1500);
	CHECK(worker, WALK_COMPLETE, 0, .task = FRAMES_WORKER, .exit_frame = FP(0x2200));
	CHECK(worker, WALK_COMPLETE, 0, .task = FRAMES_DEFERRED, .exit_frame = FP(0x2200));
	/* Left over, in the outlined function's frame and exactly there. */
	CHECK(serialized, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = 0x13e8,
		.base_cfa = 0x1500);
	CHECK(serialized, WALK_COMPLETE, 0, .task = FRAMES_ON_STACK, .exit_frame = FP(0x1400),
		.base_cfa = 0x1500);
	is_static = 0;
	assert_int_equal(frames_stop(&on_stack), 0x14ff);
	assert_false(frames_is_stale(&path, &on_stack));
}

/* A signal handler on another stack, whose addresses are higher: its frames contain no pointer. */
static void test_other_stack(void **state)
{
	static const struct row rows[] = { { 0x100, 0x7100, E }, { 0x180, 0x7180, 0 },
		{ 0x190, 0x7190, 0 }, { 0x1a0, 0x71a0, 0 }, { 0x150, 0x2150, O },
		{ 0x9100, 0x2200, R }, { 0x9200, 0x2300, -1 } };
	struct frames_context context = {
		.task = FRAMES_DEFERRED, .exit_frame = FP(0x2200), .runtime = &code
	};

	mark(rows, 7, WALK_COMPLETE, &context);
	for (int i = 0; i < 4; i++)
		path.store[i].flags = WALK_FRAME_FOREIGN;
	frames_mark(&path, &context, &marks);
	assert_int_equal(marks.n, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(frames_flags(&path, &marks, i), rows[i].flags);
}

/* The last frame of a path that was cut may have no CFA. */
static void test_no_cfa(void **state)
{
	static const struct row rows[] = { { 0x9100, 0x2100, R | E }, { 0x150, 0, 0 } };

	CHECK(rows, WALK_NO_CFI, 1, .task = FRAMES_ALL, .enter_frame = FP(0x2100));
}

/* What the runtime called is in the runtime again: there is no user frame to be marked. */
static void test_enter_is_next(void **state)
{
	static const struct row rows[] = { { 0x500, 0x2080, R | E }, { 0x9400, 0x2100, R },
		{ 0x9100, 0x2200, R } };

	CHECK(rows, WALK_COMPLETE, 0, .task = FRAMES_WORKER, .exit_frame = FP(0x2200),
		.enter_frame = FP(0x2100));
}

static void test_cut_short(void **state)
{
	static const struct row rows[] = { { 0x100, 0x2100, E }, { 0x150, 0x2150, G } };

	CHECK(rows, WALK_NO_CFI, 1, .task = FRAMES_WORKER, .exit_frame = FP(0x2200));
	CHECK(rows, WALK_NO_CFI, 1, .task = FRAMES_ON_STACK, .exit_frame = FP(0x2200),
		.base_cfa = 0x2500);
	CHECK(rows, WALK_NO_CFI, 1, .task = FRAMES_DEFERRED, .exit_frame = FP(0x2200));
}

static void test_stop(void **state)
{
	struct frames_context context = { .task = FRAMES_ALL };

	assert_int_equal(frames_stop(&context), UINT64_MAX);
	context = (struct frames_context){
		.task = FRAMES_ON_STACK, .base_cfa = 0x1500, .runtime = &code
	};
	assert_int_equal(frames_stop(&context), 0x14ff);
	context.exit_frame = 0x1200;
	assert_int_equal(frames_stop(&context), 0x1200);
	context.to_base = 1;
	assert_int_equal(frames_stop(&context), 0x14ff);
	context = (struct frames_context){ .task = FRAMES_WORKER, .exit_frame = 0x1200 };
	assert_int_equal(frames_stop(&context), 0x1200);
	context.exit_frame = 0;
	assert_int_equal(frames_stop(&context), UINT64_MAX);
	context = (struct frames_context){ .task = FRAMES_DEFERRED, .exit_frame = 0x1200 };
	assert_int_equal(frames_stop(&context), 0x1200);
}

static int is_in_runtime(const struct row *rows, size_t n, const struct frames_context *given)
{
	struct frames_context context = *given;

	mark(rows, n, WALK_COMPLETE, &context);
	context.runtime = &code;
	return frames_is_in_runtime(&path, &context, &marks);
}

/* Waiting for a lock in the runtime or in the C library, or past it in user code, each in a worker's
   region and as a program that is in no region. */
static void test_in_runtime(void **state)
{
	static const struct row spins[] = { { 0x9400, 0x2080, 0 }, { 0x9500, 0x2100, 0 },
		{ 0x150, 0x2150, 0 }, { 0x9100, 0x2200, 0 }, { 0x9200, 0x2300, 0 } };
	static const struct row sleeps[] = { { 0x500, 0x2080, 0 }, { 0x9500, 0x2100, 0 },
		{ 0x150, 0x2150, 0 }, { 0x9100, 0x2200, 0 }, { 0x9200, 0x2300, 0 } };
	static const struct row works[] = { { 0x500, 0x2080, 0 }, { 0x160, 0x2100, 0 },
		{ 0x150, 0x2150, 0 }, { 0x9100, 0x2200, 0 }, { 0x9200, 0x2300, 0 } };
	struct frames_context region = { .task = FRAMES_WORKER, .exit_frame = FP(0x2200) };
	struct frames_context unknown = { .task = FRAMES_ALL, .exit_frame = FP(0x2200) };
	struct frames_context serial = { .task = FRAMES_ALL };

	assert_true(is_in_runtime(spins, 5, &region) && is_in_runtime(spins, 5, &unknown));
	assert_true(is_in_runtime(sleeps, 5, &region) && is_in_runtime(sleeps, 5, &unknown));
	assert_false(is_in_runtime(works, 5, &region) || is_in_runtime(works, 5, &unknown));
	assert_true(is_in_runtime(spins, 3, &serial) && is_in_runtime(sleeps, 3, &serial));
	assert_false(is_in_runtime(works, 3, &serial));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_serial),
		cmocka_unit_test(test_primary),
		cmocka_unit_test(test_primary_gcc),
		cmocka_unit_test(test_primary_stopped),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_stale_in_live_call),
		cmocka_unit_test(test_barrier_in_region),
		cmocka_unit_test(test_worker),
		cmocka_unit_test(test_worker_stopped),
		cmocka_unit_test(test_worker_closing),
		cmocka_unit_test(test_primary_closing),
		cmocka_unit_test(test_serialized),
		cmocka_unit_test(test_deferred_in_barrier),
		cmocka_unit_test(test_deferred_in_taskwait),
		cmocka_unit_test(test_undeferred),
		cmocka_unit_test(test_other_stack),
		cmocka_unit_test(test_no_cfa),
		cmocka_unit_test(test_enter_is_next),
		cmocka_unit_test(test_cut_short),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_in_runtime),
		cmocka_unit_test(test_static_runtime),
	};

	return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
