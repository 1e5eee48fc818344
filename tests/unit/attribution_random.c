/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree: nothing is lost, whatever the profile is like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/grow.h"
#include "tests/unit/check_profile.h"
#include "tests/unit/check_tree.h"

/* One more node of a random kind under a random parent; contexts may stand for anything. */
static int is_leaf(uint8_t kind)
{
	return kind == PROFILE_NODE_SAMPLES || kind == PROFILE_NODE_WAIT ||
	       kind == PROFILE_NODE_BLAME;
}

static void build_random_node(struct build *b, uint32_t *ids, size_t n, uint64_t *random)
{
	uint32_t parent = ids[next_random(random) % n];
	uint64_t addr = 0x10000 * (1 + next_random(random) % 7) + next_random(random) % 3;
	uint32_t thread = 1 + (uint32_t)(next_random(random) % b->n_threads);

	uint8_t wait = (uint8_t)(1 + next_random(random) % (PROFILE_N_WAITS - 1));
	uint64_t key = PROFILE_WAIT_KEY(wait, ids[next_random(random) % n]);

	if (is_leaf(build_node_at(b, parent)->kind))
		parent = build_root(b, thread);
	switch (next_random(random) % 11) {
	case 0:
		ids[n] = build_region(b, parent, addr, 1);
		break;
	case 1:
		ids[n] = build_task(b, parent, addr, 1);
		break;
	case 2:
		ids[n] = build_context(b, thread, ids[next_random(random) % n]);
		break;
	case 3:
		ids[n] = build_truncated(b, parent, addr % PROFILE_WALK_N_ENDS);
		break;
	case 4:
	case 5:
		ids[n] = build_samples(
			b, parent, addr % PROFILE_N_CLASSES, 1 + (uint32_t)(addr % 5), addr);
		break;
	case 6:
		ids[n] = build_wait(b, parent, wait, key % 3, 1 + (uint32_t)(addr % 7), addr);
		break;
	case 7:
		if (build_node_at(b, parent)->kind == PROFILE_NODE_FRAME && wait % 2)
			key = PROFILE_WAIT_KEY(wait, key % 3);
		ids[n] = build_blame(
			b, parent, key, (uint8_t)(addr % 2), 1 + (uint32_t)(addr % 30), addr / 2);
		break;
	default:
		ids[n] = build_frame(b, parent, addr, (uint8_t)(next_random(random) % 16));
	}
	if (build_node_at(b, ids[n])->kind == PROFILE_NODE_SAMPLES)
		build_node_at(b, ids[n])->events = addr + 1;
}

/* Makes contexts stand for regions that came later, so that rings arise. */
static void redirect_contexts(struct build *b, const uint32_t *ids, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++) {
		struct profile_node *node = build_node_at(b, ids[i]);

		if (node->kind != PROFILE_NODE_CONTEXT)
			continue;
		for (int tries = 0; tries < 20; tries++) {
			uint32_t id = ids[next_random(random) % n];
			uint8_t kind = build_node_at(b, id)->kind;

			if (kind == PROFILE_NODE_REGION || kind == PROFILE_NODE_TASK)
				node->addr = id;
		}
	}
}

static void test_nothing_is_lost(void **state)
{
	uint64_t random = 42;
	uint32_t ids[400];

	for (int round = 0; round < 500; round++) {
		size_t n = 0, n_nodes = 20 + next_random(&random) % 380;
		struct build b;

		build_program(&b);
		b.max_records = 1 + (uint32_t)(next_random(&random) % 100);
		while (n < 3) {
			uint32_t thread = build_thread(&b, (uint32_t)n);

			ids[n++] = build_root(&b, thread);
		}
		for (; n < n_nodes; n++)
			build_random_node(&b, ids, n, &random);
		if (round % 2)
			redirect_contexts(&b, ids, n, &random);
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
	struct grower grower;
	uint32_t expected = 1;

	grow_init(&grower);
	for (int round = 0; round < 2; round++) {
		expected = 1;
		for (uint32_t i = 0; i < 100000; i++) {
			struct grow_child child = {
				.kind = TREE_WAIT, .class = i % 11, .addr = i / 11 % 13
			};

			assert_int_equal(grow_child(&grower, i / 11 / 13, &child), expected++);
		}
	}
	assert_int_equal(grower.tree.n_nodes, 100001);
	tree_release(&grower.tree);
	grow_finish(&grower);
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
