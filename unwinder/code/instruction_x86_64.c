/* SPDX-License-Identifier: Apache-2.0 */
/* Reads instructions; see instruction_x86_64.h. */
#include "unwinder/code/instruction_x86_64.h"

#include <string.h>

enum {
	MAX_PREFIXES = 14,
	REX_B = 1,
	REX_X = 2,
	REX_R = 4,
	REX_W = 8,
};

#define BIT(reg) (UINT32_C(1) << (reg))
#define RAX      BIT(INSTRUCTION_RAX)
#define RCX      BIT(INSTRUCTION_RCX)
#define RDX      BIT(INSTRUCTION_RDX)
#define RBX      BIT(INSTRUCTION_RBX)
#define RBP      BIT(INSTRUCTION_RBP)
#define RSI      BIT(INSTRUCTION_RSI)
#define RDI      BIT(INSTRUCTION_RDI)
#define R11      BIT(INSTRUCTION_R11)

/* The bytes behind the opcode and its ModR/M bytes. */
enum tail {
	NOTHING,
	IMMEDIATE_1,
	IMMEDIATE_2,
	IMMEDIATE_3,
	IMMEDIATE_4, /* or 2 bytes, by the operand size */
	DISTANCE_4,
	UNKNOWN,
};

struct reader {
	const uint8_t *at, *end;
	uint8_t rex;
	int has_short_addresses; /* prefix 67 */
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

/* Whether an opcode is in a set: bit i of word r is opcode 16 r + i, as in the manual's tables. */
static int is_in(const uint16_t *set, uint8_t opcode)
{
	return set[opcode >> 4] >> (opcode & 15) & 1;
}

/* Appendix A, table A-2: opcodes with a ModR/M byte. */
static const uint16_t legacy_modrm[16] = { 0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0, 0, 0x0a08, 0, 0xfffb,
	0, 0, 0, 0x00c3, 0xff0f, 0, 0xc0c0 };

/* Opcodes that do not exist in 64-bit mode, prefixes, and opcodes that are not supported. */
static const uint16_t legacy_unknown[16] = { 0xc0c0, 0xc0c0, 0xc0c0, 0xc0c0, 0xffff, 0, 0x00f7, 0,
	0x0004, 0x0400, 0x000f, 0, 0x4030, 0x0070, 0x0400, 0x000d };

/* Opcodes with one byte, and with four bytes, behind them. */
static const uint16_t legacy_tail_1[16] = { 0x1010, 0x1010, 0x1010, 0x1010, 0, 0, 0x0c00, 0xffff,
	0x0009, 0, 0x0100, 0x00ff, 0x2043, 0, 0x08ff, 0 };
static const uint16_t legacy_tail_4[16] = { 0x2020, 0x2020, 0x2020, 0x2020, 0, 0, 0x0300, 0, 0x0002,
	0, 0x0200, 0, 0x0080, 0, 0, 0 };

static enum tail legacy_tail(uint8_t opcode, uint8_t reg)
{
	if (is_in(legacy_tail_1, opcode))
		return IMMEDIATE_1;
	if (is_in(legacy_tail_4, opcode))
		return IMMEDIATE_4;
	switch (opcode) {
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

/* Table A-3: opcodes without a ModR/M byte. */
static const uint16_t two_byte_plain[16] = { 0x4be0, 0, 0, 0x00ff, 0, 0, 0, 0x0080, 0xffff, 0,
	0x0707, 0, 0xff00, 0, 0, 0 };
static const uint16_t two_byte_unknown[16] = { 0x1410, 0, 0x00f0, 0xfa40, 0, 0, 0, 0, 0, 0, 0x00c0,
	0, 0, 0, 0, 0 };

static const uint16_t two_byte_tail_1[16] = { 0x8000, 0, 0, 0, 0, 0, 0, 0x000f, 0, 0, 0x1010,
	0x0400, 0x0074, 0, 0, 0 };

static enum tail two_byte_tail(uint8_t opcode)
{
	if ((opcode & 0xf0) == 0x80)
		return DISTANCE_4;
	return is_in(two_byte_tail_1, opcode) ? IMMEDIATE_1 : NOTHING;
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
	/* Index 4 means no index, but with the REX bit it is r12. Mod 0 with base 5 has no base. */
	to->is_based = (sib >> 3 & 7) == 4 && !(in->rex & REX_X) && !(to->mod == 0 && low == 5) &&
		       !in->has_short_addresses;
	to->is_relative = to->mod == 0 && (byte & 7) == 5;
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
		/* Without REX.W, processors differ in the meaning of this prefix. */
		in->bad |= to->is_short && !to->is_wide;
		to->immediate = take_signed(in, 4);
		return;
	case UNKNOWN:
		in->bad = 1;
	}
}

/*
 * Reads an instruction after its VEX or EVEX prefix. The prefix names the map; its byte `last`
 * names the third register.
 */
static void read_vector(struct reader *in, struct instruction *to, unsigned int map, uint8_t last)
{
	enum tail tail = NOTHING;

	to->map = MAP_VECTOR;
	to->vector_map = (uint8_t)map;
	to->third = ~last >> 3 & 15;
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
	/* Opmask instructions have the opcodes that jumps have without the prefix. */
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
	else if ((opcode & 0xf8) == 0xc8)
		to->rm = (uint8_t)((opcode & 7) | (in->rex & REX_B ? 8 : 0));
	read_tail(in, to, two_byte_tail(opcode));
}

static void read_legacy(struct reader *in, struct instruction *to, uint8_t opcode)
{
	to->opcode = opcode;
	in->bad |= is_in(legacy_unknown, opcode);
	if (is_in(legacy_modrm, opcode))
		read_modrm(in, to);
	/* With another reg field than 0 the byte is another vendor's prefix. */
	in->bad |= opcode == 0x8f && (to->reg & 7) != 0;
	/* With another reg field than 0 it is xabort or xbegin (7), or no instruction. */
	in->bad |= (opcode & 0xfe) == 0xc6 && (to->reg & 7) != 0;
	/* The low bits of the opcode name the register. */
	if ((opcode & 0xf0) == 0x50 || (opcode & 0xf0) == 0xb0 || (opcode & 0xf8) == 0x90)
		to->rm = (uint8_t)((opcode & 7) | (in->rex & REX_B ? 8 : 0));
	if ((opcode & 0xf8) == 0xb8 && to->is_wide) {
		take_signed(in, 4);
		take_signed(in, 4);
		return;
	}
	read_tail(in, to, (opcode & 0xf8) == 0xb8 ? IMMEDIATE_4 : legacy_tail(opcode, to->reg));
}

static const uint16_t prefixes[16] = { 0, 0, 0x4040, 0x4040, 0, 0, 0x00f0, 0, 0, 0, 0, 0, 0, 0, 0,
	0x000d };

/*
 * Reads the rest of a VEX or EVEX prefix, whose bits for registers are inverted, and the
 * instruction.
 */
static void read_vector_prefix(struct reader *in, struct instruction *to, uint8_t byte)
{
	uint8_t first = take(in), last = first;

	in->rex = ~first >> 5 & (byte == 0xc5 ? REX_R : REX_R | REX_X | REX_B);
	if (byte != 0xc5)
		last = take(in);
	if (byte == 0x62)
		take(in);
	read_vector(in, to, byte == 0xc5 ? 1 : first & (byte == 0xc4 ? 31 : 7), last);
}

int instruction_read(struct instruction *to, const uint8_t *code, size_t n_bytes)
{
	struct reader in = { .at = code, .end = code + n_bytes };
	uint8_t byte = take(&in);

	memset(to, 0, sizeof(*to));
	for (int i = 0; i < MAX_PREFIXES && is_in(prefixes, byte) && !in.bad; i++) {
		to->is_short |= byte == 0x66;
		in.has_short_addresses |= byte == 0x67;
		byte = take(&in);
	}
	if ((byte & 0xf0) == 0x40) {
		in.rex = byte & 15;
		to->has_rex = 1;
		to->is_wide = (byte & REX_W) != 0;
		byte = take(&in);
	}
	if (byte == 0x0f)
		read_two_byte(&in, to);
	else if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		read_vector_prefix(&in, to, byte);
	else
		read_legacy(&in, to, byte);
	to->length = (uint32_t)(in.at - code);
	return in.bad || to->length > 15 ? -1 : 0;
}

/* Opcodes that write the register of the reg field. */
static const uint16_t legacy_writes_reg[16] = { 0x0c0c, 0x0c0c, 0x0c0c, 0x000c, 0, 0, 0x0a08, 0,
	0x2cc0, 0, 0, 0, 0, 0, 0, 0 };
static const uint16_t two_byte_writes_reg[16] = { 0x000c, 0, 0x3000, 0, 0xffff, 0x0001, 0, 0, 0, 0,
	0x8000, 0xf1c0, 0x0023, 0x0080, 0, 0 };

/* Opcodes that can write a general register that the rm field names; see only_reads. */
static const uint16_t legacy_writes_rm[16] = { 0x0303, 0x0303, 0x0303, 0x0003, 0, 0, 0, 0, 0x93cb,
	0, 0, 0, 0x00c3, 0x000f, 0, 0xc0c0 };
static const uint16_t two_byte_writes_rm[16] = { 0x0003, 0x4000, 0x0003, 0, 0, 0, 0, 0x4100, 0,
	0xffff, 0x7830, 0x0c0b, 0x0083, 0, 0, 0 };

/* Whether the operands are single bytes. For setcc only the rm field names an operand. */
static int is_byte(const struct instruction *from)
{
	uint8_t opcode = from->opcode;

	if (from->map == MAP_LEGACY)
		return !(opcode & 1) && opcode != 0x8c;
	return (opcode & 0xf0) == 0x90 || opcode == 0xb0 || opcode == 0xc0;
}

/* Without a REX prefix, byte registers 4 to 7 are the second bytes of registers 0 to 3. */
static uint32_t bit_of(const struct instruction *from, uint8_t reg, int is_byte)
{
	return BIT(is_byte && !from->has_rex ? reg & 3 : reg);
}

/*
 * Whether the reg field says that an opcode of legacy_writes_rm or two_byte_writes_rm only reads
 * its operand.
 */
static int only_reads(const struct instruction *from)
{
	unsigned int group = from->reg & 7;
	uint8_t opcode = from->opcode;

	if (from->map == MAP_0F)
		return opcode == 0x1e ? group != 1 : opcode == 0xae && group > 1;
	return (opcode >= 0x80 && opcode <= 0x83 && group == 7) ||
	       ((opcode & 0xfe) == 0xfe && group > 1) ||
	       ((opcode & 0xfe) == 0xf6 && (group < 2 || group > 3));
}

/* The registers that an instruction of the first two maps writes and that its fields name. */
static uint32_t named_writes(const struct instruction *from)
{
	const uint16_t *reg = from->map == MAP_LEGACY ? legacy_writes_reg : two_byte_writes_reg;
	const uint16_t *rm = from->map == MAP_LEGACY ? legacy_writes_rm : two_byte_writes_rm;
	uint8_t opcode = from->opcode;
	uint32_t bits = 0;

	if (!from->has_modrm) {
		if (from->map != MAP_LEGACY)
			return (opcode & 0xf8) == 0xc8 ? BIT(from->rm) : 0;
		/* pop, mov of a constant, xchg with rax */
		if ((opcode & 0xf8) == 0x58 || (opcode & 0xf0) == 0xb0 ||
			((opcode & 0xf8) == 0x90 && from->rm != 0))
			bits = bit_of(from, from->rm, (opcode & 0xf8) == 0xb0);
		return bits;
	}
	if (is_in(reg, opcode))
		bits |= bit_of(from, from->reg, is_byte(from));
	if (from->mod == 3 && is_in(rm, opcode) && !only_reads(from))
		bits |= bit_of(from, from->rm, is_byte(from));
	return bits;
}

/* String instructions. */
static const uint16_t legacy_strings[16] = { 0, 0, 0, 0, 0, 0, 0xf000, 0, 0, 0, 0xfcf0, 0, 0, 0, 0,
	0 };

/* Arithmetic with a constant; lahf, int, xlat, fnstsw, in. */
static const uint16_t legacy_writes_rax[16] = { 0x3030, 0x3030, 0x3030, 0x0030, 0, 0, 0, 0, 0,
	0x8000, 0, 0, 0x2000, 0x8080, 0x3030, 0 };

/* The registers that an instruction of the first map writes without naming them. */
static uint32_t legacy_implied(const struct instruction *from)
{
	if (is_in(legacy_strings, from->opcode))
		return RAX | RCX | RSI | RDI;
	if (is_in(legacy_writes_rax, from->opcode))
		return RAX;
	switch (from->opcode & 0xfe) {
	case 0x98:
		return RAX | RDX;
	case 0xc8:
		return RBP;
	case 0xe0:
	case 0xe2:
		return RCX;
	case 0xf6:
		return (from->reg & 7) > 3 ? RAX | RDX : 0;
	}
	return (from->opcode & 0xf8) == 0x90 && from->rm ? RAX : 0;
}

static uint32_t two_byte_implied(uint8_t opcode)
{
	switch (opcode) {
	case 0x01: /* rdtscp among others */
		return RAX | RCX | RDX;
	case 0x05:
		return RAX | RCX | R11;
	case 0x31: /* counters and machine registers, cmpxchg */
	case 0x32:
	case 0x33:
	case 0xb0:
	case 0xb1:
	case 0xc7:
		return RAX | RDX;
	case 0xa2:
		return RAX | RBX | RCX | RDX;
	}
	return 0;
}

/* Instructions of the maps 0F38 and 0F3A, without a prefix or after VEX or EVEX. */
static uint32_t three_byte_writes(const struct instruction *from, int map)
{
	uint8_t opcode = from->opcode;
	uint32_t rm = from->mod == 3 ? BIT(from->rm) : 0;

	if (opcode >= 0xe0)
		return BIT(from->reg) | rm | (from->map == MAP_VECTOR ? BIT(from->third) : 0);
	if (map == 2)
		return 0;
	if (opcode >= 0x14 && opcode <= 0x17)
		return rm;
	return opcode == 0x61 || opcode == 0x63 ? RCX : 0;
}

/*
 * Vector instructions that write a general register have the opcodes that they have without the
 * prefix. Conversions to unsigned numbers and moves from masks come in addition.
 */
static uint32_t vector_writes(const struct instruction *from)
{
	uint8_t opcode = from->opcode;

	if (from->vector_map == 2 || from->vector_map == 3)
		return three_byte_writes(from, from->vector_map);
	if (opcode == 0x7e)
		return from->mod == 3 ? BIT(from->rm) : 0;
	if (opcode == 0x2c || opcode == 0x2d || opcode == 0x50 || opcode == 0x78 ||
		opcode == 0x79 || opcode == 0x93 || opcode == 0xc5 || opcode == 0xd7)
		return BIT(from->reg);
	return 0;
}

uint32_t instruction_writes(const struct instruction *from)
{
	switch (from->map) {
	case MAP_LEGACY:
		return named_writes(from) | legacy_implied(from);
	case MAP_0F:
		return named_writes(from) | two_byte_implied(from->opcode);
	case MAP_0F38:
		return three_byte_writes(from, 2);
	case MAP_0F3A:
		return three_byte_writes(from, 3);
	}
	return vector_writes(from);
}

enum instruction_flow instruction_flow(const struct instruction *from)
{
	uint8_t opcode = from->opcode;
	unsigned int group = from->reg & 7;

	if (from->map == MAP_0F)
		return (opcode & 0xf0) == 0x80 ? FLOW_BRANCH
		       : opcode == 0x0b        ? FLOW_END
					       : FLOW_NEXT;
	if (from->map != MAP_LEGACY)
		return FLOW_NEXT;
	if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0)
		return FLOW_BRANCH;
	switch (opcode) {
	case 0xe8:
		return FLOW_CALL;
	case 0xe9:
	case 0xeb:
		return FLOW_JUMP;
	case 0xff:
		return group == 2 || group == 3   ? FLOW_CALL
		       : group == 4 || group == 5 ? FLOW_INDIRECT
						  : FLOW_NEXT;
	case 0xc2:
	case 0xc3:
	case 0xf4:
		return FLOW_END;
	}
	return FLOW_NEXT;
}
