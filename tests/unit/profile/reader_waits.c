/* SPDX-License-Identifier: Apache-2.0 */
/* The profile reader: waits, blame, regions and locks, in ticks and of programs that were killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"

/* A clock of 2.5 GHz: 5 ticks are 2 ns. */
#define TICKS(ns) ((uint64_t)(ns)*5 / 2)

static uint32_t region, lock_wait;

/* Two threads in one region, which has a record. */
static void build_team(struct build *b)
{
	build_begin(b);
	build_header(b)->ticks_per_s = 2500000000;
	build_header(b)->start_ticks = TICKS(1000000);
	build_header(b)->waits =
		~((1u << PROFILE_N_WAITS) - 1) | 1 | 1 << PROFILE_TASKGROUP | 1 << PROFILE_ORDERED;
	build_thread(b, 1);
	build_thread(b, 2);
	region = build_region(b, build_frame(b, build_root(b, 1), 0x1100, 0), 0x1104, 9);
}

static void build_waits(struct build *b)
{
	uint32_t context, task, frame;

	build_team(b);
	context = build_context(b, 2, region);
	build_stays(b, context, 9, TICKS(9000));
	frame = build_frame(b, context, 0x1200, 0);
	build_wait(b, frame, PROFILE_BARRIER_EXPLICIT, 77, 3, TICKS(600));
	lock_wait = build_wait(b, frame, PROFILE_LOCK, 0xabc, 2, TICKS(50));
	build_blame(b, frame, PROFILE_WAIT_KEY(PROFILE_TASKWAIT, region), 0, 4, 400);
	build_blame(b, frame, PROFILE_WAIT_KEY(PROFILE_CRITICAL, 0xdef), 0, 5, TICKS(70));
	build_blame(
		b, frame, PROFILE_WAIT_KEY(PROFILE_CRITICAL, 0xdef), PROFILE_BLAME_SAMPLED, 6, 80);
	build_blame(b, frame, PROFILE_WAIT_KEY(PROFILE_TASKWAIT, frame), 0, 1, 1);
	task = build_task(b, frame, 0x1204, 30);
	context = build_context(b, 1, task);
	build_stays(b, context, 20, TICKS(2000));
	build_node_at(b, context)->blame_ns = 20;
}

static const struct profile_tree_node *find_wait(
	const struct profile *profile, uint8_t kind, uint8_t wait, uint32_t n)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == kind && node->wait == wait && node->n == n)
			return node;
	}
	fail_msg("no node of kind %d for wait %d", kind, wait);
	return NULL;
}

static void test_nodes(void **state)
{
	const struct profile_tree_node *node;
	struct profile profile;
	struct build b;

	build_waits(&b);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_dropped, 0);
	/* Of the header, and what there are waits of. */
	assert_int_equal(profile.waits, 1 << PROFILE_BARRIER_EXPLICIT | 1 << PROFILE_LOCK |
						1 << PROFILE_TASKGROUP | 1 << PROFILE_ORDERED);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_BARRIER_EXPLICIT, 3);
	assert_int_equal(node->time_ns, 600);
	assert_int_equal(node->longest_ns, 200);
	assert_int_equal(node->addr, 0);
	assert_int_equal(node->events, 0);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_LOCK, 2);
	assert_int_equal(node->time_ns, 50);
	assert_int_equal(node->addr, 0xabc);
	node = find_wait(&profile, PROFILE_NODE_BLAME, PROFILE_TASKWAIT, 4);
	assert_int_equal(node->blame_ns, 400);
	assert_int_equal(profile.nodes[node->context].addr, 0x1104);
	assert_int_equal(
		find_wait(&profile, PROFILE_NODE_BLAME, PROFILE_TASKWAIT, 1)->context, UINT32_MAX);
	node = find_wait(&profile, PROFILE_NODE_BLAME, PROFILE_CRITICAL, 5);
	assert_int_equal(node->blame_ns, 70);
	assert_int_equal(node->addr, 0xdef);
	assert_int_equal(node->context, UINT32_MAX);
	node = find_wait(&profile, PROFILE_NODE_BLAME, PROFILE_CRITICAL, 6);
	assert_int_equal(node->blame_ns, 80);
	node = find_wait(&profile, PROFILE_NODE_CONTEXT, 0, 9);
	assert_int_equal(node->time_ns, 9000);
	assert_int_equal(node->longest_ns, 1000);
	node = find_wait(&profile, PROFILE_NODE_CONTEXT, 0, 20);
	assert_int_equal(node->n_stolen, 20);
	assert_int_equal(node->n_created, 0);
	profile_release(&profile);
	build_release(&b);
}

