/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several processes as one: what is of the same code is one node, sums are kept, programs stay apart, and each
 * process has its own wall time and slots. Times in ms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/merge/merge.h"
#include "tests/unit/profile/check_profile.h"
#include "tests/unit/attribution/check_tree.h"

#define MS(n)      ((uint64_t)(n)*1000000)
#define MODULE     0x4000
#define BEGIN_NS   1000000000000000000u
#define MOST_PARTS 8

/* A process, analysed. */
struct part {
	struct build b;
	struct profile profile;
	struct tree tree;
	struct metrics metrics;
};

static uint64_t mutex_at = 0x3000; /* of a process' base; from MODULE on it is in no object */
static struct part parts[MOST_PARTS];
static size_t n_parts;
static struct merged merged;

static void analyse(struct part *part)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct diag diag;

	assert_int_equal(profile_parse(&part->profile, part->b.bytes, part->b.size, "x", &diag), 0);
	assert_int_equal(attribute(&part->tree, &part->profile, &options, &diag), 0);
	assert_int_equal(metrics_make(&part->metrics, &part->profile, &part->tree, &diag), 0);
}

static void add_build_id(struct build *b, uint32_t module, uint8_t id)
{
	build_module_at(b, module)->build_id_bytes = 20;
	memset(build_module_at(b, module)->build_id, id, 20);
}

/*
 * A program at `base`: two threads in a region of main, `ms` of work each in the region, then the second
 * waits for a critical section that is a variable of the program, for which the first is to blame.
 */
static struct part *begin_process(uint64_t base, uint8_t id, uint64_t ms)
{
	struct part *part = &parts[n_parts++];
	struct build *b = &part->b;
	uint32_t region, context[2], main_frame, frame;
	uint64_t mutex = base + mutex_at;

	build_begin(b);
	build_header(b)->waits = (1u << PROFILE_N_WAITS) - 2;
	build_header(b)->start_realtime_ns = BEGIN_NS;
	add_build_id(b,
		build_module(b, id == 1 ? "/bin/app" : "/bin/other", base, base + MODULE,
			PROFILE_MODULE_MAIN),
		id);
	for (uint32_t i = 0; i < 2; i++)
		build_thread(b, i ? 2 : 1);
	main_frame = build_frame(b, build_root(b, 1), base + 0x100, 0);
	region = build_region(b, main_frame, base + 0x120, 1);
	build_region_record(b, region, 1, MS(800), 2);
	for (uint32_t i = 1; i <= 2; i++) {
		context[i - 1] = build_context(b, i, region);
		build_stays(b, context[i - 1], 1, MS(800));
		frame = build_frame(b, context[i - 1], base + 0x200, 0);
		build_samples(b, frame, PROFILE_WORK, (uint32_t)ms, MS(ms));
		if (i == 1)
			build_blame(
				b, frame, PROFILE_WAIT_KEY(PROFILE_CRITICAL, mutex), 0, 1, MS(100));
		else
			build_wait(b, frame, PROFILE_CRITICAL, mutex, 1, MS(100));
	}
	build_lock(b, 2, PROFILE_CRITICAL, mutex)->n_acquired = 10;
	build_samples(b, main_frame, PROFILE_WORK, 200, MS(200));
	return part;
}

static void merge_all(int by_program)
{
	struct merge *merge = merge_begin(by_program);

	assert_non_null(merge);
	for (size_t i = 0; i < n_parts; i++) {
		struct part *part = &parts[i];
		struct merge_process process = { &part->profile, &part->tree, NULL,
			&part->metrics };

		analyse(part);
		assert_int_equal(merge_add(merge, &process), 0);
	}
	assert_int_equal(merge_finish(merge, &merged), 0);
}

static void end(void)
{
	for (size_t i = 0; i < n_parts; i++) {
		metrics_release(&parts[i].metrics);
		tree_release(&parts[i].tree);
		profile_release(&parts[i].profile);
		build_release(&parts[i].b);
	}
	metrics_release(&merged.metrics);
	tree_release(&merged.tree);
	tree_release(&merged.user_tree);
	profile_release(&merged.profile);
	n_parts = 0;
}

