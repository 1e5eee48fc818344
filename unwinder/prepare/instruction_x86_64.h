/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an x86-64 instruction ends, and what of it says how it changes registers. Pure functions on
 * bytes; for code_rows_x86_64.c alone. What is not known, or not whole, is refused.
 */
#ifndef OMPPROF_UNWINDER_PREPARE_INSTRUCTION_X86_64_H
#define OMPPROF_UNWINDER_PREPARE_INSTRUCTION_X86_64_H

#include <stddef.h>
#include <stdint.h>

enum instruction_map {
	MAP_LEGACY,
	MAP_0F,
	MAP_0F38,
	MAP_0F3A,
	MAP_VECTOR, /* behind a VEX or EVEX prefix */
};

/* Registers here have the numbers that instructions give them: 4 is rsp, 5 rbp. */
enum { INSTRUCTION_RSP = 4, INSTRUCTION_RBP = 5 };

struct instruction {
	uint32_t length;
	uint8_t map;      /* enum instruction_map */
	uint8_t opcode;   /* within its map */
	uint8_t is_wide;  /* REX.W */
	uint8_t is_short; /* operand size prefix */
	uint8_t has_modrm;
	uint8_t mod;
	uint8_t reg;      /* with the REX bit */
	uint8_t rm;       /* with the REX bit; of memory the base register, if is_based */
	uint8_t is_based; /* memory at base + displacement, without an index */
	int32_t displacement;
	int32_t immediate; /* of 1 or 4 bytes, also the distance of a jump */
};

/*
 * Reads the instruction at `code`, of which n_bytes are there. Returns 0, or -1 if it is not known or
 * does not end there. Formats: Intel SDM volume 2, chapter 2 and appendix A.
 * Any thread.
 */
int instruction_read(struct instruction *instruction, const uint8_t *code, size_t n_bytes);

/*
 * The general registers that the instruction writes by its operands, a bit for each; not the stack
 * pointer by push, pop, call, return, enter and leave. Of vector instructions none is known.
 * Any thread.
 */
uint32_t instruction_writes(const struct instruction *instruction);

#endif
