/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The true call path of a thread that steps: a stack of the calls that were executed and have not
 * returned. truth.c tells it of every instruction and of every signal; judge.c compares walks with
 * it. It rests on instructions and addresses, not on call frame information. Only the calls before
 * stepping began come from libgcc.
 */
#ifndef OMPPROF_TESTS_WALKER_SHADOW_H
#define OMPPROF_TESTS_WALKER_SHADOW_H

#include "unwinder/core/walk.h"

#include <stdint.h>
#include <ucontext.h>

#define SHADOW_MAX_CALLS 2048

/* The registers that a function preserves, but for rsp; and which of them is rbp. */
#define SHADOW_N_SAVED 6
#define SHADOW_RBP     1

struct shadow_call {
	uint64_t slot; /* where the return address lies; of a signal: where its frame begins */
	uint64_t return_address;        /* of a signal: the instruction that it interrupted */
	uint64_t cfa;                   /* slot + 8; of a signal: the interrupted stack pointer */
	uint64_t saved[SHADOW_N_SAVED]; /* shadow_saved[] as they were when it was called */
	int is_signal;
	int is_seed; /* called before stepping began: no registers are known */
};

struct shadow {
	uint32_t depth;
	uint64_t previous_ip, previous_sp; /* of the instruction that is executed next */
	struct walk_bounds alternate;      /* the alternate stack of the last signal */
	uint64_t moved_at;    /* the instruction that left a frame last without a return */
	uint32_t moved_depth; /* what that led to */
	long n_strange;       /* returns to other places than the call's, lost calls, wrong seeds */
	struct shadow_call call[SHADOW_MAX_CALLS];
};

/* A frame of the true path. The CFA of the outermost is not known: 0. */
struct shadow_frame {
	uint64_t ip;
	uint64_t cfa;
	enum walk_how how;
	const struct shadow_call *call; /* that made the frame; NULL for the outermost */
};

struct shadow_path {
	uint32_t n;
	uint64_t moved_at; /* the instruction that has moved the stack pointer to frame[0], or 0 */
	int is_on_alternate; /* some frame lies on an alternate stack */
	struct shadow_frame frame[SHADOW_MAX_CALLS + 1];
};

extern const enum walk_register shadow_saved[SHADOW_N_SAVED];

/* A call that was made before: the next inner one. Outermost first. */
void shadow_seed(struct shadow *shadow, uint64_t slot, uint64_t return_address);

/* The instruction at previous_ip was executed and has led to these registers. */
void shadow_follow(struct shadow *shadow, const greg_t *gregs);

/* The thread stands at the first instruction of a signal's handler: rdx is the interrupted context. */
void shadow_enter_signal(struct shadow *shadow, const greg_t *gregs);

/* The next instruction is the system call that returns from the innermost signal to `context`. */
void shadow_leave_signal(struct shadow *shadow, const ucontext_t *context);

/* The path of a thread that stands at `ip`. */
void shadow_list(const struct shadow *shadow, uint64_t ip, struct shadow_path *path);

#endif