static uint64_t samples_of(const struct tree *tree)
{
	uint64_t n = 0;

	for (size_t i = 0; i < tree->n_nodes; i++)
		n += tree_self(tree, i).samples;
	return n;
}

/* Addresses differ from process to process: the tree, the region and the mutex are one all the same. */
static void test_same_program(void **state)
{
	const struct metrics *metrics = &merged.metrics;

	begin_process(0x10000, 1, 600);
	begin_process(0x7f0000000000, 1, 200);
	merge_all(0);
	assert_int_equal(merged.tree.n_nodes, parts[0].tree.n_nodes);
	assert_int_equal(
		samples_of(&merged.tree), samples_of(&parts[0].tree) + samples_of(&parts[1].tree));
	assert_int_equal(merged.profile.n_modules, 1);
	assert_int_equal(merged.profile.n_threads, 4);
	assert_int_equal(metrics->n_threads, 4);
	assert_int_equal(metrics->n_regions, 1);
	assert_int_equal(metrics->regions[0].n, 2);
	assert_int_equal(metrics->regions[0].wall_ns, MS(1600));
	assert_int_equal(merged.tree.nodes[metrics->regions[0].node].kind, TREE_REGION);
	assert_int_equal(metrics->n_locks, 1);
	assert_int_equal(metrics->locks[0].n_acquired, 20);
	assert_int_equal(metrics->locks[0].wait_id, 0x13000);
	assert_int_equal(metrics->n_waits, 1);
	assert_int_equal(metrics->waits[0].wait_ns, MS(200));
	assert_int_equal(metrics->waits[0].n_causes, 2);
	assert_int_equal(metrics->waits[0].causes[0].node, metrics->waits[0].causes[1].node);
	assert_int_equal(
		metrics->waits[0].causes[0].thread + metrics->waits[0].causes[1].thread, 0 + 2);
	end();
}

static uint64_t own_id(void *data, const struct metrics_lock *lock)
{
	(void)data;
	return lock->wait_id;
}

static uint64_t one_id(void *data, const struct metrics_lock *lock)
{
	assert_int_equal(lock->kind, PROFILE_CRITICAL);
	return *(uint64_t *)data;
}

/* Mutexes that each process has somewhere else are one if what they are called by is. */
static void test_joined(void **state)
{
	struct metrics *metrics = &merged.metrics;
	uint64_t id = 77;

	mutex_at = 2 * MODULE;
	begin_process(0x10000, 1, 600);
	begin_process(0x7f0000000000, 1, 200);
	mutex_at = 0x3000;
	merge_all(0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(metrics->n_locks, 2);
		assert_int_equal(metrics->n_waits, 2);
		assert_int_equal(metrics->waits[0].wait_ns, MS(100));
		assert_int_equal(merge_join_mutexes(metrics, own_id, NULL), 0);
	}
	assert_int_equal(merge_join_mutexes(metrics, one_id, &id), 0);
	assert_int_equal(metrics->n_locks, 1);
	assert_int_equal(metrics->locks[0].wait_id, 77);
	assert_int_equal(metrics->locks[0].n_acquired, 20);
	assert_int_equal(metrics->n_waits, 1);
	assert_int_equal(metrics->waits[0].wait_id, 77);
	assert_int_equal(metrics->waits[0].wait_ns, MS(200));
	assert_int_equal(metrics->waits[0].n_causes, 2);
	assert_int_equal(metrics->waits[0].causes[0].ns + metrics->waits[0].causes[1].ns, MS(200));
	end();
}

