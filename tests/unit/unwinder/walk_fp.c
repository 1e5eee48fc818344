/* SPDX-License-Identifier: Apache-2.0 */
/* walker_fp on made stacks and on this program's own, which is built with frame pointers. */
#include "unwinder/core/walk.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define N_SLOTS 2048

static uint64_t stack[N_SLOTS];
static struct walk_bounds bounds;
static struct walk_registers registers;
static struct walk_path path;

static uint64_t slot(size_t i)
{
	return (uintptr_t)(stack + i);
}

/* A frame at slot i whose caller's frame is at slot `next`. */
static void set_frame(size_t i, uint64_t next, uint64_t return_address)
{
	stack[i] = next;
	stack[i + 1] = return_address;
}

static int setup(void **state)
{
	memset(stack, 0, sizeof(stack));
	bounds = (struct walk_bounds){ .lo = slot(0), .hi = slot(N_SLOTS) };
	registers.reg[WALK_IP] = 0x1000;
	registers.reg[WALK_SP] = slot(0);
	registers.reg[WALK_FP] = slot(2);
	registers.known = WALK_BIT(WALK_IP) | WALK_BIT(WALK_SP) | WALK_BIT(WALK_FP);
	set_frame(2, slot(6), 0x2000);
	set_frame(6, slot(12), 0x3000);
	set_frame(12, 0, 0x4000);
	return 0;
}

static uint32_t walk(uint64_t stop_cfa)
{
	return walker_fp.walk(&registers, &bounds, stop_cfa, &path);
}

static void assert_frame(uint32_t i, uint64_t ip, uint64_t cfa, uint32_t how)
{
	assert_true(path.frame[i].ip == ip);
	assert_true(path.frame[i].cfa == cfa);
	assert_int_equal(path.frame[i].how, how);
}

static void test_chain(void **state)
{
	assert_int_equal(walk(UINT64_MAX), 4);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_frame(0, 0x1000, slot(4), WALK_EXACT);
	assert_frame(1, 0x2000, slot(8), WALK_POINTER);
	assert_frame(2, 0x3000, slot(14), WALK_POINTER);
	assert_frame(3, 0x4000, 0, WALK_POINTER);
}

static void test_stop(void **state)
{
	assert_int_equal(walk(slot(4)), 2);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(walk(slot(4) - 1), 1);
	assert_int_equal(path.end, WALK_COMPLETE);
}

static void test_no_return_address(void **state)
{
	set_frame(6, slot(12), 0);
	assert_int_equal(walk(UINT64_MAX), 2);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_frame(1, 0x2000, slot(8), WALK_POINTER);
}

static void test_loops(void **state)
{
	set_frame(6, slot(6), 0x3000);
	assert_int_equal(walk(UINT64_MAX), 3);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
	set_frame(6, slot(2), 0x3000);
	assert_int_equal(walk(UINT64_MAX), 3);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
	registers.reg[WALK_SP] = slot(7); /* the frame pointer is stale */
	assert_int_equal(walk(UINT64_MAX), 1);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
}

static void test_off_stack(void **state)
{
	static const uint64_t wrong[] = { 1, 8, UINT64_MAX, UINT64_MAX - 7, 0x8000000000000000u };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		set_frame(6, wrong[i], 0x3000);
		assert_int_equal(walk(UINT64_MAX), 3);
		assert_int_equal(path.end, WALK_OFF_STACK);
		assert_frame(2, 0x3000, 0, WALK_POINTER);
	}
	set_frame(6, slot(N_SLOTS - 1), 0x3000); /* the return address would be outside */
	walk(UINT64_MAX);
	assert_int_equal(path.end, WALK_OFF_STACK);
	set_frame(6, slot(12) + 4, 0x3000);
	walk(UINT64_MAX);
	assert_int_equal(path.end, WALK_OFF_STACK);
	registers.known &= ~(WALK_BIT(WALK_FP));
	assert_int_equal(walk(UINT64_MAX), 1);
	assert_int_equal(path.end, WALK_OFF_STACK);
}

static void test_limit(void **state)
{
	for (size_t i = 2; i + 4 < N_SLOTS; i += 2)
		set_frame(i, slot(i + 2), 0x2000 + i);
	assert_int_equal(walk(UINT64_MAX), WALK_MAX_FRAMES);
	assert_int_equal(path.end, WALK_LIMIT);
}

static uint64_t frame_address[21];

static __attribute__((noinline)) int recurse(int n)
{
	volatile int deeper = 0;

	frame_address[n] = (uintptr_t)__builtin_frame_address(0);
	if (n == 0) {
		walk_registers_here(&registers);
		walk(UINT64_MAX);
	} else {
		deeper = recurse(n - 1);
	}
	return deeper + n;
}

static void test_live(void **state)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	recurse(20);
	assert_true(path.n >= 21);
	for (uint32_t i = 0; i <= 20; i++)
		assert_true(path.frame[i].cfa == frame_address[i] + 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_chain, setup),
		cmocka_unit_test_setup(test_stop, setup),
		cmocka_unit_test_setup(test_no_return_address, setup),
		cmocka_unit_test_setup(test_loops, setup),
		cmocka_unit_test_setup(test_off_stack, setup),
		cmocka_unit_test_setup(test_limit, setup),
		cmocka_unit_test_setup(test_live, setup),
	};

	return cmocka_run_group_tests_name("fp", tests, NULL, NULL);
}
