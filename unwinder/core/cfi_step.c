/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a row of rules to the caller's registers, with the expressions that rules may have (DWARF 4,
 * 2.5). Branches in expressions are not supported: no compiler or C library emits them in
 * .eh_frame.
 */
#include "unwinder/core/cfi.h"

#include "unwinder/core/cfi_pointer.h"

enum expression_op {
	EX_ADDR = 0x03,
	EX_DEREF = 0x06,
	EX_CONST1U = 0x08,
	EX_CONST1S,
	EX_CONST2U,
	EX_CONST2S,
	EX_CONST4U,
	EX_CONST4S,
	EX_CONST8U,
	EX_CONST8S,
	EX_CONSTU,
	EX_CONSTS,
	EX_DUP,
	EX_DROP,
	EX_OVER,
	EX_SWAP = 0x16,
	EX_ABS = 0x19,
	EX_AND,
	EX_DIV,
	EX_MINUS,
	EX_MOD,
	EX_MUL,
	EX_NEG,
	EX_NOT,
	EX_OR,
	EX_PLUS,
	EX_PLUS_UCONST,
	EX_SHL,
	EX_SHR,
	EX_SHRA,
	EX_XOR,
	EX_EQ = 0x29,
	EX_GE,
	EX_GT,
	EX_LE,
	EX_LT,
	EX_NE,
	EX_LIT0 = 0x30,
	EX_BREG0 = 0x70,
	EX_BREGX = 0x92,
	EX_NOP = 0x96,
};

struct evaluation {
	struct cfi_cursor in;
	const struct walk_registers *registers;
	const struct walk_bounds *bounds;
	uint64_t stack[CFI_MAX_EXPRESSION_STACK];
	unsigned int depth;
	int off_stack; /* a read was outside bounds */
};

static void push(struct evaluation *e, uint64_t value)
{
	if (e->depth == CFI_MAX_EXPRESSION_STACK)
		e->in.bad = 1;
	else
		e->stack[e->depth++] = value;
}

static uint64_t pop(struct evaluation *e)
{
	if (e->depth == 0) {
		e->in.bad = 1;
		return 0;
	}
	return e->stack[--e->depth];
}

static void push_register(struct evaluation *e, uint64_t reg)
{
	int64_t offset = cfi_sleb(&e->in);

	if (reg >= WALK_N_REGISTERS || !(e->registers->known >> reg & 1))
		e->in.bad = 1;
	else
		push(e, e->registers->reg[reg] + (uint64_t)offset);
}

/* How the operand of an operation that pushes a constant of more than one byte is encoded. */
static const uint8_t constant_formats[] = {
	[EX_ADDR] = CFI_PE_UDATA8,
	[EX_CONST2U] = CFI_PE_UDATA2,
	[EX_CONST2S] = CFI_PE_SDATA2,
	[EX_CONST4U] = CFI_PE_UDATA4,
	[EX_CONST4S] = CFI_PE_SDATA4,
	[EX_CONST8U] = CFI_PE_UDATA8,
	[EX_CONST8S] = CFI_PE_SDATA8,
	[EX_CONSTU] = CFI_PE_ULEB128,
	[EX_CONSTS] = CFI_PE_SLEB128,
};

/* Runs an operation that pushes a constant. Returns 0 if `op` is another operation. */
static int run_constant_op(struct evaluation *e, unsigned int op)
{
	if (op == EX_CONST1U)
		push(e, cfi_u8(&e->in));
	else if (op == EX_CONST1S)
		push(e, (uint64_t)(int64_t)(int8_t)cfi_u8(&e->in));
	else if (op < sizeof(constant_formats) && constant_formats[op])
		push(e, cfi_formatted(&e->in, constant_formats[op]));
	else
		return 0;
	return 1;
}

/* Runs an operation that pushes a value. Returns 0 if `op` is another operation. */
static int run_push_op(struct evaluation *e, unsigned int op)
{
	if (op >= EX_LIT0 && op < EX_LIT0 + 32)
		push(e, op - EX_LIT0);
	else if (op >= EX_BREG0 && op < EX_BREG0 + 32)
		push_register(e, op - EX_BREG0);
	else if (op == EX_BREGX)
		push_register(e, cfi_uleb(&e->in));
	else
		return run_constant_op(e, op);
	return 1;
}

