/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of this very program that end with jumps, by which a thread may wait in the runtime. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/symbols/symbols.h"

#ifdef __x86_64__
static char self[4096];

#define BARRIER "jmp GOMP_barrier_of_test\n"
#define MAYBE   "js GOMP_barrier_of_test\n"

#define CODE(code) __asm__(".pushsection .text\n" code "\n.popsection")

/* A function that is only read. */
#define FUNCTION(name, code)                                                                       \
	CODE(".type " name ", @function\n" name ": " code "\n.size " name ", . - " name)

/* A function that returns the address to which its call would return. */
#define CALLER(name, callee)                                                                       \
	uint64_t name(void);                                                                       \
	FUNCTION(#name, "lea 1f(%rip), %rax\nret\ncall " callee "\n1: ret")

FUNCTION("GOMP_barrier_of_test", "ret");
FUNCTION("GOMP_loop_end_nowait_of_test", "ret");
FUNCTION("__kmpc_taskloop_of_test", "ret");
CALLER(calls_runtime, "GOMP_barrier_of_test");
FUNCTION("jumps_once", "test %rsp, %rsp\n" BARRIER);
CALLER(calls_once, "jumps_once");
FUNCTION("jumps_further", "jmp jumps_once");
CALLER(calls_further, "jumps_further");
FUNCTION("jumps_never", "mov (%rsp), %rax\nret");
CALLER(calls_never, "jumps_never");
FUNCTION("jumps_nowait", "js GOMP_loop_end_nowait_of_test\n" BARRIER);
CALLER(calls_nowait, "jumps_nowait");
/* A part of it is elsewhere and jumps back into the middle. */
FUNCTION("jumps_split", "js jumps_split.cold\n.Lmiddle: " BARRIER);
FUNCTION("jumps_split.cold", "nop\njmp .Lmiddle");
CALLER(calls_split, "jumps_split");
/* To two places without a line. */
FUNCTION("jumps_first", BARRIER);
FUNCTION("jumps_second", BARRIER);
FUNCTION("jumps_either", "js jumps_first\njmp jumps_second");
CALLER(calls_either, "jumps_either");
FUNCTION("jumps_taskloop", "js __kmpc_taskloop_of_test\n" BARRIER);
CALLER(calls_taskloop, "jumps_taskloop");
/* To one place, and to another that is not known. */
FUNCTION("jumps_register", MAYBE "jmp *%rdi");
CALLER(calls_register, "jumps_register");
FUNCTION("jumps_memory", MAYBE "jmp *8(%rdi)");
CALLER(calls_memory, "jumps_memory");
FUNCTION("jumps_plt", MAYBE "jmp getppid@plt");
CALLER(calls_plt, "jumps_plt");
CODE(".Lnameless: nop\n" BARRIER);
FUNCTION("jumps_nameless", MAYBE "jmp .Lnameless");
CALLER(calls_nameless, "jumps_nameless");
FUNCTION("__x86_indirect_thunk_of_test", "mov %rax, (%rsp)\nret");
FUNCTION("jumps_thunk", MAYBE "jmp __x86_indirect_thunk_of_test");
CALLER(calls_function_with_thunk, "jumps_thunk");
/* The program's own, whatever its name. */
FUNCTION("omp_smooth_of_test", "test %rsp, %rsp\n" BARRIER);
CALLER(calls_omp, "omp_smooth_of_test");
/* The function of another object; the last one has its address in a register for a while. */
CALLER(calls_elsewhere, "getppid@plt");
CALLER(calls_by_got, "*getppid@GOTPCREL(%rip)");
CALLER(calls_by_register, "2f\n2: mov getppid@GOTPCREL(%rip), %r12\ncall *%r12");
/* Functions that nothing tells. */
CALLER(calls_pointer, "*%r12");
CALLER(calls_by_memory, "*8(%rdi)");
CALLER(calls_thunk, "__x86_indirect_thunk_of_test");
/* Functions in C. */
CALLER(calls_one_line, "jumps_at_one_line");
CALLER(calls_two_lines, "jumps_at_two_lines");
CALLER(calls_two_functions, "jumps_in_two_functions");

/* A jump that is inlined. */
#define JUMP(name)                                                                                 \
	static inline __attribute__((always_inline)) void name(void)                               \
	{                                                                                          \
		__asm__ volatile(MAYBE);                                                           \
	}                                                                                          \
	_Static_assert(1, "takes the semicolon")
#define JUMPS(left, right)                                                                         \
	JUMP(left);                                                                                \
	JUMP(right)
#define CALLS(left, right)                                                                         \
	left();                                                                                    \
	right()

JUMP(jump);
JUMPS(left, right); /* both have the same line */

__attribute__((noinline, used)) static void jumps_at_one_line(void)
{
	CALLS(jump, jump);
}

__attribute__((noinline, used)) static void jumps_at_two_lines(void)
{
	jump();
	jump();
}

__attribute__((noinline, used)) static void jumps_in_two_functions(void)
{
	CALLS(left, right);
}

static uint64_t to_file_address(uint64_t addr)
{
	Dl_info info;

	assert_int_not_equal(dladdr((void *)addr, &info), 0);
	return addr - (uint64_t)info.dli_fbase;
}

static int set_up(void **state)
{
	static const struct symbols_options all = SYMBOLS_OPTIONS_DEFAULT;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	*state = symbols_open(&all);
	return n < 0 || !*state ? -1 : 0;
}

static int tear_down(void **state)
{
	symbols_close(*state);
	return 0;
}

/* Expects that the call before `addr` leads to `name`, whose place is the jump's, or not certain. */
static void expect(void **state, uint64_t addr, const char *name, uint32_t is_certain)
{
	struct symbols_object object = { .path = self };
	static struct symbols_at at;
	struct symbol function;

	assert_int_equal(symbols_tail(*state, &object, to_file_address(addr), &function), 1);
	symbols_lookup(*state, &object, strtoull(function.name, NULL, 16), &at);
	assert_string_equal(at.symbol[at.n - 1].name, name);
	assert_int_equal(function.line, is_certain);
}

static void test_one_jump(void **state)
{
	expect(state, calls_once(), "jumps_once", 1);
	expect(state, calls_further(), "jumps_once", 1);
	expect(state, calls_nowait(), "jumps_nowait", 1);
	expect(state, calls_split(), "jumps_split", 1);
	expect(state, calls_never(), "jumps_never", 0);
	expect(state, calls_omp(), "omp_smooth_of_test", 1);
}

static void test_no_function(void **state)
{
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address(calls_runtime());
	struct symbol function;

	/* The call is the runtime's; there is no call. */
	assert_int_equal(symbols_tail(*state, &object, addr, &function), 0);
	assert_int_equal(symbols_tail(*state, &object, 0, &function), 0);
}

static void test_jumps_without_a_line(void **state)
{
	expect(state, calls_either(), "jumps_either", 0);
}

static void test_every_function_of_the_runtime(void **state)
{
	expect(state, calls_taskloop(), "jumps_taskloop", 0);
}

static void test_jump_to_an_unknown_address(void **state)
{
	expect(state, calls_register(), "jumps_register", 0);
	expect(state, calls_memory(), "jumps_memory", 0);
	expect(state, calls_function_with_thunk(), "jumps_thunk", 0);
}

static void test_jump_to_another_object(void **state)
{
	expect(state, calls_plt(), "jumps_plt", 0);
}

static void test_jump_to_a_function_without_a_symbol(void **state)
{
	expect(state, calls_nameless(), "jumps_nameless", 0);
}

/* Expects that only the name of the function is known. */
static void expect_name(void **state, uint64_t addr, const char *name)
{
	struct symbols_object object = { .path = self };
	struct symbol function;

	assert_int_equal(symbols_tail(*state, &object, to_file_address(addr), &function), 1);
	assert_string_equal(function.name, name);
	assert_int_equal(function.line, 0);
}

/* This program has a static function of the same name (namesake.c). */
static void test_function_of_another_object(void **state)
{
	expect_name(state, calls_elsewhere(), "getppid");
	expect_name(state, calls_by_got(), "getppid");
	expect_name(state, calls_by_register(), "getppid");
}

static void test_unknown_function(void **state)
{
	expect_name(state, calls_pointer(), "unknown function");
	expect_name(state, calls_by_memory(), "unknown function");
	expect_name(state, calls_thunk(), "unknown function");
}

static void test_inlined_jumps(void **state)
{
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address((uint64_t)jumps_at_one_line);
	static struct symbols_at at;

	symbols_lookup(*state, &object, addr, &at);
	expect(state, calls_one_line(), "jumps_at_one_line", at.symbol[0].line != 0);
	expect(state, calls_two_lines(), "jumps_at_two_lines", 0);
}

static void test_jumps_of_two_functions_at_one_line(void **state)
{
	expect(state, calls_two_functions(), "jumps_in_two_functions", 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#endif

int main(void)
{
#ifdef __x86_64__
	const struct CMUnitTest tests[] = {
		CASE(test_one_jump),
		CASE(test_no_function),
		CASE(test_jumps_without_a_line),
		CASE(test_every_function_of_the_runtime),
		CASE(test_jump_to_an_unknown_address),
		CASE(test_jump_to_another_object),
		CASE(test_jump_to_a_function_without_a_symbol),
		CASE(test_function_of_another_object),
		CASE(test_unknown_function),
		CASE(test_inlined_jumps),
		CASE(test_jumps_of_two_functions_at_one_line),
	};

	return cmocka_run_group_tests_name("tails", tests, NULL, NULL);
#else
	puts("1..0 # SKIP the instructions of this machine are not read");
	return 0;
#endif
}
