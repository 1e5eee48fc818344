/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function's own instructions say of where its frame lies, for functions without call frame
 * information: hand-written kernels. The code is read once, from the first byte to the last, outside the
 * handler. How it goes on behind a jump is assumed, not known: whoever uses a row proves it.
 */
#ifndef OMPPROF_UNWINDER_CORE_CODE_ROWS_H
#define OMPPROF_UNWINDER_CORE_CODE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Instead of a register: from here on the code was not understood. */
#define CODE_ROW_UNKNOWN 255

/* Instead of an offset: the caller's frame pointer is lost. Offsets are even. */
#define CODE_ROW_FP_LOST 1

struct code_row {
	uint32_t at;  /* it holds from this byte of the function on, up to the next row */
	int32_t cfa;  /* CFA = register + cfa */
	int16_t fp;   /* the caller's frame pointer lies at CFA + fp; 0: it is in the register */
	uint8_t reg;  /* enum walk_register, or CODE_ROW_UNKNOWN */
	uint8_t zero; /* no padding */
};

/*
 * Reads the function at `code`, n_bytes long, and nothing else. Writes its rows, the first for its first
 * byte, to `rows`, which has room for `room`, at least one. Returns how many there are: if there was not
 * room for all the last says that it is not known how it goes on.
 *
 * Understood are moves of the stack pointer by push, pop, add, sub, lea, leave and through registers it
 * was copied to, and where the frame pointer is saved. Once the stack pointer is aligned, or moved by an
 * unknown amount, the CFA follows from a register that holds a copy of it; without one it is not known.
 * Behind a return or a jump out of the function, and behind bytes that are no instruction, the function is
 * assumed to be as it was at the last jump before.
 * Any thread.
 */
uint32_t code_rows_read(const uint8_t *code, size_t n_bytes, struct code_row *rows, uint32_t room);

#endif
