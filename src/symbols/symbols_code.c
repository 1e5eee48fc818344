/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64, as far as symbols_code.h says. */
#include "src/symbols/symbols_code.h"

#include <string.h>

enum { RAX = 0, RCX = 1, RDX = 2, RBX = 3, RBP = 5, RSI = 6, RDI = 7, R11 = 11 };

#define BIT(reg) (1u << (reg))

/* Where in the instruction the reader is, and what it has met. */
struct reader {
	const unsigned char *bytes;
	size_t n, at;
	int is_short; /* prefix 66 */
	unsigned rex;
	unsigned reg, rm; /* of the ModRM byte, which names a register in rm or else memory */
	int is_byte, is_memory, is_relative;
	int32_t displacement;
};

static unsigned take(struct reader *reader)
{
	unsigned byte = reader->at < reader->n ? reader->bytes[reader->at] : 0;

	reader->at++;
	return byte;
}

static int32_t take_word(struct reader *reader)
{
	uint32_t word = take(reader);

	word |= take(reader) << 8;
	word |= take(reader) << 16;
	word |= take(reader) << 24;
	return (int32_t)word;
}

static void take_modrm(struct reader *reader)
{
	unsigned modrm = take(reader), mod = modrm >> 6, base = modrm & 7;

	reader->reg = (modrm >> 3 & 7) | (reader->rex & 4) << 1;
	reader->rm = base | (reader->rex & 1) << 3;
	reader->is_memory = mod != 3;
	if (!reader->is_memory)
		return;
	reader->is_relative = mod == 0 && base == 5;
	if (base == 4)
		base = take(reader) & 7;
	if (mod == 2 || (mod == 0 && base == 5))
		reader->displacement = take_word(reader);
	else if (mod == 1)
		take(reader);
}

static void skip_immediate(struct reader *reader)
{
	reader->at += reader->is_short ? 2 : 4;
}

/* Of a byte, 4 to 7 may be the second one of 0 to 3. */
static uint32_t bit_of(const struct reader *reader, unsigned reg)
{
	return BIT(reg) | (reader->is_byte && !reader->rex ? BIT(reg & 3) : 0);
}

/* What is written when that is the operand in rm, or in reg. */
static uint32_t of_rm(const struct reader *reader)
{
	return reader->is_memory ? 0 : bit_of(reader, reader->rm);
}

static uint32_t of_reg(const struct reader *reader)
{
	return bit_of(reader, reader->reg);
}

static uint32_t of_both(const struct reader *reader)
{
	return of_rm(reader) | of_reg(reader);
}

/* Instructions whose opcode begins with 0f, and of vectors, which have the same numbers. */
static int read_vector(struct reader *reader, struct code_instruction *code, unsigned map,
	unsigned op, unsigned other)
{
	if (map == 1 && op == 0x77)
		return 1;
	take_modrm(reader);
	if (map == 3 || (map == 1 && ((op >= 0x70 && op <= 0x73) || op == 0xc2 ||
					     (op >= 0xc4 && op <= 0xc6))))
		take(reader);
	if (map == 1 && (op == 0x2c || op == 0x2d || op == 0x50 || op == 0x78 || op == 0x79 ||
				op == 0x93 || op == 0xc5 || op == 0xd7))
		code->writes = of_reg(reader);
	else if ((map == 1 && op == 0x7e) || (map == 3 && op >= 0x14 && op <= 0x17))
		code->writes = of_rm(reader);
	else if ((map == 2 && op >= 0xf0) || (map == 3 && op >= 0xf0))
		code->writes = of_both(reader) | BIT(other);
	return map >= 1 && map <= 3;
}

static int read_vex(struct reader *reader, struct code_instruction *code, unsigned op)
{
	unsigned map = 1, first = take(reader), second = first;

	reader->rex = ~first >> 5 & 4;
	if (op != 0xc5) {
		map = first & (op == 0x62 ? 7 : 31);
		reader->rex = ~first >> 5 & 7;
		second = take(reader);
	}
	if (op == 0x62)
		take(reader);
	return read_vector(reader, code, map, take(reader), ~second >> 3 & 15);
}

static int is_sse(unsigned op)
{
	return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) ||
	       (op >= 0x50 && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) || op >= 0xd0;
}