static void test_bad_waits(void **state)
{
	struct profile profile;
	struct build b;

	build_waits(&b);
	build_node_at(&b, lock_wait)->addr = PROFILE_WAIT_KEY(PROFILE_N_WAITS, 1);
	build_wait(&b, build_wait(&b, build_root(&b, 1), PROFILE_TASKGROUP, 0, 1, UINT64_MAX),
		PROFILE_TASKGROUP, 0, 2, 5);
	build_blame(&b, build_root(&b, 1), 5, 0, 1, 1);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_dropped, 3);
	assert_int_equal(find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKGROUP, 1)->time_ns,
		PROFILE_MOST_NS);
	/* Below a leaf nothing can be: it is kept below the root. */
	assert_int_equal(find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKGROUP, 2)->parent, 0);
	profile_release(&profile);
	build_release(&b);
}

/*
 * A thread lives for 1 s. It has 400 ms of code and 600 ms of waits, and lacked a CPU for 200 ms
 * found in the code, which has no room for them, and 100 ms found in one of the waits.
 */
static void test_delays(void **state)
{
	uint32_t code, waits[2];
	struct profile profile;
	struct build b;

	(void)state;
	build_begin(&b);
	build_header(&b)->ticks_per_s = 1000000000;
	build_thread(&b, 1);
	code = build_samples(&b, build_root(&b, 1), PROFILE_WORK, 40, 400000000);
	waits[0] = build_wait(&b, build_root(&b, 1), PROFILE_TASKWAIT, 0, 5, 400000000);
	waits[1] = build_wait(&b, build_root(&b, 1), PROFILE_TASKGROUP, 0, 7, 200000000);
	build_node_at(&b, code)->spare = 200000000;
	build_node_at(&b, waits[0])->spare = 100000000;
	/* 400 ms in samples of 2 * 10 ms can be wrong by 268 ms. */
	build_header(&b)->period = 10000000;
	parse_and_check(&profile, &b);
	assert_int_equal(find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKGROUP, 7)->delay_ns, 0);
	profile_release(&profile);
	build_header(&b)->period = 1000000;
	parse_and_check(&profile, &b);
	assert_int_equal(find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKWAIT, 5)->delay_ns,
		100000000 + 120000000);
	assert_int_equal(
		find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKGROUP, 7)->delay_ns, 80000000);
	for (size_t i = 0; i < profile.n_nodes; i++)
		if (profile.nodes[i].kind == PROFILE_NODE_SAMPLES)
			assert_int_equal(profile.nodes[i].delay_ns, 0);
	profile_release(&profile);
	build_release(&b);
}

static void test_no_ticks(void **state)
{
	static const uint64_t rates[] = { 0, 999999, 100000000001, UINT64_MAX };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct profile profile;
		struct build b;

		build_waits(&b);
		build_samples(&b, build_root(&b, 1), PROFILE_WORK, 1, 1);
		build_region_record(&b, region, 1, 1, 1);
		build_lock(&b, 1, PROFILE_LOCK, 1);
		build_header(&b)->ticks_per_s = rates[i];
		parse_and_check(&profile, &b);
		assert_false(profile.has_ticks);
		assert_int_equal(profile.n_dropped, 0);
		assert_int_equal(profile.n_nodes, 2 + 1 + 1 + 1 + 1 + 1 + 1 + 1);
		assert_int_equal(find_wait(&profile, PROFILE_NODE_CONTEXT, 0, 20)->time_ns, 0);
		profile_release(&profile);
		build_release(&b);
	}
}

