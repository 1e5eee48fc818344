/* SPDX-License-Identifier: Apache-2.0 */
/* From bytes of .eh_frame to rows of rules: formats, instructions, wrong data. */
#include "tests/unit/unwinder/cfi_bytes.h"

#include "unwinder/core/cfi_pointer.h"
#include "unwinder/core/cfi_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static struct bytes bytes;
static struct cfi_image image;
static struct cfi_row row;

/* The row at an offset for function code given as bytes. */
#define ROW(offset, ...)                                                                           \
	row_of(&bytes, &image,                                                                     \
		&(struct recipe){ .code = (const uint8_t[]){ __VA_ARGS__ },                        \
			.n_code = sizeof((const uint8_t[]){ __VA_ARGS__ }) },                      \
		(offset), &row)

static void assert_rule(unsigned int reg, unsigned int kind, int value)
{
	assert_int_equal(row.rule[reg].kind, kind);
	assert_int_equal(row.rule[reg].value, value);
	assert_int_equal(row.set >> reg & 1, kind != CFI_SAME);
}

static void assert_cfa(unsigned int reg, int value)
{
	assert_int_equal(row.cfa.kind, CFI_REGISTER);
	assert_int_equal(row.cfa.reg, reg);
	assert_int_equal(row.cfa.value, value);
}

static void test_prologue(void **state)
{
	/* advance 1, cfa +16, rbp at cfa-16, advance 3, cfa by rbp */
	const struct recipe r = {
		.code = (const uint8_t[]){ 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6 }, .n_code = 8
	};

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_cfa(WALK_RSP, 8);
	assert_rule(WALK_RIP, CFI_OFFSET, -8);
	assert_rule(WALK_RBP, CFI_SAME, 0);
	assert_int_equal(row_of(&bytes, &image, &r, 1, &row), 0);
	assert_cfa(WALK_RSP, 16);
	assert_rule(WALK_RBP, CFI_OFFSET, -16);
	assert_int_equal(row_of(&bytes, &image, &r, 3, &row), 0);
	assert_cfa(WALK_RSP, 16);
	assert_int_equal(row_of(&bytes, &image, &r, 4, &row), 0);
	assert_cfa(WALK_RBP, 16);
	assert_int_equal(row_of(&bytes, &image, &r, 0xff, &row), 0);
	assert_cfa(WALK_RBP, 16);
}

static void test_range(void **state)
{
	assert_int_equal(ROW(BYTES_RANGE - 1, 0), 0);
	assert_int_equal(ROW(BYTES_RANGE, 0), WALK_NO_CFI);
	assert_int_equal(ROW((unsigned int)-1, 0), WALK_NO_CFI);
}

static void test_encodings(void **state)
{
	static const unsigned int encodings[] = { 0x1b, 0x00, 0x03, 0x04, 0x0b, 0x0c, 0x01, 0x09,
		0x1c, 0x14, 0x3b, 0x3c, 0x33, 0x34, 0x31, 0x39 };
	static const unsigned int wrong[] = { 0x9b, 0x20, 0x2b, 0x40, 0x50, 0x05, 0x0f, 0xff };
	struct recipe r = { .augmentation = "zR" };

	for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		r.encoding = encodings[i];
		assert_int_equal(row_of(&bytes, &image, &r, 5, &row), 0);
		assert_cfa(WALK_RSP, 8);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		r.encoding = wrong[i];
		assert_int_equal(row_of(&bytes, &image, &r, 5, &row), WALK_BAD_CFI);
	}
}

static void test_short_encodings(void **state)
{
	struct cfi_cursor in = { .at = (const uint8_t[]){ 0xfe, 0xff, 0xfe, 0xff, 0x7e } };

	in.end = in.at + 5;
	assert_int_equal(cfi_formatted(&in, CFI_PE_SDATA2), -2);
	assert_int_equal(cfi_formatted(&in, CFI_PE_UDATA2), 0xfffe);
	assert_int_equal(cfi_formatted(&in, CFI_PE_SLEB128), -2);
	assert_int_equal(in.bad, 0);
	assert_int_equal(cfi_formatted(&in, CFI_PE_UDATA2), 0);
	assert_int_equal(in.bad, 1);
}

