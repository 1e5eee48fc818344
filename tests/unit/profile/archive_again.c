/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging merged files: a part is copied, whatever made it, but for what nothing of the profile needs; a part that is
 * no profile's is left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "profile/reader/merged.h"
#include "profile/archive/archive_member.h"
#include "src/merge/merge_files.h"
#include "src/text/status.h"
#include "tests/unit/scenes/scenes.h"

enum { MEGABYTE = 1 << 20 };

static char from[64], to[64];

/* A part, and what it was made of. */
struct made {
	struct build build;
	uint8_t *part;
	size_t n;
};

static void make(struct made *made)
{
	assert_int_equal(scene_build(&made->build, "cg"), 0);
	made->part = part_make((const uint8_t *)made->build.bytes, made->build.size, &made->n);
	assert_non_null(made->part);
}

static void release(struct made *made)
{
	free(made->part);
	build_release(&made->build);
	unlink(from);
	unlink(to);
}

/* Writes the merged file of a part. */
static void write_merged(const struct made *made, const uint8_t *part, size_t n, uint32_t version)
{
	struct profile_entry entry = { .file_bytes = made->build.size };
	struct merged_writer writer;
	FILE *out = fopen(from, "w+b");

	assert_non_null(out);
	memcpy(&entry.header, made->build.bytes, sizeof(entry.header));
	merged_begin(&writer, out);
	writer.header.version = version;
	assert_int_equal(merged_add(&writer, &entry, "a.ompprof", part, n), 0);
	assert_int_equal(merged_end(&writer), 0);
	merged_release(&writer);
	assert_int_equal(fclose(out), 0);
}

static int merge(void)
{
	static const struct merge_ranks alone = { .size = 1 };
	char *inputs[] = { from };
	struct merge_request request = {
		.inputs = inputs, .n_inputs = 1, .output = to, .n_threads = 1, .is_quiet = 1
	};

	return merge_files(&request, &alone);
}

/* The part that was written is this one. */
static void check_part(const uint8_t *part, size_t n)
{
	struct merged_header header;
	struct merged_index index;
	FILE *in = fopen(to, "rb");
	uint8_t *got = malloc(n);

	assert_true(in && got);
	assert_int_equal(fread(&header, sizeof(header), 1, in), 1);
	assert_int_equal(header.n_parts, 1);
	assert_int_equal(header.version, MERGED_VERSION);
	assert_int_equal(fseek(in, (long)header.index, SEEK_SET), 0);
	assert_int_equal(fread(&index, sizeof(index), 1, in), 1);
	assert_int_equal(index.bytes, n);
	assert_int_equal(fseek(in, (long)index.offset, SEEK_SET), 0);
	assert_int_equal(fread(got, 1, n, in), n);
	assert_memory_equal(got, part, n);
	free(got);
	fclose(in);
}

/* The same numbers, compressed as no part_make of this ompprof does it; *n bytes, to be freed. */
static uint8_t *compress_otherwise(const struct made *made, size_t *n)
{
	uint64_t n_plain;
	uLongf n_got, n_other;
	uint8_t *plain, *other;

	memcpy(&n_plain, made->part, sizeof(n_plain));
	n_got = n_plain;
	n_other = compressBound(n_plain);
	plain = malloc(n_plain);
	other = malloc(sizeof(n_plain) + n_other);
	assert_true(plain && other);
	assert_int_equal(
		uncompress(plain, &n_got, made->part + sizeof(n_plain), made->n - sizeof(n_plain)),
		Z_OK);
	memcpy(other, &n_plain, sizeof(n_plain));
	assert_int_equal(compress2(other + sizeof(n_plain), &n_other, plain, n_plain, 9), Z_OK);
	free(plain);
	*n = sizeof(n_plain) + n_other;
	assert_int_not_equal(*n, made->n);
	return other;
}

static void test_copied(void **state)
{
	struct made made;
	uint8_t *other;
	size_t n;

	(void)state;
	make(&made);
	other = compress_otherwise(&made, &n);
	write_merged(&made, other, n, MERGED_VERSION);
	assert_int_equal(merge(), STATUS_OK);
	check_part(other, n);
	free(other);
	release(&made);
}

/* Of a version that this ompprof does not write it is made again. */
static void test_other_version(void **state)
{
	struct made made;
	uint8_t *other;
	size_t n;

	(void)state;
	make(&made);
	other = compress_otherwise(&made, &n);
	write_merged(&made, other, n, MERGED_VERSION - 1);
	assert_int_equal(merge(), STATUS_OK);
	check_part(made.part, made.n);
	free(other);
	release(&made);
}

/* Whoever made the file said that a part is large. */
static void test_padded(void **state)
{
	struct made made;
	uint8_t *padded;

	(void)state;
	make(&made);
	padded = calloc(1, made.n + MEGABYTE);
	assert_non_null(padded);
	memcpy(padded, made.part, made.n);
	write_merged(&made, padded, made.n + MEGABYTE, MERGED_VERSION);
	assert_int_equal(merge(), STATUS_OK);
	check_part(made.part, made.n);
	free(padded);
	release(&made);
}

static void check_refused(const struct made *made, size_t n)
{
	write_merged(made, made->part, n, MERGED_VERSION);
	assert_int_equal(merge(), STATUS_FAILURE);
	assert_int_equal(access(to, F_OK), -1);
}

/* The check of each part is right: what it is of is not. */
static void test_spoilt(void **state)
{
	struct profile_header *header;
	struct made made;

	(void)state;
	make(&made);
	check_refused(&made, made.n / 2);
	made.part[made.n / 2] ^= 1;
	check_refused(&made, made.n);
	free(made.part);
	header = (struct profile_header *)made.build.bytes;
	header->version = PROFILE_VERSION + 1;
	made.part = part_make((const uint8_t *)made.build.bytes, made.build.size, &made.n);
	assert_non_null(made.part);
	check_refused(&made, made.n);
	release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copied),
		cmocka_unit_test(test_other_version),
		cmocka_unit_test(test_padded),
		cmocka_unit_test(test_spoilt),
	};

	snprintf(from, sizeof(from), "/tmp/ompprof-again.%u.from", (unsigned)getpid());
	snprintf(to, sizeof(to), "/tmp/ompprof-again.%u.to", (unsigned)getpid());
	return cmocka_run_group_tests_name("merge_again", tests, NULL, NULL);
}
