/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cutting a profile down to phases: on a made-up run with figures computed by hand, and on random ones, whose parts
 * have to add up to the whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "attribution/select/select_phase.h"
#include "attribution/metrics/metrics.h"
#include "tests/unit/scenes/build_profile.h"
#include "tests/unit/profile/check_profile.h"

#define MS 1000000ULL

enum { N_PHASES = 3, ROUNDS = 150 };

static uint32_t context_in(struct build *b, uint32_t thread, uint32_t phase, uint32_t region)
{
	return build_node(b, thread, phase, PROFILE_NODE_CONTEXT, 0, region);
}

static void parse(struct profile *profile, const struct build *b)
{
	struct diag diag;

	assert_int_equal(profile_parse(profile, b->bytes, b->size, "test", &diag), 0);
}

/*
 * One second: setup for 200 ms, solve for 500 ms, the rest in no phase. A region of two threads begins in setup,
 * takes 100 ms there and goes on in solve for 300 ms; solve has one of its own of 100 ms.
 */
static void build_run(struct build *b)
{
	uint32_t first, worker, setup, solve, main_frame, region, own, node;
	struct profile_region *record;

	build_begin(b);
	build_header(b)->end_ns = build_header(b)->last_ns = 1000 * MS;
	build_header(b)->flags |= PROFILE_COMPLETE;
	build_header(b)->waits = (1u << PROFILE_N_WAITS) - 2;
	build_phase(b, 1, 0, "setup", 200 * MS);
	build_phase(b, 2, 0, "solve", 500 * MS);
	first = build_thread(b, 1);
	worker = build_thread(b, 2);
	setup = build_phase_node(b, first, 1, 200 * MS);
	solve = build_phase_node(b, first, 2, 500 * MS);
	main_frame = build_frame(b, setup, 0x1000, 0);
	region = build_region(b, main_frame, 0x1010, 1);
	build_samples(b, main_frame, PROFILE_WORK, 100, 100 * MS);
	node = context_in(b, first, setup, region);
	build_stays(b, node, 0, 100 * MS);
	build_samples(b, build_frame(b, node, 0x2000, 0), PROFILE_WORK, 100, 100 * MS);
	node = context_in(b, first, solve, region);
	build_stays(b, node, 1, 300 * MS);
	build_samples(b, build_frame(b, node, 0x2000, 0), PROFILE_WORK, 300, 300 * MS);
	record = build_region_record(b, region, 1, 400 * MS, 2);
	record->elsewhere = 300 * MS;
	record->team_elsewhere = 600 * MS;
	own = build_region(b, build_frame(b, solve, 0x1000, 0), 0x1020, 1);
	build_stays(b, context_in(b, first, solve, own), 1, 100 * MS);
	build_region_record(b, own, 1, 100 * MS, 2);
	setup = build_phase_node(b, worker, 1, 100 * MS);
	solve = build_phase_node(b, worker, 2, 500 * MS);
	node = context_in(b, worker, setup, region);
	build_stays(b, node, 0, 100 * MS);
	build_wait(b, node, PROFILE_BARRIER_CLOSING, 0, 0, 40 * MS);
	node = context_in(b, worker, solve, region);
	build_stays(b, node, 1, 300 * MS);
	build_wait(b, node, PROFILE_BARRIER_CLOSING, 0, 1, 260 * MS);
	build_thread_at(b, worker)->start_ns = 100 * MS;
	build_thread_at(b, worker)->end_ns = 1000 * MS;
	build_thread_at(b, first)->end_ns = 1000 * MS;
}

static void cut_to(struct profile *profile, const struct build *b, unsigned bits)
{
	uint8_t keeps[N_PHASES + 1];

	for (size_t i = 0; i <= N_PHASES; i++)
		keeps[i] = bits >> i & 1;
	parse(profile, b);
	assert_int_equal(select_phases(profile, keeps), 0);
}

static uint64_t sum_of(const struct profile *profile, uint8_t kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		sum += profile->nodes[i].kind == kind ? profile->nodes[i].time_ns : 0;
	return sum;
}

