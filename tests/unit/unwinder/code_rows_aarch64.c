/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What AArch64's instructions say of a function's frame, and tables of functions whose frame
 * descriptions are empty. On whatever this runs.
 */
#include "unwinder/core/code_rows.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <cmocka.h>

#include "unwinder/core/arch.h"
#include "unwinder/core/cfi.h"
#include "unwinder/core/table.h"

/* Its `n` would hide parameters of the headers above. */
#include "tests/unit/unwinder/code_read.h"

#define NOP 0xd503201f
#define RET 0xd65f03c0

#define read_code(...) READ_CODE(uint32_t, __VA_ARGS__)

static void assert_row(uint32_t i, uint32_t at, uint32_t reg, int cfa, int fp, int ra)
{
	assert_true(i < n);
	assert_int_equal(rows[i].at, 4 * at);
	assert_int_equal(rows[i].reg, reg);
	assert_int_equal(rows[i].cfa, cfa);
	assert_int_equal(rows[i].fp, fp);
	assert_int_equal(rows[i].ra, ra);
}

/* How LLVM's runtime calls an outlined function, up to LLVM 21. The call is in word 8. */
#define MICROTASK                                                                                  \
	0xa9bf7bfd,         /* stp x29, x30, [sp, #-16]! */                                        \
		0xa9bf53f3, /* stp x19, x20, [sp, #-16]! */                                        \
		0x910003fd, /* mov x29, sp */                                                      \
		0x11000879, /* add w25, w3, #2 */                                                  \
		0x71002129, /* subs w9, w9, #8 */                                                  \
		0x540000ab, /* b.lt 10 */                                                          \
		0xcb2063ff, /* sub sp, sp, x0 */                                                   \
		0xaa0003f3, /* mov x19, x0 */                                                      \
		0xd63f0260, /* blr x19 */                                                          \
		0x910003bf, /* mov sp, x29 */                                                      \
		0xa8c153f3, /* ldp x19, x20, [sp], #16 */                                          \
		0xa8c17bfd, /* ldp x29, x30, [sp], #16 */                                          \
		RET

static void test_microtask(void **state)
{
	read_code(MICROTASK, NOP);
	assert_int_equal(n, 8);
	assert_row(0, 0, WALK_SP, 0, 0, 0);
	assert_row(1, 1, WALK_SP, 16, -16, -8);
	assert_row(2, 2, WALK_SP, 32, -16, -8);
	assert_row(3, 7, WALK_FP, 32, -16, -8);
	assert_row(4, 10, WALK_SP, 32, -16, -8);
	assert_row(5, 11, WALK_SP, 16, -16, -8);
	assert_row(6, 12, WALK_SP, 0, 0, 0);
	assert_row(7, 13, WALK_SP, 32, -16, -8);
	/* From LLVM 22 on the frame pointer is set first. */
	read_code(0xa9bf7bfd, 0x910003fd, 0xa9bf53f3, 0xcb2063ff, 0xd63f0260, NOP);
	assert_row(n - 1, 4, WALK_FP, 16, -16, -8);
}

