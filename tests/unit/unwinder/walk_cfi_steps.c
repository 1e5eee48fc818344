/* SPDX-License-Identifier: Apache-2.0 */
/* From rows of rules to the caller's registers: rules, expressions, the stack's bounds. */
#include "unwinder/core/cfi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define N_SLOTS 64

static uint64_t stack[N_SLOTS];
static const struct walk_bounds bounds = { .lo = (uintptr_t)stack,
	.hi = (uintptr_t)(stack + N_SLOTS) };
static uint8_t bytes[256];
static struct cfi_image image = {
	.data = bytes, .size_bytes = sizeof(bytes), .cie = { .return_register = WALK_RIP }
};
static struct walk_registers registers;
static struct cfi_row row;
static uint64_t cfa;
static int is_outermost;

static int setup(void **state)
{
	for (int i = 0; i < N_SLOTS; i++)
		stack[i] = 1000 + (uint64_t)i;
	memset(&registers, 0, sizeof(registers));
	registers.reg[WALK_RSP] = (uintptr_t)(stack + 10);
	registers.reg[WALK_RBP] = (uintptr_t)(stack + 20);
	registers.reg[WALK_RBX] = 77;
	registers.reg[WALK_RIP] = 0x400123;
	registers.known = 1u << WALK_RSP | 1u << WALK_RBP | 1u << WALK_RBX | 1u << WALK_RIP;
	memset(&row, 0, sizeof(row));
	row.cfa = (struct cfi_rule){ .kind = CFI_REGISTER, .reg = WALK_RSP, .value = 16 };
	row.rule[WALK_RIP] = (struct cfi_rule){ .kind = CFI_OFFSET, .value = -8 };
	row.set = 1u << WALK_RIP;
	return 0;
}

static void set_rule(unsigned int reg, unsigned int kind, unsigned int other, int value)
{
	row.rule[reg] =
		(struct cfi_rule){ .kind = (uint16_t)kind, .reg = (uint16_t)other, .value = value };
	row.set |= 1u << reg;
	row.is_mixed |= kind >= CFI_REGISTER;
}

static int step(void)
{
	return cfi_step(&image, &row, &bounds, &registers, &cfa, &is_outermost);
}

static void test_plain(void **state)
{
	set_rule(WALK_RBP, CFI_OFFSET, 0, -16);
	assert_int_equal(step(), 0);
	assert_int_equal(is_outermost, 0);
	assert_true(cfa == (uintptr_t)(stack + 12));
	assert_true(registers.reg[WALK_RSP] == cfa);
	assert_int_equal(registers.reg[WALK_RIP], 1011);
	assert_int_equal(registers.reg[WALK_RBP], 1010);
	assert_int_equal(registers.reg[WALK_RBX], 77);
}

static void test_register_rules(void **state)
{
	/* Each takes the other's old value. */
	set_rule(WALK_RBX, CFI_REGISTER, WALK_RBP, 0);
	set_rule(WALK_RBP, CFI_REGISTER, WALK_RBX, 0);
	set_rule(WALK_R12, CFI_VAL_OFFSET, 0, -24);
	set_rule(WALK_R13, CFI_REGISTER, WALK_R9, 0);
	set_rule(WALK_R14, CFI_UNDEFINED, 0, 0);
	registers.known |= 1u << WALK_R14;
	assert_int_equal(step(), 0);
	assert_true(registers.reg[WALK_RBX] == (uintptr_t)(stack + 20));
	assert_int_equal(registers.reg[WALK_RBP], 77);
	assert_true(registers.reg[WALK_R12] == cfa - 24);
	assert_int_equal(registers.known >> WALK_R12 & 1, 1);
	assert_int_equal(registers.known >> WALK_R13 & 1, 0);
	assert_int_equal(registers.known >> WALK_R14 & 1, 0);
}

