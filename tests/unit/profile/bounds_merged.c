/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a merged file can cost whoever reads it: files made for the purpose, that say to be larger than they are or
 * that expand to more than anything could be of use for. They are refused, with little memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "profile/reader/merged.h"
#include "profile/archive/archive_member.h"
#include "tests/unit/scenes/build_profile.h"
#include "tests/unit/profile/in_child.h"

enum {
	MEGABYTE = 1 << 20,
	HUGE_BYTES = 192 * MEGABYTE,
	LITTLE = 48 * MEGABYTE,
};

/* A merged file of one part, in which all can be changed. */
struct made {
	struct merged_header header;
	struct merged_index index;
	uint8_t *part, *heads;
	uint64_t file_bytes; /* as large as the file is made, without taking space */
};

static char path[64], part_path[80];

/* What reading it came to. */
struct cost {
	int status;
	uint64_t bytes;
};

static uint8_t *squeeze(const void *bytes, size_t n, uint64_t *n_squeezed)
{
	uLongf room = compressBound(n);
	uint8_t *squeezed = malloc(room);

	assert_non_null(squeezed);
	assert_int_equal(compress2(squeezed, &room, bytes, n, 9), Z_OK);
	*n_squeezed = room;
	return squeezed;
}

/* One head, with a path of so many bytes. */
static void put_heads(struct made *made, size_t n_path)
{
	size_t n = sizeof(struct profile_header) + n_path + 1;
	char *plain = calloc(1, n);

	assert_non_null(plain);
	memset(plain + sizeof(struct profile_header), 'x', n_path);
	free(made->heads);
	made->heads = squeeze(plain, n, &made->header.heads_bytes);
	made->header.heads_plain = n;
	free(plain);
}

static void begin(struct made *made)
{
	struct build b;
	size_t n;

	*made = (struct made){ .header = { .version = MERGED_VERSION,
				       .header_bytes = sizeof(struct merged_header),
				       .index_bytes = sizeof(struct merged_index),
				       .n_parts = 1 } };
	memcpy(made->header.magic, MERGED_MAGIC, sizeof(made->header.magic));
	strcpy(made->index.name, "a.ompprof");
	build_begin(&b);
	build_samples(&b, build_root(&b, build_thread(&b, 1)), PROFILE_WORK, 1, 1);
	made->part = part_make((const uint8_t *)b.bytes, b.size, &n);
	assert_non_null(made->part);
	made->index.bytes = n;
	made->index.file_bytes = b.size;
	build_release(&b);
	put_heads(made, 10);
}

/* Writes it: what is said of places and sizes before stays. */
static void end(struct made *made, uint64_t n_part, uint64_t n_heads)
{
	struct merged_header *header = &made->header;
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	made->index.offset = made->index.offset ? made->index.offset : sizeof(*header);
	made->index.check = (uint32_t)crc32_z(0, made->part, n_part);
	header->index = header->index ? header->index : sizeof(*header) + n_part;
	header->heads =
		header->heads ? header->heads : sizeof(*header) + n_part + sizeof(made->index);
	header->check = (uint32_t)crc32_z(
		crc32_z(0, (const Bytef *)&made->index, sizeof(made->index)), made->heads, n_heads);
	header->file_bytes = sizeof(*header) + n_part + sizeof(made->index) + n_heads;
	fwrite(header, sizeof(*header), 1, out);
	fwrite(made->part, 1, n_part, out);
	fwrite(&made->index, sizeof(made->index), 1, out);
	fwrite(made->heads, 1, n_heads, out);
	assert_int_equal(fclose(out), 0);
	if (made->file_bytes)
		assert_int_equal(truncate(path, (off_t)made->file_bytes), 0);
	free(made->part);
	free(made->heads);
}

static void end_as_is(struct made *made)
{
	end(made, made->index.bytes, made->header.heads_bytes);
}

static uint64_t peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss * 1024;
}

static void take_list(const void *data, void *result)
{
	struct profile_list list = { 0 };
	struct cost *cost = result;
	struct diag diag;
	uint64_t before = peak();

	(void)data;
	cost->status = profile_list_read(&list, path, &diag);
	cost->bytes = peak() - before;
	profile_list_release(&list);
}

static void take_part(const void *data, void *result)
{
	struct profile_bytes file;
	struct cost *cost = result;
	struct diag diag;
	uint64_t before = peak();

	(void)data;
	cost->status = profile_load(&file, part_path, &diag);
	cost->bytes = peak() - before;
	free(file.bytes);
}

static void check(in_child_run *run, int status)
{
	struct cost cost;

	in_child(run, NULL, &cost, sizeof(cost));
	unlink(path);
	assert_int_equal(cost.status, status);
	assert_true(cost.bytes < LITTLE);
}

/* What all others are changes of. */
static void test_right(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	end_as_is(&made);
	check(take_list, 0);
	begin(&made);
	end_as_is(&made);
	check(take_part, 0);
}

