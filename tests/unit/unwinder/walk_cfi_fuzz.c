/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged copies of real unwind data, from a fixed seed: whatever the bytes say, a look-up and a
 * step end, read nothing outside, and a step yields no CFA by reading outside the stack's bounds; a
 * section and the rows of each frame description can be gone through to their ends.
 * The copy ends at an unmapped page and the stack lies between two, so that a read too far faults.
 */
#include "unwinder/core/cfi.h"
#include "unwinder/core/table.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define N_DAMAGED    20000
#define PCS_PER_COPY 32
#define N_TABLES     1000
#define N_SECTIONS   10000 /* damaged ones, of each kind */
#define STACK_BYTES  8192
#define PAGE         4096

struct original {
	const uint8_t *data; /* the segment that holds .eh_frame_hdr and .eh_frame */
	size_t size_bytes;
	uint64_t address;
	uint64_t hdr_address;
	uint64_t code_lo, code_hi;
};

/* .eh_frame alone, as it is and as if it were .debug_frame. */
static struct {
	uint8_t *data[2];
	size_t size_bytes;
	uint64_t address;
} section;

static struct original original;
static uint8_t *copy; /* its end is the end of the mapping */
static struct walk_bounds bounds;
static uint64_t seed = 20261;

static uint32_t random_number(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33);
}

/* The segment that holds the unwind data of the object that `found` names. */
static int take_segment(struct dl_phdr_info *info, size_t size, void *found)
{
	const struct dl_find_object *object = found;
	uint64_t hdr = (uintptr_t)object->dlfo_eh_frame;

	if (info->dlpi_addr != object->dlfo_link_map->l_addr)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t lo = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			original.code_lo = lo;
			original.code_hi = lo + p->p_memsz;
		}
		if (p->p_type == PT_LOAD && hdr >= lo && hdr < lo + p->p_filesz) {
			original.data = (const uint8_t *)(uintptr_t)hdr;
			original.size_bytes = lo + p->p_filesz - hdr;
			original.address = hdr;
			original.hdr_address = hdr;
		}
	}
	return 1;
}

