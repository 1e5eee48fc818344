/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler of tables on unwind data that nobody would make who means well. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "unwinder/core/cfi.h"
#include "unwinder/core/rule.h"
#include "unwinder/core/table.h"

/* Where the image and its code are meant to be; offsets between them fit into the search table. */
#define IMAGE_ADDRESS UINT64_C(0x10000000)
#define CODE_ADDRESS  UINT64_C(0x20000000)

enum {
	N_ENTRIES = 30000,
	ENTRY_CODE_BYTES = 16, /* of code between the places that two entries name */
	TABLE_AT = 12,
	CIE_AT = TABLE_AT + 8 * N_ENTRIES,
	CIE_BYTES = 24,
	FDE_AT = CIE_AT + CIE_BYTES,
	ROW_BYTES = 4, /* of the instructions of one row */
	FDE_BYTES = 25 + ROW_BYTES * N_ENTRIES,
	IMAGE_BYTES = FDE_AT + FDE_BYTES + 64,
};

/* Its code is not there to be read. */
static const struct table_code made_up_code = { .lo = CODE_ADDRESS,
	.hi = CODE_ADDRESS + (uint64_t)ENTRY_CODE_BYTES * N_ENTRIES };

static void put(uint8_t *image, uint32_t at, uint64_t value, size_t n_bytes)
{
	memcpy(image + at, &value, n_bytes);
}

/* All entries of the search table name one frame description, which has a row for each. */
static uint8_t *make_image(uint32_t n_entries, uint32_t n_rules)
{
	static const uint8_t hdr[] = { 1, 0x1b, 3, 0x3b };
	enum { RETURN = WALK_HAS_LINK ? (int)WALK_LINK : (int)WALK_IP };
	/* "zR", addresses are absolute; CFA = sp + 8, the return address below it */
	static const uint8_t cie[CIE_BYTES] = { CIE_BYTES - 4, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0,
		1, 0x78, RETURN, 1, 0x04, 0x0c, WALK_SP, 8, 0x80 | RETURN, 1 };
	uint8_t *image = calloc(1, IMAGE_BYTES);

	assert_non_null(image);
	memcpy(image, hdr, sizeof(hdr));
	put(image, 4, CIE_AT - 4, 4);
	put(image, 8, n_entries, 4);
	memcpy(image + CIE_AT, cie, sizeof(cie));
	put(image, FDE_AT, FDE_BYTES - 4, 4);
	put(image, FDE_AT + 4, FDE_AT + 4 - CIE_AT, 4);
	put(image, FDE_AT + 8, CODE_ADDRESS, 8);
	put(image, FDE_AT + 16, (uint64_t)ENTRY_CODE_BYTES * N_ENTRIES, 8);
	for (uint32_t i = 0; i < N_ENTRIES; i++) {
		/* DW_CFA_advance_loc 1, DW_CFA_def_cfa_offset: 8, 16, ... in two bytes */
		uint32_t at = FDE_AT + 25 + ROW_BYTES * i, offset = 8 + 8 * (i % n_rules);

		put(image, at, 0x800e41 | (offset & 0x7f) << 16 | (uint64_t)(offset >> 7) << 24,
			ROW_BYTES);
		put(image, TABLE_AT + 8 * i, CODE_ADDRESS - IMAGE_ADDRESS + ENTRY_CODE_BYTES * i,
			4);
		put(image, TABLE_AT + 8 * i + 4, FDE_AT, 4);
	}
	return image;
}

static void test_one_description(void **state)
{
	uint8_t *data = make_image(N_ENTRIES, 2);
	struct table_scratch rooms = { 0 };
	struct cfi_image image;
	struct table table;
	clock_t begin = clock();

	(void)state;
	assert_int_equal(
		cfi_image_init(&image, data, IMAGE_BYTES, IMAGE_ADDRESS, IMAGE_ADDRESS), 0);
	if (table_build(&table, &image, NULL, &made_up_code, &rooms) == 0)
		table_free(&table);
	table_scratch_release(&rooms);
	assert_true(clock() - begin < CLOCKS_PER_SEC);
	free(data);
}

/* Each rule is in the table once, however many there are. */
static void test_many_rules(void **state)
{
	enum { N_RULES = 1900 };
	uint8_t *data = make_image(1, N_RULES);
	struct table_scratch rooms = { 0 };
	struct cfi_image image;
	struct table table;
	uint32_t n = 0;

	(void)state;
	assert_int_equal(
		cfi_image_init(&image, data, IMAGE_BYTES, IMAGE_ADDRESS, IMAGE_ADDRESS), 0);
	assert_int_equal(table_build(&table, &image, NULL, &made_up_code, &rooms), 0);
	assert_int_equal(table.n_rules, 1 + N_RULES);
	for (uint32_t i = 1; i < table.n_rows && i < 3 * N_RULES; i++)
		n += table.rows[i].rule == table.rows[1].rule;
	assert_int_equal(n, 3);
	table_free(&table);
	table_scratch_release(&rooms);
	free(data);
}

