/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cutting a profile down to a part of the run: made-up ones with figures computed by hand, of a trace and of timelines
 * alone, and random ones, whose parts have to add up to the whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/select/select_phase.h"
#include "attribution/select/select_time.h"
#include "attribution/metrics/metrics.h"
#include "tests/unit/scenes/build_profile.h"
#include "tests/unit/profile/check_profile.h"

#define MS 1000000ULL

enum { ROUNDS = 60, N_MOMENTS = 200, PARTS = 7 };

#define WIDTH ((uint64_t)1 << 21) /* of a bucket: 506 of them are 1.06 s */

static uint32_t early, late, other, barrier;

/* Returns its number. */
static uint32_t add_timeline(struct build *b, uint32_t thread)
{
	uint32_t number = build_segment(b, PROFILE_SEGMENT_TIMELINE, thread);
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(b, number);

	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->segment.used = 255;
	timeline->shift = 21;
	return number;
}

static void add_moment(struct build *b, uint32_t thread, struct profile_moment moment)
{
	uint32_t number = build_segment(b, PROFILE_SEGMENT_MOMENTS, thread);

	build_segment_at(b, number)->record_bytes = PROFILE_MOMENT_BYTES;
	build_segment_at(b, number)->used = 1;
	*(struct profile_moment *)(build_segment_at(b, number) + 1) = moment;
}

static void add_sample(
	struct build *b, uint32_t thread, uint32_t node, uint64_t end, uint64_t length)
{
	add_moment(b, thread,
		(struct profile_moment){ .end = end,
			.length = length,
			.node = node,
			.kind = PROFILE_MOMENT_SAMPLE,
			.time = PROFILE_TIME_WORK,
			.what = PROFILE_WORK });
}

static void add_wait(struct build *b, uint32_t thread, uint32_t node, uint64_t end, uint64_t length,
	uint64_t amount)
{
	add_moment(b, thread,
		(struct profile_moment){ .end = end,
			.length = length,
			.amount = amount,
			.node = node,
			.kind = PROFILE_MOMENT_WAIT,
			.time = PROFILE_TIME_BARRIER,
			.what = PROFILE_BARRIER_EXPLICIT });
}

/*
 * One second of two threads: both work in `early` for 400 ms, then the first one in `late` for 600 ms, while the second
 * one waits. Each sample stands for 100 ms.
 */
static void build_nodes(struct build *b, int is_traced)
{
	uint32_t first, second, root;

	build_begin(b);
	build_header(b)->end_ns = build_header(b)->last_ns = 1000 * MS;
	build_header(b)->flags |= PROFILE_COMPLETE;
	build_header(b)->ticks_per_s = 1000000000;
	build_header(b)->start_ticks = 0;
	first = build_thread(b, 1);
	second = build_thread(b, 2);
	build_thread_at(b, first)->end_ns = build_thread_at(b, second)->end_ns = 1000 * MS;
	root = build_frame(b, build_root(b, first), 0x1000, 0);
	early = build_samples(b, build_frame(b, root, 0x1100, 0), PROFILE_WORK, 4, 400 * MS);
	late = build_samples(b, build_frame(b, root, 0x1200, 0), PROFILE_WORK, 6, 600 * MS);
	build_blame(b, root, PROFILE_WAIT_KEY(PROFILE_IDLE_BETWEEN, 0), 0, 2, 100 * MS);
	root = build_frame(b, build_root(b, second), 0x1000, 0);
	other = build_samples(b, build_frame(b, root, 0x1100, 0), PROFILE_WORK, 4, 400 * MS);
	barrier = build_wait(b, root, PROFILE_BARRIER_EXPLICIT, 0, 1, 600 * MS);
	for (uint64_t k = 1; is_traced && k <= 10; k++)
		add_sample(b, first, k <= 4 ? early : late, k * 100 * MS, 100 * MS);
	for (uint64_t k = 1; is_traced && k <= 4; k++)
		add_sample(b, second, other, k * 100 * MS, 100 * MS);
	if (is_traced)
		add_wait(b, second, barrier, 1000 * MS, 600 * MS, 600 * MS);
}

