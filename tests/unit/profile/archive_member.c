/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of merged files: what a part stands for is the profile that it was made of, but for what no reader looks at;
 * the same profile gives the same part, also once more out of itself; damaged ones are refused, or are some profile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "profile/archive/archive_member.h"
#include "profile/reader/reader.h"
#include "tests/unit/scenes/scenes.h"

static const char *const scenes[] = { "cg", "faults", "waits", "counted", "native", "plain",
	"crowded", "killed", "events", "eventless", "lossy", "unblamed", "guessed", "hostile",
	"long", "empty", "target", "timed" };

enum { N_SCENES = sizeof(scenes) / sizeof(scenes[0]) };

/* What a node without a parent takes after the number of paths: 4 of its path, which path it is, and 5 figures. */
enum { N_NODE_NUMBERS = 10 };

/* A part of a file, and the file that comes of that. */
struct both {
	uint8_t *part, *file;
	size_t n_part, size;
};

static void make_both(struct both *both, const void *bytes, size_t size)
{
	struct part_file file;

	both->part = part_make(bytes, size, &both->n_part);
	assert_non_null(both->part);
	assert_int_equal(part_expand(&file, both->part, both->n_part, PROFILE_MAX_BYTES), 0);
	assert_true(file.is_tight);
	both->file = file.bytes;
	both->size = file.size;
}

static void release_both(struct both *both)
{
	free(both->part);
	free(both->file);
}

static void check_node(const uint8_t *a, const uint8_t *b)
{
	struct profile_node left, right;

	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	/* The writer's index. */
	left.child = right.child;
	memcpy(left.link, right.link, sizeof(left.link));
	assert_memory_equal(&left, &right, sizeof(left));
}

static void check_records(const uint8_t *a, const uint8_t *b, const struct profile_segment *segment)
{
	size_t bytes = segment->record_bytes;
	size_t at = bytes > sizeof(*segment) ? bytes : sizeof(*segment);

	for (size_t i = 0; i < segment->used && at + bytes <= PROFILE_SEGMENT_BYTES; i++) {
		if (segment->kind == PROFILE_SEGMENT_NODES)
			check_node(a + at, b + at);
		else
			assert_memory_equal(a + at, b + at, bytes);
		at += bytes;
	}
}

/* All that is used of one file is in the other. */
static void check_file(const uint8_t *a, const uint8_t *b, size_t size)
{
	assert_memory_equal(a, b, sizeof(struct profile_header));
	for (size_t at = PROFILE_SEGMENT_BYTES; at + PROFILE_SEGMENT_BYTES <= size;
		at += PROFILE_SEGMENT_BYTES) {
		struct profile_segment left, right;

		memcpy(&left, a + at, sizeof(left));
		memcpy(&right, b + at, sizeof(right));
		assert_int_equal(left.kind, right.kind);
		assert_int_equal(left.record_bytes, right.record_bytes);
		assert_int_equal(left.used, right.used);
		assert_int_equal(left.owner, right.owner);
		if (left.kind != PROFILE_SEGMENT_FREE)
			check_records(a + at, b + at, &left);
	}
}

static void check_again(const struct both *both)
{
	struct both again;

	make_both(&again, both->file, both->size);
	assert_int_equal(again.n_part, both->n_part);
	assert_memory_equal(again.part, both->part, both->n_part);
	assert_memory_equal(again.file, both->file, both->size);
	release_both(&again);
}

static void test_same(void **state)
{
	for (size_t i = 0; i < N_SCENES; i++) {
		struct build build;
		struct both both;

		assert_int_equal(scene_build(&build, scenes[i]), 0);
		make_both(&both, build.bytes, build.size);
		assert_int_equal(both.size, build.size);
		check_file((const uint8_t *)build.bytes, both.file, build.size);
		check_again(&both);
		assert_true(both.n_part * 4 < build.size);
		release_both(&both);
		build_release(&build);
	}
}

/* A file that ends anywhere: what is left of it is what a reader finds. */
static void test_cut(void **state)
{
	struct build build;

	assert_int_equal(scene_build(&build, "cg"), 0);
	for (size_t size = 0; size <= build.size; size += size < 9000 ? 997 : 7013) {
		struct profile whole, other;
		struct both both;
		struct diag diag;

		make_both(&both, build.bytes, size);
		assert_int_equal(both.size, size);
		check_again(&both);
		if (profile_parse(&whole, build.bytes, size, "x", &diag) == 0) {
			assert_int_equal(profile_parse(&other, both.file, size, "x", &diag), 0);
			assert_int_equal(whole.n_nodes, other.n_nodes);
			assert_int_equal(whole.n_dropped, other.n_dropped);
			assert_int_equal(whole.n_threads, other.n_threads);
			assert_memory_equal(whole.sections, other.sections, sizeof(whole.sections));
			if (whole.n_nodes)
				assert_memory_equal(whole.nodes, other.nodes,
					whole.n_nodes * sizeof(*whole.nodes));
			profile_release(&whole);
			profile_release(&other);
		}
		release_both(&both);
	}
	build_release(&build);
}

