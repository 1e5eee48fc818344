/* SPDX-License-Identifier: Apache-2.0 */
/* Settled blame and measured waits in the tree: figures computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/tree/scale_blame.h"
#include "tests/unit/attribution/check_tree.h"

static struct build b;
static uint32_t region, frame[3]; /* of threads 1 and 2 in the region */

static void begin(void)
{
	region = build_main_region(&b, 2);
	for (uint32_t i = 1; i <= 2; i++)
		frame[i] = build_frame(&b, build_context(&b, i, region), USER + 0x100 * (i + 1), 0);
}

/* The scaled blame of node `id` of the file, or -1 if it is no blame; and its pool. */
static int64_t scaled(uint32_t id, struct scale_blame_pool *pool)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct blame_scale blame_scale;
	struct profile profile;
	struct diag diag;
	struct tree tree;
	int64_t ns = -1;

	/* The node is known by its number of samples, which is no other's. */
	assert_int_equal(profile_parse(&profile, b.bytes, b.size, "x", &diag), 0);
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	assert_int_equal(scale_blame_make(&blame_scale, &profile, &tree), 0);
	for (size_t p = 0; p < blame_scale.n_pools; p++) {
		const struct scale_blame_pool *one = &blame_scale.pools[p];
		uint64_t sum = 0;

		for (size_t i = one->first; i < one->first + one->n_entries; i++) {
			const struct scale_blame_entry *entry = &blame_scale.entries[i];

			if (!entry->is_blame)
				continue;
			sum += entry->ns;
			if (profile.nodes[entry->node].n != build_node_at(&b, id)->n)
				continue;
			ns = (int64_t)entry->ns;
			*pool = *one;
		}
		assert_int_equal(sum, one->blamed_ns);
	}
	scale_blame_release(&blame_scale);
	tree_release(&tree);
	profile_release(&profile);
	return ns;
}

