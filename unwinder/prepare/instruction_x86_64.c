/* SPDX-License-Identifier: Apache-2.0 */
/* See instruction_x86_64.h. */
#include "unwinder/prepare/instruction_x86_64.h"

#include <string.h>

enum {
	MAX_PREFIXES = 14,
	REX_B = 1,
	REX_R = 4,
	REX_W = 8,
};

/* What stands behind the opcode. */
enum tail {
	NOTHING,
	IMMEDIATE_1,
	IMMEDIATE_2,
	IMMEDIATE_3,
	IMMEDIATE_4, /* or 2, by the operand size */
	DISTANCE_4,
	UNKNOWN,
};

struct reader {
	const uint8_t *at, *end;
	uint8_t rex;
	int bad;
};

static uint8_t take(struct reader *in)
{
	if (in->at == in->end) {
		in->bad = 1;
		return 0;
	}
	return *in->at++;
}

static int32_t take_signed(struct reader *in, unsigned int n_bytes)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < n_bytes; i++)
		value |= (uint32_t)take(in) << 8 * i;
	return n_bytes == 1 ? (int8_t)value : n_bytes == 2 ? (int16_t)value : (int32_t)value;
}

/* Whether an opcode is in a set of 256 bits, and so in a table row of 16. */
static int is_in(const uint16_t *set, uint8_t opcode)
{
	return set[opcode >> 4] >> (opcode & 15) & 1;
}

/* Appendix A, table A-2: opcodes with a ModR/M byte; bit i of row r is opcode 16 r + i. */
static const uint16_t legacy_modrm[16] = { 0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0, 0, 0x0a08, 0, 0xfffb,
	0, 0, 0, 0x00c3, 0xff0f, 0, 0xc0c0 };

/* Not there in 64 bit mode, prefixes among them, or not understood. */
static const uint16_t legacy_unknown[16] = { 0xc0c0, 0xc0c0, 0xc0c0, 0xc0c0, 0xffff, 0, 0x00f7, 0,
	0x0004, 0x0400, 0x000f, 0, 0x4030, 0x0070, 0x0400, 0x000d };

static enum tail legacy_tail(uint8_t opcode, uint8_t reg)
{
	if (opcode < 0x40)
		return (opcode & 7) == 4 ? IMMEDIATE_1 : (opcode & 7) == 5 ? IMMEDIATE_4 : NOTHING;
	if ((opcode & 0xf0) == 0x70 || (opcode & 0xf8) == 0xb0 || (opcode & 0xf8) == 0xe0)
		return IMMEDIATE_1;
	switch (opcode) {
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return IMMEDIATE_4;
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xeb:
		return IMMEDIATE_1;
	case 0xc2:
	case 0xca:
		return IMMEDIATE_2;
	case 0xc8:
		return IMMEDIATE_3;
	case 0xe8:
	case 0xe9:
		return DISTANCE_4;
	case 0xf6:
		return reg & 6 ? NOTHING : IMMEDIATE_1;
	case 0xf7:
		return reg & 6 ? NOTHING : IMMEDIATE_4;
	}
	return NOTHING;
}

/* Table A-3. */
static const uint16_t two_byte_plain[16] = { 0x4be0, 0, 0, 0x00ff, 0, 0, 0, 0x0080, 0xffff, 0,
	0x0707, 0, 0xff00, 0, 0, 0 };
static const uint16_t two_byte_unknown[16] = { 0x1410, 0, 0x00f0, 0xfa40, 0, 0, 0, 0, 0, 0, 0x00c0,
	0, 0, 0, 0, 0 };

static enum tail two_byte_tail(uint8_t opcode)
{
	if ((opcode & 0xf0) == 0x80)
		return DISTANCE_4;
	if ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0x0f || opcode == 0xa4 ||
		opcode == 0xac || opcode == 0xba || opcode == 0xc2 ||
		(opcode >= 0xc4 && opcode <= 0xc6))
		return IMMEDIATE_1;
	return NOTHING;
}

