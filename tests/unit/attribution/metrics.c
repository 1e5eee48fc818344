/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of made-up profiles whose truth is computed by hand. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/attribution/metrics_stage.h"

static uint32_t node_at(uint64_t addr)
{
	for (uint32_t i = 0; i < tree.n_nodes; i++) {
		if (tree.nodes[i].addr == addr)
			return i;
	}
	return UINT32_MAX;
}

static void build_one_region(void)
{
	struct profile_region *record;

	begin(4, MS(598));
	record = build_region_record(&b, region, 10, MS(600), 4);
	record->n_barriers = 20;
	record->imbalance = MS(30);
	record->release = MS(6);
	record->starved = MS(4);
	record->n_last[0] = 4;
	record->n_last[2] = 12;
	record->n_others = 4;
	build_wait(&b, context[1], PROFILE_BARRIER_CLOSING, 0, 10, MS(20));
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 10, MS(100));
	build_wait(&b, context[3], PROFILE_BARRIER_EXPLICIT, 0, 10, MS(80));
	build_wait(&b, context[4], PROFILE_BARRIER_CLOSING, 0, 10, MS(200));
	build_wait(&b, frame[1], PROFILE_CRITICAL, 0xabc, 5, MS(50));
	build_wait(&b, frame[2], PROFILE_TASKWAIT, 0, 5, MS(20));
	build_wait(&b, frame[3], PROFILE_REDUCTION, 0, 5, MS(4));
	work_samples(frame[1], 500);
	work_samples(frame[2], 400);
	work_samples(frame[3], 520);
	work_samples(frame[4], 480);
	build_samples(&b, frame[3], PROFILE_OVERHEAD, 22, MS(22));
	build_samples(&b, frame[4], PROFILE_WAIT_BARRIER, 190, MS(190));
	work_samples(build_root(&b, 1), 390);
	build_samples(&b, build_root(&b, 1), PROFILE_OVERHEAD, 10, MS(10));
	for (uint32_t i = 2; i <= 4; i++)
		build_wait(&b, build_root(&b, i), PROFILE_IDLE_BETWEEN, 0, 9, MS(402));
}

static void test_one_region(void **state)
{
	/* 2392 in the region, of which 474 waiting; 8 of 4 * 600 were spent forking and joining. */
	static const uint64_t in_region[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 1900,
		[METRICS_IMBALANCE] = 300,
		[METRICS_LOCK] = 50,
		[METRICS_TASK] = 20 + 40,
		[METRICS_OVERHEAD] = 60 + 4 + 18 + 8,
	};
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 1900 + 390,
		[METRICS_SERIAL] = 3 * 400,
		[METRICS_IMBALANCE] = 300,
		[METRICS_LOCK] = 50,
		[METRICS_TASK] = 60,
		[METRICS_OVERHEAD] = 90 + 10,
	};

	build_one_region();
	make();
	assert_int_equal(metrics.n_slots, 4);
	assert_int_equal(metrics.wall_ns, MS(1000));
	assert_int_equal(metrics.serial_ns, MS(400));
	assert_true(metrics.has_waits);
	assert_int_equal(metrics.n_regions, 1);
	check_causes(metrics.regions[0].cause_ns, in_region);
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.regions[0].thread_ns, MS(2392));
	assert_int_equal(metrics.regions[0].n, 10);
	assert_int_equal(metrics.regions[0].outer, UINT32_MAX);
	assert_int_equal(metrics.regions[0].slowest, 2);
	assert_int_equal(metrics.regions[0].n_slowest, 12);
	/* All wait 20, so 320 of 400 are always the same threads'. */
	assert_int_equal(metrics.regions[0].persistent_ns, MS(240));
	end();
}

