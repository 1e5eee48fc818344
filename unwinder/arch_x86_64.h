/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of x86-64; see arch.h. */
#ifndef OMPPROF_UNWINDER_ARCH_X86_64_H
#define OMPPROF_UNWINDER_ARCH_X86_64_H

#include <stdint.h>

/* DWARF numbers of the x86-64 registers, System V ABI 1.0, figure 3.36; 16 is the return address. */
enum walk_register {
	WALK_RAX,
	WALK_RDX,
	WALK_RCX,
	WALK_RBX,
	WALK_RSI,
	WALK_RDI,
	WALK_RBP,
	WALK_RSP,
	WALK_R8,
	WALK_R9,
	WALK_R10,
	WALK_R11,
	WALK_R12,
	WALK_R13,
	WALK_R14,
	WALK_R15,
	WALK_RIP,
	WALK_N_REGISTERS,

	WALK_SP = WALK_RSP,
	WALK_FP = WALK_RBP,
	WALK_IP = WALK_RIP,
};

/* The register that holds the return address while a leaf function runs; -1: there is none. */
#define WALK_LINK (-1)

/* Bytes below the stack pointer that code may use: System V ABI, 3.2.2. */
#define WALK_RED_ZONE 128

/* An address without the bits that sign it. Signal-safe. */
static inline uint64_t arch_strip(uint64_t address)
{
	return address;
}

#endif