static void read_modrm(struct reader *in, struct instruction *to)
{
	uint8_t byte = take(in), sib = 0x20;
	uint8_t low = byte & 7;

	to->has_modrm = 1;
	to->mod = byte >> 6;
	to->reg = (uint8_t)((byte >> 3 & 7) | (in->rex & REX_R ? 8 : 0));
	to->rm = (uint8_t)(low | (in->rex & REX_B ? 8 : 0));
	if (to->mod == 3)
		return;
	if (low == 4) {
		sib = take(in);
		low = sib & 7;
		to->rm = (uint8_t)(low | (in->rex & REX_B ? 8 : 0));
	}
	/* Index 4 is none, but with the REX bit it is r12; mod 0 with base 5 has no base. */
	to->is_based = (sib >> 3 & 7) == 4 && !(in->rex & 2) && !(to->mod == 0 && low == 5);
	if (to->mod == 1)
		to->displacement = take_signed(in, 1);
	else if (to->mod == 2 || (to->mod == 0 && low == 5))
		to->displacement = take_signed(in, 4);
}

static void read_tail(struct reader *in, struct instruction *to, enum tail tail)
{
	switch (tail) {
	case NOTHING:
		return;
	case IMMEDIATE_1:
		to->immediate = take_signed(in, 1);
		return;
	case IMMEDIATE_2:
		to->immediate = take_signed(in, 2);
		return;
	case IMMEDIATE_3:
		to->immediate = take_signed(in, 2);
		take(in);
		return;
	case IMMEDIATE_4:
		to->immediate = take_signed(in, to->is_short && !to->is_wide ? 2 : 4);
		return;
	case DISTANCE_4:
		in->bad |= to->is_short;
		to->immediate = take_signed(in, 4);
		return;
	case UNKNOWN:
		in->bad = 1;
	}
}

/* Behind a VEX or EVEX prefix, which names the map. */
static void read_vector(struct reader *in, struct instruction *to, unsigned int map)
{
	enum tail tail = NOTHING;

	to->map = MAP_VECTOR;
	to->opcode = take(in);
	if (map == 1 && to->opcode == 0x77)
		return;
	if (map == 3)
		tail = IMMEDIATE_1;
	else if (map == 1)
		tail = two_byte_tail(to->opcode);
	else if (map != 2 && map != 5 && map != 6)
		tail = UNKNOWN;
	read_modrm(in, to);
	/* Opmask instructions stand where jumps do without the prefix. */
	read_tail(in, to, tail == DISTANCE_4 ? UNKNOWN : tail);
}

static void read_two_byte(struct reader *in, struct instruction *to)
{
	uint8_t opcode = take(in);

	to->opcode = opcode;
	to->map = MAP_0F;
	if (opcode == 0x38 || opcode == 0x3a) {
		to->map = opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
		to->opcode = take(in);
		read_modrm(in, to);
		read_tail(in, to, opcode == 0x3a ? IMMEDIATE_1 : NOTHING);
		return;
	}
	in->bad |= is_in(two_byte_unknown, opcode);
	if (!is_in(two_byte_plain, opcode))
		read_modrm(in, to);
	read_tail(in, to, two_byte_tail(opcode));
}

static void read_legacy(struct reader *in, struct instruction *to, uint8_t opcode)
{
	to->opcode = opcode;
	in->bad |= is_in(legacy_unknown, opcode);
	if (is_in(legacy_modrm, opcode))
		read_modrm(in, to);
	/* Other than /0 it is another vendor's prefix. */
	in->bad |= opcode == 0x8f && (to->reg & 7) != 0;
	if ((opcode & 0xf8) == 0xb8 && to->is_wide) {
		take_signed(in, 4);
		take_signed(in, 4);
		return;
	}
	read_tail(in, to, (opcode & 0xf8) == 0xb8 ? IMMEDIATE_4 : legacy_tail(opcode, to->reg));
	/* The low bits of the opcode are the register. */
	if ((opcode & 0xf0) == 0x50 || (opcode & 0xf0) == 0xb0 || (opcode & 0xf8) == 0x90)
		to->rm = (uint8_t)((opcode & 7) | (in->rex & REX_B ? 8 : 0));
}