/* Buckets from `begin` to `end` are full of a time: a pair of them is 4.2 ms. */
static void fill(struct build *b, uint32_t number, uint32_t begin, uint32_t end, int time)
{
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(b, number);

	for (uint32_t i = begin; i < end; i++)
		timeline->count[i][time] = WIDTH / PROFILE_TIMELINE_UNIT;
}

/* The same, but the second half begins with bucket 190, and the run ends with bucket 476. */
static void build_halves(struct build *b, int is_traced)
{
	uint32_t first, second;

	build_nodes(b, is_traced);
	first = add_timeline(b, 1);
	second = add_timeline(b, 2);
	fill(b, first, 0, 476, PROFILE_TIME_WORK);
	fill(b, second, 0, 190, PROFILE_TIME_WORK);
	fill(b, second, 190, 476, PROFILE_TIME_BARRIER);
}

static void parse(struct profile *profile, const struct build *b)
{
	struct diag diag;

	assert_int_equal(profile_parse(profile, b->bytes, b->size, "test", &diag), 0);
}

static uint64_t states(const struct profile *profile, size_t thread, int time)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->timelines[thread].n; i++)
		sum += profile->timelines[thread].ns[i][time];
	return sum;
}

static const struct profile_tree_node *at(const struct profile *profile, uint8_t kind, int which)
{
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].kind == kind && which-- == 0)
			return &profile->nodes[i];
	fail();
	return NULL;
}

struct expected {
	uint64_t begin_ms, end_ms;
	uint64_t early_ms, late_ms, other_ms, wait_ms;
	uint32_t early_n, late_n, wait_n;
};

static void check_traced(const struct build *b, const struct expected *expected)
{
	struct profile profile;

	parse(&profile, b);
	assert_int_equal(select_time(&profile, expected->begin_ms * MS, expected->end_ms * MS), 0);
	assert_true(profile.part.is_cut && profile.part.has_paths);
	assert_int_equal(profile.part.bucket_ns, 0);
	assert_int_equal(select_wall(&profile), (expected->end_ms - expected->begin_ms) * MS);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 0)->time_ns, expected->early_ms * MS);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 0)->n, expected->early_n);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 1)->time_ns, expected->late_ms * MS);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 1)->n, expected->late_n);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 2)->time_ns, expected->other_ms * MS);
	assert_int_equal(at(&profile, PROFILE_NODE_WAIT, 0)->time_ns, expected->wait_ms * MS);
	assert_int_equal(at(&profile, PROFILE_NODE_WAIT, 0)->n, expected->wait_n);
	assert_int_equal(at(&profile, PROFILE_NODE_BLAME, 0)->blame_ns, 0);
	assert_int_equal(states(&profile, 0, PROFILE_TIME_WORK),
		(expected->early_ms + expected->late_ms) * MS);
	assert_int_equal(states(&profile, 1, PROFILE_TIME_WORK), expected->other_ms * MS);
	assert_int_equal(states(&profile, 1, PROFILE_TIME_BARRIER), expected->wait_ms * MS);
	assert_int_equal(profile_life_ns(&profile.threads[1], select_wall(&profile)),
		(expected->end_ms - expected->begin_ms) * MS);
	profile_release(&profile);
}

static void test_traced(void **state)
{
	static const struct expected parts[] = {
		{ 0, 1000, 400, 600, 400, 600, 4, 6, 1 },
		{ 0, 400, 400, 0, 400, 0, 4, 0, 0 },
		{ 400, 1000, 0, 600, 0, 600, 0, 6, 1 },
		{ 50, 330, 280, 0, 280, 0, 3, 0, 0 },
		{ 390, 410, 10, 10, 10, 10, 1, 0, 0 },
		{ 900, 950, 0, 50, 0, 50, 0, 0, 0 },
		{ 999, 1000, 0, 1, 0, 1, 0, 1, 1 },
	};
	struct build b;

	(void)state;
	build_halves(&b, 1);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		check_traced(&b, &parts[i]);
	build_release(&b);
}

