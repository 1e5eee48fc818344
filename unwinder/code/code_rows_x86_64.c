/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64; see code_rows.h. Not for the signal handler. */
#include "unwinder/core/code_rows.h"

#include "unwinder/core/arch.h"
#include "unwinder/code/instruction_x86_64.h"

#define N_GENERAL 16
#define BIT(r)    (UINT32_C(1) << (r))
#define RSP       INSTRUCTION_RSP
#define RBP       INSTRUCTION_RBP

/* Larger offsets are not believed. */
#define MAX_OFFSET (1 << 28)

/* The state between two instructions. */
struct state {
	uint32_t copies;           /* registers for which `offset` is known */
	int32_t offset[N_GENERAL]; /* CFA = register + offset */
	int32_t fp;                /* the caller's rbp is saved at CFA + fp; 0: it is not saved */
	uint8_t is_fp_here;        /* rbp holds the caller's rbp */
};

struct reading {
	struct state now;
	/* after the latest jump in the function or, before there was a jump, after a return */
	struct state at_jump;
	struct code_row *rows;
	uint32_t n, room;
};

/* DWARF's numbers of registers, by the numbers that instructions use. */
static const uint8_t dwarf[N_GENERAL] = { WALK_RAX, WALK_RCX, WALK_RDX, WALK_RBX, WALK_RSP,
	WALK_RBP, WALK_RSI, WALK_RDI, WALK_R8, WALK_R9, WALK_R10, WALK_R11, WALK_R12, WALK_R13,
	WALK_R14, WALK_R15 };

/*
 * The register from which the CFA is counted, or -1. Registers that are likely to be kept come
 * first.
 */
static int find_base(const struct state *state)
{
	static const uint8_t order[N_GENERAL] = { RSP, RBP, 3, 12, 13, 14, 15, 0, 1, 2, 6, 7, 8, 9,
		10, 11 };

	for (int i = 0; i < N_GENERAL; i++)
		if (state->copies & BIT(order[i]))
			return order[i];
	return -1;
}

static void add_row(struct reading *r, uint32_t at)
{
	const struct state *now = &r->now;
	int base = find_base(now);
	struct code_row row = { .at = at, .ra = -WALK_CALL_BYTES, .reg = CODE_ROW_UNKNOWN };
	const struct code_row *last = r->n ? &r->rows[r->n - 1] : NULL;

	if (base >= 0) {
		row.reg = dwarf[base];
		row.cfa = now->offset[base];
		if (now->fp)
			row.fp = now->fp >= INT16_MIN ? (int16_t)now->fp : CODE_ROW_LOST;
		else if (!now->is_fp_here)
			row.fp = CODE_ROW_LOST;
	}
	if (last && last->reg == row.reg && last->cfa == row.cfa && last->fp == row.fp)
		return;
	if (r->n + 1 >= r->room)
		row = (struct code_row){ .at = at, .reg = CODE_ROW_UNKNOWN };
	r->rows[r->n++] = row;
}

/* Registers get unknown values. */
static void forget(struct state *state, uint32_t registers)
{
	state->copies &= ~registers;
	if (registers & BIT(RBP))
		state->is_fp_here = 0;
}

/* `to` becomes from + distance. */
static void copy(struct state *state, unsigned int to, unsigned int from, int32_t distance)
{
	int is_known = (state->copies & BIT(from)) && distance < MAX_OFFSET &&
		       distance > -MAX_OFFSET && state->offset[from] < MAX_OFFSET &&
		       state->offset[from] > -MAX_OFFSET;
	int32_t offset = is_known ? state->offset[from] - distance : 0;

	forget(state, BIT(to));
	if (is_known) {
		state->copies |= BIT(to);
		state->offset[to] = offset;
	}
}

static void move_sp(struct state *state, int32_t distance)
{
	copy(state, RSP, RSP, distance);
}

/*
 * rbp is stored at register + distance. From now on the stored word counts, even while the register
 * still holds the same value. A loop may come back to here when the register holds another value.
 */
static void save_fp(struct state *state, unsigned int to, int32_t distance)
{
	if (state->is_fp_here && state->copies & BIT(to) && distance < MAX_OFFSET &&
		distance > -MAX_OFFSET && (distance - state->offset[to]) % 8 == 0 &&
		distance < state->offset[to])
		state->fp = distance - state->offset[to];
}

/* A register is loaded from register + distance. */
static void load(struct state *state, unsigned int to, unsigned int from, int32_t distance)
{
	int is_restored = to == RBP && state->fp && state->copies & BIT(from) &&
			  distance > -MAX_OFFSET && distance < MAX_OFFSET &&
			  distance - state->offset[from] == state->fp;

	forget(state, BIT(to));
	if (is_restored) {
		state->fp = 0;
		state->is_fp_here = 1;
	}
}

