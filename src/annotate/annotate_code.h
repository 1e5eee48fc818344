/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of a function with the figures of each. objdump disassembles. Figures are by
 * address, for the function's own code and for code inlined into it; a frame that made a call
 * counts at the call instruction. If the function itself is inlined, the other code of its caller
 * has no figures. Every figure of a part belongs to one instruction, or to `strayed`.
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
	uint64_t addr; /* as in the file's symbol table */
	const char *text;
	struct annotate_figures self;
	const char *file; /* of the innermost inlined call; "" and 0 if not known */
	uint32_t line;
};

/*
 * A symbol's code: the function itself, or the function that a compiler made of a construct's body
 * in it.
 */
struct annotate_part {
	uint32_t module;    /* index into profile.modules */
	const char *object; /* its path */
	struct symbols_extent extent;
	struct annotate_instruction *instructions; /* sorted by address */
	size_t n;
	char *text;                      /* output of objdump */
	struct annotate_figures self;    /* sum over the function's code in the extent */
	struct annotate_figures strayed; /* the part of it that belongs to no instruction */
};

struct annotate_code {
	struct annotate_part parts[ANNOTATE_MOST_PARTS]; /* largest first */
	size_t n_parts;
	struct site_use *uses; /* of annotate_code.c */
	uint32_t function;     /* node of annotate->places */
	uint32_t last_line;    /* of the function, in its own file; 0 if not known */
	struct annotate_figures self;
};

struct symbols_object annotate_object(const struct profile *profile, uint32_t module);

/*
 * Finds the parts of `function`, a node of annotate->places, without instructions. Returns 0, or -1
 * with *diag set if no symbol is known for it.
 */
int annotate_code_find(struct annotate_code *code, const struct annotate *annotate,
	uint32_t function, struct diag *diag);

/* Disassembles the parts and fills in the figures. Returns 0, or -1 with *diag set. */
int annotate_code_read(struct annotate_code *code, const struct annotate *annotate,
	const struct names_options *names, const struct annotate_options *options,
	struct diag *diag);

void annotate_code_release(struct annotate_code *code);

/*
 * Fills part->text and the addresses and texts of part->instructions by running objdump
 * (annotate_objdump.c), directly and without a shell. Returns 0, or -1 with *diag set.
 */
int annotate_disassemble(
	struct annotate_part *part, const struct annotate_options *options, struct diag *diag);

#endif