static void test_threads(void **state)
{
	const struct metrics_thread *thread;

	build_one_region();
	/* 78 of 156 off the CPU are none of the waits; of either half was spent ready to run. */
	build_thread_at(&b, 2)->cpu_start_ns = 0;
	build_thread_at(&b, 2)->cpu_last_ns = MS(844);
	build_thread_at(&b, 2)->run_delay_ns = MS(78);
	make();
	assert_int_equal(metrics.n_threads, 4);
	thread = &metrics.threads[1];
	assert_int_equal(thread->total_ns, MS(1000));
	assert_int_equal(thread->useful_ns, MS(400));
	assert_int_equal(thread->barrier_ns, MS(90));
	assert_int_equal(thread->task_ns, MS(30));
	assert_int_equal(thread->idle_ns, MS(402));
	assert_int_equal(thread->not_running_ns, MS(39));
	assert_int_equal(thread->blocked_ns, MS(39));
	thread = &metrics.threads[0];
	assert_int_equal(thread->lock_ns, MS(50));
	assert_int_equal(thread->barrier_ns + thread->task_ns, MS(20));
	/* 900 of 930 sampled: no more than samples can err, so all is split in their ratio. */
	assert_int_equal(thread->blocked_ns, 0);
	assert_int_equal(thread->useful_ns, MS(930) * 890 / 900);
	assert_int_equal(thread->useful_ns + thread->overhead_ns, MS(930));
	/* Reduction, and the overhead that was not sampled in it. */
	assert_in_range(metrics.threads[2].overhead_ns, MS(4) + MS(514) * 18 / (520 + 18),
		MS(4) + MS(514) * 18 / (520 + 18) + 1);
	end();
}

static void test_clocks(void **state)
{
	for (uint32_t clock = PROFILE_CLOCK_WALL; clock <= PROFILE_CLOCK_EVENT; clock++) {
		uint32_t samples, useful_ms;

		begin(2, MS(500));
		build_header(&b)->clock_kind = clock;
		build_region_record(&b, region, 1, MS(500), 2);
		samples = build_samples(&b, frame[1], PROFILE_WORK, 3, MS(3));
		build_node_at(&b, samples)->events = 3000;
		samples = build_samples(&b, frame[1], PROFILE_OVERHEAD, 1, MS(1));
		build_node_at(&b, samples)->events = 1000;
		make();
		/* Events say nothing of time. */
		useful_ms = clock == PROFILE_CLOCK_EVENT ? 1000 : 750;
		assert_int_equal(metrics.regions[0].cause_ns[METRICS_USEFUL], MS(useful_ms));
		assert_int_equal(
			metrics.regions[0].cause_ns[METRICS_OVERHEAD], MS(1000 - useful_ms));
		assert_int_equal(metrics.cause_ns[METRICS_SERIAL], MS(500));
		assert_int_equal(metrics.cause_ns[METRICS_BLOCKED],
			clock == PROFILE_CLOCK_CPU ? MS(500) : 0);
		end();
	}
}

/* Two threads, one of which encounters a region of `team`; see what fits into the slots. */
static void build_nested(uint32_t outer_team, uint32_t inner_team)
{
	uint32_t inner, inner_context;

	begin(outer_team, MS(100));
	build_region_record(&b, region, 1, MS(100), outer_team);
	inner = build_region(&b, frame[2], USER + 0x304, 1);
	build_region_record(&b, inner, 1, MS(40), inner_team)->outer = region;
	for (uint32_t i = 0; i < inner_team; i++) {
		uint32_t thread = i ? build_thread(&b, 2) : 2;

		inner_context = build_context(&b, thread, inner);
		build_stays(&b, inner_context, 1, MS(40));
		build_wait(&b, inner_context, PROFILE_BARRIER_CLOSING, 0, 1, MS(10));
		work_samples(inner_context, 30);
	}
	for (uint32_t i = 1; i <= outer_team; i++)
		work_samples(frame[i], i == 2 ? 60 : 100);
}

