/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of a function with what was sampled at each. objdump disassembles. The figures are of the
 * function's own code and of what is inlined into it, by address: a frame that made a call counts at the
 * call. In the code that the function itself is inlined into, the rest has none. Every figure is at exactly
 * one instruction, or in `strayed`.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_CODE_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_CODE_H

#include "src/annotate/annotate.h"
#include "src/annotate/annotate_plan.h"

enum {
	ANNOTATE_MOST_PARTS = 64,           /* of one function's code */
	ANNOTATE_MOST_CODE_BYTES = 1 << 20, /* of one part */
};

struct annotate_instruction {
	uint64_t addr; /* of the file's symbol table */
	const char *text;
	struct annotate_figures self;
	const char *file; /* of its line, in the innermost inlined call; "" and 0 if not known */
	uint32_t line;
};

/* A symbol's code: the function itself, or what a compiler made of a construct's body in it. */
struct annotate_part {
	uint32_t module;    /* index into profile.modules */
	const char *object; /* its path */
	struct symbols_extent extent;
	struct annotate_instruction *instructions; /* by address */
	size_t n;
	char *text;                      /* what objdump said */
	struct annotate_figures self;    /* of all in the extent */
	struct annotate_figures strayed; /* of these what is at no instruction */
};

struct annotate_code {
	struct annotate_part parts[ANNOTATE_MOST_PARTS]; /* largest first */
	size_t n_parts;
	uint32_t function;  /* node of annotate->places */
	uint32_t last_line; /* of the function, in its own file; 0 not known */
	struct annotate_figures self;
};

/* The object file of a module. */
struct symbols_object annotate_object(const struct profile *profile, uint32_t module);

/*
 * Finds the parts of `function`, a node of annotate->places, without instructions. Returns 0, or -1 with
 * *diag set: no symbol is known for it.
 */
int annotate_code_find(struct annotate_code *code, const struct annotate *annotate,
	uint32_t function, struct diag *diag);

/* Disassembles the parts and fills the figures in. Returns 0, or -1 with *diag set. */
int annotate_code_read(struct annotate_code *code, const struct annotate *annotate,
	const struct names_options *names, const struct annotate_options *options,
	struct diag *diag);

void annotate_code_release(struct annotate_code *code);

/*
 * Fills part->text and part->instructions' addresses and texts by running objdump
 * (annotate_objdump.c): the program itself, no shell. Returns 0, or -1 with *diag set.
 */
int annotate_disassemble(
	struct annotate_part *part, const struct annotate_options *options, struct diag *diag);

#endif