/* Runs an operation on the top entry. Returns 0 if `op` is another operation. */
static int run_unary_op(struct evaluation *e, unsigned int op)
{
	uint64_t top;

	if (op == EX_NOP)
		return 1;
	if (op != EX_DEREF && op != EX_DUP && op != EX_DROP && op != EX_ABS && op != EX_NEG &&
		op != EX_NOT && op != EX_PLUS_UCONST)
		return 0;
	top = pop(e);
	switch (op) {
	case EX_DEREF:
		e->off_stack |= cfi_read_stack(e->bounds, top, &top) != 0;
		push(e, top);
		break;
	case EX_DUP:
		push(e, top);
		push(e, top);
		break;
	case EX_ABS:
		push(e, (int64_t)top < 0 ? -top : top);
		break;
	case EX_NEG:
		push(e, -top);
		break;
	case EX_NOT:
		push(e, ~top);
		break;
	case EX_PLUS_UCONST:
		push(e, top + cfi_uleb(&e->in));
		break;
	}
	return 1;
}

/* Signed division. A division that the processor would trap on means wrong data. */
static uint64_t divide(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (b == 0 || (b == UINT64_MAX && a == (uint64_t)INT64_MIN)) {
		e->in.bad = 1;
		return 0;
	}
	return (uint64_t)((int64_t)a / (int64_t)b);
}

/* The result of a comparison; a is the lower of the two entries on the stack. */
static int compare(unsigned int op, int64_t a, int64_t b)
{
	switch (op) {
	case EX_EQ:
		return a == b;
	case EX_GE:
		return a >= b;
	case EX_GT:
		return a > b;
	case EX_LE:
		return a <= b;
	case EX_LT:
		return a < b;
	}
	return a != b;
}

/* The result of an operation on two entries of the stack; a is the lower entry. */
static uint64_t binary(struct evaluation *e, unsigned int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case EX_AND:
		return a & b;
	case EX_DIV:
		return divide(e, a, b);
	case EX_MINUS:
		return a - b;
	case EX_MOD:
		return b ? a % b : divide(e, a, b);
	case EX_MUL:
		return a * b;
	case EX_OR:
		return a | b;
	case EX_PLUS:
		return a + b;
	case EX_SHL:
		return b < 64 ? a << b : 0;
	case EX_SHR:
		return b < 64 ? a >> b : 0;
	case EX_SHRA:
		return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
	case EX_XOR:
		return a ^ b;
	}
	if (op < EX_EQ || op > EX_NE)
		e->in.bad = 1;
	return (uint64_t)compare(op, (int64_t)a, (int64_t)b);
}

static void run_op(struct evaluation *e, unsigned int op)
{
	uint64_t a, b;

	if (run_push_op(e, op) || run_unary_op(e, op))
		return;
	b = pop(e);
	a = pop(e);
	if (op == EX_SWAP) {
		push(e, b);
		push(e, a);
	} else if (op == EX_OVER) {
		push(e, a);
		push(e, b);
		push(e, a);
	} else {
		push(e, binary(e, op, a, b));
	}
}

int cfi_evaluate(const struct cfi_image *image, uint32_t at, const struct walk_registers *registers,
	const struct walk_bounds *bounds, const uint64_t *first, uint64_t *value)
{
	struct evaluation e;
	uint64_t length;

	if (at >= image->size_bytes)
		return WALK_BAD_CFI;
	e.in = (struct cfi_cursor){ .at = image->data + at,
		.end = image->data + image->size_bytes };
	length = cfi_uleb(&e.in);
	if (e.in.bad || length > (uint64_t)(e.in.end - e.in.at))
		return WALK_BAD_CFI;
	e.in.end = e.in.at + length;
	e.registers = registers;
	e.bounds = bounds;
	e.depth = 0;
	e.off_stack = 0;
	if (first)
		push(&e, *first);
	for (int i = 0; i < CFI_MAX_EXPRESSION_OPS && e.in.at < e.in.end && !e.in.bad; i++) {
		run_op(&e, *e.in.at++);
		if (e.off_stack)
			return WALK_OFF_STACK;
	}
	*value = pop(&e);
	return e.in.bad || e.in.at < e.in.end ? WALK_BAD_CFI : 0;
}

/* Finds a register's value in the caller, by a rule that is not CFI_SAME or CFI_UNDEFINED. */
static int apply_rule(const struct cfi_image *image, const struct cfi_rule *rule,
	const struct walk_bounds *bounds, const struct walk_registers *registers, uint64_t cfa,
	uint64_t *value)
{
	int failure;

	switch (rule->kind) {
	case CFI_OFFSET:
		return cfi_read_stack(bounds, cfa + (uint64_t)(int64_t)rule->value, value);
	case CFI_VAL_OFFSET:
		*value = cfa + (uint64_t)(int64_t)rule->value;
		return 0;
	case CFI_REGISTER:
		*value = registers->reg[rule->reg];
		return registers->known >> rule->reg & 1 ? 0 : WALK_BAD_CFI;
	case CFI_VAL_EXPRESSION:
		return cfi_evaluate(image, (uint32_t)rule->value, registers, bounds, &cfa, value);
	case CFI_EXPRESSION:
		failure =
			cfi_evaluate(image, (uint32_t)rule->value, registers, bounds, &cfa, value);
		return failure ? failure : cfi_read_stack(bounds, *value, value);
	}
	return WALK_BAD_CFI;
}

