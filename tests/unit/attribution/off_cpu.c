/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What made-up profiles have off the CPU: where samples leave time open, and no more than the threads' CPU time leaves
 * room for. The truth is computed by hand. Times in ms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/attribution/metrics_stage.h"

enum { N_SPREAD = 100 };

/* A native thread; it sleeps all the time. Returns its index. */
static uint32_t add_native(void)
{
	uint32_t thread = build_thread(&b, 0);
	struct profile_thread *record = build_thread_at(&b, thread);

	record->start = USER + 0x700;
	record->n_lives = 1;
	record->cpu_last_ns = 0;
	return thread;
}

/* Likewise a helper of the runtime's. */
static uint32_t add_helper(void)
{
	uint32_t thread = build_thread(&b, 3);
	struct profile_thread *record = build_thread_at(&b, thread);

	record->flags |= PROFILE_THREAD_HELPER;
	record->cpu_last_ns = 0;
	return thread;
}

/* A region whose threads sleep in the user's code. While the serial code sleeps, the other slot has nothing to do. */
static void test_off_cpu(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 700 + 200,
		[METRICS_SERIAL] = 200,
		[METRICS_NOT_RUNNING] = 60,
		[METRICS_HELD_UP] = 30,
		[METRICS_BLOCKED] = 540 + 270,
	};

	begin(2, MS(500));
	build_region_record(&b, region, 1, MS(500), 2);
	work_samples(frame[1], 400);
	work_samples(frame[2], 300);
	work_samples(build_root(&b, 1), 200);
	build_thread_at(&b, 1)->run_delay_ns = MS(20);
	build_thread_at(&b, 2)->run_delay_ns = MS(40);
	build_thread_at(&b, 1)->cpu_last_ns = MS(600);
	build_thread_at(&b, 2)->cpu_last_ns = MS(300);
	make();
	check_causes(metrics.cause_ns, in_run);
	/* 300 off the CPU in the region, 300 outside. */
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_NOT_RUNNING], MS(30));
	assert_int_equal(metrics.idle_blocked_ns, MS(270));
	end();
}

/* Sleep that is measured is no time ready without a CPU, and waits for nobody. */
static void test_measured_sleep(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 1300,
		[METRICS_NOT_RUNNING] = 200,
		[METRICS_BLOCKED] = 500,
	};

	begin(2, MS(1000));
	build_region_record(&b, region, 1, MS(1000), 2);
	work_samples(frame[1], 1000);
	work_samples(frame[2], 300);
	build_wait(&b, frame[2], PROFILE_BLOCKED, 0, 1, MS(500));
	build_thread_at(&b, 1)->cpu_last_ns = MS(1000);
	build_thread_at(&b, 2)->cpu_last_ns = MS(300);
	build_thread_at(&b, 2)->run_delay_ns = MS(200);
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.threads[1].blocked_ns, MS(500));
	assert_int_equal(metrics.threads[1].not_running_ns, MS(200));
	assert_int_equal(metrics.n_waits, 0);
	end();
}

/*
 * Serial code that is in MPI, where it spins and sleeps: the other slot is in MPI as well. Samples
 * there are no time by themselves.
 */
static void test_serial_mpi(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 1000 + 300,
		[METRICS_SERIAL] = 300,
		[METRICS_MPI] = 2 * 200,
	};

	begin(2, MS(500));
	build_region_record(&b, region, 1, MS(500), 2);
	work_samples(frame[1], 500);
	work_samples(frame[2], 500);
	work_samples(build_root(&b, 1), 300);
	build_samples(&b, build_root(&b, 1), PROFILE_WAIT_MPI, 120, MS(120));
	build_wait(&b, build_root(&b, 1), PROFILE_MPI, 0, 1, MS(200));
	build_thread_at(&b, 1)->cpu_last_ns = MS(500 + 300 + 120);
	build_thread_at(&b, 2)->cpu_last_ns = MS(500);
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.threads[0].mpi_ns, MS(200));
	assert_int_equal(metrics.n_waits, 0);
	end();
}

