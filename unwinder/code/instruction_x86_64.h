/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads x86-64 instructions: where an instruction ends, which general registers it writes, and
 * where the next instruction is. Pure functions on bytes. The walkers use them for rows of code,
 * the command uses them for the names of critical sections. An unknown or incomplete instruction is
 * refused.
 */
#ifndef OMPPROF_UNWINDER_CODE_INSTRUCTION_X86_64_H
#define OMPPROF_UNWINDER_CODE_INSTRUCTION_X86_64_H

#include <stddef.h>
#include <stdint.h>

enum instruction_map {
	MAP_LEGACY,
	MAP_0F,
	MAP_0F38,
	MAP_0F3A,
	MAP_VECTOR, /* after a VEX or EVEX prefix */
};

/* The numbers that instructions give to registers. DWARF's numbers differ. */
enum {
	INSTRUCTION_RAX,
	INSTRUCTION_RCX,
	INSTRUCTION_RDX,
	INSTRUCTION_RBX,
	INSTRUCTION_RSP,
	INSTRUCTION_RBP,
	INSTRUCTION_RSI,
	INSTRUCTION_RDI,
	INSTRUCTION_R11 = 11,
};

struct instruction {
	uint32_t length;
	uint8_t map;        /* enum instruction_map */
	uint8_t vector_map; /* the map that a VEX or EVEX prefix names */
	uint8_t opcode;     /* within its map */
	uint8_t is_wide;    /* REX.W */
	uint8_t is_short;   /* operand size prefix */
	uint8_t has_rex;
	uint8_t has_modrm;
	uint8_t mod;
	uint8_t reg;         /* with the REX bit */
	uint8_t rm;          /* with the REX bit; the base register of memory, if is_based */
	uint8_t third;       /* the register that a VEX or EVEX prefix names */
	uint8_t is_based;    /* memory at base + displacement, without an index */
	uint8_t is_relative; /* memory at the next instruction + displacement */
	int32_t displacement;
	int32_t immediate; /* as the instruction has it; of a jump or call its distance */
};

/* Where execution continues after an instruction. */
enum instruction_flow {
	FLOW_NEXT,     /* after it */
	FLOW_CALL,     /* after it, when the called function has returned */
	FLOW_BRANCH,   /* after it, or `immediate` bytes further */
	FLOW_JUMP,     /* `immediate` bytes further */
	FLOW_INDIRECT, /* at an address from a register or from memory */
	FLOW_END,      /* not here: a return, or an instruction that does not continue */
};

/*
 * Reads the instruction at `code`, which has n_bytes bytes. Returns 0, or -1 if the instruction is
 * unknown or does not end within these bytes. Formats: Intel SDM volume 2, chapter 2 and appendix
 * A. Any thread.
 */
int instruction_read(struct instruction *instruction, const uint8_t *code, size_t n_bytes);

/*
 * The general registers that the instruction may write, a bit for each. Not included are the stack
 * pointer where push, pop, call, return, enter and leave move it, and the registers that a called
 * function changes. Any thread.
 */
uint32_t instruction_writes(const struct instruction *instruction);

/* Where execution continues after the instruction. Any thread. */
enum instruction_flow instruction_flow(const struct instruction *instruction);

#endif