static void test_leb(void **state)
{
	static const uint8_t longest[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0x01 };
	static const uint8_t endless[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x00 };
	struct cfi_cursor in = { .at = longest, .end = longest + sizeof(longest) };

	assert_true(cfi_uleb(&in) == UINT64_MAX);
	assert_int_equal(in.bad, 0);
	in = (struct cfi_cursor){ .at = endless, .end = endless + sizeof(endless) };
	cfi_uleb(&in);
	assert_int_equal(in.bad, 1);
	in = (struct cfi_cursor){ .at = endless, .end = endless + 3 };
	cfi_sleb(&in);
	assert_int_equal(in.bad, 1);
}

static void test_versions(void **state)
{
	for (unsigned int version = 1; version <= 5; version++) {
		struct recipe r = { .version = version };

		assert_int_equal(row_of(&bytes, &image, &r, 0, &row),
			version == 2 || version == 5 ? WALK_BAD_CFI : 0);
	}
}

static void test_dwarf64(void **state)
{
	struct recipe r = { .is_dwarf64 = 1, .table_encoding = 0x3c };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_cfa(WALK_RSP, 8);
}

static void test_augmentations(void **state)
{
	/* personality by pcrel sdata4, LSDA encoding, pc encoding, signal frame */
	struct recipe r = { .augmentation = "zPLRS",
		.encoding = 0x1b,
		.cie_extra = (const uint8_t[]){ 0x9b, 1, 2, 3, 4, 0x1b, 0x1b },
		.n_cie_extra = 7 };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_int_equal(image.cie.is_signal, 1);
	assert_int_equal(image.cie.pointer_encoding, 0x1b);
	r.augmentation = "";
	r.cie_extra = NULL;
	r.encoding = 0;
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_int_equal(image.cie.is_signal, 0);
	r.augmentation = "eh";
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
	r.augmentation = "SB";
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_int_equal(image.cie.is_signal, 1);
	r.augmentation = "SR";
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
	r.augmentation = "zRSLPPPPPP";
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

static void test_truncated_augmentation(void **state)
{
	struct recipe r = { .augmentation = "zRP",
		.encoding = 0x1b,
		.cie_extra = (const uint8_t[]){ 0x1b, 0x1b, 1 },
		.n_cie_extra = 3 };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

static void test_return_register(void **state)
{
	struct recipe r = { .return_register = 17 };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

static void test_cie_without_rules(void **state)
{
	struct recipe r = { .cie_code = (const uint8_t[]){ 0 }, .n_cie_code = 1 };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	assert_int_equal(row.set, 0);
	assert_int_equal(row.cfa.kind, CFI_SAME);
	r.cie_code = (const uint8_t[]){ 0xff }; /* restore register 63: nothing */
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	r.cie_code = (const uint8_t[]){ 0x3f }; /* no such instruction */
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

static void test_table(void **state)
{
	struct recipe r = { 0 };

	for (unsigned int encoding = 1; encoding < 256; encoding++) {
		r.table_encoding = 0x3b;
		make_bytes(&bytes, &r);
		bytes.data[3] = (uint8_t)encoding;
		assert_int_equal(open_bytes(&image, &bytes),
			encoding == 0x3b || encoding == 0x3c ? 0 : WALK_NO_CFI);
	}
	make_bytes(&bytes, &r);
	bytes.data[8] = 0; /* no entries */
	assert_int_equal(open_bytes(&image, &bytes), 0);
	assert_int_equal(cfi_find(&image, BYTES_PC, &(struct cfi_fde){ 0 }), WALK_NO_CFI);
	bytes.data[11] = 0x7f; /* more entries than bytes */
	assert_int_equal(open_bytes(&image, &bytes), WALK_NO_CFI);
	bytes.data[0] = 2;
	assert_int_equal(open_bytes(&image, &bytes), WALK_NO_CFI);
	assert_int_equal(
		cfi_image_init(&image, bytes.data, bytes.n, BYTES_ADDRESS, 16), WALK_NO_CFI);
	assert_int_equal(
		cfi_image_init(&image, bytes.data, 3, BYTES_ADDRESS, BYTES_ADDRESS), WALK_NO_CFI);
}

static void test_search(void **state)
{
	static const uint32_t pcs[] = { 0x100, 0x200, 0x200, 0x280, 0x1000, 0x1001, 0x70000 };
	uint8_t table[12 + 8 * 7] = { 1, 0x1b, 0x03, 0x3b, 0, 0, 0, 0, 7 };
	struct cfi_fde fde;

	/* Frame descriptions lie outside: each search ends with wrong data, no entry with none. */
	for (size_t i = 0; i < 7; i++) {
		memcpy(table + 12 + 8 * i, &pcs[i], 4);
		memcpy(table + 16 + 8 * i, &(uint32_t){ 0x7fffffff }, 4);
	}
	for (uint32_t n = 0; n <= 7; n++) {
		table[8] = (uint8_t)n;
		assert_int_equal(cfi_image_init(&image, table, sizeof(table), 0x1000, 0x1000), 0);
		assert_int_equal(cfi_find(&image, 0x10ff, &fde), WALK_NO_CFI);
		assert_int_equal(cfi_find(&image, 0x1100, &fde), n ? WALK_BAD_CFI : WALK_NO_CFI);
		assert_int_equal(cfi_find(&image, UINT64_MAX, &fde), WALK_NO_CFI);
	}
}

static void set_u32(size_t at, uint32_t value)
{
	memcpy(bytes.data + at, &value, 4);
}

static int find_patched(size_t at, uint32_t value)
{
	struct cfi_fde fde;
	int failure;

	make_bytes(&bytes, &(struct recipe){ 0 });
	set_u32(at, value);
	failure = open_bytes(&image, &bytes);
	return failure ? failure : cfi_find(&image, BYTES_PC, &fde);
}

static void test_wrong_entries(void **state)
{
	size_t cie, fde;

	make_bytes(&bytes, &(struct recipe){ 0 });
	cie = bytes.cie;
	fde = bytes.fde;
	assert_int_equal(find_patched(fde, 0), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde, 5), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde, 0x1000), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde, 0xfffffff0), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde, 0xffffffff), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde + 4, 0), WALK_BAD_CFI); /* is a CIE itself */
	assert_int_equal(find_patched(fde + 4, 0x10000), WALK_BAD_CFI);
	assert_int_equal(find_patched(fde + 4, 4), WALK_BAD_CFI); /* its own CIE */
	assert_int_equal(find_patched(cie, 0), WALK_BAD_CFI);
	assert_int_equal(find_patched(cie, 0x7fffffff), WALK_BAD_CFI);
	assert_int_equal(find_patched(cie, 6), WALK_BAD_CFI);
	assert_int_equal(find_patched(cie + 4, 1), WALK_BAD_CFI);     /* not a CIE */
	assert_int_equal(find_patched(16, 0x7ffffff0), WALK_BAD_CFI); /* entry of the table */
	assert_int_equal(find_patched(16, 0x80000000), WALK_BAD_CFI);
}

