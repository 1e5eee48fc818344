/* SPDX-License-Identifier: Apache-2.0 */
/* See code_state_aarch64.h. Encodings: Arm Architecture Reference Manual, C4.1. */
#include "unwinder/core/code_state_aarch64.h"

/* Larger offsets are not believed. */
#define MAX_OFFSET (1 << 28)

#define FP   WALK_FP
#define LINK WALK_LINK
#define SP   WALK_SP /* where the number 31 means the stack pointer; elsewhere it is no register */

/* A register gets an unknown value. */
static void forget(struct code_state *state, unsigned int reg)
{
	state->copies &= (uint8_t)~code_state_bit(reg);
	state->is_here &= (uint8_t)~code_state_bit(reg);
	if (reg == FP || reg == LINK)
		state->loaded_at[reg - FP] = 0;
}

/* As forget, for an instruction in which the number 31 is no register. */
static void forget_general(struct code_state *state, unsigned int reg)
{
	if (reg != SP)
		forget(state, reg);
}

/* `to` becomes from + distance. */
static void copy(struct code_state *state, unsigned int to, unsigned int from, int32_t distance)
{
	int is_known = (state->copies & code_state_bit(from)) != 0;
	int32_t offset = is_known ? state->offset[from - FP] - distance : 0;

	forget(state, to);
	if (!is_known || (to != FP && to != SP) || offset > MAX_OFFSET || offset < -MAX_OFFSET)
		return;
	state->copies |= (uint8_t)code_state_bit(to);
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
static void save(struct code_state *state, unsigned int reg, int32_t at)
{
	if (at < 0 && at % 8 == 0 && state->is_here & code_state_bit(reg))
		state->saved_at[reg - FP] = at;
}

static void restore(struct code_state *state, unsigned int reg, int32_t at)
{
	forget(state, reg);
	state->loaded_at[reg - FP] = at;
	if (at == 0 || state->saved_at[reg - FP] != at)
		return;
	state->saved_at[reg - FP] = 0;
	state->is_here |= (uint8_t)code_state_bit(reg);
}

/* The register `reg` is stored or loaded at CFA + at; 0: anywhere. */
static void access_one(
	struct code_state *state, const struct access *access, unsigned int reg, int32_t at)
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
	struct code_state *state, const struct access *access, const unsigned int *regs, int n)
{
	int is_known = (state->copies & code_state_bit(access->base)) != 0;
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
static void change_pair(struct code_state *state, uint32_t code)
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
static void change_one(struct code_state *state, uint32_t code)
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
static void change_memory(struct code_state *state, uint32_t code)
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
static void change_immediate(struct code_state *state, uint32_t code)
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
static void change_register(struct code_state *state, uint32_t code)
{
	/* ADD and SUB with an extended register, and IRG, can have the stack pointer. */
	if ((code & 0x3fe00000) == 0x0b200000 || (code & 0xffe0fc00) == 0x9ac01000)
		forget(state, code & 31);
	else
		forget_general(state, code & 31);
}

/* Instructions of vectors: they matter if they write a general register. */
static void change_vector(struct code_state *state, uint32_t code)
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
void code_state_change(struct code_state *state, uint32_t code)
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

enum code_flow code_flow(uint32_t code, size_t at, size_t n_bytes)
{
	if (code >> 26 == 0x05)
		return (uint64_t)at + (uint64_t)(int64_t)number(code, 0, 26) *
						       CODE_INSTRUCTION_BYTES <
				       n_bytes
			       ? CODE_MAY_JUMP
			       : CODE_LEAVES;
	if ((code & 0xff000000) == 0x54000000 || (code & 0x7c000000) == 0x34000000 ||
		(code & 0xfefff000) == 0xd61f0000)
		return CODE_MAY_JUMP;
	return (code & 0xfffff000) == 0xd65f0000 ? CODE_LEAVES : CODE_GOES_ON;
}