/* At the same time: slots add up, the wall time is the longest, and gains are parts of it. */
static void test_together(void **state)
{
	const struct metrics *metrics = &merged.metrics;
	struct profile_header *header;
	uint64_t useful_ns;

	header = build_header(&begin_process(0x10000, 1, 600)->b);
	header->n_pauses = 3;
	header->paused_ns = MS(100);
	header = build_header(&begin_process(0x20000, 1, 200)->b);
	header->end_ns = MS(500);
	header->n_pauses = 2;
	header->paused_ns = MS(150);
	merge_all(0);
	/* They pause together, so their pauses do not add up. */
	assert_int_equal(merged.profile.header.n_pauses, 3);
	assert_int_equal(merged.profile.header.paused_ns, MS(150));
	assert_int_equal(metrics->n_processes, 2);
	assert_int_equal(metrics->n_slots, 4);
	assert_int_equal(metrics->most_slots, 2);
	assert_int_equal(metrics->wall_ns, MS(1000));
	assert_int_equal(metrics->walls_ns, MS(1500));
	assert_int_equal(metrics->capacity_ns, MS(3000));
	assert_int_equal(metrics_capacity(metrics), MS(3000));
	assert_int_equal(metrics_gain(metrics, MS(300)), MS(100));
	assert_int_equal(metrics_slots(metrics), 3000000000u);
	assert_int_equal(metrics_wall(metrics, MS(150)), MS(100));
	useful_ns = parts[0].metrics.cause_ns[METRICS_USEFUL] +
		    parts[1].metrics.cause_ns[METRICS_USEFUL];
	assert_int_equal(metrics->cause_ns[METRICS_USEFUL], useful_ns);
	end();
}

/* Two threads of a process count the same event at one place, the second at two paths. */
static void add_events(struct part *part, uint64_t base, uint32_t n)
{
	uint64_t key = PROFILE_EVENT_KEY(PROFILE_EVENT_DISPATCH, 3);
	uint32_t at = build_frame(&part->b, build_root(&part->b, 1), base + 0x300, 0);

	build_event(&part->b, at, key, n, 0, 10 * n);
	at = build_root(&part->b, 2);
	build_event(&part->b, build_frame(&part->b, at, base + 0x300, 0), key, 1, 5 * n, 60 * n);
	build_event(&part->b, build_frame(&part->b, at, base + 0x308, 0), key, 2, 0, 20);
}

/* Events are of a thread of a process, at a place that processes have in common. */
static void test_events(void **state)
{
	const struct metrics *metrics = &merged.metrics;
	uint64_t n = 0, n_looked = 0, amount = 0;
	uint32_t node;

	add_events(begin_process(0x10000, 1, 600), 0x10000, 4);
	add_events(begin_process(0x20000, 1, 600), 0x20000, 3);
	merge_all(0);
	assert_int_equal(metrics->n_events, 6);
	node = metrics->events[0].node;
	for (size_t i = 0; i < metrics->n_events; i++) {
		const struct metrics_event *event = &metrics->events[i];

		assert_int_equal(event->event, PROFILE_EVENT_DISPATCH);
		assert_int_equal(event->detail, 3);
		if (event->node != node)
			continue;
		/* In the order of threads: two of each process. */
		assert_int_equal(event->thread, i);
		n += event->n;
		n_looked += event->n_looked;
		amount += event->amount;
	}
	assert_int_equal(n, 4 + 21 + 3 + 16);
	assert_int_equal(n_looked, 4 + 1 + 3 + 1);
	assert_int_equal(amount, 40 + 240 + 30 + 180);
	assert_int_equal(metrics->events[5].thread, 3);
	assert_int_equal(metrics->events[5].n, 2);
	end();
}

/* One after the other, with a pause: the slots are there again, and the pause is nobody's. */
static void test_in_turn(void **state)
{
	const struct metrics *metrics = &merged.metrics;

	begin_process(0x10000, 1, 600);
	build_header(&begin_process(0x10000, 1, 600)->b)->start_realtime_ns = BEGIN_NS + MS(5000);
	merge_all(0);
	assert_int_equal(metrics->n_slots, 2);
	assert_int_equal(metrics->wall_ns, MS(2000));
	assert_int_equal(metrics->capacity_ns, MS(4000));
	assert_int_equal(metrics_gain(metrics, MS(4000)), MS(2000));
	end();
}