/* Of timelines states are known, in parts of buckets too, and no node has a figure. */
static void test_timeline(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_halves(&b, 0);
	parse(&profile, &b);
	assert_int_equal(
		select_time(&profile, 100 * WIDTH + WIDTH / 4, 200 * WIDTH + WIDTH / 2), 0);
	assert_true(profile.part.is_cut && !profile.part.has_paths);
	assert_int_equal(profile.part.bucket_ns, WIDTH);
	assert_int_equal(profile.part.traced_ns, 0);
	assert_int_equal(states(&profile, 0, PROFILE_TIME_WORK), 100 * WIDTH + WIDTH / 4);
	assert_int_equal(states(&profile, 1, PROFILE_TIME_WORK), 90 * WIDTH - WIDTH / 4);
	assert_int_equal(states(&profile, 1, PROFILE_TIME_BARRIER), 10 * WIDTH + WIDTH / 2);
	for (size_t i = 0; i < profile.n_nodes; i++)
		assert_int_equal(
			profile.nodes[i].time_ns + profile.nodes[i].n + profile.nodes[i].blame_ns,
			0);
	profile_release(&profile);
	build_release(&b);
}

/* What a trace without room left out is not in any part; up to there it tells all. */
static void test_full(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_nodes(&b, 1);
	((struct profile_timeline_segment *)build_segment_at(&b, add_timeline(&b, 1)))->n_dropped =
		1;
	((struct profile_timeline_segment *)build_segment_at(&b, add_timeline(&b, 2)))->n_dropped =
		0;
	build_header(&b)->end_ns = 1500 * MS;
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 300 * MS, 1000 * MS), 0);
	assert_int_equal(profile.part.traced_ns, 1000 * MS);
	assert_true(profile.part.has_paths);
	profile_release(&profile);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 300 * MS, 1001 * MS), 0);
	assert_false(profile.part.has_paths);
	assert_int_equal(at(&profile, PROFILE_NODE_SAMPLES, 1)->time_ns, 0);
	profile_release(&profile);
	build_release(&b);
}

static struct profile_timeline_segment *add_full(struct build *b, uint32_t thread)
{
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(b, add_timeline(b, thread));

	timeline->n_dropped = 1;
	return timeline;
}

/* A wait that had not ended is none of the trace's: it ends where that found no room, and not with it. */
static void test_full_and_open(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_nodes(&b, 1);
	build_header(&b)->flags &= ~(uint32_t)PROFILE_COMPLETE;
	build_header(&b)->end_ns = 0;
	build_header(&b)->start_ticks = 1;
	build_header(&b)->last_ns = 1500 * MS;
	build_thread_at(&b, 1)->end_ns = build_thread_at(&b, 2)->end_ns = 0;
	build_thread_at(&b, 1)->now.since = 1400 * MS;
	build_thread_at(&b, 1)->now.wait = PROFILE_BARRIER_EXPLICIT;
	add_full(&b, 1);
	parse(&profile, &b);
	assert_int_equal(profile.n_open_waits, 1);
	assert_int_equal(select_time(&profile, 300 * MS, 1100 * MS), 0);
	assert_in_range(profile.part.traced_ns, 1000 * MS - 1, 1000 * MS);
	assert_false(profile.part.has_paths);
	profile_release(&profile);
	build_release(&b);
}