/* A path of the executable that is as long as anything. */
static void test_long_head(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_heads(&made, PROFILE_SEGMENT_BYTES - 1);
	end_as_is(&made);
	check(take_list, 0);
	begin(&made);
	put_heads(&made, PROFILE_SEGMENT_BYTES);
	end_as_is(&made);
	check(take_list, -1);
	begin(&made);
	put_heads(&made, HUGE_BYTES);
	end_as_is(&made);
	check(take_list, -1);
}

/* What is written is read, whatever the executable is called. */
static void test_long_path(void **state)
{
	struct profile_entry entry = { .exe = calloc(1, PROFILE_SEGMENT_BYTES + 2) };
	struct merged_writer writer;
	FILE *out = fopen(path, "w+b");
	const uint8_t part[] = { 0 };

	(void)state;
	assert_non_null(entry.exe);
	assert_non_null(out);
	memset(entry.exe, 'x', PROFILE_SEGMENT_BYTES + 1);
	merged_begin(&writer, out);
	assert_int_equal(merged_add(&writer, &entry, "a.ompprof", part, sizeof(part)), 0);
	assert_int_equal(merged_end(&writer), 0);
	merged_release(&writer);
	assert_int_equal(fclose(out), 0);
	free(entry.exe);
	check(take_list, 0);
}

/* Heads, indices and parts that are said to be large, in a file that is, without taking space. */
static void test_sparse(void **state)
{
	struct made made;
	uint64_t n_heads;

	(void)state;
	begin(&made);
	n_heads = made.header.heads_bytes;
	made.header.heads_bytes = HUGE_BYTES;
	made.file_bytes = HUGE_BYTES + MEGABYTE;
	end(&made, made.index.bytes, n_heads);
	check(take_list, -1);

	begin(&made);
	made.header.n_parts = HUGE_BYTES / sizeof(struct merged_index);
	made.file_bytes = HUGE_BYTES + MEGABYTE;
	end_as_is(&made);
	check(take_list, -1);

	begin(&made);
	n_heads = made.index.bytes;
	made.index.bytes = 4 * (uint64_t)HUGE_BYTES;
	made.file_bytes = made.index.bytes + MEGABYTE;
	end(&made, n_heads, made.header.heads_bytes);
	check(take_part, -1);
}

/* A part that stands for an empty file of this size, by so many bytes. */
static void put_part(struct made *made, size_t size, size_t n_plain)
{
	uint8_t *plain = calloc(1, n_plain), *squeezed;
	uint64_t n, said = n_plain;
	size_t at = 0, padding = size / PART_MOST_TIMES;

	assert_non_null(plain);
	for (; size >= 0x80; size >>= 7)
		plain[at++] = (uint8_t)(size | 0x80);
	plain[at] = (uint8_t)size;
	squeezed = squeeze(plain, n_plain, &n);
	free(plain);
	free(made->part);
	made->part = calloc(1, sizeof(said) + n + padding);
	assert_non_null(made->part);
	memcpy(made->part, &said, sizeof(said));
	memcpy(made->part + sizeof(said), squeezed, n);
	free(squeezed);
	made->index.bytes = sizeof(said) + n + padding;
}

static void test_bomb(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_part(&made, PROFILE_SEGMENT_BYTES, HUGE_BYTES);
	end_as_is(&made);
	check(take_part, -1);
}

/* It says that its file was smaller than it is, so that it was weighed too light. */
static void test_light(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_part(&made, HUGE_BYTES / 3, MEGABYTE);
	made.index.file_bytes = HUGE_BYTES / 3;
	end_as_is(&made);
	check(take_part, 0);
	begin(&made);
	put_part(&made, HUGE_BYTES / 3, MEGABYTE);
	made.index.file_bytes = 1;
	end_as_is(&made);
	check(take_part, -1);
}

/* As where memory is out: what it leaves is not defined. */
static int is_out;

int __wrap_asprintf(char **to, const char *format, ...);
int __wrap___asprintf_chk(char **to, int flag, const char *format, ...);

static int print(char **to, const char *format, va_list arguments)
{
	if (!is_out)
		return vasprintf(to, format, arguments);
	*to = (char *)&is_out;
	return -1;
}

int __wrap_asprintf(char **to, const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = print(to, format, arguments);
	va_end(arguments);
	return n;
}

int __wrap___asprintf_chk(char **to, int flag, const char *format, ...)
{
	va_list arguments;
	int n;

	(void)flag;
	va_start(arguments, format);
	n = print(to, format, arguments);
	va_end(arguments);
	return n;
}

static void test_no_memory(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	end_as_is(&made);
	is_out = 1;
	check(take_list, -1);
	is_out = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_long_head),
		cmocka_unit_test(test_long_path),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_light),
		cmocka_unit_test(test_no_memory),
	};

	snprintf(path, sizeof(path), "/tmp/ompprof-merged.%u", (unsigned)getpid());
	snprintf(part_path, sizeof(part_path), "%s/a.ompprof", path);
	return cmocka_run_group_tests_name("bounds_merged", tests, NULL, NULL);
}