static void test_team(void **state)
{
	static const struct {
		uint64_t wait, raw[2];
		uint32_t n[2];
		int64_t scaled[2];
	} rows[] = {
		/* A little less than measured: 1.01 + 3 / sqrt(150) is 1.25. */
		{ 1000, { 600, 300 }, { 100, 50 }, { 666, 334 } },
		/* More than measured. */
		{ 1000, { 4000, 1000 }, { 100, 50 }, { 800, 200 } },
		/* Far less: 1.01 + 3 / sqrt(899) is 1.11. So the rest was nobody's. */
		{ 1000, { 200, 100 }, { 450, 449 }, { 200, 100 } },
		/* The same with few samples: twelve are one of 16, and not three times as much. */
		{ 1000, { 40, 20 }, { 8, 4 }, { 40, 20 } },
		{ 0, { 200, 100 }, { 450, 449 }, { 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t key;
		struct scale_blame_pool pool;
		uint32_t blame[2];

		begin();
		key = PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region);
		build_wait(&b, frame[2], PROFILE_BARRIER_CLOSING, 0, 9, rows[i].wait);
		build_wait(&b, frame[2], PROFILE_TASKWAIT, 0, 9, 77);
		for (int j = 0; j < 2; j++)
			blame[j] = build_blame(&b, frame[1], key, 0, rows[i].n[j], rows[i].raw[j]);
		for (int j = 0; j < 2; j++)
			assert_int_equal(scaled(blame[j], &pool), rows[i].scaled[j]);
		assert_int_equal(pool.kind, PROFILE_BARRIER_CLOSING);
		assert_int_equal(pool.wait_ns, rows[i].wait);
		assert_int_equal(pool.n, 9);
		build_release(&b);
	}
}

/* Each construct of a region is blamed apart, unless no blame tells the construct. */
static void test_constructs(void **state)
{
	static const struct {
		uint32_t sites[2];
		int64_t scaled[2];
		uint64_t n;
	} rows[] = {
		{ { USER + 0x301, USER + 0x302 }, { 500, 100 }, 3 },
		{ { USER + 0x302, USER + 0x301 }, { 100, 500 }, 5 },
		{ { 0, 0 }, { 350, 350 }, 8 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t context, blame[2];
		struct scale_blame_pool pool;

		begin();
		context = build_context(&b, 2, region);
		build_wait(&b, build_frame(&b, context, USER + 0x301, 0), PROFILE_BARRIER_WORKSHARE,
			0, 3, 600);
		build_wait(&b, build_frame(&b, context, USER + 0x302, 0), PROFILE_BARRIER_WORKSHARE,
			0, 5, 100);
		for (int j = 0; j < 2; j++)
			blame[j] = build_blame(&b, build_frame(&b, frame[1], USER + 0x210 + j, 0),
				PROFILE_WAIT_KEY(PROFILE_BARRIER_WORKSHARE,
					PROFILE_TEAM_ID(region, rows[i].sites[j])),
				0, 50000 + j, 500);
		assert_int_equal(scaled(blame[1], &pool), rows[i].scaled[1]);
		assert_int_equal(scaled(blame[0], &pool), rows[i].scaled[0]);
		assert_int_equal(pool.n, rows[i].n);
		build_release(&b);
	}
}

/* A holder without a CPU: that part is measured, and comes before the places that samples tell. */
static void test_mutex_no_cpu(void **state)
{
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_CRITICAL, 0x77);
	struct scale_blame_pool pool;
	uint32_t release, sampled, late;

	begin();
	build_wait(&b, frame[2], PROFILE_CRITICAL, 0x77, 1, 1000);
	release = build_blame(&b, frame[1], key, 0, 5, 2000);
	sampled = build_blame(&b, frame[1], key, PROFILE_BLAME_SAMPLED, 20, 77);
	late = build_blame(
		&b, frame[1], key, PROFILE_BLAME_SAMPLED | PROFILE_BLAME_NO_CPU, 3, 1500);
	assert_int_equal(scaled(late, &pool), 750);
	assert_int_equal(scaled(sampled, &pool), 250);
	assert_int_equal(scaled(release, &pool), 0);
	build_node_at(&b, sampled)->n = 9;
	assert_int_equal(scaled(release, &pool), 250);
	build_release(&b);
}

/* Waits of an inner team are no business of the outer one's. */
static void test_nested(void **state)
{
	uint32_t inner, outer_blame, inner_blame, inner_frame;
	struct scale_blame_pool pool;

	begin();
	inner = build_region(&b, frame[2], USER + 0x304, 1);
	inner_frame = build_frame(&b, build_context(&b, 1, inner), USER + 0x400, 0);
	build_wait(&b, frame[1], PROFILE_BARRIER_EXPLICIT, 0, 1, 500);
	build_wait(&b, inner_frame, PROFILE_BARRIER_EXPLICIT, 0, 1, 30);
	outer_blame = build_blame(
		&b, inner_frame, PROFILE_WAIT_KEY(PROFILE_BARRIER_EXPLICIT, region), 0, 8, 500);
	inner_blame = build_blame(
		&b, inner_frame, PROFILE_WAIT_KEY(PROFILE_BARRIER_EXPLICIT, inner), 0, 7, 60);
	assert_int_equal(scaled(outer_blame, &pool), 500);
	assert_int_equal(scaled(inner_blame, &pool), 30);
	build_release(&b);
}

static void test_mutex(void **state)
{
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_CRITICAL, 0xabc);
	uint32_t released[2], sampled[4];
	struct scale_blame_pool pool;

	begin();
	build_wait(&b, frame[1], PROFILE_CRITICAL, 0xabc, 5, 600);
	build_wait(&b, frame[2], PROFILE_CRITICAL, 0xabc, 5, 400);
	build_wait(&b, frame[2], PROFILE_CRITICAL, 0xdef, 5, 123);
	/* Thread 1: 11 samples tell where; thread 2: 9 are too few. */
	released[0] = build_blame(&b, frame[1], key, 0, 70, 1400);
	sampled[0] = build_blame(&b, frame[1], key, PROFILE_BLAME_SAMPLED, 4, 30);
	sampled[1] = build_blame(&b, frame[1], key, PROFILE_BLAME_SAMPLED, 7, 70);
	released[1] = build_blame(&b, frame[2], key, 0, 30, 600);
	sampled[2] = build_blame(&b, frame[2], key, PROFILE_BLAME_SAMPLED, 9, 5000);
	assert_int_equal(scaled(released[0], &pool), 0);
	assert_int_equal(scaled(sampled[0], &pool), 210);
	assert_int_equal(scaled(sampled[1], &pool), 490);
	assert_int_equal(scaled(released[1], &pool), 300);
	assert_int_equal(scaled(sampled[2], &pool), 0);
	assert_int_equal(pool.wait_ns, 1000);
	assert_int_equal(pool.wait_id, 0xabc);
	assert_int_equal(pool.region, UINT32_MAX);
	build_release(&b);

	/* Without any release, samples are all there is. */
	begin();
	build_wait(&b, frame[1], PROFILE_CRITICAL, 0xabc, 5, 1000);
	sampled[3] = build_blame(&b, frame[2], key, PROFILE_BLAME_SAMPLED, 9, 100);
	assert_int_equal(scaled(sampled[3], &pool), 100);
	build_release(&b);
}