/* Nodes whose parents are not what a writer makes are kept as they are. */
static void test_strange_nodes(void **state)
{
	static const uint32_t parents[] = { UINT32_MAX, 0x10000000, 1, 0 };
	struct build twins;
	struct both of_twins;
	uint32_t first;

	/* Two nodes of one path, of which the first has the child. */
	build_begin(&twins);
	first = build_root(&twins, build_thread(&twins, 1));
	build_frame(&twins, first, 0x200, 0);
	build_frame(&twins, first, 0x200, 0);
	build_frame(&twins, first + 1, 0x300, 0);
	make_both(&of_twins, twins.bytes, twins.size);
	check_file((const uint8_t *)twins.bytes, of_twins.file, twins.size);
	release_both(&of_twins);
	build_release(&twins);

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		struct build build;
		struct both both;
		uint32_t id;

		build_begin(&build);
		id = build_frame(&build, build_root(&build, build_thread(&build, 1)), 0x100, 0);
		build_frame(&build, id, 0x200, 0);
		build_frame(&build, build_frame(&build, id, 0x200, 0), 0x300, 0);
		build_node_at(&build, id)->parent = parents[i] ? parents[i] : id + 1;
		make_both(&both, build.bytes, build.size);
		check_file((const uint8_t *)build.bytes, both.file, build.size);
		check_again(&both);
		release_both(&both);
		build_release(&build);
	}
}