/* Two programs at the same address: nothing of one is the other's. */
static void test_programs(void **state)
{
	const struct profile_module *first, *second;
	const struct metrics *metrics = &merged.metrics;
	size_t n_programs = 0;

	begin_process(0x10000, 1, 600);
	begin_process(0x10000, 2, 200);
	merge_all(1);
	assert_int_equal(merged.profile.n_modules, 2);
	for (size_t i = 0; i < merged.tree.n_nodes; i++)
		n_programs += merged.tree.nodes[i].kind == TREE_PROGRAM;
	assert_int_equal(n_programs, 2);
	assert_int_equal(merged.tree.n_nodes, 2 * parts[0].tree.n_nodes + 1);
	assert_int_equal(metrics->n_regions, 2);
	assert_int_equal(metrics->n_locks, 2);
	first = profile_module_at(&merged.profile, metrics->locks[0].wait_id);
	second = profile_module_at(&merged.profile, metrics->locks[1].wait_id);
	assert_non_null(first);
	assert_non_null(second);
	assert_string_not_equal(first->path, second->path);
	assert_int_equal(metrics->locks[0].wait_id - first->bias, 0x3000);
	assert_int_equal(metrics->locks[1].wait_id - second->bias, 0x3000);
	end();
}

/* Threads say whose they are. */
static void test_owners(void **state)
{
	build_header(&begin_process(0x10000, 1, 600)->b)->around.rank = 1;
	build_header(&begin_process(0x10000, 1, 600)->b)->around.rank = 2;
	merge_all(0);
	assert_int_equal(profile_process_of(&merged.profile, 1)->rank, 1);
	assert_int_equal(profile_process_of(&merged.profile, 2)->rank, 2);
	assert_null(profile_process_of(&merged.profile, 4));
	end();
}

/* Lengths in ticks of machines of different speed: the quantile is that of the same time. */
static void test_lengths(void **state)
{
	struct part *fast;

	begin_process(0x10000, 1, 600);
	fast = begin_process(0x10000, 1, 600);
	merge_all(0);
	assert_in_range(metrics_quantile(&merged.metrics, &merged.metrics.regions[0], 950), MS(700),
		MS(900));
	end();
	begin_process(0x10000, 1, 600);
	fast = begin_process(0x10000, 1, 600);
	analyse(fast);
	for (unsigned bucket = 0; bucket < 128; bucket++) {
		unsigned back = metrics_bucket(metrics_bucket_middle(bucket));

		assert_int_equal(back, bucket);
		for (int side = -1; side <= 1; side += 2) {
			double half = side * metrics_bucket_width(bucket) / 2;
			double edge = metrics_bucket_middle(bucket) + half;
			unsigned past = metrics_bucket(edge + side);

			assert_int_equal(metrics_bucket(edge - side), bucket);
			/* Nothing is shorter than the first, and the last takes all that is longer. */
			if (bucket != (side < 0 ? 0 : 127))
				assert_int_equal(past, (int)bucket + side);
		}
	}
	metrics_release(&fast->metrics);
	tree_release(&fast->tree);
	profile_release(&fast->profile);
	merge_all(0);
	end();
}

/* A thread beside OpenMP's: its start function lies elsewhere in each process, and what it did stays marked. */
static void add_native(struct part *part, uint64_t start)
{
	struct build *b = &part->b;
	uint32_t thread = build_thread(b, 0);

	build_thread_at(b, thread)->start = start;
	build_thread_at(b, thread)->n_lives = 1;
	build_samples(b, build_frame(b, build_root(b, thread), start + 0x10, 0), PROFILE_WORK, 50,
		MS(50));
}

static void test_native_threads(void **state)
{
	size_t n_native = 0;

	add_native(begin_process(0x10000, 1, 600), 0x10300);
	add_native(begin_process(0x7f0000000000, 1, 200), 0x7f0000000300);
	merge_all(0);
	assert_int_equal(merged.profile.n_threads, 6);
	assert_int_equal(merged.profile.threads[0].start, 0);
	assert_int_equal(merged.profile.threads[2].start, 0x10300);
	assert_int_equal(merged.profile.threads[5].start, 0x10300);
	assert_true(profile_is_native(&merged.profile.threads[5]));
	for (size_t i = 0; i < merged.tree.n_nodes; i++) {
		const struct tree_node *node = &merged.tree.nodes[i];

		if (node->kind != TREE_FRAME || !(node->flags & TREE_FRAME_NATIVE))
			continue;
		assert_int_equal(node->addr, 0x10310);
		assert_int_equal(tree_self(&merged.tree, i).samples, 100);
		n_native++;
	}
	assert_int_equal(n_native, 1);
	end();
}

