/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler of tables on unwind data that nobody would make who means well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "unwinder/cfi.h"
#include "unwinder/table.h"

/* Where the image and its code are meant to be; offsets between them fit into the search table. */
#define IMAGE_ADDRESS UINT64_C(0x10000000)
#define CODE_ADDRESS  UINT64_C(0x20000000)

enum {
	N_ENTRIES = 30000,
	ENTRY_CODE_BYTES = 16, /* of code between the places that two entries name */
	TABLE_AT = 12,
	CIE_AT = TABLE_AT + 8 * N_ENTRIES,
	CIE_BYTES = 20,
	FDE_AT = CIE_AT + CIE_BYTES,
	ROW_BYTES = 3, /* of the instructions of one row */
	FDE_BYTES = 25 + ROW_BYTES * N_ENTRIES,
	IMAGE_BYTES = FDE_AT + FDE_BYTES + 64,
};

static void put(uint8_t *image, uint32_t at, uint64_t value, size_t n_bytes)
{
	memcpy(image + at, &value, n_bytes);
}

/* All entries of the search table name one frame description, which has a row for each. */
static uint8_t *make_image(void)
{
	static const uint8_t hdr[] = { 1, 0x1b, 3, 0x3b };
	/* "zR", addresses are absolute; CFA = rsp + 8 */
	static const uint8_t cie[CIE_BYTES] = { CIE_BYTES - 4, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0,
		1, 0x78, 16, 1, 0x04, 0x0c, 7, 8 };
	uint8_t *image = calloc(1, IMAGE_BYTES);

	assert_non_null(image);
	memcpy(image, hdr, sizeof(hdr));
	put(image, 4, CIE_AT - 4, 4);
	put(image, 8, N_ENTRIES, 4);
	memcpy(image + CIE_AT, cie, sizeof(cie));
	put(image, FDE_AT, FDE_BYTES - 4, 4);
	put(image, FDE_AT + 4, FDE_AT + 4 - CIE_AT, 4);
	put(image, FDE_AT + 8, CODE_ADDRESS, 8);
	put(image, FDE_AT + 16, (uint64_t)ENTRY_CODE_BYTES * N_ENTRIES, 8);
	for (uint32_t i = 0; i < N_ENTRIES; i++) {
		/* DW_CFA_advance_loc 1, DW_CFA_def_cfa_offset 8 or 16 */
		uint32_t at = FDE_AT + 25 + ROW_BYTES * i;

		put(image, at, 0x0e41 | (uint64_t)(8 + 8 * (i & 1)) << 16, ROW_BYTES);
		put(image, TABLE_AT + 8 * i, CODE_ADDRESS - IMAGE_ADDRESS + ENTRY_CODE_BYTES * i,
			4);
		put(image, TABLE_AT + 8 * i + 4, FDE_AT, 4);
	}
	return image;
}

static void test_one_description(void **state)
{
	uint8_t *data = make_image();
	struct cfi_image image;
	struct table table;
	clock_t begin = clock();

	(void)state;
	assert_int_equal(
		cfi_image_init(&image, data, IMAGE_BYTES, IMAGE_ADDRESS, IMAGE_ADDRESS), 0);
	if (table_build(&table, &image, NULL, CODE_ADDRESS,
		    CODE_ADDRESS + (uint64_t)ENTRY_CODE_BYTES * N_ENTRIES) == 0)
		table_free(&table);
	assert_true(clock() - begin < CLOCKS_PER_SEC);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
