/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call path that a program knows itself to have: each of its functions adds a link with its own
 * CFA and return address, as the compiler knows them, and takes it away before it returns. chain.c
 * steps the thread through a stretch of code, instruction by instruction, and after each compares
 * walker_cfi's path with the chain, once without and once with the memory of the walk before.
 *
 * A program is a table of cases; its first argument says which one to run. If there is a second,
 * the innermost function may be one without rules: then the walk without memory may end at once,
 * and the other may not. The program writes one line,
 *
 *   right|wrong checks N wrong N explained N kept N
 *
 * and what it saw when that was wrong, and ends with status 0 or 1, or 77 if it cannot judge here.
 */
#ifndef OMPPROF_TESTS_WALKER_CHAIN_H
#define OMPPROF_TESTS_WALKER_CHAIN_H

#include <stdint.h>

#define CHAIN_MAX 4096

/* Who called the function of a link. */
enum chain_how {
	CHAIN_CALLED,  /* the function of the link before */
	CHAIN_THROUGH, /* code without links, which that one called */
	CHAIN_HANDLER, /* the kernel, which interrupted at (ip, sp) that one or what it called */
};

struct chain_link {
	uint64_t cfa;
	uint64_t return_address; /* 0: the outermost function of a made stack */
	uint64_t ip, sp;
	enum chain_how how;
};

/* The links of a stack, outermost first. A path is compared with its own stack's chain. */
struct chain {
	uint64_t lo, hi; /* its stack, if it must be known by that */
	volatile uint32_t n;
	struct chain_link link[CHAIN_MAX];
};

/* What a case wants of the paths. All zero: as the chain says, complete. */
struct chain_wanted {
	const char *label;  /* of this part of the case, for a report */
	uint32_t max_inner; /* frames without a link inside of the innermost, but for the 1 of a
			       function that has not added its link yet or has taken it away */
	int is_limited;     /* the chain is longer than a path can be */
	int is_loose; /* only links from `n_sure` on must be found: what is outside of them may be
			   wrong, but nothing may fault or go on without bound */
	uint32_t n_sure;
	/* What may be wrong in at most explained_percent of all paths: links from `n_sure` on may be
	   gone already, or be passed by; anything where is_explained says so of the instruction. */
	int is_unwound;
	int (*is_explained)(uint64_t ip);
	uint32_t explained_percent;
};

struct chain_case {
	const char *name;
	void (*run)(void);
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct chain *volatile chain_now;
extern struct chain_wanted chain_wanted;

/* The program's cases; behind the last is an entry without a name. */
extern const struct chain_case chain_cases[];

/* Another stack that chain_now may be switched to while the thread is stepped. */
void chain_add(struct chain *chain);

/* From now on the calling thread is stepped, on this chain of its own. */
void chain_begin_thread(struct chain *chain);

/* The case cannot be judged here. Does not return. */
void chain_skip(const char *reason) __attribute__((noreturn));

/* Something is wrong apart from a path. */
void chain_wrong(const char *what);

/* Some links more and less, to have instructions to step through. */
int chain_work(int depth);

#ifdef __clang__
/* Needs -fms-extensions. clang's __builtin_dwarf_cfa would ask for a frame pointer. */
void *_AddressOfReturnAddress(void);
#define CHAIN_CFA  ((uint64_t)(uintptr_t)_AddressOfReturnAddress() + 8)
#define CHAIN_KEEP __attribute__((noinline))
#else
#define CHAIN_CFA  ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())
#define CHAIN_KEEP __attribute__((noipa))
#endif

static inline __attribute__((always_inline)) void chain_push(
	struct chain *chain, enum chain_how how, uint64_t cfa, const void *return_address)
{
	struct chain_link *link = &chain->link[chain->n];

	link->cfa = cfa;
	link->return_address = (uint64_t)(uintptr_t)return_address;
	link->how = how;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	chain->n = chain->n + 1;
}

#define CHAIN_ENTER(chain, how) chain_push(chain, how, CHAIN_CFA, __builtin_return_address(0))

/* For a function that aligns its frame: gcc's __builtin_dwarf_cfa is not true there. */
#define CHAIN_ENTER_AT(chain, how, cfa)                                                            \
	chain_push(chain, how, (uint64_t)(uintptr_t)(cfa), __builtin_return_address(0))

#define CHAIN_ENTER_HANDLER(chain, context)                                                        \
	do {                                                                                       \
		const greg_t *chain_gregs_ = ((const ucontext_t *)(context))->uc_mcontext.gregs;   \
                                                                                                   \
		(chain)->link[(chain)->n].ip = (uint64_t)chain_gregs_[REG_RIP];                    \
		(chain)->link[(chain)->n].sp = (uint64_t)chain_gregs_[REG_RSP];                    \
		CHAIN_ENTER(chain, CHAIN_HANDLER);                                                 \
	} while (0)

#define CHAIN_LEAVE(chain)                                                                         \
	do {                                                                                       \
		__atomic_signal_fence(__ATOMIC_SEQ_CST);                                           \
		(chain)->n = (chain)->n - 1;                                                       \
		__atomic_signal_fence(__ATOMIC_SEQ_CST);                                           \
	} while (0)

/* Between these, the thread is stepped and its paths are compared. */
extern volatile int chain_is_stepping;

static inline __attribute__((always_inline)) void chain_steps_begin(void)
{
	chain_is_stepping = 1;
	__asm__ volatile("int3" : : : "memory");
}

static inline __attribute__((always_inline)) void chain_steps_end(void)
{
	chain_is_stepping = 0;
	__asm__ volatile("nop" : : : "memory");
}

#ifdef __cplusplus
}
#endif

#endif