static int is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x36 ||
	       byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 || byte == 0xf0;
}

int instruction_read(struct instruction *to, const uint8_t *code, size_t n_bytes)
{
	struct reader in = { .at = code, .end = code + n_bytes };
	uint8_t byte = take(&in);

	memset(to, 0, sizeof(*to));
	for (int i = 0; i < MAX_PREFIXES && is_prefix(byte) && !in.bad; i++) {
		to->is_short |= byte == 0x66;
		byte = take(&in);
	}
	if ((byte & 0xf0) == 0x40) {
		in.rex = byte & 15;
		to->is_wide = (byte & REX_W) != 0;
		byte = take(&in);
	}
	if (byte == 0x0f) {
		read_two_byte(&in, to);
	} else if (byte == 0xc5) {
		take(&in);
		read_vector(&in, to, 1);
	} else if (byte == 0xc4) {
		byte = take(&in);
		take(&in);
		read_vector(&in, to, byte & 31);
	} else if (byte == 0x62) {
		byte = take(&in);
		take(&in);
		take(&in);
		read_vector(&in, to, byte & 7);
	} else {
		read_legacy(&in, to, byte);
	}
	to->length = (uint32_t)(in.at - code);
	return in.bad || to->length > 15 ? -1 : 0;
}

/* Opcodes that write the register of the reg field. */
static const uint16_t legacy_writes_reg[16] = { 0x0c0c, 0x0c0c, 0x0c0c, 0x000c, 0, 0, 0x0a08, 0,
	0x2cc0, 0, 0, 0, 0, 0, 0, 0 };
static const uint16_t two_byte_writes_reg[16] = { 0x000c, 0, 0x3000, 0, 0xffff, 0x0001, 0, 0, 0, 0,
	0x8000, 0xf1c0, 0x0023, 0x0080, 0, 0 };

/* Opcodes that write the register or memory of the rm field. */
static const uint16_t legacy_writes_rm[16] = { 0x0303, 0x0303, 0x0303, 0x0003, 0, 0, 0, 0, 0x93cb,
	0, 0, 0, 0x00c3, 0x000f, 0, 0xc0c0 };
static const uint16_t two_byte_writes_rm[16] = { 0, 0, 0, 0, 0, 0, 0, 0x4000, 0, 0xffff, 0x3830,
	0x0c0b, 0x0003, 0, 0, 0 };

uint32_t instruction_writes(const struct instruction *from)
{
	const uint16_t *reg = from->map == MAP_LEGACY ? legacy_writes_reg : two_byte_writes_reg;
	const uint16_t *rm = from->map == MAP_LEGACY ? legacy_writes_rm : two_byte_writes_rm;
	uint8_t opcode = from->opcode;
	uint32_t bits = 0;

	if (from->map != MAP_LEGACY && from->map != MAP_0F)
		return 0;
	if (!from->has_modrm) {
		/* pop, xchg with rax, mov of an immediate value */
		if (from->map == MAP_LEGACY &&
			((opcode & 0xf8) == 0x58 || (opcode & 0xf0) == 0xb0 ||
				(opcode & 0xf8) == 0x90))
			bits = UINT32_C(1) << from->rm;
		return bits;
	}
	if (is_in(reg, opcode))
		bits |= UINT32_C(1) << from->reg;
	/* Of the group of add, or, ... /7 compares; of those of test and call only some write. */
	if (from->mod == 3 && is_in(rm, opcode) &&
		!(from->map == MAP_LEGACY &&
			((opcode >= 0x80 && opcode <= 0x83 && (from->reg & 7) == 7) ||
				((opcode & 0xfe) == 0xfe && (from->reg & 7) > 1) ||
				((opcode & 0xfe) == 0xf6 && (from->reg & 7) < 2))))
		bits |= UINT32_C(1) << from->rm;
	return bits;
}