static void test_truncation(void **state)
{
	struct cfi_fde fde;
	size_t whole;

	/* The image ends anywhere: what is cut is never read. A copy of exact size tells. */
	make_bytes(&bytes,
		&(struct recipe){ .code = (const uint8_t[]){ 0x41, 0x0e, 16 }, .n_code = 3 });
	whole = bytes.n - 4;
	for (size_t n = 0; n <= whole; n++) {
		uint8_t *copy = malloc(n ? n : 1);
		int failure;

		memcpy(copy, bytes.data, n);
		failure = cfi_image_init(&image, copy, n, BYTES_ADDRESS, BYTES_ADDRESS);
		if (!failure)
			failure = cfi_find(&image, BYTES_PC, &fde);
		assert_int_equal(failure == 0, n == whole);
		free(copy);
	}
}

static void test_advances(void **state)
{
	assert_int_equal(ROW(0x10, 0x02, 0x10, 0x0e, 16, 0x02, 1, 0x0e, 24), 0);
	assert_cfa(WALK_RSP, 16);
	assert_int_equal(ROW(0x10, 0x03, 0x10, 0, 0x0e, 16, 0x03, 1, 0, 0x0e, 24), 0);
	assert_cfa(WALK_RSP, 16);
	assert_int_equal(ROW(0x11, 0x04, 0x10, 0, 0, 0, 0x0e, 16, 0x04, 1, 0, 0, 0, 0x0e, 24), 0);
	assert_cfa(WALK_RSP, 24);
	assert_int_equal(ROW(0x40, 0x02), 0); /* padding completes it: 0 */
	assert_int_equal(ROW(0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x04), WALK_BAD_CFI);
}