static int compute_cfa(const struct cfi_image *image, const struct cfi_rule *rule,
	const struct walk_bounds *bounds, const struct walk_registers *registers, uint64_t *cfa)
{
	if (rule->kind == CFI_EXPRESSION)
		return cfi_evaluate(image, (uint32_t)rule->value, registers, bounds, NULL, cfa);
	if (rule->kind != CFI_REGISTER || !(registers->known >> rule->reg & 1))
		return WALK_BAD_CFI;
	*cfa = registers->reg[rule->reg] + (uint64_t)(int64_t)rule->value;
	return 0;
}

/*
 * Applies the rules of all registers but the return address. A failure makes a register unknown;
 * only for the return address it is an error. `old` and `next` may be the same if no rule of the
 * row needs another register.
 */
static void apply_others(const struct cfi_image *image, const struct cfi_row *row,
	const struct walk_bounds *bounds, const struct walk_registers *old, uint64_t cfa,
	struct walk_registers *next)
{
	uint64_t left = row->set & ~WALK_BIT(image->cie.return_register);

	while (left) { /* at most one round for each of WALK_N_REGISTERS bits */
		unsigned int r = (unsigned int)__builtin_ctzll(left);
		const struct cfi_rule *rule = &row->rule[r];
		int failure;

		left &= left - 1;
		if (rule->kind == CFI_OFFSET) /* nearly all */
			failure = cfi_read_stack(
				bounds, cfa + (uint64_t)(int64_t)rule->value, &next->reg[r]);
		else
			failure = apply_rule(image, rule, bounds, old, cfa, &next->reg[r]);
		next->known = (next->known & ~WALK_BIT(r)) | (uint64_t)!failure << r;
	}
}

static const struct cfi_rule in_link_register = { .kind = CFI_REGISTER, .reg = WALK_LINK };

/* The rule for the return address. Not saved means: still where the call put it. */
static const struct cfi_rule *return_rule(const struct cfi_image *image, const struct cfi_row *row)
{
	const struct cfi_rule *rule = &row->rule[image->cie.return_register];

	if (WALK_LINK < WALK_N_REGISTERS && rule->kind == CFI_SAME &&
		image->cie.return_register == WALK_LINK)
		return &in_link_register;
	return rule;
}

/*
 * Whether the frame has no caller. Its rule may say so. Or its own call has overwritten the link
 * register, nothing was saved, and there is no caller's frame pointer.
 */
static int has_no_caller(const struct cfi_rule *rule, const struct walk_registers *registers)
{
	if (rule != &in_link_register)
		return rule->kind == CFI_UNDEFINED;
	return !(registers->known >> WALK_LINK & 1) && registers->known >> WALK_FP & 1 &&
	       registers->reg[WALK_FP] == 0;
}

int cfi_step(const struct cfi_image *image, const struct cfi_row *row,
	const struct walk_bounds *bounds, struct walk_registers *registers, uint64_t *cfa,
	int *is_outermost)
{
	const struct cfi_rule *rule = return_rule(image, row);
	struct walk_registers old;
	uint64_t return_address;
	int failure;

	*is_outermost = 0;
	*cfa = 0;
	failure = compute_cfa(image, &row->cfa, bounds, registers, cfa);
	if (failure)
		return failure;
	if (has_no_caller(rule, registers)) {
		*is_outermost = 1;
		return 0;
	}
	failure = apply_rule(image, rule, bounds, registers, *cfa, &return_address);
	if (failure)
		return failure;
	if (row->is_mixed) {
		old = *registers;
		registers->reg[WALK_SP] = *cfa;
		apply_others(image, row, bounds, &old, *cfa, registers);
	} else {
		registers->reg[WALK_SP] = *cfa;
		apply_others(image, row, bounds, registers, *cfa, registers);
	}
	registers->reg[WALK_SP] += (uint64_t)cfi_missing(row, image->cie.return_register);
	registers->reg[WALK_IP] = arch_code_address(return_address);
	registers->known |= WALK_BIT(WALK_IP) | WALK_BIT(WALK_SP);
	/* The caller's own return address was there before the caller made its call. */
	if (WALK_LINK < WALK_N_REGISTERS && image->cie.return_register == WALK_LINK)
		registers->known &= ~WALK_BIT(WALK_LINK);
	/* longjmp counts from its buffer while it loads registers, and gives the new sp a rule. */
	*cfa = registers->reg[WALK_SP];
	return 0;
}