static void test_region_records(void **state)
{
	const struct profile_region_record *record;
	struct profile_region *written;
	struct profile profile;
	uint32_t inner;
	struct build b;

	build_team(&b);
	inner = build_region(
		&b, build_frame(&b, build_context(&b, 2, region), 0x1200, 0), 0x1204, 2);
	build_region_record(&b, region, 9, TICKS(900), 2);
	written = build_region_record(&b, inner, 2, TICKS(40), 3);
	written->outer = region;
	written->n_barriers = 11;
	written->imbalance = TICKS(12);
	written->release = TICKS(14);
	written->starved = TICKS(16);
	written->n_others = 1;
	written->n_last[31] = 10;
	written->lengths[127] = 2;
	written->open_since = TICKS(1000010);
	build_region_record(&b, inner, 1, 1, 1);
	build_region_record(&b, build_root(&b, 1), 1, 1, 1);
	build_region_record(&b, build_root(&b, 1), 1, 1, 1)->node = UINT32_MAX;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_regions, 2);
	assert_int_equal(profile.n_dropped, 3);
	record = &profile.regions[0];
	assert_int_equal(record->outer, UINT32_MAX);
	assert_int_equal(record->wall_ns, 900);
	assert_int_equal(record->min_ns, 100);
	assert_int_equal(record->team_wall_ns, 1800);
	record = &profile.regions[1];
	assert_int_equal(record->outer, profile.regions[0].node);
	/* And one that has not ended. */
	assert_int_equal(record->n, 3);
	assert_int_equal(record->wall_ns, 40 + 1000000000 - 10);
	assert_int_equal(record->imbalance_ns, 12);
	assert_int_equal(record->release_ns, 14);
	assert_int_equal(record->starved_ns, 16);
	assert_int_equal(record->n_barriers, 11);
	assert_int_equal(record->n_others, 1);
	assert_int_equal(record->n_last[31], 10);
	assert_int_equal(record->lengths[127], 2);
	profile_release(&profile);
	build_release(&b);
}

static void test_locks(void **state)
{
	struct profile_lock *lock;
	struct profile profile;
	struct build b;

	build_team(&b);
	lock = build_lock(&b, 2, PROFILE_CRITICAL, 0xdef);
	lock->n_acquired = 10;
	lock->n_contended = 4;
	lock->wait = TICKS(100);
	lock->max_wait = TICKS(60);
	lock->n_held = 5;
	lock->held = TICKS(20);
	lock->max_held = TICKS(8);
	lock->codeptr = 0x1208;
	build_lock(&b, 3, PROFILE_CRITICAL, 1);
	build_lock(&b, 1, PROFILE_N_WAITS, 1);
	build_lock(&b, 1, PROFILE_NO_WAIT, 1);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_locks, 1);
	assert_int_equal(profile.n_dropped, 3);
	assert_int_equal(profile.locks[0].thread, 1);
	assert_int_equal(profile.locks[0].wait_id, 0xdef);
	assert_int_equal(profile.locks[0].codeptr, 0x1208);
	assert_int_equal(profile.locks[0].n_contended, 4);
	assert_int_equal(profile.locks[0].wait_ns, 100);
	assert_int_equal(profile.locks[0].max_wait_ns, 60);
	assert_int_equal(profile.locks[0].held_ns, 20);
	assert_int_equal(profile.locks[0].max_held_ns, 8);
	profile_release(&profile);
	build_release(&b);
}

/* The moment `ns` after the start, in ticks. */
static uint64_t at(uint64_t ns)
{
	return TICKS(1000000 + ns);
}

/* The team was killed 10 us after the start; thread 2 waits where build_waits counts a lock. */
static struct profile_now *build_killed(struct build *b)
{
	struct profile_region *record;

	build_waits(b);
	build_header(b)->flags = PROFILE_OMPT_STARTED;
	build_header(b)->last_ns = 10000;
	record = build_region_record(b, region, 9, TICKS(900), 1);
	record->lengths[4] = 9;
	record->open_since = at(4000);
	record->last_end = at(3000);
	record->open_team = 2;
	build_thread_at(b, 1)->end_ns = build_thread_at(b, 2)->end_ns = 0;
	build_thread_at(b, 2)->now =
		(struct profile_now){ .team = 1, .region = region, .leaf = lock_wait };
	return &build_thread_at(b, 2)->now;
}

static void test_open_region(void **state)
{
	struct profile profile;
	struct build b;

	build_killed(&b);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.regions[0].n, 10);
	assert_int_equal(profile.regions[0].wall_ns, 900 + 6000);
	assert_int_equal(profile.regions[0].max_ns, 6000);
	assert_int_equal(profile.regions[0].min_ns, 100);
	assert_int_equal(profile.regions[0].max_team, 2);
	assert_int_equal(profile.regions[0].team_wall_ns, 900 + 2 * 6000);
	/* 15000 ticks are between 7 * 2^11 and 4 * 2^12. */
	assert_int_equal(profile.regions[0].lengths[(11 - 4) * 4 + 3], 1);
	assert_int_equal(profile.n_open_waits, 0);
	assert_int_equal(find_wait(&profile, PROFILE_NODE_CONTEXT, 0, 10)->time_ns, 9000 + 6000);
	profile_release(&profile);
	build_release(&b);
}