static void test_nested(void **state)
{
	static const uint64_t outer[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 160,
		[METRICS_SHORT_TEAM] = 3 * 100 - 160 - 120,
	};
	static const uint64_t inner[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 90,
		[METRICS_IMBALANCE] = 30,
	};

	build_nested(2, 3);
	make();
	assert_int_equal(metrics.n_slots, 3);
	assert_int_equal(metrics.serial_ns, MS(900));
	check_causes(region_at(USER + 0x104)->cause_ns, outer);
	check_causes(region_at(USER + 0x304)->cause_ns, inner);
	assert_int_equal(
		&metrics.regions[region_at(USER + 0x304)->outer] - region_at(USER + 0x104), 0);
	end();
}

/* 260 and 120 thread-ms in a capacity of 300. */
static void test_nested_too_many(void **state)
{
	build_nested(3, 3);
	make();
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_USEFUL], MS(260) * 300 / 380);
	assert_in_range(region_at(USER + 0x304)->cause_ns[METRICS_IMBALANCE], MS(30) * 300 / 380,
		MS(30) * 300 / 380 + 1);
	assert_int_equal(metrics.cause_ns[METRICS_SHORT_TEAM], 0);
	/* The initial thread has no sample outside of the region: it sleeps there, and the other slots with it. */
	assert_int_equal(metrics.cause_ns[METRICS_SERIAL], 0);
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(900 + 1800));
	end();
}

static void test_short_team(void **state)
{
	begin(2, MS(300));
	build_region_record(&b, region, 3, MS(300), 2)->max_team = 4;
	work_samples(frame[1], 300);
	work_samples(frame[2], 300);
	make();
	assert_int_equal(metrics.n_slots, 4);
	assert_int_equal(metrics.cause_ns[METRICS_SHORT_TEAM], MS(600));
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_SHORT_TEAM], MS(600));
	end();
}

/* Two initial threads, whose regions run at the same time: there is more than the slots have. */
static void test_two_initial_threads(void **state)
{
	uint32_t other, third;
	uint64_t sum = 0;

	begin(2, MS(700));
	build_region_record(&b, region, 1, MS(700), 2);
	work_samples(frame[1], 700);
	work_samples(frame[2], 700);
	third = build_thread(&b, 1);
	other = build_region(
		&b, build_frame(&b, build_root(&b, third), USER + 0x800, 0), USER + 0x804, 1);
	build_region_record(&b, other, 1, MS(350), 1);
	build_stays(&b, build_context(&b, third, other), 1, MS(350));
	make();
	assert_int_equal(metrics.serial_ns, 0);
	/* Its 2 * 350 have no room, so all is scaled: 1400 + 700. Sleep outside of regions has none. */
	assert_int_equal(metrics.cause_ns[METRICS_SERIAL], 0);
	assert_int_equal(metrics.serial_cause_ns[METRICS_BLOCKED], 0);
	for (int i = 0; i < METRICS_N_CAUSES; i++) {
		sum += metrics.cause_ns[i];
		assert_int_equal(metrics.cause_ns[i], metrics.regions[0].cause_ns[i] +
							      metrics.regions[1].cause_ns[i] +
							      metrics.serial_cause_ns[i]);
	}
	assert_int_equal(sum, MS(2000));
	/* So are the regions' parts of it. */
	assert_in_range(region_at(USER + 0x104)->cause_ns[METRICS_USEFUL],
		MS(1400) * 2000 / 2100 - 1, MS(1400) * 2000 / 2100 + 1);
	assert_in_range(region_at(USER + 0x804)->cause_ns[METRICS_SHORT_TEAM],
		MS(350) * 2000 / 2100 - 1, MS(350) * 2000 / 2100 + 1);
	end();
}

/*
 * The first thread works for 300 and then sleeps, while another one has a region of 400, works for
 * 200 and sleeps for 100.
 */
