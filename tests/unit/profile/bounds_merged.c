/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a merged file can cost whoever reads it: files made for the purpose, that say to be larger than they are or
 * that expand to more than anything could be of use for. They are refused, with little memory.
 */
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/reader/merged.h"
#include "tests/unit/scenes/build_profile.h"
#include "tests/unit/profile/in_child.h"

enum {
	MEGABYTE = 1 << 20,
	HUGE_BYTES = 192 * MEGABYTE,
	LITTLE = 48 * MEGABYTE,
};

/* A merged file of one member, in which all can be changed. */
struct made {
	struct merged_header header;
	struct merged_index index;
	struct merged_member member, heads;
	uint64_t file_bytes; /* as large as the file is made, without taking space */
};

static char path[64], member_path[80];

/* What reading it came to. */
struct cost {
	int status;
	uint64_t bytes;
};

/* One head, with a path of so many bytes. */
static void put_heads(struct made *made, size_t n_path)
{
	size_t n = sizeof(struct profile_header) + n_path + 1;
	char *plain = calloc(1, n);

	assert_non_null(plain);
	memset(plain + sizeof(struct profile_header), 'x', n_path);
	free(made->heads.bytes);
	assert_int_equal(merged_pack(&made->heads, (const uint8_t *)plain, n), 0);
	made->header.heads_bytes = made->heads.n;
	made->header.heads_plain = n;
	free(plain);
}

static void begin(struct made *made)
{
	struct build b;

	*made = (struct made){ .header = { .version = MERGED_VERSION,
				       .header_bytes = sizeof(struct merged_header),
				       .index_bytes = sizeof(struct merged_index),
				       .n_members = 1 } };
	memcpy(made->header.magic, MERGED_MAGIC, sizeof(made->header.magic));
	strcpy(made->index.name, "a.ompprof");
	build_begin(&b);
	build_samples(&b, build_root(&b, build_thread(&b, 1)), PROFILE_WORK, 1, 1);
	assert_int_equal(merged_pack(&made->member, (const uint8_t *)b.bytes, b.size), 0);
	made->index.bytes = made->member.n;
	made->index.plain = made->index.file_bytes = b.size;
	build_release(&b);
	put_heads(made, 10);
}

