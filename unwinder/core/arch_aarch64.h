/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64, little-endian; see arch.h, which includes this. */
#ifndef OMPPROF_UNWINDER_CORE_ARCH_AARCH64_H
#define OMPPROF_UNWINDER_CORE_ARCH_AARCH64_H

/*
 * DWARF for the Arm 64-bit Architecture, 4.1: x0 has the number 0. Vector registers and the state
 * of the return address's signature (34) have higher numbers and are skipped.
 */
enum walk_register {
	WALK_X0,
	WALK_X8 = 8,
	WALK_X19 = 19,
	WALK_X28 = 28,
	WALK_X29,
	WALK_X30,
	WALK_XSP,
	WALK_PC,
	WALK_N_REGISTERS,

	WALK_SP = WALK_XSP,
	WALK_FP = WALK_X29,
	WALK_IP = WALK_PC,
	WALK_NO_REGISTER = 63,
	WALK_LINK = WALK_X30,

	/* There is no red zone. But at a function's end, rules may name the pair x29, x30 that was
	   just taken off the stack. A signal leaves these values there. */
	WALK_RED_ZONE_BYTES = 16,
	WALK_CALL_BYTES = 0,
	WALK_CFA_ABOVE_FP = 0,
	ARCH_LEAVES_SIGNALS = 1,
	ARCH_TICKS_PER_S = 25000000, /* before Armv8.6, whose clocks have 1 GHz */
};

#define ARCH_NAME "aarch64"

/*
 * Between a call and the called function x16 and x17 may be changed: Procedure Call Standard for
 * the Arm 64-bit Architecture, 6.1.1.
 */
#define ARCH_JUMP_THROUGH(pointer)                                                                 \
	"	hint #34\n" /* bti c */                                                            \
	"	adrp x16, " pointer "\n"                                                           \
	"	ldr x16, [x16, #:lo12:" pointer "]\n"                                              \
	"	br x16\n"

/* x19 to x29, and sp: the same standard, 6.1.1. */
#define WALK_PRESERVED ((WALK_BIT(WALK_X29 + 1) - WALK_BIT(WALK_X19)) | WALK_BIT(WALK_XSP))

#ifdef __aarch64__

/* The C library registers areas with this signature: a brk instruction. */
#define ARCH_RSEQ_SIGNATURE "	.long 0xd428bc00\n"

/* Signal-safe. */
static inline char *arch_thread_pointer(void)
{
	char *pointer;

	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
	return pointer;
}

/* How many ticks a second has is measured elsewhere. Signal-safe. */
static inline uint64_t arch_ticks(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

/* Stores the preserved registers, the link register and the instruction pointer. Signal-safe. */
static inline __attribute__((always_inline)) void arch_store_registers(uint64_t *reg)
{
	__asm__ volatile("adr x16, .\n\t"
			 "mov x17, sp\n\t"
			 "stp x19, x20, [%0, #152]\n\t"
			 "stp x21, x22, [%0, #168]\n\t"
			 "stp x23, x24, [%0, #184]\n\t"
			 "stp x25, x26, [%0, #200]\n\t"
			 "stp x27, x28, [%0, #216]\n\t"
			 "stp x29, x30, [%0, #232]\n\t"
			 "stp x17, x16, [%0, #248]"
			 :
			 : "r"(reg)
			 : "x16", "x17", "memory");
}

#else

/* The host has no registers of this architecture. Signal-safe. */
static inline void arch_store_registers(uint64_t *reg)
{
	reg[WALK_IP] = 0;
}

#endif

/* The authentication code is in the bits above the address. Signal-safe. */
uint64_t arch_code_address(uint64_t return_address);

/* DW_CFA_AARCH64_negate_ra_state and _with_pc: signatures are always stripped. Signal-safe. */
static inline int arch_ignores(unsigned int op)
{
	return op == 0x2d || op == 0x2c;
}

/* Signal-safe. */
int arch_moves_sp(const uint8_t *from, const uint8_t *to);

/* Clang 14 leaves begins and ends out of the call frame information. Signal-safe. */
int arch_rule_at_edge(
	const uint8_t *begin, const uint8_t *at, const uint8_t *end, struct rule *rule);

/*
 * The interrupted registers lie on the stack; 0 if they are not inside bounds. The kernel's code
 * has no call frame information, or it leaves the interrupted function out. Signal-safe.
 */
int arch_leave_signal(const uint8_t *code, const uint8_t *code_end,
	const struct walk_bounds *bounds, struct walk_registers *registers);

#endif
