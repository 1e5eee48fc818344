/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AArch64; see machine.h. Encodings: Arm Architecture Reference Manual, C4.1. All instructions have
 * four bytes.
 */
#include "src/symbols/machine.h"

#include <elf.h>
#include <string.h>

enum {
	PLT_HEADER_BYTES = 32,
	SP_OR_ZERO = 31, /* the register's number, by the instruction */
	LINK = 30,
};

static uint32_t word_at(const uint8_t *code)
{
	return code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/* The bits from `low` on, n of them. */
static uint32_t bits(uint32_t word, unsigned low, unsigned n)
{
	return word >> low & ((1u << n) - 1);
}

/* The signed number in the n bits from `low` on, times four: a distance. */
static uint64_t distance(uint32_t word, unsigned low, unsigned n)
{
	uint64_t sign = 1ull << (n - 1);

	return (((word >> low & ((1ull << n) - 1)) ^ sign) - sign) * 4;
}

/* The address that `adr` or `adrp` at `at` makes. */
static uint64_t made_by_adr(uint32_t word, uint64_t at)
{
	uint64_t sign = 1ull << 20, value = (uint64_t)bits(word, 5, 19) << 2 | bits(word, 29, 2);

	value = (value ^ sign) - sign;
	return word >> 31 ? (at & ~4095ull) + (value << 12) : at + value;
}

/* An entry has 16 bytes: adrp, ldr, add, br x17. With BTI or a signed address it has 24. */
static size_t plt_entry(const uint8_t *code, size_t n, size_t *header_bytes)
{
	*header_bytes = PLT_HEADER_BYTES;
	return n >= PLT_HEADER_BYTES + 16 && word_at(code + PLT_HEADER_BYTES + 12) == 0xd61f0220
		       ? 16
		       : 24;
}

/* Finds `adrp x16, page` and `ldr x17, [x16, #offset]`. */
static uint64_t plt_slot(const uint8_t *code, size_t n, uint64_t addr)
{
	for (size_t i = 0; i + 8 <= n; i += 4) {
		uint32_t page = word_at(code + i), load = word_at(code + i + 4);

		if ((page & 0x9f00001f) == 0x90000010 && (load & 0xffc003ff) == 0xf9400211)
			return made_by_adr(page, addr + i) + bits(load, 10, 12) * 8;
	}
	return 0;
}

/* Branches, exceptions and system instructions. Returns 0 if it is none that is known. */
static int read_branch(struct code_instruction *code, uint32_t word, uint64_t at)
{
	static const enum code_kind indirect[8] = { CODE_JUMP, CODE_CALL, CODE_END };

	if (word >> 26 == 0x05 || word >> 26 == 0x25) { /* b, bl */
		code->kind = word >> 31 ? CODE_CALL : CODE_JUMP;
		code->value = at + distance(word, 0, 26);
	} else if (word >> 24 == 0x54 || bits(word, 25, 6) == 0x1a) { /* b.cond, cbz, cbnz */
		code->kind = CODE_BRANCH;
		code->value = at + distance(word, 5, 19);
	} else if (bits(word, 25, 6) == 0x1b) { /* tbz, tbnz */
		code->kind = CODE_BRANCH;
		code->value = at + distance(word, 5, 14);
	} else if (word >> 25 == 0x6b) { /* br, blr, ret, and with a signed address */
		code->kind = indirect[bits(word, 21, 3)];
		code->is_by_register = code->kind == CODE_CALL;
		code->from = bits(word, 5, 5);
	} else if (word >> 24 == 0xd4) { /* brk ends the program; svc and others */
		code->kind = bits(word, 21, 3) == 1 ? CODE_END : CODE_OTHER;
		code->writes = UINT32_MAX;
	} else if (word >> 24 == 0xd5) { /* mrs; hints may sign x30, or x17 with x16 */
		code->writes = 1u << bits(word, 0, 5) | 7u << 16 | 1u << LINK;
	} else {
		return 0;
	}
	if (code->kind == CODE_CALL)
		code->writes = 1u << LINK;
	return 1;
}

/* The general registers that a load or store writes. */
static uint32_t written_by_memory(uint32_t word)
{
	uint32_t target = 1u << bits(word, 0, 5), base = 1u << bits(word, 5, 5);
	uint32_t second = 1u << bits(word, 10, 5), status = 1u << bits(word, 16, 5);
	int is_vector = bits(word, 26, 1), is_load = bits(word, 22, 2) != 0;

	switch (bits(word, 27, 3)) {
	case 5: /* pairs; bit 23: the base changes, or for some no temporal hint */
		return (!is_vector && bits(word, 22, 1) ? target | second : 0) |
		       (bits(word, 23, 1) ? base : 0);
	case 7:
		if (bits(word, 24, 1)) /* an unsigned offset */
			return !is_vector && is_load ? target : 0;
		if (!bits(word, 21, 1)) /* a signed offset; bit 10: the base changes */
			return (!is_vector && is_load ? target : 0) |
			       (bits(word, 10, 1) ? base : 0);
		if (bits(word, 10, 2) == 2) /* a register as offset */
			return !is_vector && is_load ? target : 0;
		/* atomic operations and others; ld64b writes eight */
		return bits(word, 12, 4) == 13 ? UINT32_MAX : target | base | status;
	case 3:
		if (!bits(word, 24, 1)) /* an address relative to the instruction */
			return is_vector ? 0 : target;
		return target | base | status;
	default: /* exclusive, compare and swap, vectors of structures */
		return target | target << 1 | base | second | status | status << 1;
	}
}

/* `ldr x, [x, #n]` may load an address, as from the global offset table. */
static void read_memory(struct code_instruction *code, uint32_t word)
{
	code->writes = written_by_memory(word);
	if (word >> 22 != 0x3e5 || bits(word, 5, 5) == SP_OR_ZERO)
		return;
	code->kind = CODE_LOAD;
	code->is_by_register = 1;
	code->to = bits(word, 0, 5);
	code->from = bits(word, 5, 5);
	code->value = (uint64_t)bits(word, 10, 12) * 8;
}

/* Whether an instruction of the group of vectors and numbers writes a general register. */
static int is_to_general(uint32_t word)
{
	return (word & 0x5f200000) == 0x1e000000 || (word & 0x5f20fc00) == 0x1e200000 ||
	       (word & 0xbfe0ec00) == 0x0e002c00;
}

static void read_data(struct code_instruction *code, uint32_t word, uint64_t at)
{
	unsigned to = bits(word, 0, 5), from = bits(word, 5, 5);

	code->writes = to == SP_OR_ZERO ? 0 : 1u << to;
	if (to == SP_OR_ZERO)
		return;
	code->to = to;
	if ((word & 0x1f000000) == 0x10000000) { /* adr, adrp */
		code->kind = CODE_ADDRESS;
		code->value = made_by_adr(word, at);
	} else if ((word & 0xff800000) == 0x91000000 && from != SP_OR_ZERO) { /* add x, x, #n */
		code->kind = CODE_COPY;
		code->from = from;
		code->value = (uint64_t)bits(word, 10, 12) << (bits(word, 22, 1) ? 12 : 0);
	} else if ((word & 0xffe0ffe0) == 0xaa0003e0) { /* mov x, x */
		code->kind = CODE_COPY;
		code->from = bits(word, 16, 5);
	}
}

static int read(struct code_instruction *code, const uint8_t *bytes, size_t n, uint64_t at)
{
	uint32_t word, group;

	if (n < 4)
		return 0;
	word = word_at(bytes);
	group = bits(word, 25, 4);
	*code = (struct code_instruction){ .length = 4 };
	if (group >> 1 == 5) /* 101x */
		return read_branch(code, word, at);
	if (group >> 1 == 4 || (group & 7) == 5) /* 100x, x101: of numbers and registers */
		read_data(code, word, at);
	else if ((group & 5) == 4) /* x1x0 */
		read_memory(code, word);
	else if (group == 2 || ((group & 7) == 7 && is_to_general(word))) /* SVE, x111 */
		code->writes = 1u << bits(word, 0, 5);
	else if ((group & 7) != 7)
		return 0;
	return 1;
}

static const char *const folders[] = { "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
	"/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL };

static const uint8_t call_bytes[] = { 4, 0 };

const struct machine machine_aarch64 = {
	.name = "AArch64",
	.elf = EM_AARCH64,
	.loader = "ld-linux-aarch64.so.1",
	.cache_flags = 0x0a03,
	.library_folders = folders,
	.jump_slot = R_AARCH64_JUMP_SLOT,
	.global_data = R_AARCH64_GLOB_DAT,
	.relative = R_AARCH64_RELATIVE,
	.plt_entry = plt_entry,
	.plt_slot = plt_slot,
	.call_bytes = call_bytes,
	.read = read,
	.scratch = 0x4007ffff,
	.first_argument = 0,
	.third_argument = 2,
};