/* What found no room at its end may have begun before the last one that did. */
static void test_full_from(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_nodes(&b, 1);
	add_full(&b, 2)->dropped_from = 350 * MS;
	parse(&profile, &b);
	assert_int_equal(profile.timelines[1].dropped_from_ns, 350 * MS);
	assert_int_equal(select_time(&profile, 300 * MS, 360 * MS), 0);
	assert_int_equal(profile.part.traced_ns, 350 * MS);
	assert_false(profile.part.has_paths);
	profile_release(&profile);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 300 * MS, 350 * MS), 0);
	assert_true(profile.part.has_paths);
	profile_release(&profile);
	build_release(&b);
}

/* A thread that ended early has nothing in what came later. */
static void test_ended(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_nodes(&b, 0);
	fill(&b, add_timeline(&b, 1), 0, 1, PROFILE_TIME_WORK);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 500 * MS, 1000 * MS), 0);
	assert_int_equal(states(&profile, 0, PROFILE_TIME_WORK), 0);
	profile_release(&profile);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 0, 500 * MS), 0);
	assert_int_equal(states(&profile, 0, PROFILE_TIME_WORK), WIDTH);
	profile_release(&profile);
	build_release(&b);
}

/* Moments that no run can have: sums stay what they may be, at the thread and in its buckets, too. */
static void test_no_sense(void **state)
{
	struct profile profile;
	struct build b;
	uint64_t sum = 0;

	(void)state;
	build_halves(&b, 1);
	for (int i = 0; i < 40; i++)
		add_sample(&b, 1, late, 500 * MS, UINT64_MAX / 2);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 0, UINT64_MAX), 0);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		assert_true(profile.nodes[i].time_ns <= PROFILE_MOST_SUM - sum);
		sum += profile.nodes[i].time_ns;
	}
	assert_true(sum > PROFILE_MOST_SUM / 2);
	assert_int_equal(
		profile.threads[0].time_ns[PROFILE_WORK] + profile.threads[1].time_ns[PROFILE_WORK],
		sum - at(&profile, PROFILE_NODE_WAIT, 0)->time_ns);
	profile_release(&profile);
	build_release(&b);
}

/* A wait for nothing is none, and what a thread did is at its own nodes. */
static void test_strangers(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_halves(&b, 1);
	add_moment(&b, 2,
		(struct profile_moment){ .end = 100 * MS,
			.length = 10 * MS,
			.amount = 10 * MS,
			.kind = PROFILE_MOMENT_WAIT,
			.time = PROFILE_TIME_BARRIER });
	add_sample(&b, 2, early, 1000 * MS, 1 * MS);
	parse(&profile, &b);
	assert_int_equal(profile.n_dropped, 1);
	assert_int_equal(profile.n_moments, 16);
	for (size_t i = 0; i < profile.n_moments; i++)
		if (profile.moments[i].node != UINT32_MAX)
			assert_int_equal(profile.nodes[profile.moments[i].node].owner,
				profile.moments[i].thread);
	profile_release(&profile);
	build_release(&b);
}

/* Waits of which the trace does not know the place hang from their thread's root. */
static void test_unplaced(void **state)
{
	const struct profile_tree_node *node;
	struct profile profile;
	struct build b;

	(void)state;
	build_halves(&b, 1);
	add_wait(&b, 2, 0, 300 * MS, 10 * MS, 30 * MS);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 200 * MS, 295 * MS), 0);
	node = at(&profile, PROFILE_NODE_WAIT, 1);
	assert_int_equal(node->time_ns, 15 * MS);
	assert_int_equal(node->n, 0);
	assert_int_equal(profile.nodes[node->parent].kind, PROFILE_NODE_THREAD);
	assert_int_equal(profile.nodes[node->parent].owner, 1);
	profile_release(&profile);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 200 * MS, 300 * MS), 0);
	assert_int_equal(at(&profile, PROFILE_NODE_WAIT, 1)->n, 3);
	profile_release(&profile);
	build_release(&b);
}

