/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged copies of real unwind data, from a fixed seed: whatever the bytes say, a look-up and a
 * step end, read nothing outside, and a step yields no CFA by reading outside the stack's bounds.
 * The copy ends at an unmapped page and the stack lies between two, so that a read too far faults.
 */
#include "unwinder/cfi.h"

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
#define STACK_BYTES  8192
#define PAGE         4096

struct original {
	const uint8_t *data; /* the segment that holds .eh_frame_hdr and .eh_frame */
	size_t size_bytes;
	uint64_t address;
	uint64_t hdr_address;
	uint64_t code_lo, code_hi;
};

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

static int setup(void **state)
{
	struct dl_find_object found;
	uint64_t *stack;

	assert_int_equal(_dl_find_object((void *)(uintptr_t)cmocka_set_message_output, &found), 0);
	dl_iterate_phdr(take_segment, &found);
	assert_true(original.size_bytes > 1000);
	copy = guarded(original.size_bytes);
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
	struct walk_registers registers = { .known = (1u << WALK_N_REGISTERS) - 1 };
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
	registers.reg[WALK_RIP] = pc;
	failure = cfi_step(image, &row, &bounds, &registers, &cfa, &is_outermost);
	if (!failure && !is_outermost)
		assert_true(registers.reg[WALK_RSP] == cfa);
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

/* Changes up to eight bytes; now and then a whole stretch. The table is hit as often as the rest. */
static void damage(void)
{
	size_t n = random_number() % 8 + 1;

	for (size_t i = 0; i < n; i++) {
		size_t reach = random_number() % 4 ? original.size_bytes : 64;
		size_t at = random_number() % reach;

		if (random_number() % 2)
			copy[at] ^= (uint8_t)(1u << random_number() % 8);
		else
			copy[at] = (uint8_t)random_number();
	}
	if (random_number() % 16 == 0) {
		size_t at = random_number() % (original.size_bytes - 64);

		for (size_t i = 0; i < 64; i++)
			copy[at + i] = (uint8_t)random_number();
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
		damage();
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undamaged),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("cfi fuzz", tests, setup, NULL);
}
