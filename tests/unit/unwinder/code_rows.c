/* SPDX-License-Identifier: Apache-2.0 */
/* What the instructions of hand-written functions say of their frames. */
#include "tests/unit/unwinder/code_read.h"

#include "unwinder/core/arch.h"
#include "unwinder/code/instruction_x86_64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define read_code(...) READ_CODE(uint8_t, __VA_ARGS__)

static void assert_row(uint32_t i, uint32_t at, int reg, int32_t cfa, int fp)
{
	assert_true(i < n);
	assert_int_equal(rows[i].at, at);
	assert_int_equal(rows[i].reg, reg);
	assert_int_equal(rows[i].cfa, cfa);
	assert_int_equal(rows[i].fp, fp);
}

/* A kernel that keeps registers below its return address, and then aligns its stack. */
#define KERNEL                                                                                     \
	0x48, 0x83, 0xec, 0x60,                           /* 0: sub $0x60,%rsp */                  \
		0x48, 0x89, 0x1c, 0x24,                   /* 4: mov %rbx,(%rsp) */                 \
		0x48, 0x89, 0x6c, 0x24, 0x08,             /* 8: mov %rbp,8(%rsp) */                \
		0xc5, 0xf8, 0x77,                         /* 13: vzeroupper */                     \
		0x4c, 0x8b, 0x54, 0x24, 0x68,             /* 16: mov 0x68(%rsp),%r10 */            \
		0x48, 0x89, 0xe3,                         /* 21: mov %rsp,%rbx */                  \
		0x48, 0x81, 0xec, 0x80, 0x70, 0x00, 0x00, /* 24: sub $0x7080,%rsp */               \
		0x48, 0x81, 0xe4, 0x00, 0xf0, 0xff, 0xff, /* 31: and $-4096,%rsp */                \
		0x48, 0x85, 0xff,                         /* 38: test %rdi,%rdi */                 \
		0x74, 0x06,                               /* 41: je 49 */                          \
		0x31, 0xed,                               /* 43: xor %ebp,%ebp */                  \
		0x48, 0xff, 0xcf,                         /* 45: dec %rdi */                       \
		0x90                                      /* 48 */
#define KERNEL_END                                                                                 \
	0x48, 0x89, 0xdc,                     /* 49: mov %rbx,%rsp */                              \
		0x48, 0x8b, 0x1c, 0x24,       /* 52: mov (%rsp),%rbx */                            \
		0x48, 0x8b, 0x6c, 0x24, 0x08, /* 56: mov 8(%rsp),%rbp */                           \
		0x48, 0x83, 0xc4, 0x60,       /* 61: add $0x60,%rsp */                             \
		0xc3                          /* 65: ret */

static void test_kernel(void **state)
{
	read_code(KERNEL, KERNEL_END);
	assert_int_equal(n, 8);
	assert_row(0, 0, WALK_RSP, 8, 0);
	assert_row(1, 4, WALK_RSP, 0x68, 0);
	assert_row(2, 13, WALK_RSP, 0x68, -0x60);
	assert_row(3, 31, WALK_RSP, 0x68 + 0x7080, -0x60);
	assert_row(4, 38, WALK_RBX, 0x68, -0x60);
	assert_row(5, 52, WALK_RSP, 0x68, -0x60);
	assert_row(6, 61, WALK_RSP, 0x68, 0);
	assert_row(7, 65, WALK_RSP, 8, 0);
}

/* Behind a return the function goes on as at the last jump. */
static void test_after_return(void **state)
{
	read_code(KERNEL, KERNEL_END, 0x90, 0x90);
	assert_int_equal(n, 9);
	assert_row(8, 66, WALK_RBX, 0x68, -0x60);
	read_code(0x53, 0xc3, 0x5b, 0xc3); /* push %rbx; ret; pop %rbx; ret */
	assert_int_equal(n, 3);
	assert_row(1, 1, WALK_RSP, 16, 0);
	assert_row(2, 3, WALK_RSP, 8, 0);
}

