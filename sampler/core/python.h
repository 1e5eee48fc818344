/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Python functions that the interpreter's C functions execute, for the paths of samples and
 * creations. docs/internals/python.md describes how they are found.
 */
#ifndef OMPPROF_SAMPLER_CORE_PYTHON_H
#define OMPPROF_SAMPLER_CORE_PYTHON_H

#include <stdint.h>

#include "unwinder/core/walk.h"

enum {
	PYTHON_MOST_FRAMES = 512,
	PYTHON_MOST_CODES = 4096,
	PYTHON_MEMOS = 256,
	PYTHON_LINE_BITS = 20, /* of a function's addresses; of later lines the line is not known */
};

/* Above each address of a process, and small enough for JSON and for the ids of waits. */
#define PYTHON_FIRST_ADDRESS (UINT64_C(1) << 51)

struct python_layout;
struct python_stack;

/* The process' interpreter: `python` of struct tool (tool.h). */
struct python_interpreter {
	uint64_t lo, hi;           /* the object that contains it */
	uint64_t eval_lo, eval_hi; /* _PyEval_EvalFrameDefault, or its larger part */
	uint64_t runtime;          /* _PyRuntime */
	uint64_t code_type, text_type, bytes_type;
	const struct python_layout *layout;
	/* python_read. A pointer, so that a process without Python has nothing to do with it */
	int (*read)(struct python_stack *stack, const struct walk_path *path, uint32_t n);
};

struct python_frame {
	uint64_t code; /* address of its code object */
	/*
	 * an address in the frame of the C function that executes it: of what CPython keeps there
	 * for each call
	 */
	uint64_t mark;
	uint64_t addr;   /* in the profile; 0: its function has not begun, it is left out */
	int32_t unit;    /* its instruction, as a number of 2 bytes each */
	uint16_t native; /* index of the C function's frame in the path */
	uint16_t module; /* generation of its record in the profile */
	uint16_t twin;   /* 1 + index of an earlier frame of the same instruction; 0 none */
	uint8_t is_generators;
};

/* An instruction that the thread has named. All zero: none. */
struct python_memo {
	uint64_t code;
	uint64_t addr;
	int32_t unit;
	uint32_t version; /* of the code object */
	uint16_t module;
};

/* The Python frames of a thread's latest path, innermost first. All zero: no path yet. */
struct python_stack {
	uint64_t state; /* address of the thread's PyThreadState; 0: not known */
	uint64_t link;  /* address of the word that leads to it in the list of states */
	uint32_t n;
	uint32_t epoch; /* of the tool: the memos are of this profile */
	struct python_frame at[PYTHON_MOST_FRAMES];
	struct python_memo memo[PYTHON_MEMOS];
};

/* Whether the address is in the object of the interpreter. Signal-safe. */
static inline int python_has(const struct python_interpreter *python, uint64_t ip)
{
	return ip >= python->lo && ip < python->hi;
}

/*
 * Reads the Python frames that the first n frames of the calling thread's path execute. Returns 1;
 * 0 if there are none; -1 if they are not all known, which is counted in the profile. Signal-safe.
 */
int python_read(struct python_stack *stack, const struct walk_path *path, uint32_t n);

/* to read a stack, in python_code.c */

/*
 * Sets `addr` and `module` of all frames. A function that is met first is recorded in the profile.
 * Returns 0, or -1 if a function is not known. Signal-safe.
 */
int python_name_frames(struct python_stack *stack);

#endif