static void test_idle(void **state)
{
	struct scale_blame_pool pool;
	uint32_t blame;

	begin();
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BEFORE, 0, 1, 100);
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BETWEEN, 0, 2, 20);
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_AFTER, 0, 1, 3);
	blame = build_blame(
		&b, build_root(&b, 1), PROFILE_WAIT_KEY(PROFILE_IDLE_BEFORE, 0), 0, 100, 120);
	assert_int_equal(scaled(blame, &pool), 123);
	assert_int_equal(pool.kind, PROFILE_IDLE_BETWEEN);
	assert_int_equal(pool.n, 4);
	build_release(&b);
}

/* Blame that names a region that the file does not hold is for nobody's waiting. */
static void test_no_region(void **state)
{
	struct scale_blame_pool pool;
	uint32_t blame;

	begin();
	build_wait(&b, frame[1], PROFILE_TASKGROUP, 0, 1, 100);
	blame = build_blame(&b, frame[1], PROFILE_WAIT_KEY(PROFILE_TASKGROUP, 1), 0, 5, 100);
	assert_int_equal(scaled(blame, &pool), 0);
	assert_int_equal(pool.region, UINT32_MAX);
	build_release(&b);
}

static void test_huge(void **state)
{
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_LOCK, 1);
	struct scale_blame_pool pool;

	begin();
	for (uint32_t i = 0; i < 40; i++) {
		build_wait(&b, frame[1], PROFILE_LOCK, 1, 1, UINT64_MAX);
		build_blame(&b, frame[1], key, 0, 1, UINT64_MAX - i);
	}
	assert_true(scaled(build_blame(&b, frame[2], key, 0, 7, 1), &pool) >= 0);
	assert_int_equal(pool.wait_ns, PROFILE_MOST_SUM);
	build_release(&b);
}

static void build_tree(void)
{
	begin();
	build_samples(&b, frame[1], PROFILE_WORK, 5, 500);
	build_samples(&b, frame[2], PROFILE_WAIT_BARRIER, 2, 200);
	build_samples(&b, frame[2], PROFILE_WAIT_LOCK, 1, 100);
	build_wait(&b, frame[2], PROFILE_BARRIER_CLOSING, 0, 3, 450);
	build_wait(&b, frame[2], PROFILE_BARRIER_EXPLICIT, 0, 4, 40);
	build_wait(&b, frame[2], PROFILE_REDUCTION, 0, 1, 9);
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BETWEEN, 0, 2, 70);
	build_blame(&b, build_frame(&b, frame[1], RUNTIME + 1, 0),
		PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region), 0, 5, 500);
}

static void test_tree(void **state)
{
	build_tree();
	check_view(&b, TREE_USER, 0,
		"root\n"
		" frame 10100\n"
		"  region 10104 x3\n"
		"   frame 10200 n=5 work=500 blame-closing:450\n"
		"   frame 10300\n"
		"    wait barrier n=2 barrier=490 sampled=200 waits=7 closing:450 explicit:40\n"
		"    wait lock n=1 lock=100\n"
		"    runtime overhead waits=1 reduction:9\n"
		" wait idle idle=70 waits=2 between:70\n");
	check_view(&b, TREE_FULL, 0, NULL);
	check_view(&b, TREE_USER, 1, NULL);
	check_view(&b, TREE_FULL, 1, NULL);
	build_release(&b);
}

static void test_full_view(void **state)
{
	build_tree();
	check_view(&b, TREE_FULL, 0,
		"root\n"
		" frame 10100\n"
		"  frame 20100 r\n"
		"   region 10104 x3\n"
		"    frame 10200 n=5 work=500\n"
		"     frame 20001 r blame-closing:450\n"
		"    frame 10300 n=3 barrier=490 lock=100 sampled=200 waits=8 closing:450"
		" explicit:40 reduction:9\n"
		" wait idle idle=70 waits=2 between:70\n");
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_team),
		cmocka_unit_test(test_constructs),
		cmocka_unit_test(test_mutex_no_cpu),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_mutex),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_no_region),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_full_view),
	};

	return cmocka_run_group_tests_name("scale_blame", tests, NULL, NULL);
}