static void test_pushes(void **state)
{
	/* push %r15; push %rbp; push $1; lea -16(%rsp),%rsp; mov 24(%rsp),%rbp */
	read_code(0x41, 0x57, 0x55, 0x6a, 1, 0x48, 0x8d, 0x64, 0x24, 0xf0, 0x31, 0xed, 0x48, 0x8b,
		0x6c, 0x24, 24, 0x90);
	assert_row(0, 0, WALK_RSP, 8, 0);
	assert_row(1, 2, WALK_RSP, 16, 0);
	assert_row(2, 3, WALK_RSP, 24, -24);
	assert_row(3, 5, WALK_RSP, 32, -24);
	assert_row(4, 10, WALK_RSP, 48, -24);
	assert_row(5, 17, WALK_RSP, 48, 0);
	assert_int_equal(n, 6);
}

static void test_frame_pointer(void **state)
{
	/* push %rbp; mov %rsp,%rbp; sub %rax,%rsp; leave; ret */
	read_code(0x55, 0x48, 0x89, 0xe5, 0x48, 0x29, 0xc4, 0xc9, 0xc3);
	assert_row(0, 0, WALK_RSP, 8, 0);
	assert_row(1, 1, WALK_RSP, 16, -16);
	assert_row(2, 7, WALK_RBP, 16, -16);
	assert_row(3, 8, WALK_RSP, 8, 0);
	assert_int_equal(n, 4);
}

static void test_anchors(void **state)
{
	/* lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10); xor %r10d,%r10d */
	read_code(0x4c, 0x8d, 0x54, 0x24, 8, 0x48, 0x83, 0xe4, 0xe0, 0x41, 0xff, 0x72, 0xf8, 0x45,
		0x31, 0xd2, 0x90);
	assert_row(1, 9, WALK_R10, 0, 0);
	assert_row(2, 16, CODE_ROW_UNKNOWN, 0, 0);
	assert_int_equal(n, 3);
	/* A frame pointer that is overwritten and was never saved. */
	read_code(0x31, 0xed, 0x90);
	assert_row(1, 2, WALK_RSP, 8, CODE_ROW_LOST);
	/* mov %rax,%rsp */
	read_code(0x48, 0x89, 0xc4, 0x90);
	assert_row(1, 3, CODE_ROW_UNKNOWN, 0, 0);
	/* pop %rsp */
	read_code(0x5c, 0x90);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0);
	/* mov %esp,%ebx; mov %rbx,%rsp: only half of it is copied */
	read_code(0x89, 0xe3, 0x48, 0x89, 0xdc, 0x90);
	assert_row(1, 5, CODE_ROW_UNKNOWN, 0, 0);
}

static void test_unknown(void **state)
{
	/* push %rbx; a byte that is no instruction; push %rbx */
	read_code(0x53, 0x06, 0x53);
	assert_int_equal(n, 2);
	assert_row(1, 1, CODE_ROW_UNKNOWN, 0, 0);
	/* After a jump it is assumed that it goes on. */
	read_code(0x53, 0x74, 0, 0x5b, 0x06, 0x53);
	assert_int_equal(n, 2);
	assert_row(1, 1, WALK_RSP, 16, 0);
}

/* Every beginning of the bytes alone: the page behind them cannot be read. */
static void test_truncated(void **state)
{
	static const uint8_t kernel[] = { KERNEL, KERNEL_END };

	for (size_t i = 1; i < sizeof(kernel); i++) {
		read_bytes(kernel, i);
		assert_true(n >= 1);
		assert_true(rows[n - 1].reg == CODE_ROW_UNKNOWN || rows[n - 1].at < i);
	}
	read_code(0x48);
	read_code(0x62, 0xf1, 0x7c);
	read_code(0xc4, 0xe2);
	read_code(0x66, 0x66, 0x66);
}