/* The tree keeps the time in calls of MPI without a CPU apart: no more of it than the call took. */
static void test_mpi_without_cpu(void **state)
{
	uint64_t waited_ns = 0, no_cpu_ns = 0;
	uint32_t leaf;

	(void)state;
	begin(1, MS(500));
	leaf = build_wait(&b, frame[1], PROFILE_MPI, 0, 1, MS(200));
	build_node_at(&b, leaf)->spare = MS(80);
	leaf = build_wait(&b, build_root(&b, 1), PROFILE_MPI, 0, 1, MS(50));
	build_node_at(&b, leaf)->spare = MS(60);
	leaf = build_wait(&b, frame[1], PROFILE_LOCK, 0xabc, 1, MS(30));
	build_node_at(&b, leaf)->spare = MS(10);
	make();
	for (uint32_t i = 0; i < tree.n_nodes; i++) {
		waited_ns += tree_self(&tree, i).wait_ns[PROFILE_MPI];
		no_cpu_ns += tree_self(&tree, i).mpi_no_cpu_ns;
	}
	assert_int_equal(waited_ns, MS(120));
	assert_int_equal(no_cpu_ns, MS(80 + 50));
	end();
}

/* The MPI library sleeps and works in a call that is not timed, MPI_Init: all of it is in MPI. */
static void test_untimed_mpi(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 1000 + 300,
		[METRICS_SERIAL] = 300,
		[METRICS_MPI] = 2 * (150 + 50),
	};
	uint32_t call;

	begin(2, MS(500));
	build_region_record(&b, region, 1, MS(500), 2);
	work_samples(frame[1], 500);
	work_samples(frame[2], 500);
	work_samples(build_root(&b, 1), 300);
	build_module(&b, "/lib/libmpi.so.40", 0x900000, 0x901000, 0);
	call = build_frame(&b, build_root(&b, 1), 0x900010, PROFILE_FRAME_EXACT);
	work_samples(call, 50);
	build_wait(&b, call, PROFILE_BLOCKED, 0, 7, MS(150));
	build_thread_at(&b, 1)->cpu_last_ns = MS(500 + 300 + 50);
	build_thread_at(&b, 2)->cpu_last_ns = MS(500);
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.threads[0].mpi_ns, MS(150 + 50));
	assert_int_equal(metrics.threads[0].blocked_ns, 0);
	end();
}

/* Mutexes that were free, and samples in them: CPU time of the caller. */
static void test_free_mutexes(void **state)
{
	static const uint64_t alone[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 500,
	};
	static const uint64_t waited[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 380,
		[METRICS_LOCK] = 120,
	};

	for (int i = 0; i < 2; i++) {
		begin(1, MS(500));
		build_region_record(&b, region, 1, MS(500), 1);
		work_samples(frame[1], 300);
		build_samples(&b, frame[1], PROFILE_WAIT_LOCK, 200, MS(200));
		work_samples(build_root(&b, 1), 500);
		if (i)
			build_wait(&b, frame[1], PROFILE_LOCK, 0xabc, 9, MS(120));
		build_thread_at(&b, 1)->cpu_last_ns = MS(1000);
		make();
		assert_int_equal(metrics.regions[0].cause_ns[METRICS_BLOCKED], 0);
		check_causes(metrics.regions[0].cause_ns, i ? waited : alone);
		end();
	}
}

/* A thread waits for a CPU while it spins at barriers, too: user code gets its share of that. */
static void test_delay_while_waiting(void **state)
{
	begin(2, MS(1000));
	build_region_record(&b, region, 1, MS(1000), 2);
	work_samples(frame[1], 1000);
	work_samples(frame[2], 100);
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(600));
	/* Of 1000 it ran for 500: 300 of the rest were off the CPU in the user's code. */
	build_thread_at(&b, 2)->cpu_start_ns = MS(3);
	build_thread_at(&b, 2)->cpu_last_ns = MS(503);
	build_thread_at(&b, 2)->run_delay_ns = MS(400);
	make();
	assert_int_equal(metrics.threads[1].not_running_ns, MS(240));
	assert_int_equal(metrics.threads[1].blocked_ns, MS(60));
	assert_int_equal(metrics.cause_ns[METRICS_NOT_RUNNING], MS(240));
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(60));
	end();
}

