/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search in the loader's own list, as before glibc 2.35: it finds what glibc's function finds, and
 * no object that was unloaded.
 */
#include "unwinder/core/loaded.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "unwinder/core/remote.h"
#include "unwinder/prepare/objects_permanent.h"

/* A library that this program does not need. */
#define OTHER "libsqlite3.so.0"

static struct loaded_state by_libc;

/* Lets loaded_find search. */
static void search_alone(void)
{
	by_libc = loaded_state;
	loaded_state.ask = NULL;
	objects_find_permanent();
}

static int compare(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t pc = info->dlpi_addr + segment->p_vaddr + segment->p_memsz / 2;
		struct loaded found, known;
		struct loaded_answer answer;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		assert_int_equal(by_libc.ask((void *)(uintptr_t)pc, &answer), 0);
		known = (struct loaded){ (uintptr_t)answer.lo, (uintptr_t)answer.hi,
			(uintptr_t)answer.eh_frame, answer.link_map };
		assert_int_equal(loaded_find(pc, &found), 0);
		/* If the kernel has mapped an object with gaps, glibc knows each segment by itself. */
		assert_true(found.lo <= known.lo && found.hi >= known.hi);
		assert_int_equal(found.eh_frame, known.eh_frame);
		assert_ptr_equal(found.link_map, known.link_map);
		++*(int *)n;
	}
	return 0;
}

static void test_same(void **state)
{
	int n = 0;

	(void)state;
	if (!by_libc.ask)
		skip();
	dl_iterate_phdr(compare, &n);
	assert_true(n >= 3);
	assert_int_not_equal(loaded_find(16, &(struct loaded){ 0 }), 0);
	assert_int_not_equal(loaded_find((uintptr_t)&n, &(struct loaded){ 0 }), 0);
}

static void test_comes_and_goes(void **state)
{
	struct loaded found;
	uint64_t pc, before = 0, after;

	(void)state;
	if (remote_copy_by(getpid(), (uintptr_t)&before, &after, sizeof(after)) != 0)
		skip();
	for (int i = 0; i < 3; i++) {
		void *library = dlopen(OTHER, RTLD_NOW);
		int n = 0;

		if (!library)
			skip();
		pc = (uintptr_t)dlsym(library, "sqlite3_open");
		assert_int_equal(loaded_find(pc, &found), 0);
		assert_true(pc >= found.lo && pc < found.hi);
		assert_non_null(found.eh_frame);
		if (by_libc.ask)
			dl_iterate_phdr(compare, &n);
		dlclose(library);
		assert_int_not_equal(loaded_find(pc, &found), 0);
	}
}

/* Nothing is read that could be gone. */
static void test_no_copies(void **state)
{
	void *library = dlopen(OTHER, RTLD_NOW);
	pid_t before = remote_process;
	struct loaded found;

	(void)state;
	remote_process = 0;
	assert_int_equal(loaded_find((uintptr_t)test_no_copies, &found), 0);
	assert_int_equal(loaded_find((uintptr_t)dlsym(RTLD_DEFAULT, "qsort"), &found), 0);
	if (library)
		assert_int_not_equal(
			loaded_find((uintptr_t)dlsym(library, "sqlite3_open"), &found), 0);
	remote_process = before;
	if (library)
		dlclose(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_comes_and_goes),
		cmocka_unit_test(test_no_copies),
	};

	search_alone();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
