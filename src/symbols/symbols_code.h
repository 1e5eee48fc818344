/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction of x86-64 does to the general registers, as far as is needed to follow an
 * address through one. Errs on one side: a register that is not named in `writes` is kept, one that is
 * may be. Pure.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H

#include <stddef.h>
#include <stdint.h>

enum code_kind {
	CODE_OTHER,
	CODE_CALL,
	CODE_JUMP,    /* goes elsewhere, always */
	CODE_BRANCH,  /* may go elsewhere */
	CODE_ADDRESS, /* puts the address `value` into `to` */
	CODE_COPY,    /* of `from` into `to` */
};

struct code_instruction {
	enum code_kind kind;
	unsigned length;
	uint32_t writes;   /* bit k: register k, as instructions number them */
	unsigned to, from; /* registers */
	uint64_t value;    /* the address put, or where a jump or branch goes to; 0: not known */
};

/* The registers that a call need not keep. */
enum { CODE_SCRATCH = 0x0fc7 };

/* Reads the instruction at bytes[0 .. n), whose address is `at`. Returns 0 if it is not known. */
int code_read(struct code_instruction *code, const unsigned char *bytes, size_t n, uint64_t at);

#endif