/* Kernels that save as little as they can. */
static void test_kernels(void **state)
{
	/* str x30, [sp, #-16]!; bl .; ldr x30, [sp], #16; ret */
	read_code(0xf81f0ffe, 0x94000000, 0xf84107fe, RET);
	assert_int_equal(n, 3);
	assert_row(1, 1, WALK_SP, 16, 0, -16);
	assert_row(2, 3, WALK_SP, 0, 0, 0);
	/* sub sp, sp, #176; stp d8, d9, [sp]; stp x29, x30, [sp, #160]; fmov x29, d0; add x1, ... */
	read_code(0xd102c3ff, 0x6d0027e8, 0xa90a7bfd, 0x9e66001d, 0x8b020021, 0xa94a7bfd,
		0x9102c3ff, RET);
	assert_int_equal(n, 5);
	assert_row(1, 1, WALK_SP, 176, 0, 0);
	assert_row(2, 3, WALK_SP, 176, -16, -8);
	assert_row(3, 6, WALK_SP, 176, 0, 0);
	assert_row(4, 7, WALK_SP, 0, 0, 0);
	/* stp d8, d9, [sp, #-64]!; fmla v29.2d, v0.2d, v1.2d; ldp d8, d9, [sp], #64 */
	read_code(0x6dbc27e8, 0x4e61cc1d, 0x6cc427e8, RET);
	assert_row(1, 1, WALK_SP, 64, 0, 0);
	assert_row(2, 3, WALK_SP, 0, 0, 0);
	/* sub sp, sp, #1, lsl #12; stp x29, x30, [sp, #-512]!; mov x29, sp */
	read_code(0xd14007ff, 0xa9a07bfd, 0x910003fd, NOP);
	assert_row(2, 2, WALK_SP, 4608, -4608, -4600);
	/* paciasp; stp x29, x30, [sp, #-16]!; ldp x29, x30, [sp], #16; retaa */
	read_code(0xd503233f, 0xa9bf7bfd, 0xa8c17bfd, 0xd65f0bff, NOP);
	assert_row(1, 2, WALK_SP, 16, -16, -8);
	assert_row(2, 3, WALK_SP, 0, 0, 0);
}

