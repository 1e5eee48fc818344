/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between steps.c, which single-steps a program, and stepped.c, a library in the program that walks
 * when steps.c calls it. Both map one file.
 */
#ifndef OMPPROF_TESTS_AARCH64_STEPS_H
#define OMPPROF_TESTS_AARCH64_STEPS_H

#include "unwinder/core/walk.h"

#include <stdint.h>

/* The environment's name for the file's descriptor. */
#define STEPS_DESCRIPTOR "STEPS_DESCRIPTOR"

enum steps_variant {
	STEPS_FRESH,    /* the path is empty before the walk */
	STEPS_KEPT,     /* the path is that of the last walk */
	STEPS_IN_PLACE, /* by the walker without tables */
	STEPS_N_VARIANTS,
};

struct steps_path {
	uint32_t n;
	uint32_t end; /* enum walk_end */
	uint32_t n_guessed;
	struct walk_frame frame[WALK_MAX_FRAMES];
};

/* The library writes the addresses before the program's first instruction. */
struct steps {
	uint64_t entry;   /* the program's first instruction */
	uint64_t walk;    /* a function without arguments, which walks from `registers` */
	uint64_t back;    /* where that function returns to: a brk */
	uint64_t skipped; /* a function that does not step */
	uint64_t stack;   /* the end of a stack for `walk` */
	struct walk_registers registers;
	struct walk_bounds bounds;
	struct steps_path path[STEPS_N_VARIANTS];
};

#endif