static void check_run(const struct build *b, unsigned bits, uint64_t wall_ms, uint64_t work_ms,
	uint64_t wait_ms, uint64_t region_ms, uint64_t worker_ms)
{
	struct profile profile;
	uint64_t walls = 0;

	cut_to(&profile, b, bits);
	assert_int_equal(select_wall(&profile), wall_ms * MS);
	assert_int_equal(profile.cut_ns, (1000 - wall_ms) * MS);
	assert_int_equal(sum_of(&profile, PROFILE_NODE_SAMPLES), work_ms * MS);
	assert_int_equal(sum_of(&profile, PROFILE_NODE_WAIT), wait_ms * MS);
	for (size_t i = 0; i < profile.n_regions; i++)
		walls += profile.regions[i].wall_ns;
	assert_int_equal(walls, region_ms * MS);
	assert_in_range(profile_life_ns(&profile.threads[1], select_wall(&profile)), worker_ms * MS,
		worker_ms * MS + 1);
	profile_release(&profile);
}

static void test_by_hand(void **state)
{
	struct build b;

	build_run(&b);
	check_run(&b, 1, 300, 0, 0, 0, 300);
	check_run(&b, 2, 200, 200, 40, 100, 100);
	check_run(&b, 4, 500, 300, 260, 400, 500);
	check_run(&b, 6, 700, 500, 300, 500, 600);
	check_run(&b, 7, 1000, 500, 300, 500, 900);
	check_run(&b, 0, 0, 0, 0, 0, 0);
	build_release(&b);
}

/* What the tool cost in a part is not known: that of the whole is no share of the part's CPU time. */
static void test_no_cost(void **state)
{
	struct profile profile;
	struct build b;

	build_run(&b);
	build_thread_at(&b, 1)->handler_ticks = build_thread_at(&b, 1)->capture_ticks = MS;
	cut_to(&profile, &b, 2);
	assert_int_equal(profile.threads[0].n_signals, 0);
	assert_int_equal(profile.threads[0].handler_ticks + profile.threads[0].capture_ticks, 0);
	profile_release(&profile);
	build_release(&b);
}

/* The times of a thread's samples are those of the samples that are kept. */
static void test_thread_times(void **state)
{
	struct profile profile;
	struct build b;

	build_run(&b);
	build_samples(&b, build_phase_node(&b, 1, 2, 0), PROFILE_OVERHEAD, 5, 5 * MS);
	cut_to(&profile, &b, 2);
	assert_int_equal(profile.threads[0].time_ns[PROFILE_WORK], 200 * MS);
	assert_int_equal(profile.threads[0].time_ns[PROFILE_OVERHEAD], 0);
	profile_release(&profile);
	cut_to(&profile, &b, 4);
	assert_int_equal(profile.threads[0].time_ns[PROFILE_WORK], 300 * MS);
	assert_int_equal(profile.threads[0].time_ns[PROFILE_OVERHEAD], 5 * MS);
	profile_release(&profile);
	build_release(&b);
}

static void make_metrics(struct metrics *metrics, struct tree *tree, const struct profile *profile)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct diag diag;

	assert_int_equal(attribute(tree, profile, &options, &diag), 0);
	assert_int_equal(metrics_make(metrics, profile, tree, &diag), 0);
}