/* A thread is known to have slept at a barrier: so its code slept no longer than the rest of its time off the CPU. */
static void test_asleep_in_waits(void **state)
{
	begin(2, MS(1000));
	build_region_record(&b, region, 1, MS(1000), 2);
	work_samples(frame[1], 1000);
	work_samples(frame[2], 100);
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(600));
	build_thread_at(&b, 1)->cpu_last_ns = MS(1000);
	build_thread_at(&b, 2)->cpu_last_ns = MS(500);
	build_thread_at(&b, 2)->more.waited_asleep_ns = MS(450);
	make();
	assert_int_equal(metrics.threads[1].blocked_ns, MS(50));
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(50));
	end();
}

/* Where the threads had no CPU is known: in the code, at the barrier, and without a team. */
static void test_placed_delay(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 300 + 200 + 500,
		[METRICS_SERIAL] = 500 - 100,
		[METRICS_IMBALANCE] = 150,
		[METRICS_NOT_RUNNING] = 200 + 150 + 100,
	};
	struct profile_region *record;
	uint32_t leaf;

	begin(2, MS(500));
	record = build_region_record(&b, region, 1, MS(500), 2);
	record->imbalance = MS(200);
	record->release = MS(100);
	work_samples(build_root(&b, 1), 500);
	leaf = build_samples(&b, frame[1], PROFILE_WORK, 300, MS(300));
	build_node_at(&b, leaf)->spare = MS(200);
	work_samples(frame[2], 200);
	/* At the barrier the threads were slow to leave for the lack of a CPU, and 50 before. */
	leaf = build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(300));
	build_node_at(&b, leaf)->spare = MS(150);
	leaf = build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BETWEEN, 0, 1, MS(500));
	build_node_at(&b, leaf)->spare = MS(100);
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.threads[0].not_running_ns, MS(200));
	assert_int_equal(metrics.threads[1].not_running_ns, MS(250));
	assert_int_equal(metrics.threads[1].barrier_ns, MS(150));
	assert_int_equal(metrics.threads[1].idle_ns, MS(400));
	end();
}

/*
 * A sample in a wait and another wait have delays: a wait loses its own delay, and no more than it has. The rest is
 * taken out of the code's time.
 */
static void test_delay_of_each_wait(void **state)
{
	uint64_t sum = 0;
	uint32_t leaf;

	begin(1, MS(500));
	build_region_record(&b, region, 1, MS(500), 1)->imbalance = MS(50);
	work_samples(frame[1], 100);
	work_samples(build_root(&b, 1), 500);
	leaf = build_samples(&b, frame[1], PROFILE_WAIT_LOCK, 1, MS(1));
	build_node_at(&b, leaf)->spare = MS(40);
	leaf = build_wait(&b, frame[1], PROFILE_LOCK, 0xabc, 1, MS(120));
	build_node_at(&b, leaf)->spare = MS(20);
	leaf = build_wait(&b, frame[1], PROFILE_LOCK, 0xdef, 1, MS(10));
	build_node_at(&b, leaf)->spare = MS(30);
	leaf = build_wait(&b, context[1], PROFILE_BARRIER_EXPLICIT, 0, 1, MS(50));
	build_node_at(&b, leaf)->spare = MS(60);
	build_thread_at(&b, 1)->cpu_last_ns = MS(800);
	make();
	for (size_t i = 0; i < metrics.n_waits; i++)
		sum += metrics.waits[i].wait_ns;
	assert_int_equal(sum, MS(100));
	assert_int_equal(metrics.threads[0].lock_ns, MS(100));
	assert_int_equal(metrics.threads[0].barrier_ns, 0);
	assert_int_equal(metrics.threads[0].not_running_ns, MS(40 + 20 + 30 + 60));
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_LOCK], MS(100));
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_IMBALANCE], 0);
	end();
}

