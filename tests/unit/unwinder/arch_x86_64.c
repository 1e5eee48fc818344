/* SPDX-License-Identifier: Apache-2.0 */
/* What the x86-64 instructions before an address say: whether one is a call, and of what. */
#include "unwinder/core/arch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ADDRESS 0x401000u

/* Looks before the end of the bytes, from their begin on. */
static int call_before(const uint8_t *code, size_t n, uint64_t *target)
{
	*target = 0;
	return arch_call_before(code, code + n, ADDRESS, target);
}

#define assert_call(expected, ...)                                                                 \
	do {                                                                                       \
		static const uint8_t code[] = { __VA_ARGS__ };                                     \
		uint64_t unused;                                                                   \
                                                                                                   \
		assert_int_equal(call_before(code, sizeof(code), &unused), expected);              \
		if (expected > 0)                                                                  \
			assert_int_equal(call_before(code + 1, sizeof(code) - 1, &unused), 0);     \
	} while (0)

static void test_direct(void **state)
{
	static const uint8_t forward[] = { 0xe8, 0x00, 0x10, 0x00, 0x00 };
	static const uint8_t backward[] = { 0x90, 0xe8, 0xfb, 0xff, 0xff, 0xff };
	uint64_t target;

	assert_int_equal(call_before(forward, 5, &target), 1);
	assert_int_equal(target, ADDRESS + 0x1000);
	assert_int_equal(call_before(backward, 6, &target), 1);
	assert_int_equal(target, ADDRESS - 5);
	assert_call(1, 0xe8, 0, 0, 0, 0);
	assert_call(0, 0xe9, 0, 0, 0, 0);
	assert_call(0, 0, 0xe8, 0, 0, 0);
	assert_call(0, 0xe8, 0, 0, 0, 0, 0);
}

static void test_indirect(void **state)
{
	assert_call(2, 0xff, 0xd0);                   /* call *%rax */
	assert_call(2, 0xff, 0x10);                   /* (%rax) */
	assert_call(2, 0xff, 0x55, 8);                /* 8(%rbp) */
	assert_call(2, 0xff, 0x14, 0x24);             /* (%rsp) */
	assert_call(2, 0xff, 0x54, 0x24, 8);          /* 8(%rsp) */
	assert_call(2, 0xff, 0x94, 0x24, 0, 1, 0, 0); /* 256(%rsp) */
	assert_call(2, 0xff, 0x15, 0, 0, 0, 0);       /* (%rip) */
	assert_call(2, 0xff, 0x95, 0, 1, 0, 0);       /* 256(%rbp) */
	assert_int_equal(
		call_before((const uint8_t[]){ 0x41, 0xff, 0xd3 }, 3, &(uint64_t){ 0 }), 2);
	assert_call(0, 0xff, 0x25, 0, 0, 0, 0); /* jmp */
	assert_call(0, 0xff, 0xe0);             /* jmp */
	assert_call(0, 0xff, 0xd0, 0x90);
	assert_call(0, 0xff, 0x14);
}

static void test_jump(void **state)
{
	static const uint8_t memory[] = { 0x90, 0xff, 0xa0, 0x50, 0x03, 0, 0 }; /* *0x350(%rax) */
	static const uint8_t direct[] = { 0x90, 0xe9, 0x00, 0x10, 0, 0 };
	static const uint8_t none[] = { 0xff, 0xd0, 0xc3, 0xe9 };
	static const uint8_t nearest[] = { 0x90, 0xeb, 0xf0 }, if_zero[] = { 0x74, 0x10 };
	static const uint8_t if_less[] = { 0x0f, 0x8c, 0x00, 0x10, 0, 0 };

	assert_true(arch_may_jump(memory, memory + 7, ADDRESS, 1));
	assert_false(arch_may_jump(memory, memory + 2, ADDRESS, 1));
	assert_true(arch_may_jump(direct, direct + 6, ADDRESS, ADDRESS + 6 + 0x1000));
	assert_false(arch_may_jump(direct, direct + 6, ADDRESS, ADDRESS + 0x1000));
	assert_false(arch_may_jump(direct, direct + 5, ADDRESS, ADDRESS + 6 + 0x1000));
	assert_false(arch_may_jump(none, none + 4, ADDRESS, 1));
	assert_true(arch_may_jump(nearest, nearest + 3, ADDRESS, ADDRESS + 3 - 0x10));
	assert_false(arch_may_jump(nearest, nearest + 3, ADDRESS, ADDRESS + 3 + 0xf0));
	assert_true(arch_may_jump(if_zero, if_zero + 2, ADDRESS, ADDRESS + 2 + 0x10));
	assert_false(arch_may_jump(if_zero, if_zero + 1, ADDRESS, ADDRESS + 2 + 0x10));
	assert_true(arch_may_jump(if_less, if_less + 6, ADDRESS, ADDRESS + 6 + 0x1000));
	assert_false(arch_may_jump(if_less, if_less + 5, ADDRESS, ADDRESS + 6 + 0x1000));
}

#ifdef __x86_64__

static void test_here(void **state)
{
	struct walk_registers registers;

	walk_registers_here(&registers);
	assert_true(registers.known == (WALK_PRESERVED | WALK_BIT(WALK_RIP)));
	assert_int_equal(registers.is_return, 0);
	assert_true(registers.reg[WALK_RIP] - (uintptr_t)test_here < 256);
	assert_true(registers.reg[WALK_RSP] - (uintptr_t)__builtin_frame_address(0) + 4096 < 8192);
	assert_int_equal(arch_code_address(0xffff800000001234), 0xffff800000001234);
	assert_int_equal(arch_ignores(0x2d), 0);
}

static volatile int was_after;

static void on_signal(int signal, siginfo_t *info, void *ucontext)
{
	(void)signal;
	(void)info;
	was_after = arch_is_after_syscall(ucontext);
}

static void test_after_syscall(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction before;

	sigaction(SIGTRAP, &action, &before);
	raise(SIGTRAP);
	assert_int_equal(was_after, 1);
	__asm__ volatile("int3");
	assert_int_equal(was_after, 0);
	sigaction(SIGTRAP, &before, NULL);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_indirect),
#ifdef __x86_64__
		cmocka_unit_test(test_here),
		cmocka_unit_test(test_after_syscall),
#endif
	};

	return cmocka_run_group_tests_name("arch x86-64", tests, NULL, NULL);
}
