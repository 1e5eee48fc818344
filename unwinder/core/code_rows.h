/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a function's frame lies, by the function's own instructions. For functions without call
 * frame information: hand-written kernels. The code is read once, from the first byte to the last,
 * outside the handler. The state after a jump is assumed, not known, so whoever uses a row has to
 * prove it.
 */
#ifndef OMPPROF_UNWINDER_CORE_CODE_ROWS_H
#define OMPPROF_UNWINDER_CORE_CODE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* `reg`: from here on the code was not understood. */
#define CODE_ROW_UNKNOWN 255

/* `fp` or `ra`: the value is lost. No offset has this value, as offsets are even. */
#define CODE_ROW_LOST 1

struct code_row {
	uint32_t at;  /* the row holds from this byte of the function to the next row */
	int32_t cfa;  /* CFA = register + cfa */
	int16_t fp;   /* the caller's frame pointer lies at CFA + fp; 0: it is in the register */
	int16_t ra;   /* the return address lies at CFA + ra; 0: it is in the link register */
	uint32_t reg; /* enum walk_register, or CODE_ROW_UNKNOWN */
};

/*
 * Reads the function at `code`, n_bytes long, and nothing else. Writes its rows to `rows`, which
 * has room for `room` rows, at least one. The first row is that of the first byte. Returns the
 * number of rows. If there was not enough room, the last row has CODE_ROW_UNKNOWN. So has the only
 * row where the architecture's instructions are not read.
 *
 * Understood are: moves of the stack pointer by constants, and through registers that hold a copy
 * of it (on some architectures only the frame pointer); and where the frame pointer and the link
 * register are saved. After the stack pointer was aligned, or moved by an unknown amount, the CFA
 * follows from a register that holds a copy; without a copy it is not known. After a return or a
 * jump out of the function, the state is assumed to be that of the last other jump or, if there was
 * none, not to change. Bytes that are no instruction end the reading: the rest of the function is
 * assumed to have the state of the last other jump, or is not understood if there was none.
 * Any thread.
 */
uint32_t code_rows_read(const uint8_t *code, size_t n_bytes, struct code_row *rows, uint32_t room);

#endif
