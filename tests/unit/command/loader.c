/* SPDX-License-Identifier: Apache-2.0 */
/* The loader's cache, whole and damaged, and ELF files that are none. */
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#include "src/run/loader.h"
#include "src/symbols/machine.h"

enum { HEADER_BYTES = 48, ENTRY_BYTES = 24, OTHER = 0x0003 };

struct made {
	char bytes[4096];
	size_t used; /* from the texts' end */
	uint32_t n;
};

static uint32_t add_text(struct made *cache, const char *text)
{
	uint32_t at = (uint32_t)cache->used;

	memcpy(cache->bytes + at, text, strlen(text) + 1);
	cache->used += strlen(text) + 1;
	return at;
}

static void add_entry(
	struct made *cache, int32_t flags, uint64_t processor, const char *name, const char *path)
{
	uint32_t texts[2] = { add_text(cache, name), add_text(cache, path) };
	char *entry = cache->bytes + HEADER_BYTES + ENTRY_BYTES * cache->n++;

	memcpy(entry, &flags, sizeof(flags));
	memcpy(entry + 4, texts, sizeof(texts));
	memcpy(entry + 16, &processor, sizeof(processor));
	memcpy(cache->bytes + 20, &cache->n, sizeof(cache->n));
}

static void make(struct made *cache)
{
	*cache = (struct made){ .used = 1024 };
	memcpy(cache->bytes, "glibc-ld.so.cache1.1", 20);
	add_entry(cache, OTHER, 0, "libgomp.so.1", "/usr/lib32/libgomp.so.1");
	add_entry(cache, machine_host->cache_flags, 1ULL << 62, "libgomp.so.1",
		"/lib/glibc-hwcaps/v3/libgomp.so.1");
	add_entry(cache, machine_host->cache_flags, 0, "libgomp.so.1", "/lib/libgomp.so.1");
	add_entry(cache, machine_host->cache_flags, 0, "libgomp.so.1", "/lib/second/libgomp.so.1");
	add_entry(cache, machine_host->cache_flags, 0, "libomp.so.5", "/lib/libomp.so.5");
}

static void finds_the_library_of_this_machine(void **state)
{
	struct made cache;

	make(&cache);
	assert_string_equal(
		loader_cache_find(cache.bytes, cache.used, "libgomp.so.1"), "/lib/libgomp.so.1");
	assert_string_equal(
		loader_cache_find(cache.bytes, cache.used, "libomp.so.5"), "/lib/libomp.so.5");
	assert_null(loader_cache_find(cache.bytes, cache.used, "libgomp.so"));
	assert_null(loader_cache_find(NULL, 0, "libgomp.so.1"));
}

/* Debian 12's ldconfig for AArch64 made these bytes, of libgomp.so.1 and libc.so.6. */
static void finds_in_a_cache_of_aarch64(void **state)
{
	static const char cache[] =
		"glibc-ld.so.cache1.1\2\0\0\0E\0\0\0\2\0\0\0\250\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\3\12\0\0\230\0\0\0\201\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\3\12\0\0w\0\0\0`\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"/lib/aarch64-linux-gnu/libc.so.6\0/lib/aarch64-linux-gnu/libgomp.so.1";
	const struct machine *aarch64 = machine_find(EM_AARCH64);
	const char *found = loader_cache_find(cache, sizeof(cache), "libgomp.so.1");

	assert_memory_equal(cache + HEADER_BYTES, &aarch64->cache_flags, 4);
	if (machine_host == aarch64)
		assert_string_equal(found, "/lib/aarch64-linux-gnu/libgomp.so.1");
	else
		assert_null(found);
}

/* Cut anywhere, it is never read beyond its end: each part is a block of its own, which sanitizers watch. */
static void survives_being_cut(void **state)
{
	struct made cache;

	make(&cache);
	for (size_t n = 0; n < cache.used; n++) {
		char *part = malloc(n ? n : 1);
		const char *found;

		assert_non_null(part);
		memcpy(part, cache.bytes, n);
		found = loader_cache_find(part, n, "libomp.so.5");
		assert_true(!found || (found > part && found + strlen(found) < part + n));
		free(part);
	}
	assert_null(loader_cache_find(cache.bytes, cache.used - 1, "libomp.so.5"));
}

