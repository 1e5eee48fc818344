/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The architecture of the processor: all that the in-process half knows of it. An architecture is a
 * header and a file, arch_NAME.h and arch_NAME.c. The header gives
 *
 * - enum walk_register, numbered as DWARF does, with WALK_SP, WALK_FP, WALK_IP, and WALK_LINK: the
 *   register that holds the return address at a function's begin, or WALK_NO_REGISTER, 63
 * - WALK_PRESERVED: bit r is set if a callee preserves register r
 * - WALK_RED_ZONE_BYTES: how many bytes below the stack pointer code may use
 * - WALK_CALL_BYTES: how many bytes a call instruction pushes, and so the least distance between a
 *   CFA and the stack pointer
 * - WALK_CFA_ABOVE_FP: bytes from the frame pointer to the CFA in a function that has set its frame
 *   pointer; 0 if they differ from function to function
 * - ARCH_LEAVES_SIGNALS: whether arch_leave_signal ever returns 1
 * - ARCH_NAME: the architecture's name in target triples
 * - ARCH_JUMP_THROUGH(pointer): assembler instructions that jump to the address in the variable
 *   `pointer` and change no register of an argument
 * - ARCH_RSEQ_SIGNATURE: assembler data, the signature of restartable sequences (rseq(2))
 * - arch_thread_pointer: the address that the C library's distances to a thread's areas begin at
 * - arch_ticks: the machine's cheapest clock
 * - ARCH_TICKS_PER_S: its rate if that cannot be measured; hardly any processor has a slower clock
 * - arch_store_registers: stores the preserved registers and the instruction pointer
 * - arch_code_address: a return address without the signature that its function may have added
 * - arch_ignores: whether a call frame instruction, which only this architecture has and which has
 *   no operand, can be ignored
 * - arch_moves_sp: whether an instruction in [from, to) may move the stack pointer; needed only
 *   where a call leaves the return address in a register
 * - arch_rule_at_edge: *rule is the rule at the instruction `at`; if the instructions around it
 *   prove that the function has just begun or is about to end, and that compilers leave this out,
 *   stores the right rule and returns 1; else returns 0; reads [begin, end)
 * - arch_leave_signal: if the instructions are the kernel's return from a signal handler, without
 *   call frame information for it, stores the interrupted registers and returns 1; else returns 0
 *
 * unwinder/arch.mk lists the architectures. configure makes arch_host.h a link to the host's
 * header. OMPPROF_ARCH_HEADER names another header, to test that architecture on its data.
 */
#ifndef OMPPROF_UNWINDER_CORE_ARCH_H
#define OMPPROF_UNWINDER_CORE_ARCH_H

#include <stdint.h>

struct rule;
struct walk_bounds;
struct walk_registers;

#define WALK_BIT(r) ((uint64_t)1 << (r))

#ifdef OMPPROF_ARCH_HEADER
#include OMPPROF_ARCH_HEADER
#else
#include "unwinder/core/arch_host.h"
#endif

/* Whether a call leaves the return address in a register. */
#define WALK_HAS_LINK (WALK_LINK != WALK_NO_REGISTER)

/* Registers of one frame. reg[r] is meaningful if bit r of `known` is set. */
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
 * Stores the registers that are known in a ucontext, or in a structure that begins like it.
 * Signal-safe.
 */
void walk_registers_to_ucontext(const struct walk_registers *registers, void *ucontext);

/*
 * Whether the interrupted thread has just come back from a system call. ucontext: as above.
 * Signal-safe.
 */
int arch_is_after_syscall(const void *ucontext);

/*
 * The address of the word through which the PLT entry of 16 bytes at `code` jumps, or 0 if that is
 * no PLT entry. `address` is where the code is in the process. Signal-safe.
 */
uint64_t arch_stub_slot(const uint8_t *code, uint64_t address);

/*
 * Whether the code [from, to), whose address in the process is `address`, may contain a jump to
 * `target` or to an address that is not in the code. Signal-safe.
 */
int arch_may_jump(const uint8_t *from, const uint8_t *to, uint64_t address, uint64_t target);

/*
 * Whether [from, to) contains the usual begin of a function, which sets up a frame pointer.
 * Signal-safe.
 */
int arch_sets_fp(const uint8_t *from, const uint8_t *to);

/*
 * Calls function(argument) on the stack that ends at `top`, which is aligned to 16 bytes, and
 * returns to the caller's stack. Unwinders find the way back, for example when a thread is
 * cancelled. Signal-safe.
 */
void arch_call_on_stack(void (*function)(void *argument), void *argument, void *top);

/*
 * The registers of the function into which this is inlined, for a walk from a callback: that
 * function is the walk's first frame, with WALK_EXACT. Only the registers that a callee preserves,
 * the instruction pointer and the link register are known. Signal-safe.
 */
static inline __attribute__((always_inline)) void walk_registers_here(struct walk_registers *regs)
{
	arch_store_registers(regs->reg);
	regs->is_return = 0;
	regs->known = WALK_PRESERVED | WALK_BIT(WALK_IP);
	if (WALK_LINK < WALK_N_REGISTERS)
		regs->known |= WALK_BIT(WALK_LINK);
}

/*
 * Whether a call instruction ends at `at`, whose address in the thread is `at_address`. Returns 0
 * if not, 1 for a call of *target, or 2 for a call of an address that is not in the code. Reads
 * nothing before `begin`. Signal-safe.
 */
int arch_call_before(
	const uint8_t *begin, const uint8_t *at, uint64_t at_address, uint64_t *target);

#endif