static void build_made_up(struct table *table, uint32_t n_rules, struct table_scratch *rooms)
{
	uint8_t *data = make_image(1, n_rules);
	struct cfi_image image;

	assert_int_equal(
		cfi_image_init(&image, data, IMAGE_BYTES, IMAGE_ADDRESS, IMAGE_ADDRESS), 0);
	assert_int_equal(table_build(table, &image, NULL, &made_up_code, rooms), 0);
	free(data);
}

/* A table that is made where others were made is what it is alone. */
static void test_rooms_again(void **state)
{
	static const uint32_t n_rules[] = { 1900, 5, 700, 1900 };
	struct table_scratch rooms = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(n_rules) / sizeof(n_rules[0]); i++) {
		struct table_scratch own = { 0 };
		struct table table, alone;

		build_made_up(&table, n_rules[i], &rooms);
		build_made_up(&alone, n_rules[i], &own);
		assert_int_equal(table.n_rules, 1 + n_rules[i]);
		assert_int_equal(table.n_bytes, alone.n_bytes);
		assert_memory_equal(table.memory, alone.memory, table.n_bytes);
		table_free(&table);
		table_free(&alone);
		table_scratch_release(&own);
	}
	table_scratch_release(&rooms);
	assert_null(rooms.rows.memory);
}

/* Of each row of the C library's the table has the rule that the row means by itself. */
/* An object without descriptions: its functions are known by their instructions alone. */
static void test_bare(void **state)
{
	const struct table_function functions[] = { { .begin = 16, .size = 32 }, { .row = 1 } };
	const struct code_row row = { .reg = WALK_SP, .cfa = 8 };
	struct table_scratch scratch = { 0 };
	struct table table;
	uint64_t lo, hi;

	(void)state;
	assert_int_equal(table_build_bare(&table, CODE_ADDRESS, &scratch), 0);
	table_scratch_release(&scratch);
	assert_int_equal(table_find(&table, CODE_ADDRESS)->kind, RULE_NONE);
	assert_int_equal(table_gap(&table, CODE_ADDRESS + 20, &lo, &hi), 1);
	assert_true(lo <= CODE_ADDRESS && hi == UINT64_MAX);
	assert_null(table_code_row(&table, CODE_ADDRESS + 20, &lo));
	assert_int_equal(table_add_functions(&table, CODE_ADDRESS, functions, 1, &row), 0);
	assert_int_equal(table_find(&table, CODE_ADDRESS + 20)->kind, RULE_NONE);
	assert_non_null(table_code_row(&table, CODE_ADDRESS + 20, &lo));
	assert_true(lo == CODE_ADDRESS + 16);
	assert_null(table_code_row(&table, CODE_ADDRESS + 48, &lo));
	table_free(&table);
}

static void test_rules_of_rows(void **state)
{
	struct table_scratch rooms = { 0 };
	struct dl_find_object libc;
	struct cfi_image image;
	struct cfi_fde fde;
	struct cfi_rows rows;
	struct table table;
	uint32_t n_rows = 0;
	uint64_t lo, hi;

	(void)state;
	assert_int_equal(_dl_find_object((void *)(uintptr_t)&qsort, &libc), 0);
	lo = (uintptr_t)libc.dlfo_map_start;
	hi = (uintptr_t)libc.dlfo_map_end;
	assert_int_equal(cfi_image_init(&image, libc.dlfo_map_start, hi - lo, lo,
				 (uintptr_t)libc.dlfo_eh_frame),
		0);
	assert_int_equal(
		table_build(&table, &image, NULL, &(struct table_code){ lo, hi, 0, 0 }, &rooms), 0);
	for (uint64_t i = 0; i < image.n_entries; i++) {
		assert_int_equal(cfi_fde_entry(&image, i, &fde), 0);
		cfi_rows_begin(&rows, &image, &fde);
		while (cfi_rows_next(&rows) > 0) {
			struct rule rule;

			rule_compile(&image, &rows.row, &rule);
			assert_memory_equal(table_find(&table, rows.from), &rule, sizeof(rule));
			assert_memory_equal(table_find(&table, rows.to - 1), &rule, sizeof(rule));
			n_rows++;
		}
	}
	assert_true(n_rows > 10000);
	table_free(&table);
	table_scratch_release(&rooms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_description),
		cmocka_unit_test(test_many_rules),
		cmocka_unit_test(test_rooms_again),
		cmocka_unit_test(test_rules_of_rows),
		cmocka_unit_test(test_bare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