/* The event of the region's begin came late: a part of its time without a CPU was found in front of it. */
static void test_misplaced_delay(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 100 + 300,
		[METRICS_NOT_RUNNING] = 400 + 200,
	};
	uint32_t leaf;

	begin(1, MS(500));
	build_region_record(&b, region, 1, MS(500), 1);
	leaf = build_samples(&b, build_root(&b, 1), PROFILE_WORK, 100, MS(100));
	build_node_at(&b, leaf)->spare = MS(600);
	work_samples(frame[1], 300);
	build_thread_at(&b, 1)->cpu_last_ns = MS(400);
	make();
	check_causes(metrics.cause_ns, in_run);
	end();
}

/* The waits at the barrier and in front of the region are for thread 1, which has no CPU for most of the time. */
static void test_held_up(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 500 + 200 + 400,
		[METRICS_SERIAL] = 400,
		[METRICS_IMBALANCE] = 75,
		[METRICS_NOT_RUNNING] = 100,
		[METRICS_HELD_UP] = 225 + 100,
	};
	struct profile_region *record;
	uint64_t key;

	begin(2, MS(500));
	record = build_region_record(&b, region, 1, MS(500), 2);
	record->imbalance = MS(300);
	work_samples(build_root(&b, 1), 400);
	work_samples(frame[1], 500);
	work_samples(frame[2], 200);
	build_thread_at(&b, 1)->run_delay_ns = MS(100);
	build_thread_at(&b, 1)->cpu_last_ns = MS(900);
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(300));
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BETWEEN, 0, 1, MS(500));
	key = PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region);
	build_blame(&b, frame[1], key, 0, 100, MS(100));
	build_blame(&b, frame[1], key, PROFILE_BLAME_NO_CPU, 10, MS(300));
	key = PROFILE_WAIT_KEY(PROFILE_IDLE_BETWEEN, 0);
	build_blame(&b, build_root(&b, 1), key, 0, 400, MS(400));
	build_blame(&b, build_root(&b, 1), key, PROFILE_BLAME_NO_CPU, 10, MS(100));
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.waits[1].n_causes, 2);
	assert_int_equal(metrics.waits[1].causes[0].node, METRICS_NO_CPU);
	assert_int_equal(metrics.waits[1].causes[0].ns, MS(225));
	/* The code is to blame for the rest only. */
	assert_int_equal(metrics.threads[0].blame_ns, MS(75 + 400));
	end();
}

/* A thread is waited for, and sleeps for two thirds of that. One place has a blame leaf for each part. */
static void test_waited_for_sleep(void **state)
{
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region);

	begin(2, MS(500));
	build_region_record(&b, region, 1, MS(500), 2)->imbalance = MS(300);
	work_samples(frame[1], 100);
	work_samples(frame[2], 200);
	build_wait(&b, frame[1], PROFILE_BLOCKED, 0, 1, MS(400));
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(300));
	build_blame(&b, frame[1], key, 0, 100, MS(100));
	build_blame(&b, frame[1], key, PROFILE_BLAME_ASLEEP, 10, MS(200));
	make();
	assert_int_equal(metrics.n_waits, 1);
	assert_int_equal(metrics.waits[0].n_causes, 1);
	assert_int_equal(metrics.waits[0].causes[0].ns, MS(300));
	assert_int_equal(metrics.waits[0].causes[0].asleep_ns, MS(200));
	end();
}