static void test_room(void **state)
{
	static const uint8_t pushes[] = { 0x50, 0x50, 0x50, 0x50, 0x50 };

	for (uint32_t room = 1; room < 5; room++) {
		n = code_rows_read(pushes, sizeof(pushes), rows, room);
		assert_int_equal(n, room);
		assert_int_equal(rows[n - 1].reg, CODE_ROW_UNKNOWN);
	}
}

/* Whatever the bytes are, nothing behind them is read and the rows are in order. */
static void test_random(void **state)
{
	uint8_t bytes[64];

	srandom(1);
	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)random();
		read_bytes(bytes, 1 + (size_t)random() % sizeof(bytes));
		assert_true(n >= 1 && n <= ROOM && rows[0].at == 0);
		for (uint32_t i = 1; i < n; i++)
			assert_true(rows[i].at >= rows[i - 1].at);
	}
}

#define assert_length(expected, ...)                                                               \
	do {                                                                                       \
		static const uint8_t bytes[] = { __VA_ARGS__, 0x90, 0x90 };                        \
		struct instruction read;                                                           \
                                                                                                   \
		assert_int_equal(instruction_read(&read, bytes, sizeof(bytes)), 0);                \
		assert_int_equal(read.length, expected);                                           \
		assert_int_equal(read.length, sizeof(bytes) - 2);                                  \
	} while (0)

static void test_lengths(void **state)
{
	assert_length(10, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8);         /* movabs */
	assert_length(5, 0xb8, 1, 2, 3, 4);                            /* mov $,%eax */
	assert_length(4, 0x66, 0xb8, 1, 2);                            /* mov $,%ax */
	assert_length(8, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0);             /* nopl */
	assert_length(3, 0xf6, 0xc1, 1);                               /* test $,%cl */
	assert_length(2, 0xf6, 0xd1);                                  /* not %cl */
	assert_length(8, 0xf7, 0x44, 0x24, 8, 1, 0, 0, 0);             /* testl $,8(%rsp) */
	assert_length(7, 0x48, 0x8b, 0x05, 1, 2, 3, 4);                /* rip + */
	assert_length(8, 0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4);          /* no base */
	assert_length(5, 0x0f, 0x18, 0x4c, 0x24, 0x30);                /* prefetcht0 */
	assert_length(6, 0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8);             /* palignr */
	assert_length(5, 0x66, 0x0f, 0x38, 0, 0xc1);                   /* pshufb */
	assert_length(6, 0xc4, 0xe2, 0xf5, 0xb8, 0x04, 0x24);          /* vfmadd231pd */
	assert_length(6, 0xc4, 0xe3, 0x75, 0x06, 0xc2, 0x20);          /* vperm2f128 */
	assert_length(5, 0xc5, 0xf5, 0xc6, 0xc2, 5);                   /* vshufpd */
	assert_length(8, 0x62, 0xf1, 0xfd, 0x48, 0x28, 0x44, 0x24, 1); /* vmovapd 64(%rsp),%zmm0 */
}

static void test_other_registers(void **state)
{
	read_code(0x54, 0x5b, 0xb4, 1, 0x48, 0x29,
		0xc4); /* push %rsp; pop; mov $1,%ah; sub %rax,%rsp */
	assert_row(n - 1, 2, WALK_RSP, 8, 0);
	/* %rbp is replaced by 64 bits. */
	read_code(0x48, 0xbd, 1, 2, 3, 4, 5, 6, 7, 8, 0x90);
	assert_row(1, 10, WALK_RSP, 8, CODE_ROW_LOST);
	/* An address of 32 bits is none of the stack's. */
	read_code(0x67, 0x48, 0x8d, 0x64, 0x24, 0xf8, 0x90);
	assert_row(1, 6, CODE_ROW_UNKNOWN, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_after_return),
		cmocka_unit_test(test_pushes),
		cmocka_unit_test(test_frame_pointer),
		cmocka_unit_test(test_anchors),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_other_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
