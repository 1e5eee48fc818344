/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AArch64; see code_rows.h. code_state_aarch64.h says what an instruction does. Not for the
 * signal handler.
 */
#include "unwinder/core/code_rows.h"

#include "unwinder/core/code_state_aarch64.h"

struct reading {
	struct code_state now;
	/* after the latest jump in the function or, before there was a jump, after a return */
	struct code_state at_jump;
	struct code_row *rows;
	uint32_t n, room;
};

static int16_t place_of(const struct code_state *state, unsigned int reg)
{
	int32_t at = state->saved_at[reg - WALK_FP];

	if (at == 0)
		return state->is_here & code_state_bit(reg) ? 0 : CODE_ROW_LOST;
	return at >= INT16_MIN ? (int16_t)at : CODE_ROW_LOST;
}

static void add_row(struct reading *r, uint32_t at)
{
	const struct code_state *now = &r->now;
	const struct code_row *last = r->n ? &r->rows[r->n - 1] : NULL;
	struct code_row row = { .at = at, .reg = CODE_ROW_UNKNOWN };

	if (now->copies) {
		row.reg = now->copies & code_state_bit(WALK_SP) ? WALK_SP : WALK_FP;
		row.cfa = now->offset[row.reg - WALK_FP];
		row.fp = place_of(now, WALK_FP);
		row.ra = place_of(now, WALK_LINK);
	}
	if (last && last->reg == row.reg && last->cfa == row.cfa && last->fp == row.fp &&
		last->ra == row.ra)
		return;
	if (r->n + 1 >= r->room)
		row = (struct code_row){ .at = at, .reg = CODE_ROW_UNKNOWN };
	r->rows[r->n++] = row;
}

/* Executes the instruction at `at`. Returns -1 if it is none. */
static int read_one(
	struct reading *r, const uint8_t *code, size_t at, size_t n_bytes, int *has_jumped)
{
	uint32_t next;
	enum code_flow flow;

	if (n_bytes - at < CODE_INSTRUCTION_BYTES)
		return -1;
	next = code_at(code + at);
	if (next >> 16 == 0)
		return -1;
	code_state_change(&r->now, next);
	flow = code_flow(next, at, n_bytes);
	if (flow == CODE_MAY_JUMP) {
		r->at_jump = r->now;
		*has_jumped = 1;
	} else if (flow == CODE_LEAVES) {
		if (!*has_jumped)
			r->at_jump = r->now;
		r->now = r->at_jump;
	}
	return 0;
}

uint32_t code_rows_read(const uint8_t *code, size_t n_bytes, struct code_row *rows, uint32_t room)
{
	struct reading r = {
		.now = code_state_begin(WALK_SP, 0),
		.rows = rows,
		.room = room,
	};
	int has_jumped = 0;

	for (size_t at = 0; at < n_bytes && r.n < room; at += CODE_INSTRUCTION_BYTES) {
		add_row(&r, (uint32_t)at);
		if (read_one(&r, code, at, n_bytes, &has_jumped) == 0)
			continue;
		r.now = has_jumped ? r.at_jump : (struct code_state){ 0 };
		r.n -= r.rows[r.n - 1].at == at;
		add_row(&r, (uint32_t)at);
		break;
	}
	return r.n;
}