/* What the samples of one thread, a period each, leave open of its busy time. */
static void test_what_samples_can_err(void **state)
{
	static const struct {
		uint64_t period_ns, busy_ms, sampled_ms;
		int is_off;
	} rows[] = {
		{ 1000000, 100, 93, 0 }, /* 7 periods; 3 * sqrt(93) is 29 */
		{ 1000000, 200, 140, 1 },
		{ 1000000, 4, 0, 0 },
		{ 1000000, 5, 0, 1 },
		{ 1000, 104, 100, 0 }, /* 4000 periods, but less than 5 % */
		{ 1000, 106, 100, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t off_ms = rows[i].is_off ? rows[i].busy_ms - rows[i].sampled_ms : 0;

		begin(1, MS(rows[i].busy_ms));
		build_header(&b)->period = rows[i].period_ns;
		build_region_record(&b, region, 1, MS(rows[i].busy_ms), 1);
		build_samples(&b, frame[1], PROFILE_WORK, 1, MS(rows[i].sampled_ms));
		make();
		assert_int_equal(metrics.regions[0].cause_ns[METRICS_BLOCKED], MS(off_ms));
		assert_int_equal(
			metrics.regions[0].cause_ns[METRICS_USEFUL], MS(rows[i].busy_ms - off_ms));
		end();
	}
}

/*
 * Each of 100 regions lasts 4 and has samples of 2: too few to tell by itself, but together they do. The serial code of
 * 600 has none.
 */
static void build_spread(void)
{
	begin(1, MS(400));
	build_header(&b)->period = 1000000;
	build_region_record(&b, region, 1, MS(400), 1);
	for (uint32_t i = 0; i < N_SPREAD; i++) {
		uint32_t inner = build_region(&b, frame[1], USER + 0x1304 + 8 * i, 1);
		uint32_t inner_context = build_context(&b, 1, inner);

		build_region_record(&b, inner, 1, MS(4), 1)->outer = region;
		build_stays(&b, inner_context, 1, MS(4));
		build_samples(&b, inner_context, PROFILE_WORK, 2, MS(2));
	}
}

static void test_spread_off_cpu(void **state)
{
	build_spread();
	make();
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(600 + 200));
	assert_int_equal(metrics.threads[0].blocked_ns, MS(600 + 200));
	for (uint32_t i = 0; i < N_SPREAD; i++) {
		const struct metrics_region *inner = region_at(USER + 0x1304 + 8 * i);

		assert_int_equal(inner->cause_ns[METRICS_BLOCKED], MS(2));
		assert_int_equal(inner->cause_ns[METRICS_USEFUL], MS(2));
	}
	end();
}

/* It is bounded like what single parts show, in proportion: the thread had room for half of that. */
static void test_spread_on_cpu(void **state)
{
	build_spread();
	build_thread_at(&b, 1)->cpu_last_ns = MS(600);
	make();
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(300 + 100));
	assert_int_equal(metrics.cause_ns[METRICS_OVERHEAD], MS(300 + 100));
	assert_int_equal(metrics.serial_cause_ns[METRICS_BLOCKED], MS(300));
	for (uint32_t i = 0; i < N_SPREAD; i++) {
		const struct metrics_region *inner = region_at(USER + 0x1304 + 8 * i);

		assert_int_equal(inner->cause_ns[METRICS_BLOCKED], MS(1));
		assert_int_equal(inner->cause_ns[METRICS_OVERHEAD], MS(1));
		assert_int_equal(inner->cause_ns[METRICS_USEFUL], MS(2));
	}
	end();
}

/*
 * What the threads' CPU time leaves no room for they did not sleep: it is the runtime's. A thread that has not ended has
 * two periods besides.
 */
static void test_on_cpu(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 400 + 500,
		[METRICS_SERIAL] = 500,
		[METRICS_OVERHEAD] = 600 - 90,
		[METRICS_BLOCKED] = 90,
	};

	begin(2, MS(500));
	build_region_record(&b, region, 1, MS(500), 2);
	work_samples(frame[1], 300);
	work_samples(frame[2], 100);
	work_samples(build_root(&b, 1), 500);
	build_thread_at(&b, 1)->cpu_last_ns = MS(992);
	build_thread_at(&b, 1)->flags &= ~(uint32_t)PROFILE_THREAD_ENDED;
	build_thread_at(&b, 2)->cpu_start_ns = MS(10);
	build_thread_at(&b, 2)->cpu_last_ns = MS(930);
	make();
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_OVERHEAD], MS(510));
	assert_int_equal(metrics.threads[0].blocked_ns, MS(10));
	assert_int_equal(metrics.threads[0].overhead_ns, MS(190));
	assert_int_equal(metrics.threads[1].blocked_ns, MS(80));
	assert_int_equal(metrics.threads[1].overhead_ns, MS(820));
	end();
}