static void push(struct state *state, const struct instruction *from)
{
	if ((from->opcode & 0xf8) == 0x50 && from->rm == RBP)
		save_fp(state, RSP, -8);
	move_sp(state, from->is_short ? -2 : -8);
}

static void pop(struct state *state, const struct instruction *from)
{
	if (from->opcode != 0x8f || from->mod == 3)
		load(state, from->rm, RSP, 0);
	/* After pop %rsp the stack pointer is unknown. */
	move_sp(state, from->is_short ? 2 : 8);
}

/* Instructions of the first map that change the stack pointer without naming it. */
static int change_implied(struct state *state, const struct instruction *from)
{
	switch (from->opcode) {
	case 0x68:
	case 0x6a:
	case 0x9c:
		move_sp(state, from->is_short ? -2 : -8);
		return 1;
	case 0x9d:
		move_sp(state, from->is_short ? 2 : 8);
		return 1;
	case 0x8f:
		pop(state, from);
		return 1;
	case 0xff:
		if ((from->reg & 7) != 6)
			return 0;
		push(state, from);
		return 1;
	case 0xc8:
		forget(state, BIT(RSP) | BIT(RBP));
		return 1;
	case 0xc9:
		copy(state, RSP, RBP, 0);
		load(state, RBP, RSP, 0);
		move_sp(state, 8);
		return 1;
	}
	if ((from->opcode & 0xf8) == 0x50)
		push(state, from);
	else if ((from->opcode & 0xf8) == 0x58)
		pop(state, from);
	else
		return 0;
	return 1;
}

/* Moves between registers and memory, and additions of constants, all of 64 bits. */
static int change_named(struct state *state, const struct instruction *from)
{
	unsigned int group = from->reg & 7;

	if (!from->is_wide || !from->has_modrm)
		return 0;
	if ((from->opcode == 0x81 || from->opcode == 0x83) && from->mod == 3 &&
		(group == 0 || group == 5)) {
		if (from->immediate < MAX_OFFSET && from->immediate > -MAX_OFFSET)
			copy(state, from->rm, from->rm, group ? -from->immediate : from->immediate);
		else
			forget(state, BIT(from->rm));
	} else if (from->opcode == 0x89 && from->mod == 3) {
		copy(state, from->rm, from->reg, 0);
	} else if (from->opcode == 0x8b && from->mod == 3) {
		copy(state, from->reg, from->rm, 0);
	} else if (from->opcode == 0x8d && from->is_based) {
		copy(state, from->reg, from->rm, from->displacement);
	} else if (from->opcode == 0x8b && from->is_based) {
		load(state, from->reg, from->rm, from->displacement);
	} else if (from->opcode == 0x89 && from->is_based && from->reg == RBP) {
		save_fp(state, from->rm, from->displacement);
	} else {
		return 0;
	}
	return 1;
}

static void change(struct state *state, const struct instruction *from)
{
	if (from->map != MAP_LEGACY || (!change_implied(state, from) && !change_named(state, from)))
		forget(state, instruction_writes(from));
}

enum flow {
	GOES_ON,
	MAY_JUMP, /* a conditional jump, or a jump within the function */
	LEAVES,
};

static enum flow find_flow(const struct instruction *from, size_t at, size_t n_bytes)
{
	uint64_t target = (uint64_t)at + from->length + (uint64_t)(int64_t)from->immediate;

	switch (instruction_flow(from)) {
	case FLOW_NEXT:
	case FLOW_CALL:
		break;
	case FLOW_BRANCH:
		return MAY_JUMP;
	case FLOW_JUMP:
		return target < n_bytes ? MAY_JUMP : LEAVES;
	case FLOW_INDIRECT:
		return from->mod == 3 ? MAY_JUMP : LEAVES;
	case FLOW_END:
		return LEAVES;
	}
	return GOES_ON;
}

uint32_t code_rows_read(const uint8_t *code, size_t n_bytes, struct code_row *rows, uint32_t room)
{
	struct reading r = {
		.now = { .copies = BIT(RSP), .offset[RSP] = WALK_CALL_BYTES, .is_fp_here = 1 },
		.rows = rows,
		.room = room,
	};
	struct instruction next;
	int has_jumped = 0;

	for (size_t at = 0; at < n_bytes && r.n < room; at += next.length) {
		enum flow flow;

		add_row(&r, (uint32_t)at);
		if (instruction_read(&next, code + at, n_bytes - at) != 0) {
			r.now = has_jumped ? r.at_jump : (struct state){ 0 };
			r.n -= r.rows[r.n - 1].at == at;
			add_row(&r, (uint32_t)at);
			break;
		}
		change(&r.now, &next);
		flow = find_flow(&next, at, n_bytes);
		if (flow == MAY_JUMP) {
			r.at_jump = r.now;
			has_jumped = 1;
		} else if (flow == LEAVES) {
			if (!has_jumped)
				r.at_jump = r.now;
			r.now = r.at_jump;
		}
	}
	return r.n;
}