static void test_set_loc(void **state)
{
	const uint8_t code[] = { 0x01, 0x20, 0, 0x41, 0, 0, 0, 0, 0, 0x0e, 32 };
	struct recipe r = { .augmentation = "", .code = code, .n_code = sizeof(code) };

	assert_int_equal(row_of(&bytes, &image, &r, 0x1f, &row), 0);
	assert_cfa(WALK_RSP, 8);
	assert_int_equal(row_of(&bytes, &image, &r, 0x20, &row), 0);
	assert_cfa(WALK_RSP, 32);
}

static void test_cfa_rules(void **state)
{
	assert_int_equal(ROW(0, 0x0c, 10, 0), 0);
	assert_cfa(WALK_R10, 0);
	assert_int_equal(ROW(0, 0x12, 6, 0x7e), 0);
	assert_cfa(WALK_RBP, 16);
	assert_int_equal(ROW(0, 0x13, 0x7d), 0);
	assert_cfa(WALK_RSP, 24);
	assert_int_equal(ROW(0, 0x0e, 0x80, 0x02), 0);
	assert_cfa(WALK_RSP, 256);
	assert_int_equal(ROW(0, 0x0f, 3, 0x76, 0x78, 0x06), 0);
	assert_int_equal(row.cfa.kind, CFI_EXPRESSION);
	assert_int_equal(bytes.data[row.cfa.value], 3);
	assert_int_equal(ROW(0, 0x0c, 17, 0), WALK_BAD_CFI);
	assert_int_equal(ROW(0, 0x0e, 0xff, 0xff, 0xff, 0xff, 0x7f), WALK_BAD_CFI);
	assert_int_equal(ROW(0, 0x0f, 200, 1), WALK_BAD_CFI);
}

static void test_register_rules(void **state)
{
	assert_int_equal(ROW(0, 0x05, 3, 4, 0x11, 12, 0x7f, 0x14, 13, 1, 0x15, 14, 2), 0);
	assert_rule(WALK_RBX, CFI_OFFSET, -32);
	assert_rule(WALK_R12, CFI_OFFSET, 8);
	assert_rule(WALK_R13, CFI_VAL_OFFSET, -8);
	assert_rule(WALK_R14, CFI_VAL_OFFSET, -16);
	assert_int_equal(row.is_mixed, 0);
	assert_int_equal(ROW(0, 0x2f, 3, 2, 0x09, 6, 9, 0x07, 16), 0);
	assert_rule(WALK_RBX, CFI_OFFSET, 16);
	assert_int_equal(row.rule[WALK_RBP].kind, CFI_REGISTER);
	assert_int_equal(row.rule[WALK_RBP].reg, WALK_R9);
	assert_int_equal(row.is_mixed, 1);
	assert_rule(WALK_RIP, CFI_UNDEFINED, 0);
	assert_int_equal(ROW(0, 0x86, 2, 0x08, 6, 0x83, 2, 0xc3, 0x8c, 3, 0x06, 12), 0);
	assert_rule(WALK_RBP, CFI_SAME, 0);
	assert_rule(WALK_RBX, CFI_SAME, 0);
	assert_rule(WALK_R12, CFI_SAME, 0);
	assert_int_equal(ROW(0, 0x90, 5, 0xd0), 0); /* back to the CIE's rule */
	assert_rule(WALK_RIP, CFI_OFFSET, -8);
	assert_int_equal(ROW(0, 0x10, 6, 2, 0x70, 0, 0x16, 3, 1, 0x30), 0);
	assert_int_equal(row.rule[WALK_RBP].kind, CFI_EXPRESSION);
	assert_int_equal(row.rule[WALK_RBX].kind, CFI_VAL_EXPRESSION);
	assert_int_equal(ROW(0, 0x09, 6, 40), WALK_BAD_CFI);
	assert_int_equal(ROW(0, 0x1d, 0), WALK_BAD_CFI);
}

