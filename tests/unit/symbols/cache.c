/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of what reports keep: what was written is read, whatever is no cache, or one of another key, or
 * damaged, is none, and no number in it leads outside of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/symbols/cache_internal.h"

#define KEY "this program"

enum { N_PLACES = 50 };

static const uint8_t build_id[20] = { 1, 2, 3 };

/* Two objects, the first with functions at even addresses, the second with a variable and none. */
static unsigned char *make(size_t *size)
{
	struct cache_writer *writer = cache_writer_begin();
	struct cache_object first = { .path = "/bin/a",
		.build_id = build_id,
		.build_id_bytes = sizeof(build_id),
		.note = "",
		.has_lines = 1,
		.witnesses = { { "/bin/a", { 1, 2, 3, 4, 5, 6 } }, { "/bin/a.debug", { 0 } } },
		.n_witnesses = 2 };
	struct cache_object second = { .path = "/bin/b",
		.note = "no lines",
		.witnesses = { { "/bin/b", { 1, 1, 1, 1, 1, 1 } } },
		.n_witnesses = 1 };
	struct symbol chain[2] = { { "in()", "_Z2inv", "a.c", 7, 1, "a.h", 1 },
		{ "out()", "_Z3outv", "a.c", 9, 8, "a.c", 0 } };
	struct symbol variable = { "v", "", "", 0, 0, "", 0 };

	assert_non_null(writer);
	cache_writer_object(writer, &first);
	for (uint64_t i = N_PLACES; i-- > 0;) {
		chain[0].line = (uint32_t)i;
		cache_writer_add(writer, CACHE_FUNCTIONS, 2 * i, chain, 1 + i % 2);
	}
	cache_writer_object(writer, &second);
	cache_writer_add(writer, CACHE_CRITICAL, 4, NULL, 0);
	cache_writer_add(writer, CACHE_VARIABLE, 4, &variable, 1);
	return cache_writer_end(writer, KEY, size);
}

static int open_copy(struct cache *cache, const unsigned char *bytes, size_t size)
{
	unsigned char *copy = malloc(size + 1);

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	return cache_open(cache, copy, size, KEY);
}

static void test_kept(void **state)
{
	struct symbol list[SYMBOLS_MAX_DEPTH];
	struct cache_object object;
	struct cache cache;
	size_t size;
	unsigned char *bytes = make(&size);

	assert_non_null(bytes);
	assert_int_equal(cache_open(&cache, bytes, size, KEY), 0);
	assert_int_equal(cache_n_objects(&cache), 2);
	assert_int_equal(cache_object(&cache, 0, &object), 0);
	assert_string_equal(object.path, "/bin/a");
	assert_string_equal(object.note, "");
	assert_int_equal(object.build_id_bytes, sizeof(build_id));
	assert_memory_equal(object.build_id, build_id, sizeof(build_id));
	assert_int_equal(object.has_lines, 1);
	assert_int_equal(object.n_witnesses, 2);
	assert_string_equal(object.witnesses[1].path, "/bin/a.debug");
	assert_int_equal(object.witnesses[0].state.ctime_ns, 6);
	for (uint64_t i = 0; i < N_PLACES; i++) {
		assert_int_equal(cache_find(&cache, 0, CACHE_FUNCTIONS, 2 * i, list), 1 + i % 2);
		assert_int_equal(list[0].line, i);
		assert_int_equal(list[0].is_inlined, 1);
		assert_string_equal(list[i % 2].name, i % 2 ? "out()" : "in()");
		assert_string_equal(list[i % 2].linkage, i % 2 ? "_Z3outv" : "_Z2inv");
		assert_string_equal(list[i % 2].decl_file, i % 2 ? "a.c" : "a.h");
		assert_int_equal(cache_find(&cache, 0, CACHE_FUNCTIONS, 2 * i + 1, list), -1);
		assert_int_equal(cache_find(&cache, 0, CACHE_VARIABLE, 2 * i, list), -1);
	}
	assert_int_equal(cache_object(&cache, 1, &object), 0);
	assert_string_equal(object.note, "no lines");
	assert_int_equal(cache_find(&cache, 1, CACHE_VARIABLE, 4, list), 1);
	assert_string_equal(list[0].name, "v");
	assert_int_equal(cache_find(&cache, 1, CACHE_CRITICAL, 4, list), 0);
	assert_int_equal(cache_find(&cache, 1, CACHE_FUNCTIONS, 4, list), -1);
	cache_close(&cache);
}

static void test_not_it(void **state)
{
	struct cache cache;
	size_t size;
	unsigned char *bytes = make(&size);

	assert_int_equal(cache_open(&cache, calloc(1, 8), 0, KEY), -1);
	assert_int_equal(cache_open(&cache, calloc(1, 4096), 4096, KEY), -1);
	for (size_t n = 0; n < size; n++)
		assert_int_equal(open_copy(&cache, bytes, n), -1);
	for (size_t i = 0; i < size; i++) {
		bytes[i] ^= 1;
		assert_int_equal(open_copy(&cache, bytes, size), -1);
		bytes[i] ^= 1;
	}
	assert_int_equal(cache_open(&cache, bytes, size, "another program"), -1);
	bytes = make(&size);
	assert_int_equal(cache_open(&cache, bytes, size, "this progra"), -1);
}

