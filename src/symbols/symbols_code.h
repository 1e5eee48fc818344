/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction does to the general registers, as far as is needed to follow an address through it.
 * A machine's `read` (machine.h) fills it in, and errs on one side: a register that is not in `writes` is
 * kept, and a register in it may be kept.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H

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

#endif