static void add_causes(uint64_t *sum, const struct metrics *metrics)
{
	for (int c = 0; c < METRICS_N_CAUSES; c++)
		sum[c] += metrics->cause_ns[c];
}

/* What must hold for any processes: causes, waits, blame, samples and threads are sums. */
static void check_sums(void)
{
	uint64_t causes[METRICS_N_CAUSES] = { 0 }, wait_ns = 0, blame_ns = 0, samples = 0;
	size_t n_threads = 0;

	for (size_t i = 0; i < n_parts; i++) {
		add_causes(causes, &parts[i].metrics);
		samples += samples_of(&parts[i].tree);
		n_threads += parts[i].profile.n_threads;
		for (size_t k = 0; k < parts[i].metrics.n_waits; k++)
			wait_ns += parts[i].metrics.waits[k].wait_ns;
	}
	assert_memory_equal(causes, merged.metrics.cause_ns, sizeof(causes));
	assert_int_equal(samples, samples_of(&merged.tree));
	assert_int_equal(n_threads, merged.metrics.n_threads);
	for (size_t k = 0; k < merged.metrics.n_waits; k++) {
		const struct metrics_wait *wait = &merged.metrics.waits[k];
		uint64_t sum_ns = wait->unblamed_ns;

		for (size_t c = 0; c < wait->n_causes; c++) {
			sum_ns += wait->causes[c].ns;
			assert_true(wait->causes[c].thread < n_threads);
			assert_true(wait->causes[c].node < merged.tree.n_nodes);
		}
		assert_int_equal(sum_ns, wait->wait_ns);
		blame_ns += wait->wait_ns;
	}
	assert_int_equal(blame_ns, wait_ns);
	for (size_t i = 0; i < merged.metrics.n_regions; i++)
		assert_true(merged.metrics.regions[i].outer == UINT32_MAX ||
			    merged.metrics.regions[i].outer < merged.metrics.n_regions);
}

static void test_random(void **state)
{
	uint64_t random = 777;

	for (int round = 0; round < 300; round++) {
		for (n_parts = 0; n_parts < 3; n_parts++) {
			struct build *b = &parts[n_parts].b;

			build_begin(b);
			build_module(b, "/bin/app", 0x10000 * (1 + next_random(&random) % 3),
				0x80000, PROFILE_MODULE_MAIN);
			build_random(b, &random, round % 2);
			build_header(b)->start_realtime_ns =
				BEGIN_NS + next_random(&random) % MS(2000);
		}
		merge_all(round % 2);
		check_sums();
		end();
	}
}

/* Of thread 2: `count` of work in its bucket 3. */
static void add_timeline(struct part *part, uint32_t count)
{
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(
			&part->b, build_segment(&part->b, PROFILE_SEGMENT_TIMELINE, 2));

	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->segment.used = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES - 1;
	timeline->shift = 20;
	timeline->count[3][PROFILE_TIME_WORK] = count;
	timeline->n_dropped = count;
}