/* The figures of a phase by itself, and those of the table of phases. */
static void test_metrics_by_hand(void **state)
{
	struct profile profile;
	struct metrics metrics;
	struct tree tree;
	struct build b;

	build_run(&b);
	parse(&profile, &b);
	make_metrics(&metrics, &tree, &profile);
	assert_int_equal(metrics.n_phases, 3);
	assert_int_equal(metrics.phases[0].wall_ns, 300 * MS);
	assert_int_equal(metrics.phases[1].wall_ns, 200 * MS);
	assert_int_equal(metrics.phases[1].sum.total_ns, 300 * MS);
	assert_int_equal(metrics.phases[1].sum.barrier_ns, 40 * MS);
	assert_int_equal(metrics.phases[2].capacity_ns, 1000 * MS);
	assert_int_equal(metrics.phases[2].sum.total_ns, 1000 * MS);
	assert_int_equal(metrics.phases[2].sum.barrier_ns, 260 * MS);
	metrics_release(&metrics);
	tree_release(&tree);
	profile_release(&profile);

	cut_to(&profile, &b, 4);
	make_metrics(&metrics, &tree, &profile);
	assert_int_equal(metrics.wall_ns, 500 * MS);
	assert_int_equal(metrics.n_slots, 2);
	assert_int_equal(metrics.serial_ns, 100 * MS);
	assert_int_equal(metrics_capacity(&metrics), 1000 * MS);
	assert_int_equal(metrics.cause_ns[METRICS_IMBALANCE], 260 * MS);
	metrics_release(&metrics);
	tree_release(&tree);
	profile_release(&profile);
	build_release(&b);
}

static uint64_t next(uint64_t *random)
{
	*random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
	return *random >> 33;
}

/* Gives what hangs under each root's child a phase, and regions' records what went by in others. */
static void give_phases(struct profile *profile, uint64_t seed)
{
	profile->phases = realloc(profile->phases, N_PHASES * sizeof(*profile->phases));
	profile->n_phases = N_PHASES;
	for (uint32_t i = 0; i < N_PHASES; i++)
		profile->phases[i] = (struct profile_phase_record){
			.number = i + 1, .outer = UINT32_MAX, .own_ns = next(&seed) % 1000000
		};
	for (size_t i = 0; i < profile->n_nodes; i++) {
		struct profile_tree_node *node = &profile->nodes[i];

		if (node->parent != UINT32_MAX)
			node->phase = profile->nodes[node->parent].kind == PROFILE_NODE_THREAD
					      ? (uint16_t)(next(&seed) % (N_PHASES + 1))
					      : profile->nodes[node->parent].phase;
	}
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i], *region;
		struct profile_region_record *record;

		if (node->kind != PROFILE_NODE_CONTEXT || node->context == UINT32_MAX)
			continue;
		region = &profile->nodes[node->context];
		if (region->kind != PROFILE_NODE_REGION || region->record == UINT32_MAX ||
			region->owner != node->owner || region->phase == node->phase)
			continue;
		record = &profile->regions[region->record];
		record->elsewhere_ns += node->time_ns;
		record->wall_ns += node->time_ns;
	}
}

static void parse_with_phases(struct profile *profile, const struct build *b, uint64_t seed)
{
	parse(profile, b);
	give_phases(profile, seed);
}

/* What threads lived in a phase has one cause each. */
static void test_lives_add_up(void **state)
{
	uint64_t random = 33;

	for (int round = 0; round < ROUNDS; round++) {
		struct profile profile;
		struct metrics metrics;
		struct tree tree;
		struct build b;

		build_begin(&b);
		build_random(&b, &random, round % 2);
		parse_with_phases(&profile, &b, next(&random));
		make_metrics(&metrics, &tree, &profile);
		for (size_t i = 0; i < metrics.n_phases; i++) {
			const struct metrics_thread *sum = &metrics.phases[i].sum;

			assert_int_equal(sum->useful_ns + sum->overhead_ns + sum->barrier_ns +
						 sum->task_ns + sum->lock_ns + sum->idle_ns +
						 sum->mpi_ns + sum->device_ns +
						 sum->not_running_ns + sum->blocked_ns,
				sum->total_ns);
		}
		metrics_release(&metrics);
		tree_release(&tree);
		profile_release(&profile);
		build_release(&b);
	}
}

struct total {
	uint64_t n, time_ns, events, blame_ns, n_events, walls_ns, executions, wall_ns;
};