static void test_vector_registers(void **state)
{
	assert_int_equal(
		ROW(0, 0x91, 9, 0x05, 33, 9, 0x0e, 16, 0xd1, 0x06, 90, 0x08, 90, 0x2e, 8), 0);
	assert_cfa(WALK_RSP, 16);
	assert_int_equal(row.set, 1u << WALK_RIP);
}

static void test_remember(void **state)
{
	uint8_t code[2 * CFI_MAX_REMEMBERED + 8];
	struct recipe r = { .code = code, .n_code = 2 * CFI_MAX_REMEMBERED };

	assert_int_equal(ROW(2, 0x86, 2, 0x0e, 16, 0x0a, 0xc6, 0x0e, 8, 0x41, 0x0b), 0);
	assert_cfa(WALK_RSP, 16);
	assert_rule(WALK_RBP, CFI_OFFSET, -16);
	memset(code, 0x0a, CFI_MAX_REMEMBERED);
	memset(code + CFI_MAX_REMEMBERED, 0x0b, CFI_MAX_REMEMBERED + 8);
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), 0);
	r.n_code++; /* one more back */
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
	memset(code, 0x0a, CFI_MAX_REMEMBERED + 1);
	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

/* A frame description whose CIE would be where none can be, when none was read yet. */
static void test_never_loaded(void **state)
{
	struct cfi_fde fde;

	make_bytes(&bytes,
		&(struct recipe){ .augmentation = "", .is_dwarf64 = 1, .table_encoding = 0x3c });
	for (unsigned int i = 0; i < 2; i++) {
		/* The CIE's address would be 0, or what a cleared image holds. */
		uint64_t distance = BYTES_ADDRESS + bytes.fde + 12 + i;

		memcpy(bytes.data + bytes.fde + 12, &distance, 8);
		memset(&image, 0, sizeof(image));
		assert_int_equal(open_bytes(&image, &bytes), 0);
		assert_int_equal(cfi_find(&image, BYTES_PC, &fde), WALK_BAD_CFI);
	}
}

static void test_entries(void **state)
{
	struct cfi_fde fde, found;

	make_bytes(&bytes, &(struct recipe){ 0 });
	assert_int_equal(open_bytes(&image, &bytes), 0);
	assert_int_equal(image.n_entries, 1);
	assert_int_equal(cfi_fde_entry(&image, 0, &fde), 0);
	assert_int_equal(cfi_find(&image, BYTES_PC, &found), 0);
	assert_memory_equal(&fde, &found, sizeof(fde));
	assert_int_equal(fde.begin, BYTES_PC);
	assert_int_equal(fde.end, BYTES_PC + BYTES_RANGE);
}

#define N_IN_SECTION 5

/* The section's recipes: what differs from one entry to the next. */
static void make_section(const struct recipe *r)
{
	const uint8_t code[] = { 0x41, 0x0e, 16 };
	struct recipe one = *r;

	memset(&bytes, 0, sizeof(bytes));
	one.code = code;
	one.n_code = sizeof(code);
	for (unsigned int i = 0; i < N_IN_SECTION; i++) {
		if (i % 2 == 0)
			put_cie(&bytes, &one, one.encoding);
		one.pc = BYTES_PC + (N_IN_SECTION - i) * BYTES_RANGE;
		put_fde(&bytes, &one, one.encoding);
		if (one.is_debug_frame)
			put(&bytes, 0, 4);
	}
	if (!one.is_debug_frame)
		put(&bytes, 0, 4);
}