static int read_two_bytes(struct reader *reader, struct code_instruction *code, uint64_t at)
{
	unsigned op = take(reader);

	if (op == 0x38 || op == 0x3a)
		return read_vector(reader, code, op == 0x38 ? 2 : 3, take(reader), RAX);
	if (op >= 0x80 && op <= 0x8f) {
		int32_t distance = take_word(reader);

		code->kind = CODE_BRANCH;
		code->value = at + reader->at + (uint64_t)(int64_t)distance;
		return 1;
	}
	if (op >= 0xc8 && op <= 0xcf) {
		code->writes = BIT((op & 7) | (reader->rex & 1) << 3);
		return 1;
	}
	if (op == 0x0b || op == 0x05 || op == 0x31 || op == 0xa2) {
		code->kind = op == 0x0b ? CODE_JUMP : CODE_OTHER;
		code->writes = BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RBX) | BIT(R11);
		return 1;
	}
	if (is_sse(op))
		return read_vector(reader, code, 1, op, RAX);
	if (op < 0x0d || (op >= 0x20 && op < 0x28) || (op >= 0x30 && op < 0x40) ||
		(op & 0xf6) == 0xa0)
		return 0;
	reader->is_byte = (op & 0xf0) == 0x90 || op == 0xb0 || op == 0xc0;
	take_modrm(reader);
	if (op == 0xa4 || op == 0xac || op == 0xba)
		take(reader);
	if (op != 0x0d && (op < 0x18 || op > 0x1f) && op != 0xa3)
		code->writes = of_both(reader);
	if (op == 0xb0 || op == 0xb1 || op == 0xc7)
		code->writes |= BIT(RAX) | BIT(RDX);
	return 1;
}

/* `lea x(%rip), %reg`, or any other. */
static void read_lea(struct reader *reader, struct code_instruction *code, uint64_t at)
{
	code->writes = BIT(reader->reg);
	if (!reader->is_relative)
		return;
	code->kind = CODE_ADDRESS;
	code->to = reader->reg;
	code->value = at + reader->at + (uint64_t)(int64_t)reader->displacement;
}

static void read_copy(
	struct reader *reader, struct code_instruction *code, unsigned to, unsigned from)
{
	if (reader->is_memory || !(reader->rex & 8))
		return;
	code->kind = CODE_COPY;
	code->to = to;
	code->from = from;
	code->writes = BIT(to);
}

/* Opcodes c0 to ff with an operand in rm. */
static int read_group(struct reader *reader, struct code_instruction *code, unsigned op)
{
	unsigned which = reader->reg & 7;

	code->writes = of_rm(reader);
	if (op == 0xc0 || op == 0xc1 || op == 0xc6) {
		take(reader);
	} else if (op == 0xc7) {
		if (!reader->is_memory && !reader->is_short) {
			code->kind = CODE_ADDRESS;
			code->to = reader->rm;
			code->writes = BIT(reader->rm);
			code->value = (uint64_t)(int64_t)take_word(reader);
			return 1;
		}
		skip_immediate(reader);
	} else if (op == 0xf6 || op == 0xf7) {
		if (which < 2 && op == 0xf6)
			take(reader);
		else if (which < 2)
			skip_immediate(reader);
		if (which > 3)
			code->writes |= BIT(RAX) | BIT(RDX);
	} else if (op >= 0xd8 && op <= 0xdf) {
		code->writes = BIT(RAX);
	} else if (op == 0xff && which >= 2) {
		code->writes = 0;
		code->kind = which < 4 ? CODE_CALL : which < 6 ? CODE_JUMP : CODE_OTHER;
	}
	return 1;
}

/* Instructions with a ModRM byte. */
static int read_with_modrm(
	struct reader *reader, struct code_instruction *code, unsigned op, uint64_t at)
{
	reader->is_byte = !(op & 1);
	take_modrm(reader);
	if (op >= 0xc0)
		return read_group(reader, code, op);
	code->writes = of_both(reader);
	if (op < 0x40)
		code->writes = (op & 0x38) == 0x38 ? 0 : op & 2 ? of_reg(reader) : of_rm(reader);
	else if (op == 0x8d)
		read_lea(reader, code, at);
	else if (op == 0x88 || op == 0x89)
		code->writes = of_rm(reader);
	else if (op == 0x84 || op == 0x85)
		code->writes = 0;
	else if (op == 0x69 || op == 0x81)
		skip_immediate(reader);
	else if (op == 0x6b || op == 0x80 || op == 0x83)
		take(reader);
	if (op == 0x89)
		read_copy(reader, code, reader->rm, reader->reg);
	else if (op == 0x8b)
		read_copy(reader, code, reader->reg, reader->rm);
	else if (op >= 0x80 && op <= 0x83)
		code->writes = (reader->reg & 7) == 7 ? 0 : of_rm(reader);
	return op != 0x82;
}

