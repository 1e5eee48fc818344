/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a function's frame lies on AArch64, and how one instruction changes that. Stores and loads
 * of x29 and x30, and sums with constants, are followed through the stack pointer and the frame
 * pointer. Any other instruction loses what it may write of these registers.
 */
#ifndef OMPPROF_UNWINDER_CORE_CODE_STATE_AARCH64_H
#define OMPPROF_UNWINDER_CORE_CODE_STATE_AARCH64_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "unwinder/core/arch.h"

#define CODE_INSTRUCTION_BYTES 4

/* The state between two instructions. Arrays have the registers from WALK_FP on. */
struct code_state {
	int32_t offset[3];   /* CFA = register + offset, for the registers in `copies` */
	uint8_t copies;      /* bits */
	uint8_t is_here;     /* bits: the register holds the caller's value */
	int32_t saved_at[2]; /* the caller's value lies at CFA + this; 0: it is not saved */
	/* the register was loaded from CFA + this and not written since; 0: it was not */
	int32_t loaded_at[2];
};

enum code_flow {
	CODE_GOES_ON,
	/* a conditional jump, a jump within the function, or a jump to a register's address */
	CODE_MAY_JUMP,
	CODE_LEAVES,
};

/* The bit of a register in `copies` and `is_here`; 0 if it has none. Signal-safe. */
static inline unsigned int code_state_bit(unsigned int reg)
{
	return reg >= WALK_FP && reg <= WALK_SP ? 1u << (reg - WALK_FP) : 0;
}

/*
 * The state in which CFA = reg + distance, where reg is SP or FP, and all registers hold the
 * caller's values. With SP and 0 it is the state before a function's first instruction.
 * Signal-safe.
 */
static inline struct code_state code_state_begin(unsigned int reg, int32_t distance)
{
	struct code_state state = {
		.copies = (uint8_t)code_state_bit(reg),
		.is_here = (uint8_t)(code_state_bit(WALK_FP) | code_state_bit(WALK_LINK)),
	};

	state.offset[reg - WALK_FP] = distance;
	return state;
}

/* The instruction at an address, which need not be aligned. Signal-safe. */
static inline uint32_t code_at(const uint8_t *at)
{
	uint32_t code;

	memcpy(&code, at, sizeof(code));
	return code;
}

/* Executes an instruction. Signal-safe. */
void code_state_change(struct code_state *state, uint32_t code);

/*
 * Where execution continues after an instruction. It begins with byte `at` of its function, which
 * has n_bytes. Signal-safe.
 */
enum code_flow code_flow(uint32_t code, size_t at, size_t n_bytes);

#endif