/* The kernel says that the thread was ready; only the samples of a short region show where. */
static void test_ready_in_short_region(void **state)
{
	begin(1, MS(40));
	build_region_record(&b, region, 1, MS(40), 1);
	work_samples(frame[1], 10);
	work_samples(build_root(&b, 1), 960);
	build_thread_at(&b, 1)->cpu_last_ns = MS(970);
	build_thread_at(&b, 1)->run_delay_ns = MS(30);
	make();
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_NOT_RUNNING], MS(30));
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], 0);
	end();
}

/* All regions together are not off the CPU for longer than the threads. */
static void test_on_cpu_in_two_regions(void **state)
{
	uint32_t other;

	begin(1, MS(400));
	build_region_record(&b, region, 1, MS(400), 1);
	other = build_region(&b, build_root(&b, 1), USER + 0x2104, 1);
	build_region_record(&b, other, 1, MS(400), 1);
	build_stays(&b, build_context(&b, 1, other), 1, MS(400));
	work_samples(frame[1], 100);
	work_samples(build_root(&b, 1), 200);
	build_thread_at(&b, 1)->cpu_last_ns = MS(790);
	build_thread_at(&b, 1)->run_delay_ns = MS(70);
	make();
	/* Of 300 and 400 that the samples leave open; a third of that time it was ready. */
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(140));
	assert_int_equal(metrics.cause_ns[METRICS_NOT_RUNNING], MS(70));
	assert_int_equal(metrics.cause_ns[METRICS_OVERHEAD], MS(490));
	assert_int_equal(metrics.threads[0].blocked_ns, MS(140));
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_BLOCKED], MS(60));
	assert_int_equal(region_at(USER + 0x2104)->cause_ns[METRICS_BLOCKED], MS(80));
	end();
}

/* A native thread that sleeps all the time does not change that. */
static void test_on_cpu_beside_native_thread(void **state)
{
	begin(1, MS(1000));
	build_region_record(&b, region, 1, MS(1000), 1);
	work_samples(frame[1], 100);
	build_thread_at(&b, 1)->cpu_last_ns = MS(950);
	add_native();
	make();
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(50));
	assert_int_equal(metrics.cause_ns[METRICS_OVERHEAD], MS(850));
	end();
}

/* A region that a helper encounters in a task is not bounded, and leaves the others what the threads have: of time off the
   CPU, and of that in which they were ready to run. */
static void test_helpers_region(void **state)
{
	uint32_t helper, task, executed, inner, inner_context;

	begin(1, MS(200));
	build_region_record(&b, region, 1, MS(200), 1)->max_team = 2;
	work_samples(frame[1], 40);
	work_samples(build_root(&b, 1), 800);
	build_thread_at(&b, 1)->cpu_last_ns = MS(960);
	build_thread_at(&b, 1)->run_delay_ns = MS(20);
	helper = add_helper();
	task = build_task(&b, build_root(&b, 1), USER + 0x20, 1);
	executed = build_context(&b, helper, task);
	build_stays(&b, executed, 1, MS(200));
	inner = build_region(&b, executed, USER + 0x904, 1);
	build_region_record(&b, inner, 1, MS(200), 1);
	inner_context = build_context(&b, helper, inner);
	build_stays(&b, inner_context, 1, MS(200));
	work_samples(inner_context, 20);
	make();
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_BLOCKED], MS(20));
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_NOT_RUNNING], MS(20));
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_OVERHEAD], MS(120));
	assert_int_equal(region_at(USER + 0x904)->cause_ns[METRICS_BLOCKED], MS(180));
	assert_int_equal(region_at(USER + 0x904)->cause_ns[METRICS_OVERHEAD], 0);
	end();
}

