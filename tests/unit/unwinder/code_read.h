/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of made-up code, in `rows`: the reader must not read beyond the code. */
#ifndef OMPPROF_TESTS_UNIT_UNWINDER_CODE_READ_H
#define OMPPROF_TESTS_UNIT_UNWINDER_CODE_READ_H

#include "unwinder/core/code_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define ROOM 32
#define PAGE 65536 /* as large as any machine's */

static struct code_row rows[ROOM];
static uint32_t n;

/* Reads a copy that ends where a page ends that nothing follows. */
static void read_bytes(const void *code, size_t n_bytes)
{
	uint8_t *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
	memcpy(pages + PAGE - n_bytes, code, n_bytes);
	n = code_rows_read(pages + PAGE - n_bytes, n_bytes, rows, ROOM);
	munmap(pages, 2 * PAGE);
}

/* Reads code in units of this type: bytes, or instructions of 4 bytes. */
#define READ_CODE(type, ...)                                                                       \
	do {                                                                                       \
		static const type code[] = { __VA_ARGS__ };                                        \
                                                                                                   \
		read_bytes(code, sizeof(code));                                                    \
	} while (0)

#endif
