/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree: nothing is lost, whatever the profile is like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/tree/tree_builder.h"
#include "tests/unit/profile/check_profile.h"
#include "tests/unit/attribution/check_tree.h"

static void test_nothing_is_lost(void **state)
{
	uint64_t random = 42;

	for (int round = 0; round < 500; round++) {
		struct build b;

		build_program(&b);
		build_random(&b, &random, round % 2);
		for (int variant = 0; variant < 4; variant++)
			check_view(&b, variant & 1 ? TREE_FULL : TREE_USER, variant >> 1, NULL);
		build_release(&b);
	}
}

/* A chain of 22,000 nodes through regions of two threads in turn. */
static void test_deep(void **state)
{
	struct build b;
	uint32_t at;

	build_program(&b);
	build_thread(&b, 1);
	build_thread(&b, 2);
	at = build_root(&b, 1);
	for (uint32_t i = 0; i < 1000; i++) {
		for (uint32_t j = 0; j < 20; j++)
			at = build_frame(&b, at, USER + j, 0);
		at = build_context(&b, 1 + i % 2, build_region(&b, at, USER + i, 1));
	}
	build_samples(&b, at, PROFILE_WORK, 1, 1);
	for (int variant = 0; variant < 4; variant++)
		check_view(&b, variant & 1 ? TREE_FULL : TREE_USER, variant >> 1, NULL);
	build_release(&b);
}

static void test_mutations(void **state)
{
	uint64_t random = 20260102;
	struct build b;
	unsigned char *original;

	build_every_kind(&b, 3);
	original = malloc(b.size);
	memcpy(original, b.bytes, b.size);
	for (int i = 0; i < 5000; i++) {
		struct profile profile;
		struct diag diag;

		memcpy(b.bytes, original, b.size);
		mutate_file(b.bytes, b.size, &random);
		if (profile_parse(&profile, b.bytes, b.size, "x", &diag))
			continue;
		profile_release(&profile);
		for (int variant = 0; variant < 4; variant++)
			check_view(&b, variant & 1 ? TREE_FULL : TREE_USER, variant >> 1, NULL);
	}
	free(original);
	build_release(&b);
}

/* Enough children that many share a place in the hash table. */
static void test_children_are_told_apart(void **state)
{
	struct tree_builder tree_builder;
	uint32_t expected = 1;

	tree_builder_init(&tree_builder);
	for (int round = 0; round < 2; round++) {
		expected = 1;
		for (uint32_t i = 0; i < 100000; i++) {
			struct tree_builder_child child = {
				.kind = TREE_WAIT, .class = i % 11, .addr = i / 11 % 13
			};

			assert_int_equal(
				tree_builder_child(&tree_builder, i / 11 / 13, &child), expected++);
		}
	}
	assert_int_equal(tree_builder.tree.n_nodes, 100001);
	tree_release(&tree_builder.tree);
	tree_builder_finish(&tree_builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_lost),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_children_are_told_apart),
	};

	return cmocka_run_group_tests_name("attribution_random", tests, NULL, NULL);
}
