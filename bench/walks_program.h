/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program whose stack is walked: a stack of a wanted depth, and work for a timer to interrupt.
 * It is compiled twice, without frame pointers and with them.
 */
#ifndef OMPPROF_BENCH_WALKS_PROGRAM_H
#define OMPPROF_BENCH_WALKS_PROGRAM_H

#include "unwinder/core/walk.h"

typedef void (*visitor)(const struct walk_registers *innermost, void *argument);

/* How to descend, and what to call at the end. */
struct descent {
	visitor visit;
	void *argument;
	unsigned int
		variant;  /* bit i says which function the call at distance i from the end is of */
	int is_construct; /* `innermost` is what a tool sees of the frame that meets a construct */
};

/* The first of `left` functions that call each other; the innermost visits. */
typedef double (*level)(const struct descent *descent, int left);

struct program {
	int has_frame_pointers;
	level volatile *level; /* two */

	/* Work until *stop is set. Return something that depends on all of it. */
	double (*stencil)(const volatile int *stop);
	double (*sort)(const volatile int *stop);
	double (*text)(const volatile int *stop);
};

/*
 * Makes `left` > 0 calls as `descent` says, the outermost by the function that this is inlined
 * into.
 */
static inline __attribute__((always_inline)) void program_descend(
	const struct program *program, const struct descent *descent, int left)
{
	program->level[descent->variant >> (left - 1) % 32 & 1](descent, left);
	__asm__ volatile("" ::: "memory");
}

extern const struct program program_plain;
extern const struct program program_pointers;

#endif