/* A phase's figures of that, in ms. */
static void check_phase(size_t i, uint64_t total, uint64_t useful, uint64_t blocked)
{
	const struct metrics_thread *sum = &metrics.phases[i].sum;

	assert_int_equal(sum->total_ns, MS(total));
	assert_int_equal(sum->useful_ns, MS(useful));
	assert_int_equal(sum->blocked_ns, MS(blocked));
	assert_int_equal(sum->overhead_ns, MS(total - useful - blocked));
}

/*
 * The thread was off the CPU for 210; samples leave 700 open in two phases. Native threads and
 * helpers, which sleep, count in none.
 */
static void test_phases_on_cpu(void **state)
{
	uint32_t beside[2];

	begin(1, 0);
	build_phase(&b, 1, 0, "setup", MS(400));
	build_phase(&b, 2, 0, "solve", MS(400));
	work_samples(build_root(&b, 1), 200);
	work_samples(build_phase_node(&b, 1, 1, MS(400)), 100);
	build_phase_node(&b, 1, 2, MS(400));
	build_thread_at(&b, 1)->cpu_last_ns = MS(790);
	beside[0] = add_native();
	beside[1] = add_helper();
	for (int i = 0; i < 2; i++)
		work_samples(build_phase_node(&b, beside[i], 2, MS(400)), 30);
	make();
	assert_int_equal(metrics.n_phases, 3);
	check_phase(0, 200, 200, 0);
	check_phase(1, 400, 100, 90);
	check_phase(2, 400, 0, 120);
	assert_int_equal(metrics.threads[0].blocked_ns, MS(90 + 120));
	end();
}

/* Without measured waits, what no sample saw is off the CPU, whatever the CPU time says: it may have been waited. */
static void test_on_cpu_without_waits(void **state)
{
	begin(1, 0);
	build_header(&b)->waits = 0;
	build_phase(&b, 1, 0, "solve", MS(600));
	work_samples(build_root(&b, 1), 300);
	work_samples(build_phase_node(&b, 1, 1, MS(600)), 100);
	build_thread_at(&b, 1)->cpu_last_ns = MS(1000);
	make();
	assert_false(metrics.has_waits);
	check_phase(0, 400, 300, 100);
	check_phase(1, 600, 100, 500);
	assert_int_equal(metrics.threads[0].blocked_ns, MS(600));
	assert_int_equal(metrics.threads[0].overhead_ns, 0);
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(600));
	assert_int_equal(metrics.cause_ns[METRICS_OVERHEAD], 0);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off_cpu),
		cmocka_unit_test(test_measured_sleep),
		cmocka_unit_test(test_serial_mpi),
		cmocka_unit_test(test_mpi_without_cpu),
		cmocka_unit_test(test_untimed_mpi),
		cmocka_unit_test(test_free_mutexes),
		cmocka_unit_test(test_delay_while_waiting),
		cmocka_unit_test(test_asleep_in_waits),
		cmocka_unit_test(test_placed_delay),
		cmocka_unit_test(test_delay_of_each_wait),
		cmocka_unit_test(test_misplaced_delay),
		cmocka_unit_test(test_held_up),
		cmocka_unit_test(test_waited_for_sleep),
		cmocka_unit_test(test_what_samples_can_err),
		cmocka_unit_test(test_spread_off_cpu),
		cmocka_unit_test(test_spread_on_cpu),
		cmocka_unit_test(test_on_cpu),
		cmocka_unit_test(test_ready_in_short_region),
		cmocka_unit_test(test_on_cpu_in_two_regions),
		cmocka_unit_test(test_on_cpu_beside_native_thread),
		cmocka_unit_test(test_helpers_region),
		cmocka_unit_test(test_phases_on_cpu),
		cmocka_unit_test(test_on_cpu_without_waits),
	};

	return cmocka_run_group_tests_name("off_cpu", tests, NULL, NULL);
}