static void test_first_thread_waits(void **state)
{
	static const uint64_t in_serial[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 300 + 200,
		[METRICS_SERIAL] = 500,
		[METRICS_BLOCKED] = 2 * 100,
	};
	uint32_t first;

	begin(2, MS(400));
	build_region_record(&b, region, 1, MS(400), 2);
	build_thread_at(&b, 1)->begun_ns = MS(300);
	work_samples(frame[1], 400);
	work_samples(frame[2], 400);
	work_samples(build_root(&b, 1), 200);
	build_wait(&b, build_root(&b, 1), PROFILE_BLOCKED, 0, 1, MS(100));
	first = build_thread(&b, 0);
	build_thread_at(&b, first)->tid = build_header(&b)->pid;
	work_samples(build_root(&b, first), 300);
	build_wait(&b, build_root(&b, first), PROFILE_BLOCKED, 0, 1, MS(700));
	make();
	assert_int_equal(metrics.serial_ns, MS(600));
	check_causes(metrics.serial_cause_ns, in_serial);
	assert_int_equal(metrics.cause_ns[METRICS_USEFUL], MS(800 + 500));
	end();
}

/* A native thread with work, time in which it was ready to run, and two lives of 300 and 100. */
static void add_native(void)
{
	uint32_t thread = build_thread(&b, 0);
	struct profile_thread *record = build_thread_at(&b, thread);

	record->start = USER + 0x700;
	record->n_lives = 2;
	record->lived_ns = MS(300);
	record->begun_ns = MS(850);
	record->end_ns = MS(950);
	record->cpu_last_ns = MS(250);
	record->run_delay_ns = MS(100);
	work_samples(build_frame(&b, build_root(&b, thread), USER + 0x704, 0), 250);
}

/* They change none of the run's figures, and have their own. */
/* One of two threads has no CPU for 100 ms of the serial code. The other one works all the time: nobody is held up. */
static void test_one_of_two_lacks_a_cpu(void **state)
{
	uint32_t first;

	begin(2, MS(700));
	build_region_record(&b, region, 1, MS(700), 2);
	work_samples(frame[1], 700);
	work_samples(frame[2], 700);
	work_samples(build_root(&b, 1), 200);
	build_thread_at(&b, 1)->cpu_last_ns = MS(900);
	build_thread_at(&b, 1)->run_delay_ns = MS(100);
	first = build_thread(&b, 0);
	build_thread_at(&b, first)->tid = build_header(&b)->pid;
	work_samples(build_root(&b, first), 300);
	build_wait(&b, build_root(&b, first), PROFILE_BLOCKED, 0, 1, MS(700));
	make();
	assert_int_equal(metrics.cause_ns[METRICS_NOT_RUNNING], MS(100));
	assert_int_equal(metrics.cause_ns[METRICS_HELD_UP], 0);
	end();
}

static void test_native_threads(void **state)
{
	uint64_t without[METRICS_N_CAUSES];

	for (int is_with = 0; is_with <= 1; is_with++) {
		begin(2, MS(600));
		build_thread_at(&b, 1)->run_delay_ns = MS(40);
		build_region_record(&b, region, 10, MS(600), 2);
		work_samples(frame[1], 500);
		work_samples(frame[2], 300);
		build_wait(&b, frame[2], PROFILE_BARRIER_EXPLICIT, 0, 10, MS(200));
		if (is_with)
			add_native();
		make();
		if (!is_with)
			memcpy(without, metrics.cause_ns, sizeof(without));
		else
			assert_memory_equal(without, metrics.cause_ns, sizeof(without));
		assert_int_equal(metrics.n_slots, 2);
		assert_int_equal(metrics.serial_ns, MS(400));
		if (is_with) {
			assert_int_equal(metrics.threads[2].total_ns, MS(400));
			assert_int_equal(metrics.threads[2].useful_ns, MS(250));
			assert_int_equal(metrics.threads[2].not_running_ns, MS(100));
			assert_int_equal(metrics.threads[2].blocked_ns, MS(50));
		}
		end();
	}
}

/* One that had no clock: its CPU time is its work all the same. */
static void test_unsampled_thread(void **state)
{
	struct profile_thread *record;

	begin(1, MS(0));
	build_thread(&b, 0);
	record = build_thread_at(&b, 2);
	record->start = USER + 0x700;
	record->n_lives = 1;
	record->cpu_last_ns = record->unsampled_ns = MS(600);
	make();
	assert_int_equal(metrics.threads[1].total_ns, MS(1000));
	assert_int_equal(metrics.threads[1].useful_ns, MS(600));
	assert_int_equal(metrics.threads[1].blocked_ns, MS(400));
	end();
}

