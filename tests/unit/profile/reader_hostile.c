/* SPDX-License-Identifier: Apache-2.0 */
/* The profile reader: no bytes whatever can hurt it, and no sample is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"

static struct diag diag;

static void test_unreachable_nodes(void **state)
{
	struct profile profile;
	uint32_t one, other, orphan;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	one = build_frame(&b, build_root(&b, 1), 1, 0);
	other = build_frame(&b, one, 2, 0);
	build_node_at(&b, one)->parent = other;
	build_samples(&b, build_frame(&b, other, 3, 0), PROFILE_WORK, 10, 100);
	orphan = build_frame(&b, build_root(&b, 1), 4, 0);
	build_node_at(&b, orphan)->parent = 0x7fffffff;
	build_samples(&b, orphan, PROFILE_IDLE, 20, 200);
	build_samples(
		&b, build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1), PROFILE_WORK, 2, 2);
	orphan = build_region(&b, orphan, 5, 1);
	build_context(&b, 1, orphan);
	parse_and_check(&profile, &b);
	assert_int_equal(samples_in_profile(&profile), 33);
	assert_int_equal(profile.n_dropped, 8);
	assert_int_equal(profile.n_nodes, 1 + 4 + 1);
	for (size_t i = 1; i < profile.n_nodes; i++)
		assert_int_equal(profile.nodes[i].parent, 0);
	assert_int_equal(find_node(&profile, PROFILE_NODE_CONTEXT, orphan)->context, UINT32_MAX);
	profile_release(&profile);
	build_release(&b);
}

static void test_missing_threads(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	build_segment_at(&b, b.thread_segment)->kind = PROFILE_SEGMENT_FREE;
	build_segment_at(&b, b.node_segment[2])->owner = 0;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_threads, 2);
	assert_int_equal(profile.threads[0].index, 0);
	assert_int_equal(profile.threads[1].index, 1);
	assert_int_equal(profile.n_nodes, 18);
	profile_release(&profile);
	build_release(&b);
}

static void test_lost_samples_make_a_root(void **state)
{
	struct profile profile;
	struct build b;

	build_begin(&b);
	build_thread(&b, 1);
	build_samples(&b, build_root(&b, 1), PROFILE_WORK, 3, 3);
	build_node_at(&b, build_root(&b, 1))->kind = 99;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_nodes, 2);
	assert_int_equal(profile.nodes[0].kind, PROFILE_NODE_THREAD);
	assert_int_equal(profile.nodes[0].addr, 1);
	profile_release(&profile);
	build_release(&b);
}

/* Calls 1 and 2 are good; call 2 is there twice. Other records make no sense, or were never complete. */
static void test_collectives(void **state)
{
	struct profile profile;
	struct build b;
	uint32_t calls;

	build_every_kind(&b, 0);
	build_header(&b)->start_ticks = 100;
	calls = build_segment(&b, PROFILE_SEGMENT_COLLECTIVES, 0);
	build_segment_at(&b, calls - 1)->used = 0;
	build_collective(&b, calls, 2, 120, 130, 0);
	build_collective(&b, calls, 1, 100, 110, 0);
	build_collective(&b, calls, 0, 140, 0, 0);
	build_collective(&b, calls, 2, 120, 130, 0);
	build_collective(&b, calls, 3, 99, 110, 0);
	build_collective(&b, calls, 4, 120, 119, 0);
	build_collective(&b, calls, 5, 120, UINT64_MAX, 0);
	build_collective(&b, calls, 6, 120, 130, 0);
	build_header(&b)->collectives.n = 5;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.collectives.n, 2);
	assert_int_equal(profile.n_dropped, 5);
	profile_release(&profile);

	build_header(&b)->collectives.level = 1;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.collectives.n, 1);
	assert_int_equal(profile.collectives.all[0].number, profile_is_kept(1, 1) ? 1 : 2);
	profile_release(&profile);

	build_segment_at(&b, calls)->record_bytes = 31;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.collectives.n, 0);
	assert_int_equal(profile.n_dropped, 1);
	profile_release(&profile);
	build_release(&b);
}

static void test_claims_beyond_the_file(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	build_segment(&b, PROFILE_SEGMENT_FREE, 1);
	parse_and_check(&profile, &b);
	assert_false(profile.is_truncated);
	profile_release(&profile);

	build_header(&b)->n_segments = UINT32_MAX;
	build_segment_at(&b, b.node_segment[1])->used = UINT32_MAX;
	build_segment_at(&b, b.thread_segment)->record_bytes = 1;
	parse_and_check(&profile, &b);
	assert_true(profile.is_truncated);
	assert_true(profile.n_dropped >= 2);
	profile_release(&profile);
	build_release(&b);
}

