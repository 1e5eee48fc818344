/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AArch64; see code_rows.h. Stores and loads of x29 and x30, and sums with constants, are followed
 * through the stack pointer and the frame pointer. Any other instruction loses what it may write
 * of these registers. Encodings: Arm Architecture Reference Manual, C4.1. Not for the signal
 * handler.
 */
#include "unwinder/core/code_rows.h"

#include <string.h>

#include "unwinder/core/arch.h"

/* Larger offsets are not believed. */
#define MAX_OFFSET (1 << 28)

enum {
	FP = WALK_FP,
	LINK = WALK_LINK,
	SP = WALK_SP, /* where the number 31 means the stack pointer; elsewhere it is no register */
	BYTES = 4,    /* of an instruction */
};

/* The state between two instructions. Arrays have the registers from FP on. */
struct state {
	int32_t offset[3];   /* CFA = register + offset, for the registers in `copies` */
	uint8_t copies;      /* bits */
	uint8_t is_here;     /* bits: the register holds the caller's value */
	int32_t saved_at[2]; /* the caller's value lies at CFA + this; 0: it is not saved */
};

struct reading {
	struct state now;
	/* after the latest jump in the function or, before there was a jump, after a return */
	struct state at_jump;
	struct code_row *rows;
	uint32_t n, room;
};

static unsigned int bit(unsigned int reg)
{
	return reg >= FP && reg <= SP ? 1u << (reg - FP) : 0;
}

static int16_t place_of(const struct state *state, unsigned int reg)
{
	int32_t at = state->saved_at[reg - FP];

	if (at == 0)
		return state->is_here & bit(reg) ? 0 : CODE_ROW_LOST;
	return at >= INT16_MIN ? (int16_t)at : CODE_ROW_LOST;
}

static void add_row(struct reading *r, uint32_t at)
{
	const struct state *now = &r->now;
	const struct code_row *last = r->n ? &r->rows[r->n - 1] : NULL;
	struct code_row row = { .at = at, .reg = CODE_ROW_UNKNOWN };

	if (now->copies) {
		row.reg = now->copies & bit(SP) ? SP : FP;
		row.cfa = now->offset[row.reg - FP];
		row.fp = place_of(now, FP);
		row.ra = place_of(now, LINK);
	}
	if (last && last->reg == row.reg && last->cfa == row.cfa && last->fp == row.fp &&
		last->ra == row.ra)
		return;
	if (r->n + 1 >= r->room)
		row = (struct code_row){ .at = at, .reg = CODE_ROW_UNKNOWN };
	r->rows[r->n++] = row;
}

/* A register gets an unknown value. */
static void forget(struct state *state, unsigned int reg)
{
	state->copies &= (uint8_t)~bit(reg);
	state->is_here &= (uint8_t)~bit(reg);
}

/* As forget, for an instruction in which the number 31 is no register. */
static void forget_general(struct state *state, unsigned int reg)
{
	if (reg != SP)
		forget(state, reg);
}

/* `to` becomes from + distance. */
static void copy(struct state *state, unsigned int to, unsigned int from, int32_t distance)
{
	int is_known = (state->copies & bit(from)) != 0;
	int32_t offset = is_known ? state->offset[from - FP] - distance : 0;

	forget(state, to);
	if (!is_known || (to != FP && to != SP) || offset > MAX_OFFSET || offset < -MAX_OFFSET)
		return;
	state->copies |= (uint8_t)bit(to);
	state->offset[to - FP] = offset;
}

/* An instruction that stores or loads general registers, or other registers, at base + distance. */
struct access {
	unsigned int base;
	int32_t distance, moves; /* the base is moved by this afterwards */
	int is_load;
	int is_wide; /* the registers are whole general registers */
};

/*
 * A caller's value is stored. From then on the stored word counts, even while the register still
 * holds the same value. A loop may come back to here when the register holds another value.
 */
static void save(struct state *state, unsigned int reg, int32_t at)
{
	if (at < 0 && at % 8 == 0 && state->is_here & bit(reg))
		state->saved_at[reg - FP] = at;
}

static void restore(struct state *state, unsigned int reg, int32_t at)
{
	forget(state, reg);
	if (at == 0 || state->saved_at[reg - FP] != at)
		return;
	state->saved_at[reg - FP] = 0;
	state->is_here |= (uint8_t)bit(reg);
}