static void add_total(struct total *total, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		total->n += node->n;
		total->time_ns += node->time_ns;
		if (node->kind != PROFILE_NODE_CONTEXT)
			total->events += node->events;
		if (node->kind == PROFILE_NODE_BLAME)
			total->blame_ns += node->blame_ns;
		if (node->kind == PROFILE_NODE_EVENT)
			total->n_events += node->n_events;
	}
	for (size_t i = 0; i < profile->n_regions; i++) {
		total->walls_ns += profile->regions[i].wall_ns;
		total->executions += profile->regions[i].n;
	}
	total->wall_ns += select_wall(profile);
}

static void test_parts_are_the_whole(void **state)
{
	uint64_t random = 20261123;

	for (int round = 0; round < ROUNDS; round++) {
		struct total whole = { 0 }, sum = { 0 };
		struct profile profile;
		uint64_t seed;
		struct build b;

		build_begin(&b);
		build_random(&b, &random, round % 2);
		seed = next(&random);
		parse_with_phases(&profile, &b, seed);
		add_total(&whole, &profile);
		profile_release(&profile);
		for (unsigned part = 0; part <= N_PHASES; part++) {
			uint8_t keeps[N_PHASES + 1] = { 0 };

			keeps[part] = 1;
			parse_with_phases(&profile, &b, seed);
			assert_int_equal(select_phases(&profile, keeps), 0);
			add_total(&sum, &profile);
			profile_release(&profile);
		}
		assert_memory_equal(&sum, &whole, sizeof(sum));
		build_release(&b);
	}
}

/* Nothing that is kept changes, and twice is once. */
static void test_all_is_all(void **state)
{
	static const uint8_t all[N_PHASES + 1] = { 1, 1, 1, 1 };
	uint64_t random = 7;

	for (int round = 0; round < ROUNDS; round++) {
		struct total whole = { 0 }, once = { 0 }, twice = { 0 };
		struct profile profile;
		struct build b;

		build_begin(&b);
		build_random(&b, &random, round % 2);
		parse_with_phases(&profile, &b, 5);
		add_total(&whole, &profile);
		for (size_t i = 0; i < profile.n_regions; i++)
			profile.regions[i].elsewhere_ns = 0;
		assert_int_equal(select_phases(&profile, all), 0);
		add_total(&once, &profile);
		assert_int_equal(select_phases(&profile, all), 0);
		add_total(&twice, &profile);
		assert_int_equal(once.n, whole.n);
		assert_int_equal(once.time_ns, whole.time_ns);
		assert_int_equal(once.wall_ns, whole.wall_ns);
		assert_int_equal(twice.n, once.n);
		profile_release(&profile);
		build_release(&b);
	}
}

/* When something was is not known of phases: nothing is said of it. */
static void test_no_moments(void **state)
{
	struct profile_timeline_segment *timeline;
	struct profile_moment *moment;
	struct profile profile;
	struct build b;
	uint32_t number;

	build_run(&b);
	number = build_segment(&b, PROFILE_SEGMENT_TIMELINE, 1);
	timeline = (struct profile_timeline_segment *)build_segment_at(&b, number);
	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->count[0][PROFILE_TIME_WORK] = 1;
	number = build_segment(&b, PROFILE_SEGMENT_MOMENTS, 1);
	build_segment_at(&b, number)->record_bytes = PROFILE_MOMENT_BYTES;
	build_segment_at(&b, number)->used = 1;
	moment = (struct profile_moment *)(build_segment_at(&b, number) + 1);
	*moment = (struct profile_moment){ .end = 1, .kind = PROFILE_MOMENT_SAMPLE };
	parse(&profile, &b);
	assert_non_null(profile.timelines);
	assert_int_equal(profile.n_moments, 1);
	profile_release(&profile);
	cut_to(&profile, &b, 2);
	assert_null(profile.timelines);
	assert_int_equal(profile.n_moments, 0);
	assert_null(profile.moments);
	profile_release(&profile);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_no_cost),
		cmocka_unit_test(test_thread_times),
		cmocka_unit_test(test_no_moments),
		cmocka_unit_test(test_metrics_by_hand),
		cmocka_unit_test(test_lives_add_up),
		cmocka_unit_test(test_parts_are_the_whole),
		cmocka_unit_test(test_all_is_all),
	};

	return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