/* A region that got no record: its wall time is that of the thread that encountered it. */
static void test_no_record(void **state)
{
	begin(2, MS(250));
	build_region_record(&b, build_region(&b, frame[1], USER + 0x904, 1), 1, MS(0), 2);
	work_samples(frame[1], 250);
	work_samples(frame[2], 250);
	make();
	assert_int_equal(metrics.serial_ns, MS(750));
	assert_int_equal(region_at(USER + 0x104)->wall_ns, MS(250));
	assert_int_equal(region_at(USER + 0x104)->n, 3);
	assert_int_equal(region_at(USER + 0x104)->cause_ns[METRICS_USEFUL], MS(500));
	end();
}

static void test_no_waits(void **state)
{
	static const uint64_t in_run[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = 700,
		[METRICS_SERIAL] = 100,
		[METRICS_IMBALANCE] = 200,
		[METRICS_LOCK] = 90,
		[METRICS_TASK] = 60,
		[METRICS_OVERHEAD] = 50,
		[METRICS_NOT_RUNNING] = 25,
		[METRICS_BLOCKED] = 775,
	};

	begin(2, 0);
	build_header(&b)->waits = 0;
	build_header(&b)->ticks_per_s = 0;
	work_samples(frame[1], 400);
	work_samples(build_root(&b, 1), 300);
	build_samples(&b, frame[2], PROFILE_WAIT_BARRIER, 200, MS(200));
	build_samples(&b, frame[2], PROFILE_WAIT_CRITICAL, 90, MS(90));
	build_samples(&b, frame[2], PROFILE_WAIT_TASKGROUP, 60, MS(60));
	build_samples(&b, frame[2], PROFILE_OVERHEAD, 50, MS(50));
	build_samples(&b, build_root(&b, 2), PROFILE_IDLE, 100, MS(100));
	build_thread_at(&b, 1)->run_delay_ns = MS(25);
	make();
	assert_false(metrics.has_waits);
	assert_int_equal(metrics.n_slots, 2);
	check_causes(metrics.cause_ns, in_run);
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_LOCK], MS(90));
	assert_int_equal(metrics.threads[1].barrier_ns, MS(200));
	assert_int_equal(metrics.threads[1].blocked_ns, MS(500));
	end();
}

/* The kernel counts delays while waiting, too: no more is taken than there is room for. */
static void test_delay_without_waits(void **state)
{
	begin(2, 0);
	build_header(&b)->waits = 0;
	build_header(&b)->ticks_per_s = 0;
	work_samples(frame[1], 900);
	work_samples(frame[2], 1000);
	build_thread_at(&b, 1)->run_delay_ns = MS(500);
	make();
	assert_int_equal(metrics.cause_ns[METRICS_NOT_RUNNING], MS(100));
	assert_int_equal(metrics.cause_ns[METRICS_USEFUL], MS(1900));
	end();
}

static void test_events_without_waits(void **state)
{
	uint32_t samples;

	begin(2, 0);
	build_header(&b)->waits = 0;
	build_header(&b)->ticks_per_s = 0;
	build_header(&b)->clock_kind = PROFILE_CLOCK_EVENT;
	samples = build_samples(&b, frame[1], PROFILE_WORK, 3, 0);
	build_node_at(&b, samples)->events = 6000;
	samples = build_samples(&b, build_root(&b, 2), PROFILE_IDLE, 1, 0);
	build_node_at(&b, samples)->events = 2000;
	make();
	assert_int_equal(metrics.cause_ns[METRICS_USEFUL], MS(2000));
	assert_int_equal(metrics.regions[0].cause_ns[METRICS_USEFUL], 0);
	end();
}

