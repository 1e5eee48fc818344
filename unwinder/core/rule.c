/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles rows to rules; see rule.h. */
#include "unwinder/core/rule.h"

#include "unwinder/core/cfi_read.h"

#define OP_BREG_FP (0x70 + WALK_FP)
#define OP_DEREF   0x06
#define STUB_BYTES 16

/* The operations of the expression at offset `at`; empty if it is not inside the image. */
static struct cfi_cursor expression_at(const struct cfi_image *image, int32_t at)
{
	struct cfi_cursor in = { .at = image->data + at, .end = image->data + image->size_bytes };
	uint64_t length = cfi_uleb(&in);

	if (in.bad || length > (uint64_t)(in.end - in.at))
		length = 0;
	in.end = in.at + length;
	return in;
}

/* Whether an expression is the frame pointer plus *offset, followed by a load if is_loaded. */
static int is_fp_offset(const struct cfi_image *image, int32_t at, int is_loaded, int32_t *offset)
{
	struct cfi_cursor in = expression_at(image, at);
	int64_t value;

	if (cfi_u8(&in) != OP_BREG_FP)
		return 0;
	value = cfi_sleb(&in);
	if (is_loaded && cfi_u8(&in) != OP_DEREF)
		return 0;
	*offset = (int32_t)value;
	return !in.bad && in.at == in.end && value == *offset;
}

/*
 * Whether a CFA expression is that of a PLT: sp + cfa, and 8 more from some byte of each 16 on. It
 * is evaluated at each byte of 16, at two places and with two stack pointers; no other register and
 * no memory is known.
 */
static int is_stub(const struct cfi_image *image, int32_t at, struct rule *rule)
{
	const struct walk_bounds nothing = { 0, 0 };
	struct walk_registers registers = { .known = UINT64_C(1) << WALK_SP | UINT64_C(1)
										      << WALK_IP };
	uint64_t first = 0, cfa;

	rule->stub = STUB_BYTES;
	for (unsigned int i = 0; i < 2 * STUB_BYTES; i++) {
		unsigned int byte = i % STUB_BYTES;

		registers.reg[WALK_SP] = i < STUB_BYTES ? 0x10000 : 0x30000;
		registers.reg[WALK_IP] = (i < STUB_BYTES ? 0x500000 : 0x7ffff0) + byte;
		if (cfi_evaluate(image, (uint32_t)at, &registers, &nothing, NULL, &cfa) != 0)
			return 0;
		cfa -= registers.reg[WALK_SP];
		if (i == 0)
			first = cfa;
		if (i < STUB_BYTES && cfa != first && rule->stub == STUB_BYTES)
			rule->stub = (uint8_t)byte;
		if (cfa != first + (byte >= rule->stub ? 8 : 0))
			return 0;
	}
	rule->cfa = (int32_t)first;
	return first < 0x1000;
}

static void compile_cfa(
	const struct cfi_image *image, const struct cfi_rule *cfa, struct rule *rule)
{
	rule->cfa = cfa->value;
	if (cfa->kind == CFI_REGISTER && cfa->reg == WALK_SP)
		rule->kind = RULE_SP;
	else if (cfa->kind == CFI_REGISTER && cfa->reg == WALK_FP)
		rule->kind = RULE_FP;
	else if (cfa->kind == CFI_EXPRESSION && is_fp_offset(image, cfa->value, 1, &rule->cfa))
		rule->kind = RULE_LOADED;
	else if (cfa->kind == CFI_EXPRESSION && is_stub(image, cfa->value, rule))
		rule->kind = RULE_STUB;
}

/* Returns 0 if a rule cannot express the row. */
static int compile_fp(const struct cfi_image *image, const struct cfi_rule *fp, struct rule *rule)
{
	switch (fp->kind) {
	case CFI_SAME:
		return 1;
	case CFI_OFFSET:
		rule->fp = fp->value;
		return fp->value != 0;
	case CFI_EXPRESSION:
		rule->flags |= RULE_FP_AT_FP;
		return is_fp_offset(image, fp->value, 0, &rule->fp);
	}
	return 0;
}

/* Returns 0 if a rule cannot express the row. */
static int compile_return(const struct cfi_rule *ra, struct rule *rule)
{
	switch (ra->kind) {
	case CFI_UNDEFINED:
		rule->flags |= RULE_OUTERMOST;
		return 1;
	case CFI_OFFSET:
		rule->ra = ra->value;
		return ra->value != 0;
	case CFI_SAME:
		return WALK_HAS_LINK;
	}
	return 0;
}

/* Raises the rule's CFA by `missing` bytes. All else stays where it is. */
static void move_cfa(struct rule *rule, int32_t missing)
{
	rule->cfa += missing;
	rule->ra -= missing;
	rule->fp -= rule->fp ? missing : 0;
}

void rule_compile(const struct cfi_image *image, const struct cfi_row *row, struct rule *rule)
{
	const struct cfi_cie *cie = &image->cie;

	*rule = (struct rule){ .kind = RULE_INTERPRETED };
	compile_cfa(image, &row->cfa, rule);
	if (cie->is_signal || row->rule[WALK_SP].kind != CFI_SAME ||
		!compile_fp(image, &row->rule[WALK_FP], rule) ||
		!compile_return(&row->rule[cie->return_register], rule))
		rule->kind = RULE_INTERPRETED;
	move_cfa(rule, cfi_missing(row, cie->return_register));
	if (!WALK_HAS_LINK && rule->kind <= RULE_FP && !rule->flags && rule->ra == -8 &&
		rule->cfa % 8 == 0 && rule->fp % 8 == 0 && (rule->fp == 0 || rule->fp < -8))
		rule->flags = RULE_SIMPLE;
	if (rule->kind == RULE_INTERPRETED)
		*rule = (struct rule){ .kind = RULE_INTERPRETED,
			.flags = cie->is_signal ? RULE_SIGNAL : 0 };
}
