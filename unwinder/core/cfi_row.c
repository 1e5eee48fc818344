/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a frame description to the row of rules at one pc: the call frame instructions of DWARF 4,
 * 6.4.2, and GNU's. Rules of registers that enum walk_register does not have (vector registers) are
 * read and dropped.
 */
#include "unwinder/core/cfi.h"

#include "unwinder/core/cfi_pointer.h"

#include <limits.h>

/* Instructions. The first three have an operand in their low six bits. */
enum cfa_op {
	OP_ADVANCE = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0,
	OP_NOP = 0x00,
	OP_SET_LOC = 0x01,
	OP_ADVANCE1 = 0x02,
	OP_ADVANCE2 = 0x03,
	OP_ADVANCE4 = 0x04,
	OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06,
	OP_UNDEFINED = 0x07,
	OP_SAME_VALUE = 0x08,
	OP_REGISTER = 0x09,
	OP_REMEMBER = 0x0a,
	OP_RESTORE_STATE = 0x0b,
	OP_DEF_CFA = 0x0c,
	OP_DEF_CFA_REGISTER = 0x0d,
	OP_DEF_CFA_OFFSET = 0x0e,
	OP_DEF_CFA_EXPRESSION = 0x0f,
	OP_EXPRESSION = 0x10,
	OP_OFFSET_EXTENDED_SF = 0x11,
	OP_DEF_CFA_SF = 0x12,
	OP_DEF_CFA_OFFSET_SF = 0x13,
	OP_VAL_OFFSET = 0x14,
	OP_VAL_OFFSET_SF = 0x15,
	OP_VAL_EXPRESSION = 0x16,
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* Sets a register's rule. More than 31 bits are no offset in a stack frame: the data is wrong. */
static void set_rule(
	struct cfi_machine *m, uint64_t reg, unsigned int kind, uint64_t other, int64_t value)
{
	if (value != (int32_t)value || other >= WALK_N_REGISTERS) {
		m->in.bad = 1;
		return;
	}
	if (reg >= WALK_N_REGISTERS)
		return;
	m->row->rule[reg] = (struct cfi_rule){
		.kind = (uint16_t)kind, .reg = (uint16_t)other, .value = (int32_t)value
	};
	if (kind == CFI_SAME)
		m->row->set &= ~WALK_BIT(reg);
	else
		m->row->set |= WALK_BIT(reg);
	m->row->is_mixed |= kind >= CFI_REGISTER;
}

static void restore_rule(struct cfi_machine *m, uint64_t reg)
{
	const struct cfi_rule *initial;

	if (reg >= WALK_N_REGISTERS)
		return;
	initial = &m->cie->initial.rule[reg];
	set_rule(m, reg, initial->kind, initial->reg, initial->value);
}

static void set_cfa(struct cfi_machine *m, uint64_t reg, int64_t value)
{
	if (value != (int32_t)value || reg >= WALK_N_REGISTERS) {
		m->in.bad = 1;
		return;
	}
	m->row->cfa = (struct cfi_rule){
		.kind = CFI_REGISTER, .reg = (uint16_t)reg, .value = (int32_t)value
	};
}

/* Skips an expression: a length and its bytes. Returns its offset in the image. */
static int64_t take_expression(struct cfi_machine *m)
{
	int64_t at = m->in.at - m->image->data;

	cfi_skip(&m->in, cfi_uleb(&m->in));
	return at;
}

static int64_t factored(struct cfi_machine *m)
{
	return (int64_t)(cfi_uleb(&m->in) * (uint64_t)m->cie->data_align);
}

static int64_t factored_sf(struct cfi_machine *m)
{
	return (int64_t)((uint64_t)cfi_sleb(&m->in) * (uint64_t)m->cie->data_align);
}

/* Runs an instruction that defines the CFA. Returns 0 if `op` is another instruction. */
static int run_cfa_op(struct cfi_machine *m, unsigned int op)
{
	struct cfi_rule *cfa = &m->row->cfa;
	uint64_t reg;
	int64_t at;

	switch (op) {
	case OP_DEF_CFA_OFFSET:
		set_cfa(m, cfa->reg, (int64_t)cfi_uleb(&m->in));
		return 1;
	case OP_DEF_CFA:
		reg = cfi_uleb(&m->in);
		set_cfa(m, reg, (int64_t)cfi_uleb(&m->in));
		return 1;
	case OP_DEF_CFA_REGISTER:
		set_cfa(m, cfi_uleb(&m->in), cfa->value);
		return 1;
	case OP_DEF_CFA_SF:
		reg = cfi_uleb(&m->in);
		set_cfa(m, reg, factored_sf(m));
		return 1;
	case OP_DEF_CFA_OFFSET_SF:
		set_cfa(m, cfa->reg, factored_sf(m));
		return 1;
	case OP_DEF_CFA_EXPRESSION:
		at = take_expression(m);
		m->in.bad |= at > INT32_MAX;
		*cfa = (struct cfi_rule){ .kind = CFI_EXPRESSION, .value = (int32_t)at };
		return 1;
	}
	return 0;
}

/*
 * Runs an instruction that sets a register's rule to an offset. Returns 0 if `op` is another
 * instruction.
 */
static int run_offset_op(struct cfi_machine *m, unsigned int op, uint64_t reg)
{
	switch (op) {
	case OP_OFFSET_EXTENDED:
		set_rule(m, reg, CFI_OFFSET, 0, factored(m));
		return 1;
	case OP_OFFSET_EXTENDED_SF:
		set_rule(m, reg, CFI_OFFSET, 0, factored_sf(m));
		return 1;
	case OP_GNU_NEGATIVE_OFFSET:
		set_rule(m, reg, CFI_OFFSET, 0, -factored(m));
		return 1;
	case OP_VAL_OFFSET:
		set_rule(m, reg, CFI_VAL_OFFSET, 0, factored(m));
		return 1;
	case OP_VAL_OFFSET_SF:
		set_rule(m, reg, CFI_VAL_OFFSET, 0, factored_sf(m));
		return 1;
	}
	return 0;
}

/* Runs an instruction that sets a register's rule. Returns 0 if `op` is another instruction. */
static int run_register_op(struct cfi_machine *m, unsigned int op)
{
	uint64_t reg;

	if ((op < OP_OFFSET_EXTENDED || op > OP_VAL_EXPRESSION) && op != OP_GNU_NEGATIVE_OFFSET)
		return 0;
	reg = cfi_uleb(&m->in);
	switch (op) {
	case OP_REGISTER:
		set_rule(m, reg, CFI_REGISTER, cfi_uleb(&m->in), 0);
		return 1;
	case OP_EXPRESSION:
		set_rule(m, reg, CFI_EXPRESSION, 0, take_expression(m));
		return 1;
	case OP_VAL_EXPRESSION:
		set_rule(m, reg, CFI_VAL_EXPRESSION, 0, take_expression(m));
		return 1;
	case OP_RESTORE_EXTENDED:
		restore_rule(m, reg);
		return 1;
	case OP_SAME_VALUE:
		set_rule(m, reg, CFI_SAME, 0, 0);
		return 1;
	case OP_UNDEFINED:
		set_rule(m, reg, CFI_UNDEFINED, 0, 0);
		return 1;
	}
	return run_offset_op(m, op, reg);
}

/* Runs an instruction on the whole row. Returns 0 if `op` is another instruction. */
static int run_state_op(struct cfi_machine *m, unsigned int op)
{
	switch (op) {
	case OP_NOP:
		return 1;
	case OP_REMEMBER:
		if (m->n_remembered == CFI_MAX_REMEMBERED)
			m->in.bad = 1;
		else
			m->remembered[m->n_remembered++] = *m->row;
		return 1;
	case OP_RESTORE_STATE:
		if (m->n_remembered == 0)
			m->in.bad = 1;
		else
			*m->row = m->remembered[--m->n_remembered];
		return 1;
	case OP_GNU_ARGS_SIZE:
		cfi_uleb(&m->in);
		return 1;
	}
	return arch_ignores(op);
}

/*
 * Runs an instruction that moves to a later location, except DW_CFA_advance_loc. Returns 0 if `op`
 * is another instruction.
 */
static int run_advance_op(struct cfi_machine *m, unsigned int op)
{
	switch (op) {
	case OP_ADVANCE1:
		m->loc += cfi_u8(&m->in) * m->cie->code_align;
		return 1;
	case OP_ADVANCE2:
		m->loc += cfi_fixed(&m->in, 2) * m->cie->code_align;
		return 1;
	case OP_ADVANCE4:
		m->loc += cfi_fixed(&m->in, 4) * m->cie->code_align;
		return 1;
	case OP_SET_LOC:
		m->loc = cfi_address(&m->in, m->cie->pointer_encoding, m->image->hdr_address) +
			 m->image->bias;
		return 1;
	}
	return 0;
}

static void run_op(struct cfi_machine *m, unsigned int op)
{
	unsigned int low = op & 0x3f;

	switch (op & 0xc0) {
	case OP_ADVANCE:
		m->loc += low * m->cie->code_align;
		return;
	case OP_OFFSET:
		set_rule(m, low, CFI_OFFSET, 0, factored(m));
		return;
	case OP_RESTORE:
		restore_rule(m, low);
		return;
	}
	if (!run_cfa_op(m, op) && !run_advance_op(m, op) && !run_state_op(m, op) &&
		!run_register_op(m, op))
		m->in.bad = 1;
}

/*
 * Runs the three instructions of which nearly all frame descriptions consist, while their operand
 * has one byte, up to a location past pc. Each round takes at least one byte.
 */
static void run_common_ops(struct cfi_machine *m, uint64_t pc)
{
	const uint8_t *at = m->in.at, *end = m->in.end;
	struct cfi_row *row = m->row;
	int32_t factor = (int32_t)m->cie->data_align;
	uint64_t step = m->cie->code_align, loc = m->loc;

	while (at < end && loc <= pc) {
		unsigned int op = *at, low = op & 0x3f;

		if ((op & 0xc0) == OP_ADVANCE) {
			loc += low * step;
			at++;
			continue;
		}
		if (end - at < 2 || at[1] >= 0x80)
			break;
		if ((op & 0xc0) == OP_OFFSET && low < WALK_N_REGISTERS) {
			row->rule[low] =
				(struct cfi_rule){ .kind = CFI_OFFSET, .value = at[1] * factor };
			row->set |= WALK_BIT(low);
		} else if (op == OP_DEF_CFA_OFFSET && row->cfa.kind == CFI_REGISTER) {
			row->cfa.value = at[1];
		} else {
			break;
		}
		at += 2;
	}
	m->in.at = at;
	m->loc = loc;
}

/* Runs instructions until the location is past pc or the instructions end. */
static int run(struct cfi_machine *m, uint64_t pc)
{
	for (int i = 0; i < CFI_MAX_INSTRUCTIONS; i++) {
		run_common_ops(m, pc);
		if (m->in.at >= m->in.end || m->loc > pc)
			return 0;
		run_op(m, *m->in.at++);
		if (m->in.bad)
			return WALK_BAD_CFI;
	}
	return WALK_BAD_CFI;
}

/* Sets all members but the remembered rows, which need no value. */
static void machine_init(struct cfi_machine *m, const struct cfi_image *image, struct cfi_row *row,
	const uint8_t *at, const uint8_t *end)
{
	m->in = (struct cfi_cursor){
		.at = at, .end = end, .shift = image->address - (uint64_t)(uintptr_t)image->data
	};
	m->image = image;
	m->cie = &image->cie;
	m->row = row;
	m->loc = 0;
	m->n_remembered = 0;
}

int cfi_row_initial(const struct cfi_image *image, struct cfi_cie *cie)
{
	struct cfi_machine m;

	memset(&cie->initial, 0, sizeof(cie->initial));
	machine_init(&m, image, &cie->initial, cie->instructions, cie->end);
	return run(&m, UINT64_MAX);
}

int cfi_row_at(
	const struct cfi_image *image, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row)
{
	struct cfi_machine m;

	*row = image->cie.initial;
	machine_init(&m, image, row, fde->instructions, fde->instructions_end);
	m.loc = fde->begin;
	return run(&m, pc);
}

void cfi_rows_begin(struct cfi_rows *rows, const struct cfi_image *image, const struct cfi_fde *fde)
{
	rows->row = image->cie.initial;
	machine_init(&rows->machine, image, &rows->row, fde->instructions, fde->instructions_end);
	rows->machine.loc = fde->begin;
	rows->to = fde->begin;
	rows->end = fde->end;
}

int cfi_rows_next(struct cfi_rows *rows)
{
	struct cfi_machine *m = &rows->machine;

	rows->from = rows->to;
	if (rows->from >= rows->end)
		return 0;
	if (run(m, rows->from) != 0)
		return -1;
	rows->to = m->loc > rows->from && m->loc < rows->end ? m->loc : rows->end;
	return 1;
}