static void test_waits(void **state)
{
	const struct metrics_wait *wait;

	begin(4, MS(600));
	build_wait(&b, frame[2], PROFILE_BARRIER_EXPLICIT, 0, 3, MS(30));
	build_wait(&b, frame[3], PROFILE_BARRIER_EXPLICIT, 0, 4, MS(40));
	build_wait(&b, build_root(&b, 2), PROFILE_IDLE_BEFORE, 0, 1, MS(10));
	build_blame(
		&b, frame[1], PROFILE_WAIT_KEY(PROFILE_BARRIER_EXPLICIT, region), 0, 90000, MS(20));
	build_blame(
		&b, frame[4], PROFILE_WAIT_KEY(PROFILE_BARRIER_EXPLICIT, region), 0, 10000, MS(30));
	/* The same code on another thread is another cause. */
	build_blame(&b, build_frame(&b, context[2], USER + 0x500, 0),
		PROFILE_WAIT_KEY(PROFILE_BARRIER_EXPLICIT, region), 0, 0, MS(10));
	make();
	assert_int_equal(metrics.n_waits, 2);
	wait = &metrics.waits[0];
	assert_int_equal(wait->kind, PROFILE_BARRIER_EXPLICIT);
	assert_int_equal(wait->n, 7);
	assert_int_equal(wait->wait_ns, MS(70));
	assert_int_equal(wait->region, node_at(USER + 0x104));
	assert_int_equal(tree.nodes[wait->node].parent, node_at(USER + 0x400));
	/* 60 of samples, which 1 % and 3 / sqrt(100000) do not make 70. */
	assert_int_equal(wait->unblamed_ns, MS(10));
	assert_int_equal(wait->n_causes, 3);
	assert_int_equal(wait->causes[0].node, node_at(USER + 0x500));
	assert_int_equal(wait->causes[0].thread, 3);
	assert_int_equal(wait->causes[2].thread, 1);
	assert_int_equal(
		wait->causes[0].ns + wait->causes[1].ns + wait->causes[2].ns + wait->unblamed_ns,
		MS(70));
	assert_int_equal(metrics.threads[3].blame_ns, wait->causes[0].ns);
	assert_int_equal(metrics.waits[1].kind, PROFILE_IDLE_BETWEEN);
	assert_int_equal(metrics.waits[1].node, 0);
	assert_int_equal(metrics.waits[1].region, UINT32_MAX);
	assert_int_equal(metrics.waits[1].unblamed_ns, MS(10));
	end();
}

static void build_held(uint32_t thread, uint64_t codeptr, uint64_t n, uint64_t max_wait_ms)
{
	struct profile_lock *lock = build_lock(&b, thread, PROFILE_LOCK, 0xabc);

	lock->codeptr = codeptr;
	lock->n_acquired = n;
	lock->n_contended = n / 2;
	lock->wait = MS(2 * max_wait_ms);
	lock->max_wait = MS(max_wait_ms);
	lock->n_held = 10;
	lock->held = MS(3);
	lock->max_held = MS(1);
}

