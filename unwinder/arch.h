/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of the architecture: enum walk_register numbers them as DWARF does, with WALK_SP,
 * WALK_FP and WALK_IP among them. An architecture is a header and a file, arch_NAME.h and
 * arch_NAME.c.
 */
#ifndef OMPPROF_UNWINDER_ARCH_H
#define OMPPROF_UNWINDER_ARCH_H

#include "unwinder/arch_x86_64.h"

/* Registers of one frame. Bit r of `known` is set when reg[r] is meaningful. */
struct walk_registers {
	uint64_t reg[WALK_N_REGISTERS];
	uint64_t known;
	uint32_t is_return; /* the instruction pointer is a return address */
};

/*
 * Registers of an interrupted thread, from the third argument of an SA_SIGINFO handler.
 * Signal-safe.
 */
void walk_registers_from_ucontext(struct walk_registers *registers, const void *ucontext);

/*
 * Whether a call instruction ends at `at`, looking at bytes from `begin` on: 0 no, 1 a direct one, whose
 * *target is set, 2 one through a register or memory. at_address is the address of the byte at `at`.
 * Signal-safe.
 */
int arch_call_before(
	const uint8_t *begin, const uint8_t *at, uint64_t at_address, uint64_t *target);

/*
 * The address of the word that the entry of a PLT at `code`, of 16 bytes, jumps through, or 0 if that is
 * none. `address` is that of the code.
 * Signal-safe.
 */
uint64_t arch_stub_slot(const uint8_t *code, uint64_t address);

/*
 * Whether a function's usual beginning, which sets up a frame pointer, stands in [from, to).
 * Signal-safe.
 */
int arch_sets_fp(const uint8_t *from, const uint8_t *to);

/*
 * The registers of the function that this is inlined into, for a walk from a callback: the walk's
 * first frame is that function, WALK_EXACT. Only the registers that a callee preserves are known.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) void walk_registers_here(struct walk_registers *regs)
{
	__asm__ volatile("leaq 0(%%rip), %%rax\n\t"
			 "movq %%rax, %0\n\t"
			 "movq %%rsp, %1\n\t"
			 "movq %%rbp, %2\n\t"
			 "movq %%rbx, %3\n\t"
			 "movq %%r12, %4\n\t"
			 "movq %%r13, %5\n\t"
			 "movq %%r14, %6\n\t"
			 "movq %%r15, %7"
			 : "=m"(regs->reg[WALK_RIP]), "=m"(regs->reg[WALK_RSP]),
			 "=m"(regs->reg[WALK_RBP]), "=m"(regs->reg[WALK_RBX]),
			 "=m"(regs->reg[WALK_R12]), "=m"(regs->reg[WALK_R13]),
			 "=m"(regs->reg[WALK_R14]), "=m"(regs->reg[WALK_R15])
			 :
			 : "rax");
	regs->is_return = 0;
	regs->known = 1u << WALK_RIP | 1u << WALK_RSP | 1u << WALK_RBP | 1u << WALK_RBX |
		      1u << WALK_R12 | 1u << WALK_R13 | 1u << WALK_R14 | 1u << WALK_R15;
}

#endif