/* Writes the file: places and sizes that were set before stay. */
static void end(struct made *made)
{
	struct merged_header *header = &made->header;
	size_t n_member = made->member.n;
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	made->index.offset = sizeof(*header);
	header->index = sizeof(*header) + n_member;
	header->heads = header->index + sizeof(made->index);
	header->check = lzma_crc32((const uint8_t *)&made->index, sizeof(made->index), 0);
	header->file_bytes = header->heads + made->heads.n;
	fwrite(header, sizeof(*header), 1, out);
	fwrite(made->member.bytes, 1, n_member, out);
	fwrite(&made->index, sizeof(made->index), 1, out);
	fwrite(made->heads.bytes, 1, made->heads.n, out);
	assert_int_equal(fclose(out), 0);
	if (made->file_bytes)
		assert_int_equal(truncate(path, (off_t)made->file_bytes), 0);
	free(made->member.bytes);
	free(made->heads.bytes);
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

static void take_member(const void *data, void *result)
{
	struct profile_bytes file;
	struct cost *cost = result;
	struct diag diag;
	uint64_t before = peak();

	(void)data;
	cost->status = profile_load(&file, member_path, &diag);
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
	end(&made);
	check(take_list, 0);
	begin(&made);
	end(&made);
	check(take_member, 0);
}

/* A path of the executable that is as long as anything. */
static void test_long_head(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_heads(&made, PROFILE_SEGMENT_BYTES - 1);
	end(&made);
	check(take_list, 0);
	begin(&made);
	put_heads(&made, PROFILE_SEGMENT_BYTES);
	end(&made);
	check(take_list, -1);
	begin(&made);
	put_heads(&made, HUGE_BYTES);
	end(&made);
	check(take_list, -1);
}

/* What is written is read, whatever the executable is called. */
static void test_long_path(void **state)
{
	struct profile_entry entry = { .exe = calloc(1, PROFILE_SEGMENT_BYTES + 2) };
	struct merged_writer writer;
	FILE *out = fopen(path, "w+b");
	struct merged_member member;

	(void)state;
	assert_non_null(entry.exe);
	assert_non_null(out);
	memset(entry.exe, 'x', PROFILE_SEGMENT_BYTES + 1);
	merged_begin(&writer, out);
	assert_int_equal(merged_pack(&member, (const uint8_t *)"", 1), 0);
	assert_int_equal(merged_add(&writer, &entry, "a.ompprof", &member), 0);
	free(member.bytes);
	assert_int_equal(merged_end(&writer), 0);
	merged_release(&writer);
	assert_int_equal(fclose(out), 0);
	free(entry.exe);
	check(take_list, 0);
}

/* Heads, indices and members whose sizes are large, in a file that is large without taking space. */
static void test_sparse(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	made.header.heads_bytes = HUGE_BYTES;
	made.file_bytes = HUGE_BYTES + MEGABYTE;
	end(&made);
	check(take_list, -1);

	begin(&made);
	made.header.n_members = HUGE_BYTES / sizeof(struct merged_index);
	made.file_bytes = HUGE_BYTES + MEGABYTE;
	end(&made);
	check(take_list, -1);

	begin(&made);
	made.index.bytes = 4 * (uint64_t)HUGE_BYTES;
	made.file_bytes = made.index.bytes + MEGABYTE;
	end(&made);
	check(take_member, -1);
}

/* The member becomes so many zeros. */
static void put_zeros(struct made *made, size_t n)
{
	uint8_t *zeros = calloc(1, n);

	assert_non_null(zeros);
	free(made->member.bytes);
	assert_int_equal(merged_pack(&made->member, zeros, n), 0);
	made->index.bytes = made->member.n;
	free(zeros);
}

/* A member is larger, or smaller, than the index says: no more than its size in the index is taken. */
static void test_other_size(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_zeros(&made, HUGE_BYTES);
	end(&made);
	check(take_member, -1);
	begin(&made);
	made.index.plain--;
	end(&made);
	check(take_member, -1);
	begin(&made);
	made.index.file_bytes = ++made.index.plain;
	end(&made);
	check(take_member, -1);
}

/* The file of a member was smaller than the member, so that its weight was too small; or larger than any file. */
static void test_light(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	put_zeros(&made, HUGE_BYTES / 6);
	made.index.plain = made.index.file_bytes = HUGE_BYTES / 6;
	end(&made);
	check(take_member, 0);
	begin(&made);
	put_zeros(&made, HUGE_BYTES / 6);
	made.index.plain = HUGE_BYTES / 6;
	made.index.file_bytes = made.index.plain - 1;
	end(&made);
	check(take_member, -1);
	begin(&made);
	put_zeros(&made, PROFILE_MAX_BYTES + 1);
	made.index.plain = made.index.file_bytes = PROFILE_MAX_BYTES + 1;
	end(&made);
	check(take_member, -1);
}

/* A stream whose reader needs much memory, as the dictionary that it names is large. */
static void test_dictionary(void **state)
{
	size_t room = lzma_stream_buffer_bound(MEGABYTE);
	uint8_t *zeros = calloc(1, MEGABYTE);
	struct made made;

	(void)state;
	assert_non_null(zeros);
	begin(&made);
	free(made.member.bytes);
	made.member = (struct merged_member){ .bytes = malloc(room) };
	assert_non_null(made.member.bytes);
	assert_int_equal(lzma_easy_buffer_encode(9, LZMA_CHECK_CRC64, NULL, zeros, MEGABYTE,
				 made.member.bytes, &made.member.n, room),
		LZMA_OK);
	free(zeros);
	made.index.bytes = made.member.n;
	made.index.plain = made.index.file_bytes = MEGABYTE;
	end(&made);
	check(take_member, -1);
}

/* A byte of the member, or of the heads, is another one. */
static void test_changed(void **state)
{
	struct made made;

	(void)state;
	for (size_t i = 1; i < 16; i++) {
		begin(&made);
		made.member.bytes[made.member.n * i / 16] ^= 0x10;
		end(&made);
		check(take_member, -1);
	}
	begin(&made);
	made.heads.bytes[made.heads.n / 2] ^= 1;
	end(&made);
	check(take_list, -1);
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
	end(&made);
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
		cmocka_unit_test(test_other_size),
		cmocka_unit_test(test_light),
		cmocka_unit_test(test_dictionary),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_no_memory),
	};

	snprintf(path, sizeof(path), "/tmp/ompprof-merged.%u", (unsigned)getpid());
	snprintf(member_path, sizeof(member_path), "%s/a.ompprof", path);
	return cmocka_run_group_tests_name("bounds_merged", tests, NULL, NULL);
}