static void test_locks(void **state)
{
	const struct metrics_lock *lock;
	uint32_t inner;

	begin(2, MS(600));
	build_region_record(&b, region, 1, MS(600), 2);
	inner = build_region(&b, frame[2], USER + 0x304, 1);
	build_region_record(&b, inner, 1, MS(100), 1)->outer = region;
	build_held(1, USER + 1, 100, 4);
	build_held(2, USER + 2, 20, 5);
	build_lock(&b, 2, PROFILE_CRITICAL, 0xdef)->wait = MS(19);
	build_wait(&b, frame[1], PROFILE_LOCK, 0xabc, 50, MS(8));
	build_wait(&b, frame[2], PROFILE_LOCK, 0xabc, 10, MS(9));
	build_wait(&b, build_context(&b, 2, inner), PROFILE_LOCK, 0xabc, 1, MS(1));
	build_wait(&b, build_context(&b, 1, inner), PROFILE_CRITICAL, 0xdef, 1, MS(1));
	build_lock(&b, 1, PROFILE_LOCK, 0x999);
	make();
	assert_int_equal(metrics.n_locks, 3);
	assert_int_equal(metrics.locks[0].kind, PROFILE_CRITICAL);
	assert_int_equal(metrics.locks[0].within_ns, MS(100));
	lock = &metrics.locks[1];
	assert_int_equal(lock->wait_id, 0xabc);
	assert_int_equal(lock->n_threads, 2);
	assert_int_equal(lock->codeptr, USER + 2);
	assert_int_equal(lock->n_acquired, 120);
	assert_int_equal(lock->n_contended, 60);
	assert_int_equal(lock->wait_ns, MS(18));
	assert_int_equal(lock->max_wait_ns, MS(5));
	assert_int_equal(lock->n_held, 20);
	assert_int_equal(lock->held_ns, MS(30 + 6));
	assert_int_equal(lock->max_held_ns, MS(1));
	assert_int_equal(tree.nodes[lock->node].parent, node_at(USER + 0x300));
	/* The inner region's wall time is the outer one's, too. */
	assert_int_equal(lock->within_ns, MS(600));
	assert_int_equal(metrics.locks[2].within_ns, MS(1000));
	assert_int_equal(metrics.locks[2].node, UINT32_MAX);
	end();
}

static void test_tasks(void **state)
{
	const struct metrics_task *task;
	uint32_t site[3], executed;

	begin(2, MS(600));
	build_region_record(&b, region, 1, MS(600), 2);
	build_wait(&b, frame[1], PROFILE_TASKGROUP, 0, 1, MS(100));
	site[0] = build_task(&b, frame[1], USER + 0x20, 25);
	/* The same place, in the region once more. */
	build_task(
		&b, build_frame(&b, build_context(&b, 1, region), USER + 0x200, 0), USER + 0x20, 5);
	site[1] = build_task(&b, build_frame(&b, context[2], USER + 0x200, 0), USER + 0x20, 10);
	site[2] = build_task(&b, frame[2], USER + 0x40, 7);
	/* A task of thread 2's that thread 1 has created, too. */
	build_node_at(&b, build_context(&b, 1, site[2]))->spare = 3;
	executed = build_context(&b, 2, site[0]);
	build_stays(&b, executed, 25, MS(50));
	build_node_at(&b, executed)->blame_ns = 25;
	build_stays(&b, build_context(&b, 1, site[1]), 5, MS(20));
	make();
	assert_int_equal(metrics.n_tasks, 2);
	task = &metrics.tasks[0];
	assert_int_equal(tree.nodes[task->node].addr, USER + 0x20);
	assert_int_equal(task->n_created, 40);
	assert_int_equal(task->n_creators, 2);
	assert_int_equal(task->n_executed, 30);
	assert_int_equal(task->n_stolen, 25);
	assert_int_equal(task->busy_ns, MS(70));
	assert_int_equal(task->max_ns, MS(4));
	assert_int_equal(task->starved_ns, MS(80));
	assert_int_equal(metrics.tasks[1].starved_ns, MS(20));
	assert_int_equal(metrics.tasks[1].n_creators, 2);
	assert_int_equal(metrics.regions[0].n_tasks, 50);
	end();
}