/* As large as it says, without taking space: no more than a profile can be is read. */
static void test_huge_file(void **state)
{
	char path[] = "/tmp/ompprof-huge.XXXXXX";
	int fd = mkstemp(path);
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	build_header(&b)->n_segments = UINT32_MAX;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, b.bytes, b.size), b.size);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
	assert_int_equal(profile_open(&profile, path, &diag), 0);
	unlink(path);
	check_profile(&profile);
	assert_true(profile.is_truncated);
	assert_int_equal(samples_in_profile(&profile), 8);
	profile_release(&profile);
	build_release(&b);
}

static void test_bad_values(void **state)
{
	struct profile profile;
	struct build b;
	uint32_t samples;

	build_every_kind(&b, 0);
	samples = build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1);
	build_node_at(&b, samples)->addr = 77;
	memset(build_header(&b)->tool, 'x', sizeof(build_header(&b)->tool));
	memset(build_module_at(&b, 1)->path, 'y', sizeof(build_module_at(&b, 1)->path));
	build_module_at(&b, 1)->build_id_bytes = 5000;
	memset(build_thread_at(&b, 1)->name, 'z', 16);
	build_segment_at(&b, b.text_segment)->used -= 2;
	build_module(&b, "empty", 10, 10, 0);
	build_thread_at(&b, build_thread(&b, 1))->index = 2;
	build_thread_at(&b, build_thread(&b, 1))->index = 0;
	build_node_at(&b, build_root(&b, 1))->addr = 999;
	parse_and_check(&profile, &b);
	assert_int_equal(strlen(profile.header.tool), 31);
	assert_int_equal(strlen(profile.modules[0].path), 899);
	assert_int_equal(profile.modules[0].build_id_bytes, 0);
	assert_int_equal(strlen(profile.threads[0].name), 15);
	assert_string_equal(profile.program.cwd, "/tm");
	assert_int_equal(profile.n_modules, 1);
	assert_int_equal(profile.n_dropped, 3);
	assert_non_null(find_node(&profile, PROFILE_NODE_THREAD, 1));
	assert_null(find_node(&profile, PROFILE_NODE_THREAD, 999));
	profile_release(&profile);
	build_release(&b);
}

static void test_truncated_everywhere(void **state)
{
	struct build b;

	build_every_kind(&b, 2);
	for (size_t size = 0; size <= b.size; size += 16) {
		unsigned char *copy = malloc(size ? size : 1);
		struct profile profile;

		memcpy(copy, b.bytes, size);
		if (profile_parse(&profile, copy, size, "x", &diag)) {
			assert_true(size < sizeof(struct profile_header));
		} else {
			check_profile(&profile);
			assert_int_equal(profile.is_truncated, size < b.size);
			assert_int_equal(samples_in_profile(&profile), samples_in_file(copy, size));
		}
		profile_release(&profile);
		free(copy);
	}
	build_release(&b);
}

static void test_cut_in_a_first_record(void **state)
{
	struct profile profile;
	struct build b;

	build_every_kind(&b, 0);
	assert_true(b.thread_segment < b.node_segment[1]);
	for (size_t bytes = 64; bytes <= 2 * PROFILE_THREAD_BYTES; bytes += 64) {
		size_t size = (size_t)b.thread_segment * PROFILE_SEGMENT_BYTES + bytes;

		assert_int_equal(profile_parse(&profile, b.bytes, size, "x", &diag), 0);
		assert_int_equal(profile.n_threads, bytes == 2 * PROFILE_THREAD_BYTES);
		profile_release(&profile);
	}
	build_release(&b);
}

static void test_mutations(void **state)
{
	uint64_t random = 20260101;
	struct build b;
	unsigned char *copy;
	int n_read = 0;

	build_every_kind(&b, 3);
	build_thread_at(&b, 1)->now = (struct profile_now){ .team = 1, .wait = 1, .since = 2 };
	copy = malloc(b.size);
	for (int i = 0; i < 20000; i++) {
		struct profile profile;

		memcpy(copy, b.bytes, b.size);
		mutate_file(copy, b.size, &random);
		if (i % 2) /* of a program that was killed */
			((struct profile_header *)copy)->flags &= ~(uint32_t)PROFILE_COMPLETE;
		if (profile_parse(&profile, copy, b.size, "x", &diag) == 0) {
			check_profile(&profile);
			assert_int_equal(
				samples_in_profile(&profile), samples_in_file(copy, b.size));
			n_read++;
		}
		profile_release(&profile);
	}
	assert_true(n_read > 10000);
	free(copy);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unreachable_nodes),
		cmocka_unit_test(test_missing_threads),
		cmocka_unit_test(test_lost_samples_make_a_root),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_claims_beyond_the_file),
		cmocka_unit_test(test_huge_file),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_truncated_everywhere),
		cmocka_unit_test(test_cut_in_a_first_record),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests_name("reader_hostile", tests, NULL, NULL);
}