/* A thread without a timeline is in no part. */
static void test_unknown(void **state)
{
	struct profile profile;
	struct build b;

	(void)state;
	build_nodes(&b, 0);
	fill(&b, add_timeline(&b, 1), 0, 10, PROFILE_TIME_WORK);
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 0, 300 * MS), 0);
	assert_int_equal(profile.part.n_unknown, 1);
	profile_release(&profile);
	build_header(&b)->version = 4;
	parse(&profile, &b);
	assert_int_equal(select_time(&profile, 0, 300 * MS), 0);
	assert_int_equal(profile.part.n_unknown, 2);
	profile_release(&profile);
	build_release(&b);
}

struct total {
	uint64_t n, time_ns, states_ns[PROFILE_N_TIMES], wall_ns;
};

static void add_total(struct total *total, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		if (profile->nodes[i].kind != PROFILE_NODE_SAMPLES &&
			profile->nodes[i].kind != PROFILE_NODE_WAIT)
			continue;
		total->n += profile->nodes[i].n;
		total->time_ns += profile->nodes[i].time_ns;
	}
	for (size_t i = 0; i < profile->n_threads; i++)
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			total->states_ns[k] += states(profile, i, k);
	total->wall_ns += select_wall(profile);
}

static void build_any(struct build *b, uint64_t *random, int is_traced)
{
	build_halves(b, 0);
	for (int i = 0; is_traced && i < N_MOMENTS; i++) {
		uint64_t end = next_random(random) % (1100 * MS);
		uint64_t length = next_random(random) % (i % 5 ? 10 * MS : 300 * MS);
		uint32_t node = next_random(random) % 3 ? barrier : 0;

		if (next_random(random) % 2)
			add_sample(b, 1, next_random(random) % 2 ? early : late, end,
				i % 7 ? length : 0);
		else
			add_wait(b, 2, node, end, i % 7 ? length : 0, length * 3 / 2 + 1);
	}
}

/* Parts that follow each other have together what the whole has, to the last ns. */
static void test_parts_are_the_whole(void **state)
{
	uint64_t random = 20261123;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct total whole = { 0 }, sum = { 0 };
		struct profile profile;
		struct build b;
		uint64_t begin = 0;

		build_any(&b, &random, round % 3);
		parse(&profile, &b);
		assert_int_equal(select_time(&profile, 0, UINT64_MAX), 0);
		add_total(&whole, &profile);
		profile_release(&profile);
		for (int part = 0; part < PARTS; part++) {
			uint64_t end = part + 1 < PARTS ? begin + next_random(&random) % (300 * MS)
							: UINT64_MAX;

			if (begin >= 1000 * MS)
				break;
			parse(&profile, &b);
			assert_int_equal(select_time(&profile, begin, end), 0);
			add_total(&sum, &profile);
			profile_release(&profile);
			begin = end;
		}
		assert_memory_equal(&sum, &whole, sizeof(sum));
		build_release(&b);
	}
}

/* Figures can be made of what is left of any profile, and their sums hold. */
static void test_any_profile(void **state)
{
	static const struct tree_options options = { .view = TREE_USER };
	uint64_t random = 5;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct profile profile;
		struct metrics metrics;
		struct tree tree;
		struct diag diag;
		struct build b;

		build_begin(&b);
		build_random(&b, &random, round % 2);
		parse(&profile, &b);
		assert_int_equal(select_time(&profile, next_random(&random) % (2000 * MS),
					 UINT64_MAX - next_random(&random) % 2),
			0);
		check_profile(&profile);
		assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
		assert_int_equal(metrics_make(&metrics, &profile, &tree, &diag), 0);
		metrics_release(&metrics);
		tree_release(&tree);
		profile_release(&profile);
		build_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traced),
		cmocka_unit_test(test_timeline),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_full_and_open),
		cmocka_unit_test(test_full_from),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_no_sense),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_unplaced),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_parts_are_the_whole),
		cmocka_unit_test(test_any_profile),
	};

	return cmocka_run_group_tests_name("cut_time", tests, NULL, NULL);
}