/* A taskwait and a task of which samples tell a part; a barrier below the task; an undeferred task, which is on top of nothing. */
static void test_estimates(void **state)
{
	uint32_t site, inline_site, wait, executed;

	begin(2, MS(600));
	build_region_record(&b, region, 1, MS(600), 2);
	wait = build_wait(&b, frame[1], PROFILE_TASKWAIT, 0, 3, MS(60));
	build_node_at(&b, wait)->flags = PROFILE_UNSEEN;
	build_wait(&b, frame[1], PROFILE_TASKWAIT, 0, 1, MS(40));
	build_wait(&b, context[2], PROFILE_BARRIER_CLOSING, 0, 1, MS(300));
	site = build_task(&b, frame[1], USER + 0x20, 25);
	build_stays(&b, build_context(&b, 2, site), 25, MS(50));
	executed = build_context(&b, 2, site);
	build_stays(&b, executed, 0, MS(20));
	build_node_at(&b, executed)->flags = PROFILE_UNSEEN;
	inline_site = build_task(&b, frame[1], USER + 0x40, 7);
	build_node_at(&b, inline_site)->flags = PROFILE_TASK_UNDEFERRED;
	executed = build_context(&b, 1, inline_site);
	build_stays(&b, executed, 0, MS(10));
	build_node_at(&b, executed)->flags = PROFILE_UNSEEN;
	make();
	assert_int_equal(metrics.tasks[0].busy_ns, MS(70));
	assert_int_equal(metrics.tasks[0].unseen_ns, MS(20));
	assert_int_equal(metrics.tasks[1].unseen_ns, MS(10));
	assert_int_equal(metrics.regions[0].unseen_ns, MS(80));
	assert_int_equal(metrics.threads[0].unseen_ns, MS(60));
	assert_int_equal(metrics.threads[1].unseen_ns, MS(20));
	assert_int_equal(metrics.waits[0].kind, PROFILE_BARRIER_CLOSING);
	assert_int_equal(metrics.waits[0].unseen_ns, MS(80));
	assert_int_equal(metrics.waits[1].wait_ns, MS(100));
	assert_int_equal(metrics.waits[1].unseen_ns, MS(60));
	end();
}

/* The lengths of executions in ticks of 0.4 ns. */
static void test_quantile(void **state)
{
	struct profile_region *record;

	begin(1, MS(1));
	build_header(&b)->ticks_per_s = 2500000000;
	record = build_region_record(&b, region, 100, 100 * 5000, 1);
	record->min = 100;
	record->max = 1000000;
	record->lengths[0] = 1;
	record->lengths[4 * 4 + 1] = 89; /* 1280 to 1536 ticks */
	record->lengths[13 * 4] = 10;    /* 524288 to 655360 */
	make();
	assert_int_equal(metrics_quantile(&metrics, &metrics.regions[0], 10), 40);
	assert_int_equal(metrics_quantile(&metrics, &metrics.regions[0], 500), 563);
	assert_int_equal(metrics_quantile(&metrics, &metrics.regions[0], 900), 563);
	assert_int_equal(metrics_quantile(&metrics, &metrics.regions[0], 950), 235929);
	end();
}

static void test_most_lost_first(void **state)
{
	uint32_t other, inner;

	begin(2, MS(100));
	build_region_record(&b, region, 1, MS(100), 2);
	work_samples(frame[1], 100);
	work_samples(frame[2], 100);
	other = build_region(&b, build_root(&b, 1), USER + 0x804, 1);
	build_region_record(&b, other, 1, MS(100), 2);
	build_stays(&b, build_context(&b, 1, other), 1, MS(10));
	inner = build_region(&b, frame[1], USER + 0x904, 1);
	build_region_record(&b, inner, 1, MS(0), 2)->outer = region;
	make();
	assert_int_equal(tree.nodes[metrics.regions[0].node].addr, USER + 0x804);
	assert_int_equal(region_at(USER + 0x904)->outer, region_at(USER + 0x104) - metrics.regions);
	end();
}

static void test_empty(void **state)
{
	build_begin(&b);
	make();
	assert_int_equal(metrics.n_slots, 1);
	assert_int_equal(metrics.cause_ns[METRICS_BLOCKED], MS(1000));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_region),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_nested_too_many),
		cmocka_unit_test(test_short_team),
		cmocka_unit_test(test_two_initial_threads),
		cmocka_unit_test(test_first_thread_waits),
		cmocka_unit_test(test_one_of_two_lacks_a_cpu),
		cmocka_unit_test(test_native_threads),
		cmocka_unit_test(test_unsampled_thread),
		cmocka_unit_test(test_no_record),
		cmocka_unit_test(test_no_waits),
		cmocka_unit_test(test_delay_without_waits),
		cmocka_unit_test(test_events_without_waits),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_estimates),
		cmocka_unit_test(test_quantile),
		cmocka_unit_test(test_most_lost_first),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
