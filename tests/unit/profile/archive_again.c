/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging merged files: the bytes are those of merging the profiles themselves. A member that is no profile's is left
 * out, and a merged file of another version is refused in one sentence.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/reader/merged.h"
#include "src/merge/merge_files.h"
#include "src/text/status.h"
#include "tests/unit/scenes/scenes.h"

static char from[64], to[64];

static const char *const scenes[] = { "cg", "faults", "waits", "counted", "native", "plain",
	"crowded", "killed", "events", "eventless", "lossy", "unblamed", "guessed", "long", "empty",
	"target", "timed" };

static int has_no_memory;

/* In place of the C library's. */
int asprintf(char **text, const char *form, ...)
{
	va_list list;
	int n;

	if (has_no_memory) {
		errno = ENOMEM;
		return -1;
	}
	va_start(list, form);
	n = vasprintf(text, form, list);
	va_end(list);
	return n;
}

/* Writes the merged file of so many bytes. */
static void write_merged(const void *bytes, size_t n, uint32_t version)
{
	struct profile_entry entry = { .file_bytes = n };
	struct merged_member member;
	struct merged_writer writer;
	FILE *out = fopen(from, "w+b");

	assert_non_null(out);
	memcpy(&entry.header, bytes, sizeof(entry.header));
	merged_begin(&writer, out);
	writer.header.version = version;
	assert_int_equal(merged_pack(&member, bytes, n), 0);
	assert_int_equal(merged_add(&writer, &entry, "a.ompprof", &member), 0);
	assert_int_equal(merged_end(&writer), 0);
	free(member.bytes);
	merged_release(&writer);
	assert_int_equal(fclose(out), 0);
}

static int merge(void)
{
	static const struct merge_ranks alone = { .size = 1 };
	char *inputs[] = { from };
	struct merge_request request = { .inputs = inputs,
		.n_inputs = 1,
		.output = { .path = to, .is_merged = 1 },
		.n_threads = 1,
		.is_quiet = 1 };

	return merge_files(&request, &alone);
}

static void check_same_files(void)
{
	FILE *left = fopen(from, "rb"), *right = fopen(to, "rb");
	int byte;

	assert_true(left && right);
	do {
		byte = getc(left);
		assert_int_equal(byte, getc(right));
	} while (byte != EOF);
	fclose(left);
	fclose(right);
}

/* The member of the merged file is the profile, byte for byte. */
static void check_member(const struct build *build)
{
	struct profile_bytes file;
	char path[80];
	struct diag diag;

	snprintf(path, sizeof(path), "%s/a.ompprof", to);
	assert_int_equal(profile_load(&file, path, &diag), 0);
	assert_int_equal(file.size, build->size);
	assert_int_equal(file.file_bytes, build->size);
	assert_memory_equal(file.bytes, build->bytes, build->size);
	free(file.bytes);
}

static void test_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		struct build build;

		assert_int_equal(scene_build(&build, scenes[i]), 0);
		write_merged(build.bytes, build.size, MERGED_VERSION);
		assert_int_equal(merge(), STATUS_OK);
		check_same_files();
		check_member(&build);
		build_release(&build);
		unlink(from);
		unlink(to);
	}
}

static void check_refused(void)
{
	assert_int_equal(merge(), STATUS_FAILURE);
	assert_int_equal(access(to, F_OK), -1);
}

/* The checks of the member are right; it is no profile's, or the profile of a later ompprof. */
static void test_spoilt(void **state)
{
	struct build build;

	(void)state;
	assert_int_equal(scene_build(&build, "cg"), 0);
	((struct profile_header *)build.bytes)->version = PROFILE_VERSION + 1;
	write_merged(build.bytes, build.size, MERGED_VERSION);
	check_refused();
	memset(build.bytes, 'x', build.size);
	write_merged(build.bytes, build.size, MERGED_VERSION);
	check_refused();
	build_release(&build);
	unlink(from);
}

/* The reason why a merged file of this version is not read. */
static void check_version(uint32_t version, const char *reason)
{
	struct profile_list list = { 0 };
	struct build build;
	struct diag diag;

	assert_int_equal(scene_build(&build, "cg"), 0);
	write_merged(build.bytes, build.size, version);
	assert_int_equal(profile_list_read(&list, from, &diag), -1);
	assert_non_null(strstr(diag.text, reason));
	check_refused();
	profile_list_release(&list);
	build_release(&build);
	unlink(from);
}

static void test_other_version(void **state)
{
	(void)state;
	check_version(MERGED_VERSION - 1, "merge the profiles anew");
	check_version(MERGED_VERSION + 1, "newer than this ompprof");
}

/* The file is blamed only for what it is to blame for. */
static void test_no_memory(void **state)
{
	struct profile_list list = { 0 };
	struct build build;
	struct diag diag;

	(void)state;
	assert_int_equal(scene_build(&build, "cg"), 0);
	write_merged(build.bytes, build.size, MERGED_VERSION);
	has_no_memory = 1;
	assert_int_equal(merged_list(&list, from, &diag), -1);
	has_no_memory = 0;
	assert_non_null(strstr(diag.text, "Cannot allocate memory"));
	profile_list_release(&list);
	build_release(&build);
	unlink(from);
}

/* Without its true header, which is written last, no reader accepts the file. */
static void test_no_way_back(void **state)
{
	struct merged_writer writer;
	int ends[2];
	FILE *out;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	out = fdopen(ends[1], "wb");
	assert_non_null(out);
	merged_begin(&writer, out);
	assert_int_equal(merged_end(&writer), ESPIPE);
	merged_release(&writer);
	assert_int_equal(fclose(out), 0);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_spoilt),
		cmocka_unit_test(test_other_version),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_no_way_back),
	};

	snprintf(from, sizeof(from), "/tmp/ompprof-again.%u.from", (unsigned)getpid());
	snprintf(to, sizeof(to), "/tmp/ompprof-again.%u.to", (unsigned)getpid());
	return cmocka_run_group_tests_name("merge_again", tests, NULL, NULL);
}