static int has_modrm(unsigned op)
{
	return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b ||
	       (op >= 0x80 && op <= 0x8f) || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
	       (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || op == 0xf6 ||
	       op == 0xf7 || op == 0xfe || op == 0xff;
}

static int read_jump(struct reader *reader, struct code_instruction *code, unsigned op, uint64_t at)
{
	int64_t distance = op == 0xe8 || op == 0xe9 ? take_word(reader) : (int8_t)take(reader);

	code->kind = op == 0xe8 ? CODE_CALL : op >= 0xe9 ? CODE_JUMP : CODE_BRANCH;
	code->writes = op >= 0xe0 && op <= 0xe3 ? BIT(RCX) : 0;
	code->value = at + reader->at + (uint64_t)distance;
	return 1;
}

/* Instructions of one byte and an operand that is in it or follows. */
static int read_plain(struct reader *reader, struct code_instruction *code, unsigned op)
{
	unsigned low = (op & 7) | (reader->rex & 1) << 3;

	if (op < 0x40 && ((op & 7) == 4 || (op & 7) == 5)) {
		code->writes = BIT(RAX);
		if ((op & 7) == 4)
			take(reader);
		else
			skip_immediate(reader);
	} else if (op >= 0x50 && op <= 0x5f) {
		code->writes = op >= 0x58 ? BIT(low) : 0;
	} else if (op == 0x68 || op == 0xa9) {
		skip_immediate(reader);
	} else if (op == 0x6a || op == 0xa8) {
		take(reader);
	} else if (op >= 0x90 && op <= 0x97) {
		code->writes = low ? BIT(low) | BIT(RAX) : 0;
	} else if (op == 0x98 || op == 0x99) {
		code->writes = BIT(RAX) | BIT(RDX);
	} else if ((op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf)) {
		code->writes = BIT(RAX) | BIT(RCX) | BIT(RSI) | BIT(RDI);
	} else if (op >= 0xb0 && op <= 0xb7) {
		code->writes = BIT(low) | BIT(low & 3);
		take(reader);
	} else if (op >= 0xb8 && op <= 0xbf && !(reader->rex & 8) && !reader->is_short) {
		code->kind = CODE_ADDRESS;
		code->to = low;
		code->writes = BIT(low);
		code->value = (uint32_t)take_word(reader);
	} else if (op >= 0xb8 && op <= 0xbf) {
		code->writes = BIT(low);
		reader->at += reader->rex & 8 ? 8 : 2;
	} else if (op == 0xc9) {
		code->writes = BIT(RBP);
	} else if (op == 0xc3 || op == 0xcc || op == 0xf4) {
		code->kind = CODE_JUMP;
	} else {
		return op == 0xf8 || op == 0xf9 || op == 0xfc || op == 0xfd;
	}
	return 1;
}

static int read_opcode(struct reader *reader, struct code_instruction *code, uint64_t at)
{
	unsigned op = take(reader);

	while (op == 0x66 || op == 0x64 || op == 0x65 || op == 0xf0 || op == 0xf2 || op == 0xf3 ||
		op == 0x2e || op == 0x3e || op == 0x67) {
		reader->is_short |= op == 0x66;
		op = take(reader);
	}
	if ((op & 0xf0) == 0x40) {
		reader->rex = op;
		op = take(reader);
	}
	if (op == 0x0f)
		return read_two_bytes(reader, code, at);
	if (op == 0xc4 || op == 0xc5 || op == 0x62)
		return read_vex(reader, code, op);
	if ((op & 0xf0) == 0x70 || (op >= 0xe0 && op <= 0xe3) || op == 0xe8 || op == 0xe9 ||
		op == 0xeb)
		return read_jump(reader, code, op, at);
	if (has_modrm(op))
		return read_with_modrm(reader, code, op, at);
	return read_plain(reader, code, op);
}

int code_read(struct code_instruction *code, const unsigned char *bytes, size_t n, uint64_t at)
{
	struct reader reader = { .bytes = bytes, .n = n };

	memset(code, 0, sizeof(*code));
	if (!read_opcode(&reader, code, at) || reader.at > n || reader.at > 15)
		return 0;
	code->length = (unsigned)reader.at;
	return 1;
}