/* The register `reg` is stored or loaded at CFA + at; 0: anywhere. */
static void access_one(
	struct state *state, const struct access *access, unsigned int reg, int32_t at)
{
	if (reg != FP && reg != LINK)
		return;
	if (access->is_load)
		restore(state, reg, access->is_wide ? at : 0);
	else if (access->is_wide)
		save(state, reg, at);
}

/* Executes the access of one register, or of two that lie one after the other. */
static void execute(
	struct state *state, const struct access *access, const unsigned int *regs, int n)
{
	int is_known = (state->copies & bit(access->base)) != 0;
	int32_t at = is_known ? access->distance - state->offset[access->base - FP] : 0;

	for (int i = 0; i < n; i++)
		access_one(state, access, regs[i], is_known ? at + 8 * i : 0);
	if (access->moves)
		copy(state, access->base, access->base, access->moves);
}

/* The signed number in n_bits bits from `low` on. */
static int32_t number(uint32_t code, int low, int n_bits)
{
	return (int32_t)(code << (32 - low - n_bits)) >> (32 - n_bits);
}

enum access_mode {
	MODE_NONE,  /* also of addresses that are sums of registers */
	MODE_AFTER, /* the base is moved afterwards */
	MODE_AT,
	MODE_BEFORE,
};

static void set_mode(struct access *access, enum access_mode mode, int32_t distance)
{
	if (mode != MODE_AFTER)
		access->distance = distance;
	if (mode == MODE_AFTER || mode == MODE_BEFORE)
		access->moves = distance;
}

/* STP, LDP and the like. */
static void change_pair(struct state *state, uint32_t code)
{
	int is_vector = code >> 26 & 1, size = (int)(code >> 30);
	int scale = is_vector ? 4 << size : size == 2 ? 8 : size == 1 && !(code >> 22 & 1) ? 16 : 4;
	const unsigned int regs[] = { code & 31, code >> 10 & 31 };
	struct access access = {
		.base = code >> 5 & 31,
		.is_load = code >> 22 & 1,
		.is_wide = size == 2,
	};

	set_mode(&access, code >> 23 & 3, number(code, 15, 7) * scale);
	execute(state, &access, regs, is_vector ? 0 : 2);
}

/* STR, LDR and the like, with an immediate offset; others only lose what they load. */
static void change_one(struct state *state, uint32_t code)
{
	int is_vector = code >> 26 & 1, size = (int)(code >> 30), opc = code >> 22 & 3;
	int scale = is_vector && opc & 2 ? 4 : size;
	unsigned int reg = code & 31;
	struct access access = {
		.base = code >> 5 & 31,
		.is_load = opc != 0,
		.is_wide = size == 3 && opc <= 1,
	};

	if (code >> 24 & 1) {
		access.distance = (int32_t)(code >> 10 & 0xfff) << scale;
	} else if (!(code >> 21 & 1)) {
		set_mode(&access, code >> 10 & 3, number(code, 12, 9));
	} else { /* the address is a sum of registers; atomic operations; LDRAA may move its base */
		access.is_load |= (code >> 10 & 3) != 2;
		access.is_wide = 0;
		if ((code >> 10 & 3) == 3)
			forget(state, access.base);
	}
	execute(state, &access, &reg, !is_vector);
}

/* Loads and stores. */
static void change_memory(struct state *state, uint32_t code)
{
	if ((code & 0x3a000000) == 0x28000000) {
		change_pair(state, code);
	} else if ((code & 0x3a000000) == 0x38000000) {
		change_one(state, code);
	} else if ((code & 0xbe000000) == 0x0c000000) { /* of several vectors */
		if (code >> 23 & 1)
			forget(state, code >> 5 & 31);
	} else if ((code & 0x3b000000) == 0x18000000) { /* of a constant */
		if (!(code >> 26 & 1))
			forget_general(state, code & 31);
	} else { /* exclusive; of tags and of blocks of memory, which may move the base */
		if ((code & 0xff200400) == 0xd9200400 || (code & 0x3b200c00) == 0x19000400)
			forget(state, code >> 5 & 31);
		forget_general(state, code & 31);
		forget_general(state, code >> 10 & 31);
		forget_general(state, code >> 16 & 31);
	}
}

