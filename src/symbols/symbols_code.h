/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effect of an instruction on the general registers, as far as an address must be followed
 * through it. A machine's `read` (machine.h) fills it in. It may err in only one direction: a
 * register that is not in `writes` is certainly preserved; a register in `writes` may be preserved,
 * too.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_CODE_H

#include <stdint.h>

enum code_kind {
	CODE_OTHER,
	CODE_CALL,
	CODE_JUMP,    /* always continues elsewhere */
	CODE_BRANCH,  /* may continue elsewhere */
	CODE_ADDRESS, /* puts the address `value` into `to` */
	CODE_COPY,    /* copies register `from` to `to` */
};

struct code_instruction {
	enum code_kind kind;
	unsigned length;
	uint32_t writes;   /* bit k: register k, as instructions number them */
	unsigned to, from; /* registers */
	/* the address that is put, or the target of a jump or branch; 0: not known */
	uint64_t value;
};

#endif