static void test_lost(void **state)
{
	/* A call without a saved link register; mov x29, x0; ldr x29, [x1]; ldp x0, x30, [x2] */
	read_code(0x94000000, NOP);
	assert_row(1, 1, WALK_SP, 0, 0, CODE_ROW_LOST);
	read_code(0xaa0003fd, NOP);
	assert_row(1, 1, WALK_SP, 0, CODE_ROW_LOST, 0);
	read_code(0xf940003d, NOP);
	assert_row(1, 1, WALK_SP, 0, CODE_ROW_LOST, 0);
	read_code(0xa9407840, NOP);
	assert_row(1, 1, WALK_SP, 0, 0, CODE_ROW_LOST);
	/* mov sp, x9; and sp, x9, #-64; addvl sp, sp, #-1; st1 {v0.2d}, [sp], #16; add sp, sp, w0 */
	read_code(0x9100013f, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	read_code(0x927ae53f, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	read_code(0x043f57ff, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	read_code(0x4c9f7fe0, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	read_code(0x8b2043ff, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	/* Compared, stored or tested a register is not lost: cmp sp, x0; str x29, [x0]; cbz x30 */
	read_code(0xeb2063ff, 0xf900001d, 0xb400003e, 0xf820681e, NOP);
	assert_int_equal(n, 1);
}

/* After a return the function continues as at the last jump. */
static void test_after_return(void **state)
{
	read_code(0xa9bf7bfd, 0xb4000060, 0xa8c17bfd, RET, NOP);
	assert_int_equal(n, 4);
	assert_row(2, 3, WALK_SP, 0, 0, 0);
	assert_row(3, 4, WALK_SP, 16, -16, -8);
	/* Zeros are no instruction. */
	read_code(0xd10043ff, 0, NOP);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0, 0);
	assert_int_equal(n, 2);
}

/* Whatever the words are, nothing behind them is read and the rows are in order. */
static void test_random(void **state)
{
	uint32_t words[16];

	srandom(1);
	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			words[i] = (uint32_t)random() << 1 ^ (uint32_t)random();
		read_bytes(words, 1 + (size_t)random() % sizeof(words));
		assert_true(n >= 1 && n <= ROOM && rows[0].at == 0);
		for (uint32_t i = 1; i < n; i++)
			assert_true(rows[i].at > rows[i - 1].at);
	}
}

enum { HDR_AT = 0, CIE_AT = 20, FDE_AT = 40, IMAGE_BYTES = 80 };

/* Unwind data with one frame description, of `code`: the link register has the return address. */
static void make_image(uint8_t *data, const void *code, uint32_t n_bytes)
{
	static const uint8_t hdr[] = { 1, 0x1b, 3, 0x3b };
	/* "zR", addresses are absolute; the CFA is the stack pointer */
	static const uint8_t cie[] = { 16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0,
		0x0c, 31, 0 };
	const uint32_t numbers[] = { CIE_AT - 4, 1, (uint32_t)((uintptr_t)code - (uintptr_t)data),
		FDE_AT };
	const uint64_t range[] = { (uintptr_t)code, n_bytes };
	const uint32_t fde[] = { 24, FDE_AT + 4 - CIE_AT };

	memcpy(data + HDR_AT, hdr, sizeof(hdr));
	memcpy(data + HDR_AT + 4, numbers, sizeof(numbers));
	memcpy(data + CIE_AT, cie, sizeof(cie));
	memcpy(data + FDE_AT, fde, sizeof(fde));
	memcpy(data + FDE_AT + sizeof(fde), range, sizeof(range));
}

static void build(struct table *table, const uint32_t *code, uint32_t n_bytes, int has_text)
{
	static _Alignas(8) uint8_t data[IMAGE_BYTES];
	struct table_scratch scratch = { 0 };
	struct cfi_image image;
	uint64_t begin = (uintptr_t)code;
	struct table_code at = { begin, begin + n_bytes, begin,
		has_text ? begin + n_bytes : begin };

	memset(data, 0, sizeof(data));
	make_image(data, code, n_bytes);
	assert_int_equal(
		cfi_image_init(&image, data, sizeof(data), (uintptr_t)data, (uintptr_t)data), 0);
	assert_int_equal(table_build(table, &image, NULL, &at, &scratch), 0);
	table_scratch_release(&scratch);
}

static void assert_rule(
	const struct table *table, const uint32_t *at, unsigned int kind, int cfa, int fp, int ra)
{
	const struct rule *rule = table_find(table, (uintptr_t)at);

	assert_int_equal(rule->kind, kind);
	assert_int_equal(rule->cfa, cfa);
	assert_int_equal(rule->fp, fp);
	assert_int_equal(rule->ra, ra);
}

static void test_empty_description(void **state)
{
	static const uint32_t code[] = { MICROTASK };
	struct table table;

	build(&table, code, sizeof(code), 1);
	assert_rule(&table, code, RULE_SP, 0, 0, 0);
	assert_rule(&table, code + 1, RULE_SP, 16, -16, -8);
	assert_rule(&table, code + 9, RULE_FP, 32, -16, -8);
	assert_rule(&table, code + 12, RULE_SP, 0, 0, 0);
	table_free(&table);
	/* Code that may not be read. */
	build(&table, code, sizeof(code), 0);
	assert_rule(&table, code + 9, RULE_SP, 0, 0, 0);
	table_free(&table);
}

/* The description holds where the instructions do not say more. */
static void test_right_description(void **state)
{
	static const uint32_t code[] = { NOP, 0x9100013f /* mov sp, x9 */, NOP, RET };
	struct table table;

	build(&table, code, sizeof(code), 1);
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		assert_rule(&table, code + i, RULE_SP, 0, 0, 0);
	table_free(&table);
}

/* ADRP and LDR of a PLT's entry, with and without BTI before them. */
static void test_stub(void **state)
{
	static const uint32_t plain[] = { 0x90000110, 0xf9400e11, 0x91006210, 0xd61f0220 };
	static const uint32_t marked[] = { 0xd503245f, 0xf0fffff0, 0xf9400211, 0x91000210 };
	static const uint32_t other[] = { 0x90000110, 0xf9400e12, NOP, NOP };

	assert_int_equal(arch_stub_slot((const uint8_t *)plain, 0x400570), 0x420018);
	assert_int_equal(arch_stub_slot((const uint8_t *)marked, 0x400ffc), 0x400000);
	assert_int_equal(arch_stub_slot((const uint8_t *)other, 0x400570), 0);
}

static int may_jump(uint32_t code, uint64_t address, uint64_t target)
{
	const uint32_t codes[] = { NOP, code };

	return arch_may_jump((const uint8_t *)codes, (const uint8_t *)(codes + 2), address, target);
}

/* B to a distance from itself, and BR; no call, no return, no condition. */
static void test_may_jump(void **state)
{
	static const uint32_t others[] = { 0x94000004, 0x54000080, 0xb4000080, 0xd63f0200, RET };
	static const uint8_t whole[] = { 4, 0, 0, 0x14 };

	assert_true(may_jump(0x14000004, 0x1000, 0x1014));
	assert_false(may_jump(0x14000004, 0x1000, 0x1010));
	assert_false(may_jump(0x14000004, 0x1000, 0x1018));
	assert_true(may_jump(0x17ffffff, 0x1000, 0x1000));
	assert_true(may_jump(0x15ffffff, 0x1000, 0x1004 + 0x7fffffc));
	assert_true(may_jump(0x16000000, 0x10000000, 0x10000004 - 0x8000000));
	assert_true(may_jump(0xd61f0200, 0x1000, 1)); /* br x16 */
	assert_true(may_jump(0xd61f03c0, 0x1000, 1)); /* br x30 */
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(may_jump(others[i], 0x1000, 0x1014));
	assert_true(arch_may_jump(whole, whole + 4, 0x1000, 0x1010));
	assert_false(arch_may_jump(whole, whole + 3, 0x1000, 0x1010));
}

static void test_moved(void **state)
{
	/* sub sp, sp, #16; and sp, x9, #-64; add sp, sp, w0, uxtw; stp x29, x30, [sp, #-16]!;
	   ldr x30, [sp], #16; st1 {v0.2d}, [sp], #16; addvl sp, sp, #-1 */
	static const uint32_t moves[] = { 0xd10043ff, 0x927ae53f, 0x8b2043ff, 0xa9bf7bfd,
		0xf84107fe, 0x4c9f7fe0, 0x043f57ff };
	/* cmp x0, #1; str x0, [sp, #8]; stp x29, x30, [sp, #16]; add x0, sp, #16; ret */
	static const uint32_t others[] = { 0xf100041f, 0xf90007e0, 0xa9017bfd, 0x910043e0, RET };

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		assert_true(
			arch_moves_sp((const uint8_t *)&moves[i], (const uint8_t *)&moves[i + 1]));
	assert_false(arch_moves_sp((const uint8_t *)others, (const uint8_t *)(others + 5)));
}

#define LDP_POST   0xa8c17bfd /* ldp x29, x30, [sp], #16 */
#define LDP_48     0xa9427bfd /* ldp x29, x30, [sp, #32] */
#define ADD_48     0x9100c3ff /* add sp, sp, #48 */
#define SUB_48     0xd100c3ff /* sub sp, sp, #48 */
#define STP_48     0xa9027bfd /* stp x29, x30, [sp, #32] */
#define SP_FROM_FP 0x910003bf /* mov sp, x29 */
#define CALL       0x94000010
#define JUMP       0x14000010
#define TRAP       0xd4200020
#define NOP        0xd503201f
#define RET        0xd65f03c0

static const struct rule body = { .kind = RULE_FP, .cfa = 16, .fp = -16, .ra = -8 };
static const struct rule body_48 = { .kind = RULE_SP, .cfa = 48, .fp = -16, .ra = -8 };
static const struct rule initial = { .kind = RULE_SP };

static void check_edge(const uint32_t *code, int at, struct rule rule, struct rule right)
{
	const uint8_t *begin = (const uint8_t *)code;
	struct rule found = rule;
	int is_other = memcmp(&rule, &right, sizeof(rule)) != 0;

	assert_int_equal(arch_rule_at_edge(begin, begin + 4 * at, begin + 20, &found), is_other);
	assert_memory_equal(&found, &right, sizeof(found));
}

static void test_ends(void **state)
{
	const struct rule by_sp = { .kind = RULE_SP, .cfa = 16, .fp = -16, .ra = -8 };

	check_edge((uint32_t[]){ NOP, LDP_POST, RET, 0, 0 }, 1, body, by_sp);
	check_edge((uint32_t[]){ NOP, LDP_POST, RET, 0, 0 }, 2, body, initial);
	check_edge((uint32_t[]){ LDP_48, ADD_48, RET, 0, 0 }, 1, body_48,
		(struct rule){ .kind = RULE_SP, .cfa = 48 });
	/* A jump ends the function if x30 was loaded before. */
	check_edge((uint32_t[]){ NOP, LDP_POST, JUMP, 0, 0 }, 2, body, initial);
	check_edge((uint32_t[]){ CALL, NOP, JUMP, 0, 0 }, 1, body, body);
	check_edge((uint32_t[]){ LDP_POST, CALL, JUMP, 0, 0 }, 2, body, body);
	/* The frame pointer holds the frame: the instructions do not say how far the stack is. */
	check_edge((uint32_t[]){ SP_FROM_FP, LDP_POST, RET, 0, 0 }, 0,
		(struct rule){ .kind = RULE_FP, .cfa = 32, .fp = -16, .ra = -8 }, body);
	/* A call may not return, and a trap does not: the code after it can be another function's. */
	check_edge((uint32_t[]){ NOP, CALL, LDP_POST, RET, 0 }, 0, body_48, body_48);
	check_edge((uint32_t[]){ NOP, TRAP, LDP_POST, RET, 0 }, 0, body_48, body_48);
	check_edge((uint32_t[]){ NOP, NOP, NOP, NOP, NOP }, 0, body_48, body_48);
}

static void test_begins(void **state)
{
	const uint32_t code[] = { RET, SUB_48, STP_48, NOP, NOP };
	const uint32_t deeper[] = { CALL, ADD_48, SUB_48, SUB_48, NOP };

	check_edge(code, 1, initial, initial);
	check_edge(code, 2, initial, (struct rule){ .kind = RULE_SP, .cfa = 48 });
	check_edge(code, 3, initial, body_48);
	/* Not known from where on the code is this function's. */
	check_edge(code + 1, 2, initial, initial);
	/* Before it the stack was deeper. */
	check_edge(deeper, 4, initial, initial);
}

/* Whatever the words are: a rule is left as it is, or its places lie in the frame. */
static void test_random_edges(void **state)
{
	static const uint32_t likely[] = { LDP_POST, LDP_48, ADD_48, SUB_48, STP_48, SP_FROM_FP,
		NOP, RET };
	uint32_t words[12], n_found = 0;
	const uint8_t *begin = (const uint8_t *)words;

	srandom(2);
	for (int round = 0; round < 20000; round++) {
		struct rule first = round % 2 ? body_48 : initial, rule = first;
		size_t at = (size_t)random() % 12, bytes = 4 * at + (size_t)random() % 13;

		for (size_t i = 0; i < 12; i++)
			words[i] = random() % 8 ? likely[random() % 8] : (uint32_t)random() << 1;
		bytes = bytes < sizeof(words) ? bytes : sizeof(words);
		if (arch_rule_at_edge(begin, begin + 4 * at, begin + bytes, &rule)) {
			assert_true(rule.fp <= 0 && rule.ra <= 0);
			n_found++;
		} else {
			assert_memory_equal(&rule, &first, sizeof(rule));
		}
	}
	assert_true(n_found > 1000);
}

#ifdef __aarch64__

static volatile int was_after;

/* A breakpoint is left behind. */
static void on_signal(int signal, siginfo_t *info, void *ucontext)
{
	ucontext_t *context = ucontext;

	(void)signal;
	(void)info;
	was_after = arch_is_after_syscall(ucontext);
	if (!was_after)
		context->uc_mcontext.pc += 4;
}

static void test_after_syscall(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction before;

	sigaction(SIGTRAP, &action, &before);
	raise(SIGTRAP);
	assert_int_equal(was_after, 1);
	__asm__ volatile("brk #0");
	assert_int_equal(was_after, 0);
	sigaction(SIGTRAP, &before, NULL);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_microtask),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_after_return),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_empty_description),
		cmocka_unit_test(test_right_description),
		cmocka_unit_test(test_stub),
		cmocka_unit_test(test_may_jump),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_begins),
		cmocka_unit_test(test_random_edges),
#ifdef __aarch64__
		cmocka_unit_test(test_after_syscall),
#endif
	};

	return cmocka_run_group_tests_name("code of aarch64", tests, NULL, NULL);
}
