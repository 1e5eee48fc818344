/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64; see arch.h, which includes this. */
#ifndef OMPPROF_UNWINDER_CORE_ARCH_X86_64_H
#define OMPPROF_UNWINDER_CORE_ARCH_X86_64_H

/* DWARF numbers of the registers, System V ABI 1.0, figure 3.36; 16 is the return address. */
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
	WALK_NO_REGISTER = 63,
	WALK_LINK = WALK_NO_REGISTER,

	/* The same ABI, 3.2.2. A leaf function may keep data there. An epilogue leaves saved
	   registers there that the call frame information still names. */
	WALK_RED_ZONE_BYTES = 128,
	WALK_CALL_BYTES = 8,
	WALK_CFA_ABOVE_FP = 16, /* the saved frame pointer and the return address */
	ARCH_LEAVES_SIGNALS = 0,
	ARCH_TICKS_PER_S = 1000000000,
};

#define ARCH_NAME "x86_64"

#define ARCH_JUMP_THROUGH(pointer)                                                                 \
	"	endbr64\n"                                                                               \
	"	jmp *" pointer "(%rip)\n"

/* System V ABI, 3.2.1. */
#define WALK_PRESERVED                                                                             \
	(WALK_BIT(WALK_RSP) | WALK_BIT(WALK_RBP) | WALK_BIT(WALK_RBX) | WALK_BIT(WALK_R12) |       \
		WALK_BIT(WALK_R13) | WALK_BIT(WALK_R14) | WALK_BIT(WALK_R15))

#ifdef __x86_64__

/* The C library registers areas with this signature. */
#define ARCH_RSEQ_SIGNATURE "	.long 0x53053053\n"

/* The System V ABI keeps it at the begin of the thread control block. Signal-safe. */
static inline char *arch_thread_pointer(void)
{
	char *pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* How many ticks a second has is measured elsewhere. Signal-safe. */
static inline uint64_t arch_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/* Stores these registers and no others. Signal-safe. */
static inline __attribute__((always_inline)) void arch_store_registers(uint64_t *reg)
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
			 : "=m"(reg[WALK_RIP]), "=m"(reg[WALK_RSP]), "=m"(reg[WALK_RBP]),
			 "=m"(reg[WALK_RBX]), "=m"(reg[WALK_R12]), "=m"(reg[WALK_R13]),
			 "=m"(reg[WALK_R14]), "=m"(reg[WALK_R15])
			 :
			 : "rax");
}

#else

/* The host has no registers of this architecture. Signal-safe. */
static inline void arch_store_registers(uint64_t *reg)
{
	reg[WALK_IP] = 0;
}

#endif

/* There are no signatures. Signal-safe. */
static inline uint64_t arch_code_address(uint64_t return_address)
{
	return return_address;
}

/* No instruction is of this architecture alone. Signal-safe. */
static inline int arch_ignores(unsigned int op)
{
	return 0;
}

/* Not needed. Signal-safe. */
static inline int arch_moves_sp(const uint8_t *from, const uint8_t *to)
{
	return 1;
}

/* Not needed: compilers describe a function's begin and end. Signal-safe. */
static inline int arch_rule_at_edge(
	const uint8_t *begin, const uint8_t *at, const uint8_t *end, struct rule *rule)
{
	return 0;
}

/* The C library has the instructions, with call frame information. Signal-safe. */
static inline int arch_leave_signal(const uint8_t *code, const uint8_t *code_end,
	const struct walk_bounds *bounds, struct walk_registers *registers)
{
	return 0;
}

#endif