static void test_open_waits(void **state)
{
	const struct profile_tree_node *node;
	struct profile profile;
	struct profile_now *now;
	struct build b;

	now = build_killed(&b);
	now->wait = PROFILE_BARRIER_CLOSING;
	now->since = at(9000);
	now->mutex = PROFILE_WAIT_KEY(0, 0xabc);
	now->mutex_kind = PROFILE_LOCK;
	now->mutex_leaf = lock_wait;
	now->mutex_since = at(9600);
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_open_waits, 2);
	/* `leaf` is of another kind: a leaf is made, which ends where the wait for the mutex began. */
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_BARRIER_CLOSING, 1);
	assert_int_equal(node->time_ns, 600);
	assert_int_equal(profile.nodes[profile.nodes[node->parent].context].addr, 0x1104);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_LOCK, 3);
	assert_int_equal(node->time_ns, 50 + 400);
	assert_int_equal(node->longest_ns, 400);
	profile_release(&profile);

	/* Likewise where the profile is complete; and no longer than the thread. */
	build_header(&b)->flags |= PROFILE_COMPLETE;
	build_header(&b)->end_ns = 10000;
	build_thread_at(&b, 2)->end_ns = 9800;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_open_waits, 2);
	assert_int_equal(
		find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_LOCK, 3)->time_ns, 50 + 200);
	profile_release(&profile);

	/* The writer has counted them. */
	now->wait = PROFILE_NO_WAIT;
	now->mutex = 0;
	parse_and_check(&profile, &b);
	assert_int_equal(profile.n_open_waits, 0);
	assert_int_equal(find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_LOCK, 2)->time_ns, 50);
	profile_release(&profile);
	build_release(&b);
}

/* A worker that libomp has not yet told that its region ended. */
static void test_open_closing_barrier(void **state)
{
	const struct profile_tree_node *node;
	struct profile profile;
	struct profile_now *now;
	struct build b;

	now = build_killed(&b);
	now->wait = PROFILE_BARRIER_CLOSING;
	now->since = at(2000);
	parse_and_check(&profile, &b);
	assert_int_equal(
		find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_BARRIER_CLOSING, 1)->time_ns, 1000);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_IDLE_AFTER, 1);
	assert_int_equal(node->time_ns, 7000);
	assert_int_equal(profile.nodes[node->parent].kind, PROFILE_NODE_THREAD);
	profile_release(&profile);
	build_release(&b);
}

/* Of a thread that has no context for its region yet, and of one that is in none. */
static void test_open_without_context(void **state)
{
	const struct profile_tree_node *node;
	struct profile profile;
	struct build b;

	build_killed(&b);
	build_thread_at(&b, 1)->now = (struct profile_now){
		.team = 1,
		.region = region,
		.wait = PROFILE_TASKWAIT,
		.since = at(9990),
	};
	build_thread_at(&b, 2)->now =
		(struct profile_now){ .is_idle = 1, .wait = PROFILE_IDLE_BEFORE, .since = at(1) };
	parse_and_check(&profile, &b);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_TASKWAIT, 1);
	assert_int_equal(node->time_ns, 10);
	assert_int_equal(profile.nodes[node->parent].kind, PROFILE_NODE_CONTEXT);
	assert_int_equal(profile.nodes[node->parent].time_ns, 6000);
	assert_int_equal(profile.nodes[node->parent].owner, 0);
	node = find_wait(&profile, PROFILE_NODE_WAIT, PROFILE_IDLE_BEFORE, 1);
	assert_int_equal(node->time_ns, 9999);
	assert_int_equal(profile.nodes[node->parent].kind, PROFILE_NODE_THREAD);
	profile_release(&profile);
	build_release(&b);
}

static void test_open_moments_that_cannot_be(void **state)
{
	static const uint64_t moments[] = { 0, 1, TICKS(1010001), UINT64_MAX };

	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		struct profile profile;
		struct profile_now *now;
		struct build b;

		now = build_killed(&b);
		now->wait = PROFILE_TASKWAIT;
		now->since = now->mutex_since = moments[i];
		now->mutex_kind = PROFILE_ATOMIC;
		parse_and_check(&profile, &b);
		assert_int_equal(profile.n_open_waits, 0);
		profile_release(&profile);
		build_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_bad_waits),
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_no_ticks),
		cmocka_unit_test(test_region_records),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_open_region),
		cmocka_unit_test(test_open_waits),
		cmocka_unit_test(test_open_closing_barrier),
		cmocka_unit_test(test_open_without_context),
		cmocka_unit_test(test_open_moments_that_cannot_be),
	};

	return cmocka_run_group_tests_name("reader_waits", tests, NULL, NULL);
}