/* Room of n bytes with an unmapped page on each side; its end is exact. */
static uint8_t *guarded(size_t n)
{
	size_t whole = (n + PAGE - 1) / PAGE * PAGE;
	uint8_t *room = mmap(NULL, whole + 2 * (size_t)PAGE, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(room != MAP_FAILED);
	assert_int_equal(mprotect(room + PAGE, whole, PROT_READ | PROT_WRITE), 0);
	return room + PAGE + whole - n;
}

static uint32_t get_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/*
 * Takes the section out of the original, with its terminator; in the other copy CIEs and the references
 * to them become what .debug_frame has.
 */
static void take_section(void)
{
	struct cfi_image image;
	const uint8_t *begin;
	size_t n = 0;

	assert_int_equal(cfi_image_init(&image, original.data, original.size_bytes,
				 original.address, original.hdr_address),
		0);
	begin = original.data + (image.section - original.address);
	while (get_u32(begin + n) != 0)
		n += 4 + get_u32(begin + n);
	section.address = image.section;
	section.size_bytes = n + 4;
	for (int i = 0; i < 2; i++) {
		section.data[i] = malloc(section.size_bytes);
		assert_non_null(section.data[i]);
		memcpy(section.data[i], begin, section.size_bytes);
	}
	for (size_t at = 0; at < n; at += 4 + get_u32(begin + at)) {
		uint32_t id = get_u32(begin + at + 4);

		id = id == 0 ? UINT32_MAX : (uint32_t)at + 4 - id;
		memcpy(section.data[1] + at + 4, &id, sizeof(id));
	}
}

static int setup(void **state)
{
	struct dl_find_object found;
	uint64_t *stack;

	assert_int_equal(_dl_find_object((void *)(uintptr_t)cmocka_set_message_output, &found), 0);
	dl_iterate_phdr(take_segment, &found);
	assert_true(original.size_bytes > 1000);
	copy = guarded(original.size_bytes);
	take_section();
	stack = (uint64_t *)guarded(STACK_BYTES);
	bounds.lo = (uintptr_t)stack;
	bounds.hi = bounds.lo + STACK_BYTES;
	for (size_t i = 0; i < STACK_BYTES / 8; i++)
		stack[i] = i % 3 ? bounds.lo + 8 * (random_number() % 1024)
				 : original.code_lo + random_number() % 4096;
	return 0;
}

/* Looks a pc up and steps. Returns 0 or how it failed. */
static int look_up(struct cfi_image *image, uint64_t pc)
{
	struct walk_registers registers = { .known = WALK_BIT(WALK_N_REGISTERS) - 1 };
	struct cfi_fde fde;
	struct cfi_row row;
	uint64_t cfa;
	int is_outermost;
	int failure = cfi_find(image, pc, &fde);

	if (!failure)
		failure = cfi_row_at(image, &fde, pc, &row);
	if (failure)
		return failure;
	for (int r = 0; r < WALK_N_REGISTERS; r++)
		registers.reg[r] = bounds.lo + 8 * (random_number() % 1024);
	registers.reg[WALK_IP] = pc;
	failure = cfi_step(image, &row, &bounds, &registers, &cfa, &is_outermost);
	if (!failure && !is_outermost)
		assert_true(registers.reg[WALK_SP] == cfa);
	return failure;
}

static uint64_t random_pc(void)
{
	return original.code_lo + random_number() % (original.code_hi - original.code_lo);
}

static int open_copy(struct cfi_image *image)
{
	return cfi_image_init(
		image, copy, original.size_bytes, original.address, original.hdr_address);
}

static void test_undamaged(void **state)
{
	struct cfi_image image;
	int n_found = 0;

	memcpy(copy, original.data, original.size_bytes);
	assert_int_equal(open_copy(&image), 0);
	for (int i = 0; i < 1000; i++) {
		int failure = look_up(&image, random_pc());

		assert_true(failure == 0 || failure == WALK_NO_CFI || failure == WALK_OFF_STACK);
		n_found += failure != WALK_NO_CFI;
	}
	assert_true(n_found > 500);
}

static void damage_byte(uint8_t *byte)
{
	if (random_number() % 2)
		*byte ^= (uint8_t)(1u << random_number() % 8);
	else
		*byte = (uint8_t)random_number();
}

/* Changes up to eight bytes, and now and then a whole stretch. One in four is among the 64 at `often`. */
static void damage(uint8_t *bytes, size_t n_bytes, uint8_t *often)
{
	size_t n = random_number() % 8 + 1;

	for (size_t i = 0; i < n; i++) {
		if (random_number() % 4)
			damage_byte(&bytes[random_number() % n_bytes]);
		else
			damage_byte(&often[random_number() % 64]);
	}
	if (random_number() % 16 == 0) {
		size_t at = random_number() % (n_bytes - 64);

		for (size_t i = 0; i < 64; i++)
			bytes[at + i] = (uint8_t)random_number();
	}
}

static void test_damaged(void **state)
{
	int counts[WALK_UNKNOWN_CODE + 1] = { 0 };

	alarm(60);
	for (int i = 0; i < N_DAMAGED; i++) {
		struct cfi_image image;

		if (i % 16 == 0)
			memcpy(copy, original.data, original.size_bytes);
		damage(copy, original.size_bytes, copy);
		if (open_copy(&image) != 0)
			continue;
		for (int k = 0; k < PCS_PER_COPY; k++)
			counts[look_up(&image, random_pc())]++;
	}
	alarm(0);
	/* The damage reached what it was meant for. */
	assert_true(counts[0] > 1000);
	assert_true(counts[WALK_BAD_CFI] > 1000);
	assert_true(counts[WALK_OFF_STACK] > 100);
	assert_int_equal(counts[WALK_COMPLETE + WALK_LIMIT], 0);
}

/* All rows of a frame description. Returns how many, or -1 if the instructions are wrong. */
static int count_rows(struct cfi_image *image, const struct cfi_fde *fde)
{
	static struct cfi_rows rows;
	int n = 0, found;

	cfi_rows_begin(&rows, image, fde);
	while ((found = cfi_rows_next(&rows)) == 1) {
		assert_true(rows.from >= fde->begin && rows.to > rows.from && rows.to <= fde->end);
		n++;
	}
	return found < 0 ? -1 : n;
}

/* What a section brought. */
struct census {
	unsigned int n_fdes, n_wrong, n_rows, n_wrong_rows;
};

static struct census take_census(struct cfi_image *image)
{
	struct census census = { 0 };
	uint64_t address = image->section;
	struct cfi_fde fde;
	int found, n;

	while ((found = cfi_next_fde(image, &address, &fde)) != 0) {
		assert_true(census.n_fdes + census.n_wrong < image->size_bytes / 4);
		census.n_fdes += found > 0;
		census.n_wrong += found < 0;
		if (found < 0)
			continue;
		n = count_rows(image, &fde);
		census.n_wrong_rows += n < 0;
		census.n_rows += n > 0 ? (unsigned int)n : 0;
	}
	return census;
}

static void test_undamaged_sections(void **state)
{
	struct cfi_image image;
	struct census whole, alone;

	memcpy(copy, original.data, original.size_bytes);
	assert_int_equal(open_copy(&image), 0);
	whole = take_census(&image);
	assert_int_equal(whole.n_fdes, image.n_entries);
	assert_true(whole.n_rows > 2 * whole.n_fdes);
	assert_int_equal(whole.n_wrong + whole.n_wrong_rows, 0);
	for (int is_debug_frame = 0; is_debug_frame < 2; is_debug_frame++) {
		cfi_image_init_section(&image, section.data[is_debug_frame], section.size_bytes,
			section.address, is_debug_frame);
		alone = take_census(&image);
		assert_memory_equal(&whole, &alone, sizeof(whole));
	}
}

/* A section's length without some of its last entries; not less than half of it. */
static size_t random_cut(void)
{
	size_t wanted = section.size_bytes / 2 + random_number() % (section.size_bytes / 2);
	size_t n = 0;

	while (n < wanted && get_u32(section.data[0] + n) != 0)
		n += 4 + get_u32(section.data[0] + n);
	return n;
}

/* The last entry ends with what can be read. */
static void test_damaged_sections(void **state)
{
	uint8_t *end = guarded(section.size_bytes) + section.size_bytes;
	struct census sum[2] = { 0 };
	struct cfi_image image;

	alarm(60);
	for (int i = 0; i < 2 * N_SECTIONS; i++) {
		int is_debug_frame = i % 2;
		size_t n = random_cut();
		struct census census;

		memcpy(end - n, section.data[is_debug_frame], n);
		damage(end - n, n, end - 64);
		cfi_image_init_section(&image, end - n, n, section.address, is_debug_frame);
		image.bias = random_number();
		census = take_census(&image);
		sum[is_debug_frame].n_fdes += census.n_fdes;
		sum[is_debug_frame].n_wrong += census.n_wrong;
		sum[is_debug_frame].n_wrong_rows += census.n_wrong_rows;
	}
	alarm(0);
	/* The damage reached what it was meant for. */
	for (int i = 0; i < 2; i++) {
		assert_true(sum[i].n_fdes > 10 * N_SECTIONS);
		assert_true(sum[i].n_wrong > N_SECTIONS / 10);
		assert_true(sum[i].n_wrong_rows > N_SECTIONS / 10);
	}
}

/* With the header damaged too, by its table and through its section. */
static void test_damaged_entries(void **state)
{
	struct census sum = { 0 };
	struct cfi_image image;
	struct cfi_fde fde;

	alarm(60);
	for (int i = 0; i < N_SECTIONS; i++) {
		if (i % 16 == 0)
			memcpy(copy, original.data, original.size_bytes);
		damage(copy, original.size_bytes, copy);
		if (open_copy(&image) == 0)
			for (uint64_t k = 0; k < image.n_entries; k++)
				if (cfi_fde_entry(&image, k, &fde) == 0)
					sum.n_wrong_rows += count_rows(&image, &fde) < 0;
		if (image.section)
			sum.n_fdes += take_census(&image).n_fdes;
	}
	alarm(0);
	assert_true(sum.n_wrong_rows > N_SECTIONS / 10);
	assert_true(sum.n_fdes > 10 * N_SECTIONS);
}

/* Compiled from what is damaged, a table finds a rule at each address, or none. */
static void test_damaged_tables(void **state)
{
	unsigned int n_built = 0, n_found = 0;
	struct table_scratch rooms = { 0 };
	struct table_code code = { .lo = original.code_lo, .hi = original.code_hi };
	struct cfi_image image;
	struct table table;
	uint64_t lo, hi;

	alarm(60);
	for (int i = 0; i < N_TABLES; i++) {
		if (i % 4 == 0)
			memcpy(copy, original.data, original.size_bytes);
		damage(copy, original.size_bytes, copy + original.size_bytes / 2);
		if (open_copy(&image) != 0 || table_build(&table, &image, NULL, &code, &rooms) != 0)
			continue;
		n_built++;
		for (int k = 0; k < 4 * PCS_PER_COPY; k++) {
			uint64_t pc = random_pc();
			const struct rule *rule = table_find(&table, pc);

			assert_true(rule >= table.rules && rule < table.rules + table.n_rules);
			assert_int_equal(table_gap(&table, pc, &lo, &hi), rule->kind == RULE_NONE);
			n_found += rule->kind != RULE_NONE;
		}
		table_free(&table);
	}
	alarm(0);
	table_scratch_release(&rooms);
	assert_true(n_built > N_TABLES / 4);
	assert_true(n_found > 10 * N_TABLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undamaged),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_undamaged_sections),
		cmocka_unit_test(test_damaged_sections),
		cmocka_unit_test(test_damaged_entries),
		cmocka_unit_test(test_damaged_tables),
	};

	return cmocka_run_group_tests_name("cfi fuzz", tests, setup, NULL);
}