/* Instructions with an immediate operand. */
static void change_immediate(struct state *state, uint32_t code)
{
	unsigned int to = code & 31;
	int32_t distance = (int32_t)(code >> 10 & 0xfff) << (code >> 22 & 1 ? 12 : 0);

	if ((code & 0xbf800000) == 0x91000000)
		copy(state, to, code >> 5 & 31, code >> 30 & 1 ? -distance : distance);
	else if ((code & 0x1f000000) == 0x11000000
			 ? !(code >> 29 & 1)
			 : (code & 0x1f800000) == 0x12000000 && (code >> 29 & 3) != 3)
		forget(state, to);
	else
		forget_general(state, to);
}

/* Instructions with registers as operands. */
static void change_register(struct state *state, uint32_t code)
{
	/* ADD and SUB with an extended register, and IRG, can have the stack pointer. */
	if ((code & 0x3fe00000) == 0x0b200000 || (code & 0xffe0fc00) == 0x9ac01000)
		forget(state, code & 31);
	else
		forget_general(state, code & 31);
}

/* Instructions of vectors: they matter if they write a general register. */
static void change_vector(struct state *state, uint32_t code)
{
	if ((code & 0xffa0f800) == 0x04205000) /* ADDVL, ADDPL */
		forget(state, code & 31);
	else if ((code & 0xfffff800) == 0x04bf5000 || (code & 0xff20c000) == 0x0420c000 ||
		 (code & 0xff000000) == 0x25000000 || (code & 0xff3ee000) == 0x0520a000 ||
		 (code & 0x5f20fc00) == 0x1e200000 || (code & 0x5f200000) == 0x1e000000 ||
		 (code & 0xbfe0ec00) == 0x0e002c00)
		forget_general(state, code & 31);
}

static int is_call(uint32_t code)
{
	return code >> 26 == 0x25 || (code & 0xfefff000) == 0xd63f0000;
}

/* By the manual's table of encodings, bits 25 to 28. */
static void change(struct state *state, uint32_t code)
{
	unsigned int group = code >> 25 & 15;

	if ((group & 5) == 4)
		change_memory(state, code);
	else if ((group & 14) == 8)
		change_immediate(state, code);
	else if ((group & 7) == 5)
		change_register(state, code);
	else if ((group & 7) == 7 || group == 2)
		change_vector(state, code);
	else if (is_call(code))
		forget(state, LINK);
	else if (code >> 20 == 0xd53) /* MRS */
		forget_general(state, code & 31);
}

enum flow {
	GOES_ON,
	MAY_JUMP, /* a conditional jump, a jump within the function, or to a register's address */
	LEAVES,
};

static enum flow find_flow(uint32_t code, size_t at, size_t n_bytes)
{
	if (code >> 26 == 0x05)
		return (uint64_t)at + (uint64_t)(int64_t)number(code, 0, 26) * BYTES < n_bytes
			       ? MAY_JUMP
			       : LEAVES;
	if ((code & 0xff000000) == 0x54000000 || (code & 0x7c000000) == 0x34000000 ||
		(code & 0xfefff000) == 0xd61f0000)
		return MAY_JUMP;
	return (code & 0xfffff000) == 0xd65f0000 ? LEAVES : GOES_ON;
}

/* Executes the instruction at `at`. Returns -1 if it is none. */
static int read_one(
	struct reading *r, const uint8_t *code, size_t at, size_t n_bytes, int *has_jumped)
{
	uint32_t next;
	enum flow flow;

	if (n_bytes - at < BYTES)
		return -1;
	memcpy(&next, code + at, BYTES);
	if (next >> 16 == 0)
		return -1;
	change(&r->now, next);
	flow = find_flow(next, at, n_bytes);
	if (flow == MAY_JUMP) {
		r->at_jump = r->now;
		*has_jumped = 1;
	} else if (flow == LEAVES) {
		if (!*has_jumped)
			r->at_jump = r->now;
		r->now = r->at_jump;
	}
	return 0;
}

uint32_t code_rows_read(const uint8_t *code, size_t n_bytes, struct code_row *rows, uint32_t room)
{
	struct reading r = {
		.now = { .copies = (uint8_t)bit(SP), .is_here = (uint8_t)(bit(FP) | bit(LINK)) },
		.rows = rows,
		.room = room,
	};
	int has_jumped = 0;

	for (size_t at = 0; at < n_bytes && r.n < room; at += BYTES) {
		add_row(&r, (uint32_t)at);
		if (read_one(&r, code, at, n_bytes, &has_jumped) == 0)
			continue;
		r.now = has_jumped ? r.at_jump : (struct state){ 0 };
		r.n -= r.rows[r.n - 1].at == at;
		add_row(&r, (uint32_t)at);
		break;
	}
	return r.n;
}