static void check_section(const struct recipe *r, uint64_t bias)
{
	uint64_t address;
	struct cfi_fde fde;

	make_section(r);
	cfi_image_init_section(&image, bytes.data, bytes.n, BYTES_ADDRESS, r->is_debug_frame);
	image.bias = bias;
	address = image.section;
	for (unsigned int i = 0; i < N_IN_SECTION; i++) {
		uint64_t begin = bias + BYTES_PC + (N_IN_SECTION - i) * BYTES_RANGE;

		assert_int_equal(cfi_next_fde(&image, &address, &fde), 1);
		assert_true(fde.begin == begin);
		assert_true(fde.end == begin + BYTES_RANGE);
		assert_int_equal(cfi_row_at(&image, &fde, begin, &row), 0);
		assert_cfa(WALK_RSP, 8);
		assert_int_equal(cfi_row_at(&image, &fde, begin + 1, &row), 0);
		assert_cfa(WALK_RSP, 16);
		assert_rule(WALK_RIP, CFI_OFFSET, -8);
	}
	assert_int_equal(cfi_next_fde(&image, &address, &fde), 0);
	assert_int_equal(cfi_next_fde(&image, &address, &fde), 0);
	assert_int_equal(cfi_find(&image, bias + BYTES_PC + BYTES_RANGE, &fde), WALK_NO_CFI);
}

static void test_sections(void **state)
{
	static const uint64_t biases[] = { 0, 0x7f0000001000, (uint64_t)-0x1000 };

	for (size_t i = 0; i < sizeof(biases) / sizeof(biases[0]); i++)
		for (int is_debug_frame = 0; is_debug_frame < 2; is_debug_frame++)
			for (int is_dwarf64 = 0; is_dwarf64 < 2; is_dwarf64++) {
				struct recipe r = { .augmentation = "",
					.is_dwarf64 = is_dwarf64,
					.is_debug_frame = is_debug_frame };

				for (r.version = 1; r.version <= 4;
					r.version += r.version == 1 ? 2 : 1)
					check_section(&r, biases[i]);
				r.version = 1;
				r.augmentation = "zR";
				r.encoding = 0x1b;
				check_section(&r, biases[i]);
			}
}

static void test_section_set_loc(void **state)
{
	const uint8_t code[] = { 0x01, 0x20, 0, 0x41, 0, 0, 0, 0, 0, 0x0e, 32 };
	struct recipe r = {
		.augmentation = "", .is_debug_frame = 1, .code = code, .n_code = sizeof(code)
	};
	uint64_t address = BYTES_ADDRESS;
	struct cfi_fde fde;

	memset(&bytes, 0, sizeof(bytes));
	put_cie(&bytes, &r, 0);
	put_fde(&bytes, &r, 0);
	cfi_image_init_section(&image, bytes.data, bytes.n, BYTES_ADDRESS, 1);
	image.bias = 0x50000;
	assert_int_equal(cfi_next_fde(&image, &address, &fde), 1);
	assert_int_equal(cfi_row_at(&image, &fde, BYTES_PC + 0x5001f, &row), 0);
	assert_cfa(WALK_RSP, 8);
	assert_int_equal(cfi_row_at(&image, &fde, BYTES_PC + 0x50020, &row), 0);
	assert_cfa(WALK_RSP, 32);
}

/* What an .eh_frame_hdr without a table says of its section. */
static void test_section_of_header(void **state)
{
	uint64_t address;
	struct cfi_fde fde;

	make_bytes(&bytes, &(struct recipe){ 0 });
	set_u32(4, (uint32_t)bytes.cie - 4);
	bytes.data[2] = 0xff;
	bytes.data[3] = 0xff;
	assert_int_equal(open_bytes(&image, &bytes), WALK_NO_CFI);
	assert_int_equal(image.section, BYTES_ADDRESS + bytes.cie);
	address = image.section;
	assert_int_equal(cfi_next_fde(&image, &address, &fde), 1);
	assert_int_equal(fde.begin, BYTES_PC);
	assert_int_equal(cfi_next_fde(&image, &address, &fde), 0);
	bytes.data[1] = 0xff;
	assert_int_equal(open_bytes(&image, &bytes), WALK_NO_CFI);
	assert_int_equal(image.section, 0);
}