/* On one clock, which begins with the process that began first, whatever the order; one's clock is far off. */
static void test_timelines(void **state)
{
	static const uint64_t begins[] = { BEGIN_NS + MS(7), BEGIN_NS, UINT64_MAX };
	const struct profile_timeline *all;

	for (uint32_t i = 0; i < 3; i++) {
		struct part *part = begin_process(0x400000, 1, 100);

		build_header(&part->b)->start_realtime_ns = begins[i];
		add_timeline(part, 10 + i);
	}
	begin_process(0x400000, 1, 100);
	merge_all(0);
	all = merged.profile.timelines;
	assert_non_null(all);
	assert_int_equal(merged.profile.n_threads, 8);
	for (size_t i = 0; i < 3; i++) {
		assert_null(all[2 * i].ns);
		assert_int_equal(all[2 * i + 1].n, 4);
		assert_int_equal(all[2 * i + 1].n_dropped, 10 + i);
		assert_int_equal(
			all[2 * i + 1].ns[3][PROFILE_TIME_WORK], (10 + i) * PROFILE_TIMELINE_UNIT);
		assert_int_equal(all[2 * i + 1].span_ns, parts[i].profile.timelines[1].span_ns);
	}
	assert_null(all[7].ns);
	assert_int_equal(all[1].begin_ns, MS(7));
	assert_int_equal(all[3].begin_ns, 0);
	assert_true(all[5].begin_ns > MS(7));
	assert_true(all[5].begin_ns < (uint64_t)1 << 63);
	end();
	begin_process(0x400000, 1, 100);
	begin_process(0x400000, 1, 100);
	merge_all(0);
	assert_null(merged.profile.timelines);
	end();
	add_timeline(begin_process(0x400000, 1, 100), 1);
	build_header(&parts[0].b)->start_realtime_ns = UINT64_MAX;
	merge_all(0);
	assert_int_equal(merged.profile.timelines[1].begin_ns, 0);
	end();
}

/* The work of each process: of its threads in the region together, and outside of regions by node. */
static void test_shares(void **state)
{
	const struct metrics *metrics = &merged.metrics;

	begin_process(0x10000, 1, 600);
	begin_process(0x7f0000000000, 1, 200);
	merge_all(0);
	assert_int_equal(metrics->n_shares, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const struct metrics_share *share = &metrics->shares[i];
		int is_region = merged.tree.nodes[share->node].kind == TREE_REGION;
		uint64_t ms = !is_region ? 200 : i % 2 ? 400 : 1200;

		assert_int_equal(share->process, i % 2);
		assert_int_equal(share->work_ns, MS(ms));
		assert_int_equal(share->samples, ms);
		assert_int_equal(
			is_region, metrics->shares[i / 2 * 2].node == metrics->regions[0].node);
	}
	end();
}

/* Work and sleep in the MPI library are left out. Calls of MPI are there from begin to end. */
static void test_shares_of_calls(void **state)
{
	const struct metrics *metrics = &merged.metrics;
	uint64_t work_ns = 0, asleep_ns = 0, mpi_ns = 0;

	for (uint32_t i = 0; i < 2; i++) {
		struct build *b = &begin_process(0x10000, 1, 100)->b;
		uint32_t main_frame = build_frame(b, build_root(b, 1), 0x10000 + 0x100, 0), mpi;

		build_module(b, "/lib/libmpi.so.40", 0x90000, 0x91000, 0);
		mpi = build_frame(b, main_frame, 0x90010, PROFILE_FRAME_EXACT);
		build_wait(b, mpi, PROFILE_MPI, 0, 1, MS(50));
		mpi = build_frame(b, main_frame, 0x90020, PROFILE_FRAME_EXACT);
		build_samples(b, mpi, PROFILE_WORK, 70, MS(70));
		build_wait(b, mpi, PROFILE_BLOCKED, 0, 3, MS(30));
		build_wait(b, build_frame(b, main_frame, 0x10000 + 0x300, PROFILE_FRAME_EXACT),
			PROFILE_BLOCKED, 0, 1, MS(20 + i));
	}
	merge_all(0);
	for (size_t i = 0; i < metrics->n_shares; i++) {
		const struct metrics_share *share = &metrics->shares[i];

		work_ns += share->work_ns;
		mpi_ns += share->mpi_ns;
		asleep_ns += share->asleep_ns;
		if (share->asleep_ns)
			assert_int_equal(share->asleep_ns, MS(20 + share->process));
	}
	assert_int_equal(work_ns, 2 * MS(200 + 200));
	assert_int_equal(asleep_ns, MS(20 + 21));
	assert_int_equal(mpi_ns, MS(100));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_program),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_in_turn),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_native_threads),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_timelines),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_shares_of_calls),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