static uint64_t next_random(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

static void try_damaged(const uint8_t *part, size_t n)
{
	struct profile profile;
	struct part_file file;
	struct diag diag;

	if (part_expand(&file, part, n, PROFILE_MAX_BYTES) != 0)
		return;
	assert_true(file.size <= n * PART_MOST_TIMES);
	if (profile_parse(&profile, file.bytes, file.size, "x", &diag) == 0)
		profile_release(&profile);
	free(file.bytes);
}

static void test_damaged(void **state)
{
	uint64_t random = 1;
	struct build build;
	struct both both;

	assert_int_equal(scene_build(&build, "timed"), 0);
	make_both(&both, build.bytes, build.size);
	for (size_t n = 0; n < both.n_part; n += 1 + n / 16)
		try_damaged(both.part, n);
	for (int i = 0; i < 2000; i++) {
		size_t at = next_random(&random) % both.n_part;
		uint8_t former = both.part[at];

		both.part[at] ^= (uint8_t)(1 + next_random(&random) % 255);
		try_damaged(both.part, both.n_part);
		both.part[at] = former;
	}
	release_both(&both);
	build_release(&build);
}

/* The numbers of a part, to be freed. */
static uint8_t *numbers_of(const uint8_t *part, size_t n, uint64_t *n_plain)
{
	uint8_t *plain;
	uLongf n_got;

	memcpy(n_plain, part, sizeof(*n_plain));
	n_got = *n_plain;
	plain = malloc(n_got);
	assert_non_null(plain);
	assert_int_equal(
		uncompress(plain, &n_got, part + sizeof(*n_plain), n - sizeof(*n_plain)), Z_OK);
	return plain;
}

/* Whether a part that stands for this file is tight. */
static int is_tight(const uint8_t *part, size_t n, const struct both *both)
{
	struct part_file file;

	assert_int_equal(part_expand(&file, part, n, PROFILE_MAX_BYTES), 0);
	assert_int_equal(file.size, both->size);
	assert_memory_equal(file.bytes, both->file, both->size);
	free(file.bytes);
	return file.is_tight;
}

/* The part, compressed in another way. */
static void check_other_level(const struct both *both)
{
	uint64_t n_plain;
	uint8_t *plain = numbers_of(both->part, both->n_part, &n_plain), *part;
	uLongf n = compressBound(n_plain);

	part = malloc(sizeof(n_plain) + n);
	assert_non_null(part);
	memcpy(part, &n_plain, sizeof(n_plain));
	assert_int_equal(compress2(part + sizeof(n_plain), &n, plain, n_plain, 9), Z_OK);
	assert_true(sizeof(n_plain) + n < both->n_part);
	assert_true(is_tight(part, sizeof(n_plain) + n, both));
	free(plain);
	free(part);
}

/* The part with so many blocks of nothing in it, and so many zeros behind it. */
static int is_tight_with(const struct both *both, size_t n_blocks, size_t n_behind)
{
	static const uint8_t empty[] = { 0, 0, 0, 0xff, 0xff };
	/* The number, and zlib's header. */
	size_t at = sizeof(uint64_t) + 2, n = both->n_part + n_blocks * sizeof(empty) + n_behind;
	uint8_t *part = calloc(1, n);
	int is;

	assert_non_null(part);
	memcpy(part, both->part, at);
	for (size_t i = 0; i < n_blocks; i++)
		memcpy(part + at + i * sizeof(empty), empty, sizeof(empty));
	memcpy(part + at + n_blocks * sizeof(empty), both->part + at, both->n_part - at);
	is = is_tight(part, n, both);
	free(part);
	return is;
}

/* A part with more in it than its file stands for the same one, but is not to be copied. */
static void test_tight(void **state)
{
	struct build build;
	struct both both;

	(void)state;
	assert_int_equal(scene_build(&build, "cg"), 0);
	make_both(&both, build.bytes, build.size);
	check_other_level(&both);
	assert_true(is_tight_with(&both, 0, 0));
	assert_true(is_tight_with(&both, 1, 0));
	assert_false(is_tight_with(&both, build.size, 0));
	assert_false(is_tight_with(&both, 0, 1));
	release_both(&both);
	build_release(&build);
}

/* What is between a segment that says to have one node, and the end, of a file of two segments. */
static int expand_nodes(uint8_t n_paths, size_t n_more, int *is_tight)
{
	static const uint8_t segment[] = { PROFILE_SEGMENT_NODES, PROFILE_NODE_BYTES, 1, 1 };
	uint64_t n_plain = 3 + sizeof(struct profile_header) + sizeof(segment) + 2 + n_more;
	uint8_t *plain = calloc(1, n_plain), *at = plain, *part;
	uLongf n = compressBound(n_plain);
	struct part_file file;
	int status;

	part = malloc(sizeof(n_plain) + n);
	assert_true(plain && part);
	/* 2 * PROFILE_SEGMENT_BYTES */
	*at++ = 0x80;
	*at++ = 0x80;
	*at++ = 2;
	at += sizeof(struct profile_header);
	memcpy(at, segment, sizeof(segment));
	at[sizeof(segment) + 1] = n_paths;
	memcpy(part, &n_plain, sizeof(n_plain));
	assert_int_equal(compress2(part + sizeof(n_plain), &n, plain, n_plain, 1), Z_OK);
	status = part_expand(&file, part, sizeof(n_plain) + n, PROFILE_MAX_BYTES);
	*is_tight = file.is_tight;
	free(file.bytes);
	free(plain);
	free(part);
	return status;
}

/* No more is taken than files come to: bytes of a part, and paths that no node has. */
static void test_too_much(void **state)
{
	int is_tight;

	assert_int_equal(expand_nodes(1, 1000, &is_tight), 0);
	assert_false(is_tight);
	assert_int_equal(expand_nodes(1, N_NODE_NUMBERS, &is_tight), 0);
	assert_true(is_tight);
	assert_int_equal(expand_nodes(2, 1000, &is_tight), -1);
	assert_int_equal(expand_nodes(1, 8 * PROFILE_SEGMENT_BYTES, &is_tight), -1);
}

/* A file that is larger than it may be. */
static void test_most(void **state)
{
	struct build build;
	struct part_file file;
	uint8_t *part;
	size_t n;

	assert_int_equal(scene_build(&build, "cg"), 0);
	part = part_make((const uint8_t *)build.bytes, build.size, &n);
	assert_non_null(part);
	assert_int_equal(part_expand(&file, part, n, build.size - 1), -1);
	assert_null(file.bytes);
	free(part);
	build_release(&build);
}

/* A file of empty segments: its part is made as large as a file of its size has to have, and what it lacks of that is 0. */
static void test_empty_segments(void **state)
{
	size_t size = 200 * PROFILE_SEGMENT_BYTES;
	uint8_t *file = calloc(1, size);
	struct both both;

	assert_non_null(file);
	make_both(&both, file, size);
	assert_int_equal(both.size, size);
	assert_true(both.n_part >= size / PART_MOST_TIMES);
	assert_memory_equal(both.file, file, size);
	assert_int_equal(both.part[both.n_part - 1], 0);
	both.part[both.n_part - 1] = 1;
	assert_false(is_tight(both.part, both.n_part, &both));
	release_both(&both);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_strange_nodes),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_tight),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_empty_segments),
	};

	return cmocka_run_group_tests_name("part", tests, NULL, NULL);
}
