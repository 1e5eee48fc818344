/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a register context to a call path. The sampler calls a walker in its signal handler (from
 * the interrupted registers) and in callbacks (from the caller's own). A walker is one file
 * walk_*.c and one `const struct walker`. It knows nothing of OpenMP, trees or files.
 *
 * Termination and safety do not rest on correct call frame information: every read of the stack
 * is inside [bounds.lo, bounds.hi), every CFA must be greater than the one before, and every loop
 * has a written bound. Wrong or hostile rules end a path, they never fault or loop.
 */
#ifndef OMPPROF_UNWINDER_WALK_H
#define OMPPROF_UNWINDER_WALK_H

#include <stddef.h>
#include <stdint.h>

/* Frames per path. A walk that meets this bound ends with WALK_LIMIT. */
#define WALK_MAX_FRAMES 512

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
};

/* Registers of one frame. Bit r of `known` is set when reg[r] is meaningful. */
struct walk_registers {
	uint64_t reg[WALK_N_REGISTERS];
	uint32_t known;
};

/* The memory a walk may read: the thread's stack, [lo, hi). */
struct walk_bounds {
	uintptr_t lo;
	uintptr_t hi;
};

/* How a frame was found. */
enum walk_how {
	WALK_EXACT = 0,   /* ip is where execution stood: the first frame, or one that a signal
			     interrupted; look its line up at ip */
	WALK_CALL = 1,    /* ip is a return address by CFI; look its line up at ip - 1 */
	WALK_POINTER = 2, /* ip is a return address by the frame-pointer chain */
	WALK_GUESS = 3,   /* ip is a return address that was guessed where CFI is missing */
};

/* How a path ended. Same values as enum profile_walk_end. */
enum walk_end {
	WALK_COMPLETE = 0,
	WALK_NO_CFI = 1,
	WALK_BAD_CFI = 2,
	WALK_OFF_STACK = 3,
	WALK_NO_PROGRESS = 4,
	WALK_LIMIT = 5,
	WALK_UNKNOWN_CODE = 6,
};

struct walk_frame {
	uint64_t ip;  /* instruction address, see `how` */
	uint64_t cfa; /* canonical frame address: the stack pointer before the call to this frame's
			 function; 0 if unknown (only in the last frame of a path that ended early) */
	uint32_t how; /* enum walk_how */
};

/* frame[0] is the innermost. */
struct walk_path {
	struct walk_frame frame[WALK_MAX_FRAMES];
	uint32_t n;
	uint32_t end; /* enum walk_end */
};

struct walker {
	const char *name;

	/*
	 * Prepares the walker for this process: at tool start, outside any handler. Returns 0, or
	 * -1 if this walker cannot work here. May be NULL: nothing to prepare.
	 */
	int (*init)(void);

	/*
	 * Walks from `start` outwards until the outermost frame, until a frame whose CFA is greater
	 * than `stop_cfa` has been added (UINT64_MAX: never), or until it cannot go on; fills
	 * `path` (n and end always; end is WALK_COMPLETE for the first two). `start` must have RIP
	 * and RSP known. Returns path->n.
	 * Signal-safe.
	 */
	uint32_t (*walk)(const struct walk_registers *start, const struct walk_bounds *bounds,
		uint64_t stop_cfa, struct walk_path *path);
};

extern const struct walker walker_cfi;
extern const struct walker walker_fp;

/*
 * Registers of an interrupted thread, from the third argument of an SA_SIGINFO handler.
 * Signal-safe.
 */
void walk_registers_from_ucontext(struct walk_registers *registers, const void *ucontext);

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
	regs->known = 1u << WALK_RIP | 1u << WALK_RSP | 1u << WALK_RBP | 1u << WALK_RBX |
		      1u << WALK_R12 | 1u << WALK_R13 | 1u << WALK_R14 | 1u << WALK_R15;
}

#endif