static void test_outermost(void **state)
{
	const struct walk_registers before = registers;

	set_rule(WALK_RIP, CFI_UNDEFINED, 0, 0);
	assert_int_equal(step(), 0);
	assert_int_equal(is_outermost, 1);
	assert_memory_equal(&before, &registers, sizeof(before));
}

static void test_no_return_rule(void **state)
{
	row.rule[WALK_RIP].kind = CFI_SAME;
	assert_int_equal(step(), WALK_BAD_CFI);
}

static void test_unknown_base(void **state)
{
	row.cfa.reg = WALK_R10;
	assert_int_equal(step(), WALK_BAD_CFI);
	row.cfa.kind = CFI_SAME;
	row.cfa.reg = WALK_RSP;
	assert_int_equal(step(), WALK_BAD_CFI);
}

static void test_bounds(void **state)
{
	static const struct {
		int cfa, ra, expected;
	} cases[] = { { 16, -8, 0 }, { 17, -8, WALK_OFF_STACK }, { -80, -8, WALK_OFF_STACK },
		{ -72, 0, 0 }, { 432, -8, 0 }, { 440, -8, WALK_OFF_STACK }, { 440, -16, 0 },
		{ 436, -12, 0 }, { INT32_MAX, -8, WALK_OFF_STACK },
		{ INT32_MIN, 0, WALK_OFF_STACK } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(NULL);
		row.cfa.value = cases[i].cfa;
		row.rule[WALK_RIP].value = cases[i].ra;
		assert_int_equal(step(), cases[i].expected);
	}
	assert_int_equal(cfi_read_stack(&bounds, bounds.hi - 8, &cfa), 0);
	assert_int_equal(cfi_read_stack(&bounds, bounds.hi, &cfa), WALK_OFF_STACK);
	assert_int_equal(cfi_read_stack(&bounds, bounds.lo - 8, &cfa), WALK_OFF_STACK);
	assert_int_equal(cfi_read_stack(&bounds, UINT64_MAX - 7, &cfa), WALK_OFF_STACK);
	assert_int_equal(cfi_read_stack(&(struct walk_bounds){ 0, 4 }, 0, &cfa), WALK_OFF_STACK);
}

static void test_lost_register(void **state)
{
	/* A saved register that cannot be read is unknown, the step goes on. */
	set_rule(WALK_RBX, CFI_OFFSET, 0, 4096);
	assert_int_equal(step(), 0);
	assert_int_equal(registers.known >> WALK_RBX & 1, 0);
	assert_int_equal(registers.known >> WALK_RBP & 1, 1);
}

static void test_loaded_stack_pointer(void **state)
{
	/* As longjmp: the CFA is the buffer, rsp has a rule. */
	set_rule(WALK_RSP, CFI_REGISTER, WALK_RBP, 0);
	assert_int_equal(step(), 0);
	assert_true(cfa == (uintptr_t)(stack + 20));
	assert_true(registers.reg[WALK_RSP] == cfa);
}

/* Evaluates operations given as bytes with first = 5 on the stack. */
static int evaluate(const uint8_t *ops, size_t n, uint64_t *value)
{
	const uint64_t first = 5;

	bytes[0] = (uint8_t)n;
	memcpy(bytes + 1, ops, n);
	return cfi_evaluate(&image, 0, &registers, &bounds, &first, value);
}

#define EVALUATE(value, ...)                                                                       \
	evaluate((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), value)

#define assert_value(expected, ...)                                                                \
	do {                                                                                       \
		uint64_t got = 0;                                                                  \
                                                                                                   \
		assert_int_equal(EVALUATE(&got, __VA_ARGS__), 0);                                  \
		assert_true(got == (uint64_t)(expected));                                          \
	} while (0)

#define assert_wrong(failure, ...)                                                                 \
	do {                                                                                       \
		uint64_t unused;                                                                   \
                                                                                                   \
		assert_int_equal(EVALUATE(&unused, __VA_ARGS__), failure);                         \
	} while (0)