static int is_inside(const struct cache *cache, const char *text)
{
	const char *begin = (const char *)cache->bytes, *end = begin + cache->size;

	return text >= begin && text < end && memchr(text, 0, (size_t)(end - text));
}

/* Asks for all that there is; what is answered lies within the file. */
static void ask(const struct cache *cache)
{
	struct symbol list[SYMBOLS_MAX_DEPTH];
	struct cache_object object;
	enum cache_kind kind;
	uint64_t addr;

	for (size_t i = 0; i < cache_n_objects(cache) && i < 4; i++) {
		if (cache_object(cache, i, &object) != 0)
			continue;
		assert_true(is_inside(cache, object.path) && is_inside(cache, object.note));
		assert_true(object.n_witnesses <= CACHE_MOST_WITNESSES);
		for (size_t k = 0; k < object.n_witnesses; k++)
			assert_true(is_inside(cache, object.witnesses[k].path));
		for (size_t p = 0; cache_place(cache, i, p, &kind, &addr) == 0; p++) {
			int n = cache_find(cache, i, kind, addr, list);

			assert_true(n <= SYMBOLS_MAX_DEPTH && (kind != CACHE_FUNCTIONS || n != 0));
			for (int k = 0; k < n; k++)
				assert_true(is_inside(cache, list[k].name) &&
					    is_inside(cache, list[k].linkage) &&
					    is_inside(cache, list[k].file) &&
					    is_inside(cache, list[k].decl_file));
		}
	}
}

/* Each word of the file becomes what leads elsewhere, and the sum is right. */
static void test_hostile(void **state)
{
	size_t size, n_opened = 0;
	unsigned char *bytes = make(&size);
	const uint32_t values[] = { 0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff, (uint32_t)size };
	struct cache cache;
	uint64_t sum;

	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t kept;

		memcpy(&kept, bytes + at, sizeof(kept));
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			memcpy(bytes + at, &values[i], sizeof(kept));
			sum = cache_sum(bytes, size);
			memcpy(bytes + offsetof(struct kept_header, sum), &sum, sizeof(sum));
			if (open_copy(&cache, bytes, size) != 0)
				continue;
			n_opened++;
			ask(&cache);
			cache_close(&cache);
		}
		memcpy(bytes + at, &kept, sizeof(kept));
	}
	assert_true(n_opened > size / 4);
	free(bytes);
}

/* A string may not begin in another: names would be far more than the file. */
static void test_overlap(void **state)
{
	struct symbol list[SYMBOLS_MAX_DEPTH];
	struct kept_symbol *symbols;
	struct cache cache;
	size_t size;
	unsigned char *bytes = make(&size);

	assert_int_equal(cache_open(&cache, bytes, size, KEY), 0);
	symbols = (struct kept_symbol *)(uintptr_t)cache.symbols;
	for (size_t i = 0; i < cache.header->n_symbols; i++)
		symbols[i].name++;
	assert_int_equal(cache_find(&cache, 0, CACHE_FUNCTIONS, 0, list), -1);
	cache_close(&cache);
}

/* More than a cache may have is no cache, and no harm. */
static void test_too_much(void **state)
{
	struct cache_writer *writer = cache_writer_begin();
	struct cache_object object = { .path = "/bin/a", .note = "", .n_witnesses = 0 };
	struct symbol symbol = { .name = "", .linkage = "", .file = "", .decl_file = "" };
	char name[9000];
	size_t size;

	cache_writer_object(writer, &object);
	memset(name, 'n', sizeof(name));
	symbol.name = name;
	for (int i = 0; i < CACHE_MOST_BYTES / 8000; i++) {
		snprintf(name + sizeof(name) - 20, 20, "%d", i);
		cache_writer_add(writer, CACHE_FUNCTIONS, (uint64_t)i, &symbol, 1);
	}
	assert_null(cache_writer_end(writer, KEY, &size));
}

static void test_names(void **state)
{
	assert_true(cache_is_file_name("symbols.cache"));
	assert_true(cache_is_file_name("symbols.cache.4711"));
	assert_false(cache_is_file_name("symbols.cache."));
	assert_false(cache_is_file_name("symbols.cache.mine"));
	assert_false(cache_is_file_name("symbols"));
	assert_false(cache_is_file_name("symbols.caches"));
}

/* What a process that has our number in another container is about to write stays its own. */
static void test_file_of_same_number(void **state)
{
	char folder[] = "/tmp/ompprof-cache-XXXXXX", part[64], path[64];
	size_t size;
	char *bytes;
	FILE *file;

	assert_non_null(mkdtemp(folder));
	snprintf(part, sizeof(part), "%s/" CACHE_FILE ".%d", folder, (int)getpid());
	file = fopen(part, "w");
	assert_non_null(file);
	fclose(file);
	cache_file_write(folder, "bytes", 5);
	assert_int_equal(access(part, F_OK), 0);
	bytes = cache_file_read(folder, &size);
	assert_non_null(bytes);
	assert_int_equal(size, 5);
	assert_memory_equal(bytes, "bytes", 5);
	free(bytes);
	unlink(part);
	snprintf(path, sizeof(path), "%s/" CACHE_FILE, folder);
	unlink(path);
	/* Nothing else is left there. */
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_not_it),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_file_of_same_number),
	};

	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