static void survives_wrong_numbers(void **state)
{
	struct made cache;

	for (size_t at = 20; at < HEADER_BYTES + 5 * ENTRY_BYTES; at += 4) {
		make(&cache);
		memset(cache.bytes + at, 0xff, 4);
		loader_cache_find(cache.bytes, cache.used, "libomp.so.5");
	}
	make(&cache);
	memset(cache.bytes + 20, 0xff, 4);
	assert_null(loader_cache_find(cache.bytes, cache.used, "libomp.so.5"));
}

/* This test itself, cut in the middle of its tables. */
static void refuses_what_is_no_program(void **state)
{
	struct elf_dynamic file;
	char path[] = "/tmp/ompprof-loader-XXXXXX", bytes[8192];
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	ssize_t n = read(from, bytes, sizeof(bytes));

	assert_int_equal(elf_dynamic_open(&file, "/no/such/file"), -1);
	assert_int_equal(elf_dynamic_open(&file, "/"), -1);
	assert_int_equal(elf_dynamic_open(&file, "/dev/null"), -1);
	assert_int_equal(elf_dynamic_open(&file, path), -1);
	for (ssize_t cut = 1; cut <= n; cut += 61) {
		struct elf_definitions defined;

		assert_int_equal(pwrite(to, bytes, (size_t)cut, 0), cut);
		if (elf_dynamic_open(&file, path) != 0)
			continue;
		assert_int_equal(elf_definitions_read(&defined, &file), 0);
		elf_definitions_release(&defined);
		elf_dynamic_close(&file);
	}
	close(from);
	close(to);
	unlink(path);
}

static void knows_its_own_needs(void **state)
{
	struct elf_dynamic file;

	assert_int_equal(elf_dynamic_open(&file, "/proc/self/exe"), 0);
	assert_non_null(file.interpreter);
	assert_true(elf_dynamic_has_need(&file, "libc.so.6"));
	assert_false(elf_dynamic_has_need(&file, "libgomp.so.1"));
	assert_true(elf_dynamic_has_function(&file, "knows_its_own_needs"));
	assert_false(elf_dynamic_has_function(&file, "no_such_function"));
	elf_dynamic_close(&file);
}

static int collect(void *data, const char *name, const char *version, int is_weak)
{
	const char *const *wanted = data;

	return version && strncmp(version, "GLIBC_2", 7) == 0 &&
	       (name ? wanted[0] && strcmp(name, wanted[0]) == 0 : !wanted[0]);
}

/* Symbols of the C library are its own only, and come with versions. */
static void knows_versions(void **state)
{
	const char *of_libc[] = { "__libc_start_main" }, *any_version[] = { NULL };
	struct elf_definitions defined;
	struct elf_dynamic file;
	struct loader loader;

	assert_int_equal(elf_dynamic_open(&file, "/proc/self/exe"), 0);
	assert_int_equal(elf_dynamic_each_need(&file, "libc.so.6", collect, of_libc), 1);
	assert_int_equal(elf_dynamic_each_need(&file, "libgomp.so.1", collect, of_libc), 0);
	assert_int_equal(elf_dynamic_each_need(&file, "libc.so.6", collect, any_version), 1);
	elf_dynamic_close(&file);

	loader_init(&loader);
	assert_int_equal(loader_open_library(&loader, "libc.so.6", &file), 0);
	assert_int_equal(elf_definitions_read(&defined, &file), 0);
	assert_true(elf_definitions_has(&defined, "malloc", "GLIBC_" GLIBC_FIRST));
	assert_true(elf_definitions_has(&defined, "malloc", NULL));
	assert_true(elf_definitions_has(&defined, NULL, "GLIBC_" GLIBC_FIRST));
	assert_false(elf_definitions_has(&defined, "malloc", "GLIBC_2.35"));
	assert_false(elf_definitions_has(&defined, "no_such_function", NULL));
	elf_definitions_release(&defined);
	elf_dynamic_close(&file);
	loader_release(&loader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_library_of_this_machine),
		cmocka_unit_test(finds_in_a_cache_of_aarch64),
		cmocka_unit_test(survives_being_cut),
		cmocka_unit_test(survives_wrong_numbers),
		cmocka_unit_test(refuses_what_is_no_program),
		cmocka_unit_test(knows_its_own_needs),
		cmocka_unit_test(knows_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