static void test_expression_values(void **state)
{
	assert_value(5, 0x96);
	assert_value(31, 0x4f);
	assert_value(0xfe, 0x08, 0xfe);
	assert_value(-2, 0x09, 0xfe);
	assert_value(0xfffe, 0x0a, 0xfe, 0xff);
	assert_value(-2, 0x0b, 0xfe, 0xff);
	assert_value(0xfffffffe, 0x0c, 0xfe, 0xff, 0xff, 0xff);
	assert_value(-2, 0x0d, 0xfe, 0xff, 0xff, 0xff);
	assert_value(0x0807060504030201, 0x0e, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_value(0x0807060504030201, 0x03, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_value(300, 0x10, 0xac, 0x02);
	assert_value(-2, 0x11, 0x7e);
	assert_value(registers.reg[WALK_RSP] + 8, 0x77, 8);
	assert_value(77 - 1, 0x92, 3, 0x7f);
	assert_value(1010, 0x77, 0, 0x06);
}

static void test_expression_operations(void **state)
{
	assert_value(10, 0x12, 0x22);       /* dup plus */
	assert_value(5, 0x33, 0x13);        /* 3 drop */
	assert_value(2, 0x33, 0x1c);        /* minus */
	assert_value(-2, 0x33, 0x16, 0x1c); /* swap */
	assert_value(5, 0x33, 0x14);        /* over */
	assert_value(5 & 3, 0x33, 0x1a);
	assert_value(5 | 3, 0x33, 0x21);
	assert_value(5 ^ 3, 0x33, 0x27);
	assert_value(-5 / 3, 0x1f, 0x33, 0x1b); /* neg div */
	assert_value(2, 0x33, 0x1d);
	assert_value(15, 0x33, 0x1e);
	assert_value(~5, 0x20);
	assert_value(5, 0x1f, 0x19);
	assert_value(305, 0x23, 0xac, 0x02);
	assert_value(40, 0x33, 0x24);
	assert_value(0, 0x08, 64, 0x24);
	assert_value(1, 0x32, 0x25);
	assert_value(0, 0x08, 64, 0x25);
	assert_value(-1, 0x1f, 0x08, 200, 0x26);
	assert_value(0, 0x33, 0x29);
	assert_value(1, 0x33, 0x2a);
	assert_value(1, 0x33, 0x2b);
	assert_value(0, 0x33, 0x2c);
	assert_value(0, 0x33, 0x2d);
	assert_value(1, 0x33, 0x2e);
}

static void test_expression_plt(void **state)
{
	/* rsp + 8 + ((rip & 15) >= 11) << 3, as linkers write it for the PLT. */
	static const uint8_t plt[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 };
	uint64_t value;

	for (unsigned int i = 0; i < 16; i++) {
		registers.reg[WALK_RIP] = 0x1000 + i;
		assert_int_equal(evaluate(plt, sizeof(plt), &value), 0);
		assert_true(value == registers.reg[WALK_RSP] + 8 + (i >= 11 ? 8 : 0));
	}
}

static void test_expression_wrong(void **state)
{
	uint8_t ops[200];
	uint64_t value;

	assert_wrong(WALK_BAD_CFI, 0x13);       /* nothing left */
	assert_wrong(WALK_BAD_CFI, 0x22);       /* one operand of two */
	assert_wrong(WALK_BAD_CFI, 0x30, 0x1b); /* by zero */
	assert_wrong(WALK_BAD_CFI, 0x30, 0x1d);
	assert_wrong(
		WALK_BAD_CFI, 0x31, 0x08, 63, 0x24, 0x11, 0x7f, 0x1b); /* overflow of division */
	assert_wrong(WALK_BAD_CFI, 0x2f, 1, 0);                        /* a branch */
	assert_wrong(WALK_BAD_CFI, 0x50);                              /* a location, not a value */
	assert_wrong(WALK_BAD_CFI, 0x7a, 0);                           /* r10 is not known */
	assert_wrong(WALK_BAD_CFI, 0x92, 40, 0);                       /* no such register */
	assert_wrong(WALK_BAD_CFI, 0x0e, 1, 2);                        /* cut */
	assert_wrong(WALK_OFF_STACK, 0x06);                            /* reads address 5 */
	assert_wrong(WALK_OFF_STACK, 0x30, 0x06);
	assert_wrong(WALK_OFF_STACK, 0x77, 1, 0x06); /* not aligned */
	memset(ops, 0x12, sizeof(ops));
	assert_int_equal(evaluate(ops, CFI_MAX_EXPRESSION_STACK - 1, &value), 0);
	assert_int_equal(evaluate(ops, CFI_MAX_EXPRESSION_STACK, &value), WALK_BAD_CFI);
	memset(ops, 0x20, sizeof(ops));
	assert_int_equal(evaluate(ops, CFI_MAX_EXPRESSION_OPS, &value), 0);
	assert_int_equal(evaluate(ops, CFI_MAX_EXPRESSION_OPS + 1, &value), WALK_BAD_CFI);
}

static void test_expression_place(void **state)
{
	uint64_t value;

	assert_int_equal(
		cfi_evaluate(&image, 256, &registers, &bounds, NULL, &value), WALK_BAD_CFI);
	bytes[250] = 6; /* its end is past the image's */
	assert_int_equal(
		cfi_evaluate(&image, 250, &registers, &bounds, NULL, &value), WALK_BAD_CFI);
	bytes[250] = 0; /* says nothing */
	assert_int_equal(
		cfi_evaluate(&image, 250, &registers, &bounds, NULL, &value), WALK_BAD_CFI);
}

static void test_expression_rules(void **state)
{
	/* A realigned frame: the CFA is kept at rbp - 8; rbx saved where an expression says. */
	static const uint8_t at_cfa[] = { 3, 0x76, 0x78, 0x06 }, at_rbx[] = { 2, 0x76, 0x68 };

	memcpy(bytes + 8, at_cfa, sizeof(at_cfa));
	memcpy(bytes + 16, at_rbx, sizeof(at_rbx));
	stack[19] = (uintptr_t)(stack + 30);
	row.cfa = (struct cfi_rule){ .kind = CFI_EXPRESSION, .value = 8 };
	set_rule(WALK_RBX, CFI_EXPRESSION, 0, 16);
	set_rule(WALK_R12, CFI_VAL_EXPRESSION, 0, 16);
	assert_int_equal(step(), 0);
	assert_true(cfa == (uintptr_t)(stack + 30));
	assert_int_equal(registers.reg[WALK_RIP], 1029);
	assert_int_equal(registers.reg[WALK_RBX], 1017);
	assert_true(registers.reg[WALK_R12] == (uintptr_t)(stack + 17));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_plain, setup),
		cmocka_unit_test_setup(test_register_rules, setup),
		cmocka_unit_test_setup(test_outermost, setup),
		cmocka_unit_test_setup(test_no_return_rule, setup),
		cmocka_unit_test_setup(test_unknown_base, setup),
		cmocka_unit_test_setup(test_bounds, setup),
		cmocka_unit_test_setup(test_lost_register, setup),
		cmocka_unit_test_setup(test_loaded_stack_pointer, setup),
		cmocka_unit_test_setup(test_expression_values, setup),
		cmocka_unit_test_setup(test_expression_operations, setup),
		cmocka_unit_test_setup(test_expression_plt, setup),
		cmocka_unit_test_setup(test_expression_wrong, setup),
		cmocka_unit_test_setup(test_expression_place, setup),
		cmocka_unit_test_setup(test_expression_rules, setup),
	};

	return cmocka_run_group_tests_name("cfi steps", tests, NULL, NULL);
}