/* The frame descriptions that are found and the wrong ones, as digits: 1, 3 for wrong, 0. */
static unsigned int walk_section(size_t n_bytes, int is_debug_frame)
{
	uint64_t address = BYTES_ADDRESS;
	struct cfi_fde fde;
	unsigned int digits = 0;

	cfi_image_init_section(&image, bytes.data, n_bytes, BYTES_ADDRESS, is_debug_frame);
	for (int found = 1; found != 0; digits = digits * 10 + (unsigned int)found % 4) {
		found = cfi_next_fde(&image, &address, &fde);
		assert_true(digits < 400000000);
	}
	return digits;
}

static void test_wrong_sections(void **state)
{
	struct recipe r = { .augmentation = "", .is_debug_frame = 1 };
	size_t cie, fde;

	make_section(&r);
	assert_int_equal(walk_section(bytes.n, 1), 111110);
	cie = bytes.cie;
	fde = bytes.fde;
	assert_int_equal(walk_section(bytes.n, 0), 30); /* no CIE is one in .eh_frame */
	assert_int_equal(walk_section(fde + 3, 1), 111130);
	assert_int_equal(walk_section(fde + 4, 1), 111130);
	assert_int_equal(walk_section(fde, 1), 11110);
	assert_int_equal(walk_section(0, 1), 0);
	set_u32(fde + 4, 0x7fffffff); /* its CIE is outside: only this one is lost */
	assert_int_equal(walk_section(bytes.n, 1), 111130);
	set_u32(fde + 4, (uint32_t)fde); /* is its own CIE */
	assert_int_equal(walk_section(bytes.n, 1), 111130);
	make_section(&r);
	bytes.data[cie + 8] = 2; /* a CIE of another version */
	assert_int_equal(walk_section(bytes.n, 1), 111130);
	make_section(&r);
	set_u32(0, 0x10000000); /* the first length: nothing more is known */
	assert_int_equal(walk_section(bytes.n, 1), 30);
	set_u32(0, 0xffffffff);
	assert_int_equal(walk_section(bytes.n, 1), 30);
	set_u32(0, 2); /* not even an id */
	assert_int_equal(walk_section(6, 1), 30);
	r.is_debug_frame = 0;
	make_section(&r);
	assert_int_equal(walk_section(bytes.n, 0), 111110);
	put(&bytes, 0x10000000, 4); /* behind the terminator */
	assert_int_equal(walk_section(bytes.n, 0), 111110);
	assert_int_equal(walk_section(bytes.n, 1), 3333333330);
}

static void test_large_factor(void **state)
{
	struct recipe r = { .data_align = 100000 };

	assert_int_equal(row_of(&bytes, &image, &r, 0, &row), WALK_BAD_CFI);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prologue),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_short_encodings),
		cmocka_unit_test(test_leb),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_dwarf64),
		cmocka_unit_test(test_augmentations),
		cmocka_unit_test(test_truncated_augmentation),
		cmocka_unit_test(test_return_register),
		cmocka_unit_test(test_cie_without_rules),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_wrong_entries),
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_advances),
		cmocka_unit_test(test_set_loc),
		cmocka_unit_test(test_cfa_rules),
		cmocka_unit_test(test_register_rules),
		cmocka_unit_test(test_vector_registers),
		cmocka_unit_test(test_remember),
		cmocka_unit_test(test_large_factor),
		cmocka_unit_test(test_never_loaded),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_section_set_loc),
		cmocka_unit_test(test_section_of_header),
		cmocka_unit_test(test_wrong_sections),
	};

	return cmocka_run_group_tests_name("cfi rows", tests, NULL, NULL);
}
