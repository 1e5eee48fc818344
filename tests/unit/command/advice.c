/* SPDX-License-Identifier: Apache-2.0 */
/* Figures by place, and what is said of them: each rule of the advice, and what is not worth one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/findings/contention.h"
#include "src/findings/efficiency.h"
#include "tests/unit/command/advice_fixture.h"

/* The imbalance of a region is at the barriers where its team waited. */
/* What fits behind the indent of "Fix first" in 80 columns. */
enum { REMEDY_MOST = 75 };

static void test_construct(void **state)
{
	struct fixture f;
	struct metrics_wait *wait;

	begin(&f);
	wait = make_construct(&f);
	finish(&f);
	assert_string_equal(find(&f, METRICS_IMBALANCE)->name, "worksharing barrier in spmv_row");
	assert_string_equal(find(&f, METRICS_IMBALANCE)->place, "spmv.h:32");
	expect_text(&f, METRICS_IMBALANCE,
		"waits of 120 ms, most for profile's thread 1: more work or slower?");
	wait->causes[0].ns /= 2;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"waits of 120 ms for changing threads: uneven work, or a busy machine?");
	/* Of several functions, but of one thread. */
	assert_true(wait->n_causes > 1);
	assert_true(f.metrics.waits[0].n_causes > 0);
	wait->causes[1].node = f.metrics.waits[0].causes[0].node;
	wait->causes[1].thread = wait->causes[0].thread;
	wait->causes[1].ns = wait->causes[0].ns;
	f.profile.threads[wait->causes[0].thread].more.team_number = 7;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"waits of 120 ms, most for team's thread 6: more work or slower?");
	end(&f);
}

/* The time of a reduction is the runtime's, and no part of a region's imbalance. */
static void test_reduction(void **state)
{
	struct fixture f;

	begin(&f);
	make_construct(&f)->kind = PROFILE_REDUCTION;
	finish(&f);
	assert_string_not_equal(find(&f, METRICS_IMBALANCE)->place, "spmv.h:32");
	end(&f);
}

/* Regions that are tiny, and cost little each, are one entry. */
static void test_small_places(void **state)
{
	struct fixture f;

	begin(&f);
	for (int i = 0; i < MADE_N_REGIONS; i++) {
		lose(&f, i, METRICS_IMBALANCE, 0);
		lose(&f, i, METRICS_OVERHEAD, metrics_capacity(&f.metrics) / 80);
		region(&f, i)->n = region(&f, i)->wall_ns / 50000;
	}
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD, "runs below 100 us: merge them, or if() (--by region)");
	assert_string_equal(find(&f, METRICS_OVERHEAD)->name, "4 regions, 212kx");
	end(&f);
}

static void test_order(void **state)
{
	static const enum metrics_cause causes[] = { METRICS_IMBALANCE, METRICS_SERIAL,
		METRICS_LOCK, METRICS_TASK, METRICS_SERIAL };
	static const uint64_t gains_ms[] = { 1500, 1058, 1000, 500, 341 };
	struct fixture f;
	uint64_t sum = 0;

	(void)state;
	begin(&f);
	finish(&f);
	assert_int_equal(f.list.n, ADVICE_MOST);
	for (size_t i = 0; i < f.list.n; i++) {
		assert_int_equal(f.list.entries[i].cause, causes[i]);
		assert_int_equal(f.list.entries[i].gain_ns / MSEC, gains_ms[i]);
		sum += f.list.entries[i].gain_ns;
	}
	assert_int_equal(f.list.gain_ns, sum);
	end(&f);
}

/* Of each scene with measured waits, with the figures of its profile. */
static void test_all_scenes(void **state)
{
	static const char *const scenes[] = { "cg", "faults", "waits", "counted", "native", "plain",
		"asleep", "crowded", "killed", "events", "eventless", "lossy", "unblamed",
		"guessed", "hostile", "long", "empty", "target", "timed" };
	size_t n_entries = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		struct fixture f;
		struct diag diag;
		uint64_t ideal_ns;

		begin_scene(&f, scenes[i]);
		assert_int_equal(metrics_make(&f.metrics, &f.profile, &f.tree, &diag), 0);
		if (f.metrics.has_waits) {
			finish(&f);
			ideal_ns = metrics_gain(&f.metrics, f.metrics.cause_ns[METRICS_USEFUL]);
			assert_true(f.list.gain_ns + ideal_ns <= f.metrics.wall_ns + f.list.n);
			n_entries += f.list.n;
		}
		end(&f);
	}
	assert_true(n_entries > 10);
}

static void test_places(void **state)
{
	struct fixture f;
	const struct advice *advice;

	(void)state;
	begin(&f);
	finish(&f);
	advice = find(&f, METRICS_IMBALANCE);
	assert_string_equal(advice->place, "solve.c:126");
	assert_string_equal(advice->name, "parallel in solve_cg, 400x");
	assert_string_equal(advice->file, "/src/solve.c");
	assert_int_equal(advice->line, 126);
	assert_int_equal(f.names.nodes[advice->node].label->kind, NAME_REGION);
	advice = find(&f, METRICS_SERIAL);
	assert_string_equal(advice->place, "io.c:60");
	assert_string_equal(advice->name, "read_matrix");
	advice = find(&f, METRICS_LOCK);
	assert_string_equal(advice->place, "assemble.c:90");
	assert_string_equal(advice->name, "critical(assemble_add)");
	advice = find(&f, METRICS_TASK);
	assert_string_equal(advice->place, "tree.c:51");
	assert_string_equal(advice->name, "task in build_tree");
	end(&f);
}

static void test_lock(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	expect_text(&f, METRICS_LOCK, "held 94.0 % of the time: shrink or remove what it guards");
	f.metrics.locks[0].held_ns = 310 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_LOCK,
		"97600 of 160k had to wait, held 10.0 %: finer locks, reduction or atomic");
	f.metrics.n_locks = 0;
	finish(&f);
	expect_text(&f, METRICS_LOCK,
		"threads want it at the same time: finer locks, reduction or atomic");
	f.metrics.waits[2].kind = PROFILE_ORDERED;
	finish(&f);
	expect_text(&f, METRICS_LOCK,
		"iterations wait for earlier ones: shorten the part that is in order");
	end(&f);
}

/* Each object has its lock, and no single one would be worth a line. */
static void test_many_locks(void **state)
{
	struct fixture f;
	struct metrics_wait *waits;

	(void)state;
	begin(&f);
	waits = calloc(60, sizeof(*waits));
	for (size_t i = 0; i < 60; i++)
		waits[i] = (struct metrics_wait){ .kind = PROFILE_LOCK,
			.wait_id = 0x7000 + i,
			.region = UINT32_MAX,
			.node = f.metrics.waits[2].node,
			.wait_ns = 100 * MSEC };
	free(f.metrics.waits);
	f.metrics.waits = waits;
	f.metrics.n_waits = 60;
	finish(&f);
	assert_string_equal(find(&f, METRICS_LOCK)->name, "60 of lock");
	assert_int_equal(find(&f, METRICS_LOCK)->gain_ns / MSEC, 750);
	end(&f);
}

/* With more threads than slots, places have lost more than the run: no more is promised than it can win. */
static void test_more_threads_than_slots(void **state)
{
	struct fixture f;
	uint64_t lock_ns;

	(void)state;
	begin(&f);
	lock_ns = f.metrics.cause_ns[METRICS_LOCK];
	f.metrics.waits[2].wait_ns = 3 * lock_ns;
	region(&f, MADE_SOLVE)->cause_ns[METRICS_IMBALANCE] *= 4;
	finish(&f);
	assert_int_equal(find(&f, METRICS_LOCK)->gain_ns, lock_ns / f.metrics.n_slots);
	assert_true(find(&f, METRICS_IMBALANCE)->gain_ns <=
		    f.metrics.cause_ns[METRICS_IMBALANCE] / f.metrics.n_slots);
	assert_true(f.list.gain_ns < f.metrics.wall_ns);
	end(&f);
}

static void test_overhead(void **state)
{
	struct fixture f;
	uint64_t gain_ns;

	(void)state;
	begin(&f);
	finish(&f);
	expect_none(&f, METRICS_OVERHEAD);
	lose(&f, MADE_AXPY, METRICS_OVERHEAD, 4000 * MSEC);
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"runs of 50.0 us on average: merge regions, or if() or fewer num_threads()");
	assert_string_equal(find(&f, METRICS_OVERHEAD)->place, "vec.c:31");
	/* ompprof's own part is no gain, and all of it leaves no advice. */
	gain_ns = find(&f, METRICS_OVERHEAD)->gain_ns;
	f.figures.run.own_least_ns = f.metrics.cause_ns[METRICS_OVERHEAD] / 4;
	advice_make(&f.list, &f.figures);
	assert_in_range(
		find(&f, METRICS_OVERHEAD)->gain_ns, gain_ns * 3 / 4 - 1, gain_ns * 3 / 4 + 1);
	f.figures.run.own_least_ns *= 5;
	advice_make(&f.list, &f.figures);
	expect_none(&f, METRICS_OVERHEAD);
	region(&f, MADE_AXPY)->n = 10;
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"busy in the runtime: small chunks, barriers, or a spin? see --view full");
	strcpy(f.profile.header.runtime, "GCC libgomp 12");
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"busy in the runtime: small chunks, barriers, or a spin? see --view full");
	region(&f, MADE_AXPY)->outer = 0;
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"libgomp makes a nested team's threads anew each time: use one level");
	strcpy(f.profile.header.runtime, "LLVM OMP version: 5.0.20140926");
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"busy in the runtime: small chunks, barriers, or a spin? see --view full");
	end(&f);
}

/* Whether the report of it warns with this text somewhere. */
static int warns(const struct fixture *f, const char *part)
{
	struct report report = { .profile = f->profile, .names = f->names, .metrics = f->metrics };
	char text[512];

	for (size_t i = 0; report_warning(&report, i, text, sizeof(text)); i++)
		if (strstr(text, part))
			return 1;
	return 0;
}

/* What the runtime costs may be that of the one which took libgomp's place. */
static void test_exchanged(void **state)
{
	static const char part[] = "on libomp, not GCC's libgomp, it lost";
	struct fixture f;

	(void)state;
	begin(&f);
	region(&f, MADE_AXPY)->n = 10;
	lose(&f, MADE_AXPY, METRICS_OVERHEAD, metrics_capacity(&f.metrics) / 9);
	finish(&f);
	assert_false(warns(&f, part));
	f.profile.modules[0].flags |= PROFILE_MODULE_FOR_LIBGOMP;
	finish(&f);
	expect_text(&f, METRICS_OVERHEAD,
		"busy in the runtime: small chunks, barriers, or a spin? see --view full");
	assert_true(warns(&f, part));
	f.profile.modules[0].flags &= ~(uint32_t)PROFILE_MODULE_FOR_LIBGOMP;
	assert_false(warns(&f, part));
	strcpy(f.profile.modules[0].path, "/usr/lib/ompprof/stand-in-libgomp.so");
	assert_true(warns(&f, part));
	f.metrics.cause_ns[METRICS_OVERHEAD] = metrics_capacity(&f.metrics) / 11;
	assert_false(warns(&f, part));
	end(&f);
}

/* Which runtimes' code the figures leave out. */
static void test_untold_runtimes(void **state)
{
	static const char libgomp[] = "GCC's libgomp was loaded, too";
	static const char libomp[] = "a libomp was loaded, too";
	struct profile_module modules[2] = { { .flags = PROFILE_MODULE_RUNTIME } };
	struct profile of_scene;
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	of_scene = f.profile;
	f.profile.header.flags |= PROFILE_OMPT_STARTED;
	f.profile.modules = modules;
	f.profile.n_modules = 2;
	strcpy(modules[0].path, "/usr/lib/libomp.so.5");
	strcpy(modules[1].path, "/python/numpy.libs/libgomp-a1b2.so.1.0.0");
	assert_true(warns(&f, libgomp));
	strcpy(modules[0].path, "/usr/lib/libompprof-gomp.so");
	assert_false(warns(&f, libgomp));
	assert_false(warns(&f, libomp));
	strcpy(modules[1].path, "/usr/lib/libomp.so.5");
	assert_true(warns(&f, libomp));
	f.profile = of_scene;
	end(&f);
}

static void test_teams_and_cpus(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	lose(&f, MADE_AXPY, METRICS_SHORT_TEAM, 4000 * MSEC);
	region(&f, MADE_AXPY)->min_team = 2;
	f.metrics.cause_ns[METRICS_NOT_RUNNING] = 8000 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_SHORT_TEAM,
		"at times 2 threads in its team, of 8: more, if there is work for them");
	expect_text(&f, METRICS_NOT_RUNNING,
		"run it on idle CPUs, or with fewer threads; OMP_WAIT_POLICY=passive");
	assert_int_equal(find(&f, METRICS_NOT_RUNNING)->node, NAMES_NONE);
	end(&f);
}

/* Who came last at barriers was decided by the lack of CPUs. */
static void test_imbalance_without_cpus(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	lose(&f, MADE_SOLVE, METRICS_IMBALANCE, 4000 * MSEC);
	region(&f, MADE_SOLVE)->n_barriers = 100;
	region(&f, MADE_SOLVE)->persistent_ns = 4000 * MSEC;
	f.metrics.cause_ns[METRICS_HELD_UP] = 16000 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"threads with a CPU wait for each other's work: split it evenly");
	end(&f);
}

/* Why threads had no CPU, and what helps. */
static void test_contention(void **state)
{
	static const struct {
		struct contention seen;
		const char *text, *remedy;
	} rows[] = {
		{ { .lost_ns = 40, .crowd = { 2, 1, 2 }, .n_cpus = 2, .others_ns = 160 },
			"no CPU for 40.0 % of the threads' time: other jobs used 1.6 of its 2 CPUs",
			"run it on idle CPUs, or with fewer threads" },
		{ { .lost_ns = 75,
			  .crowd = { 8, 1, 2 },
			  .n_cpus = 2,
			  .machine_cpus = 2,
			  .others_ns = 160 },
			"no CPU for 75.0 % of the threads' time: 8 threads on 2 CPUs",
			"(omp_set_)num_threads(2) where it asks for more" },
		{ { .lost_ns = 75, .crowd = { 8, 1, 2 }, .n_cpus = 2, .n_asked = 8 },
			"no CPU for 75.0 % of the threads' time: 8 threads on 2 CPUs",
			"OMP_NUM_THREADS=2" },
		{ { .lost_ns = 75,
			  .crowd = { 2, 1, 1 },
			  .n_cpus = 1,
			  .machine_cpus = 64,
			  .spun_ns = 30,
			  .cpu_ns = 100 },
			"no CPU for 75.0 % of the threads' time: 2 threads on 1 CPU",
			"bind it to more CPUs, or (omp_set_)num_threads(1); "
			"OMP_WAIT_POLICY=passive" },
		{ { .lost_ns = 75, .crowd = { 4, 1, 2 }, .n_cpus = 2, .n_asked = 2 },
			"no CPU for 75.0 % of the threads' time: 4 threads on 2 CPUs",
			"(omp_set_)num_threads(2) where it asks for more" },
		{ { .lost_ns = 75, .crowd = { 8, 2, 4 }, .n_cpus = 8 },
			"no CPU for 75.0 % of the threads' time: 8 threads of 2 processes on 4 "
			"CPUs",
			"OMP_NUM_THREADS=2" },
		{ { .lost_ns = 75, .crowd = { 3, 3, 2 }, .n_cpus = 2 },
			"no CPU for 75.0 % of the threads' time: 3 threads of 3 processes on 2 "
			"CPUs",
			"run 2 processes at a time, with OMP_NUM_THREADS=1" },
		{ { .lost_ns = 50,
			  .crowd = { 4, 1, 2 },
			  .n_cpus = 2,
			  .quota_per_s = 500000000,
			  .throttled_ns = 20 },
			"no CPU for 50.0 % of the threads' time: its container may use 0.5 CPUs",
			"raise the container's limit, or use fewer threads" },
		{ { .lost_ns = 50,
			  .crowd = { 2, 1, 2 },
			  .n_cpus = 2,
			  .quota_per_s = 500000000,
			  .throttled_ns = 2 },
			"no CPU for 50.0 % of the threads' time",
			"run it on idle CPUs, or with fewer threads" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct contention contention = rows[i].seen;
		char text[160];

		contention.whole_ns = contention.wall_ns = 100;
		assert_int_equal(contention_is_large(&contention), 1);
		contention_describe(text, sizeof(text), &contention);
		assert_string_equal(text, rows[i].text);
		contention_advise(text, sizeof(text), &contention);
		assert_string_equal(text, rows[i].remedy);
		assert_in_range(strlen(text), 1, REMEDY_MOST);
		contention.lost_ns = 5;
		assert_int_equal(contention_is_large(&contention), 0);
	}
}

static const char blocked_text[] =
	"asleep at no call seen: page faults, direct system calls, static code";

static const struct advice *find_name(
	const struct fixture *f, enum metrics_cause cause, const char *name)
{
	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.entries[i].cause == cause && strcmp(f->list.entries[i].name, name) == 0)
			return &f->list.entries[i];
	fail_msg("no advice on '%s' about '%s'", advice_word(cause), name);
	return NULL;
}

/* Each line that sleeps is named with its call. The rest of the time asleep is by itself. */
static void test_asleep_in_calls(void **state)
{
	static const struct {
		const char *place, *name;
		uint64_t gain_ms;
	} rows[] = { { "io.c:62", "read in read_matrix, 3x", 3000 },
		{ "io.c:65", "read in read_matrix, 1x", 2400 }, { "", "elsewhere", 2600 } };
	struct fixture f;

	(void)state;
	begin_scene(&f, "reads");
	made_metrics(&f.metrics, &f.tree);
	f.metrics.cause_ns[METRICS_BLOCKED] = f.metrics.serial_cause_ns[METRICS_BLOCKED] =
		64000 * MSEC;
	f.metrics.cause_ns[METRICS_USEFUL] = 10000 * MSEC;
	finish(&f);
	for (size_t i = 0; i < 3; i++) {
		const struct advice *advice = find_name(&f, METRICS_BLOCKED, rows[i].name);

		assert_string_equal(advice->place, rows[i].place);
		assert_int_equal(advice->gain_ns, rows[i].gain_ms * MSEC);
	}
	assert_string_equal(find_name(&f, METRICS_BLOCKED, "elsewhere")->text, blocked_text);
	assert_string_equal(find(&f, METRICS_BLOCKED)->text,
		"asleep in this call for 24.0 s: can it be shorter, or overlap with work?");
	/* The calls are outside of regions, so the time of idle slots is theirs; nothing else slept there. */
	f.metrics.cause_ns[METRICS_BLOCKED] += f.metrics.idle_blocked_ns = 43200 * MSEC;
	f.metrics.serial_cause_ns[METRICS_BLOCKED] += 43200 * MSEC;
	finish(&f);
	assert_int_equal(find(&f, METRICS_BLOCKED)->gain_ns, 6000 * MSEC);
	assert_int_equal(find_name(&f, METRICS_BLOCKED, "elsewhere")->gain_ns, 2600 * MSEC);
	/* If the run was asleep for less than was measured, that is all of it. */
	f.metrics.cause_ns[METRICS_BLOCKED] = f.metrics.serial_cause_ns[METRICS_BLOCKED] =
		21600 * MSEC;
	f.metrics.idle_blocked_ns = 10800 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_BLOCKED,
		"asleep in this call for 24.0 s: can it be shorter, or overlap with work?");
	assert_int_equal(find(&f, METRICS_BLOCKED)->gain_ns, 1500 * MSEC);
	end(&f);
}

/* Of who was asleep most, if that is half of it. */
static void test_blocked(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	lose(&f, MADE_ASSEMBLE, METRICS_BLOCKED, 12000 * MSEC);
	lose(&f, MADE_AXPY, METRICS_BLOCKED, 8000 * MSEC);
	finish(&f);
	expect_text(&f, METRICS_BLOCKED, blocked_text);
	assert_int_equal(find(&f, METRICS_BLOCKED)->gain_ns, 1500 * MSEC);
	assert_string_equal(find(&f, METRICS_BLOCKED)->place, "assemble.c:88");
	lose(&f, MADE_ASSEMBLE, METRICS_BLOCKED, 8000 * MSEC);
	f.metrics.cause_ns[METRICS_BLOCKED] += 4000 * MSEC;
	f.metrics.serial_cause_ns[METRICS_BLOCKED] = 4000 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_BLOCKED, blocked_text);
	assert_int_equal(find(&f, METRICS_BLOCKED)->gain_ns, 2500 * MSEC);
	assert_string_equal(find(&f, METRICS_BLOCKED)->name, "the whole run");
	f.metrics.cause_ns[METRICS_BLOCKED] += 16000 * MSEC;
	f.metrics.serial_cause_ns[METRICS_BLOCKED] = 20000 * MSEC;
	finish(&f);
	assert_int_equal(find(&f, METRICS_BLOCKED)->gain_ns, 2500 * MSEC);
	assert_string_equal(find(&f, METRICS_BLOCKED)->name, "outside of regions");
	assert_int_equal(find(&f, METRICS_BLOCKED)->node, NAMES_NONE);
	end(&f);
}

/* Killed before its first sample. */
static void test_no_moment(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_false(warns(&f, "incomplete"));
	f.profile.header.flags &= ~(uint32_t)PROFILE_COMPLETE;
	assert_true(warns(&f, "still running): no times are known"));
	end(&f);
}

static void test_serial(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	assert_int_equal(f.figures.n_serial, 3);
	assert_string_equal(f.figures.serial[0].label->name, "read_matrix");
	assert_int_equal(f.figures.serial[0].work_ns, 1210 * MSEC);
	/* libc's time is its caller's. */
	assert_string_equal(f.figures.serial[1].label->name, "write_out");
	assert_int_equal(f.figures.serial[1].work_ns, 390 * MSEC);
	/* What has a region below counts with its own time. */
	assert_string_equal(f.figures.serial[2].label->name, "main");
	assert_int_equal(f.figures.serial[2].work_ns, 200 * MSEC);
	expect_text(&f, METRICS_SERIAL,
		"runs on one thread for 1.21 s: can it be parallel, or overlap with more?");
	/* Five CPUs win four fifths of a function's time, however many threads there are. */
	f.metrics.n_cpus = 5;
	advice_make(&f.list, &f.figures);
	assert_int_equal(find(&f, METRICS_SERIAL)->gain_ns, 968 * MSEC);
	f.figures.serial_work_ns = f.figures.n_serial = 0;
	advice_make(&f.list, &f.figures);
	assert_string_equal(find(&f, METRICS_SERIAL)->name, "outside of regions");
	end(&f);
}

/* Events say nothing of time, so not in which function serial time was spent. */
static void test_serial_of_events(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.profile.header.clock_kind = PROFILE_CLOCK_EVENT;
	finish(&f);
	assert_int_equal(f.figures.n_serial, 0);
	assert_string_equal(find(&f, METRICS_SERIAL)->name, "outside of regions");
	end(&f);
}

static void test_nothing_stands_out(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.metrics.wall_ns *= 1000;
	finish(&f);
	assert_int_equal(f.list.n, 0);
	assert_int_equal(f.list.gain_ns, 0);
	end(&f);
}

static void test_five_entries_at_most(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	for (int i = MADE_SOLVE; i < MADE_N_REGIONS; i++) {
		lose(&f, i, METRICS_OVERHEAD, 20000 * MSEC);
		lose(&f, i, METRICS_SHORT_TEAM, (10000 + i) * MSEC);
	}
	finish(&f);
	assert_int_equal(f.list.n, ADVICE_MOST);
	for (size_t i = 1; i < f.list.n; i++)
		assert_true(f.list.entries[i - 1].gain_ns >= f.list.entries[i].gain_ns);
	assert_int_equal(f.list.entries[0].cause, METRICS_OVERHEAD);
	assert_int_equal(f.list.entries[4].gain_ns / MSEC, 1500);
	end(&f);
}

/* Two calls of a function that has a region are two nodes and one place. */
static void test_merged_regions(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	region(&f, MADE_TREE)->node = region(&f, MADE_SOLVE)->node;
	finish(&f);
	assert_int_equal(f.figures.n_regions, 3);
	assert_int_equal(f.figures.regions[0].sum.n, 401);
	assert_int_equal(f.figures.regions[0].sum.wall_ns, 6900 * MSEC);
	assert_int_equal(f.figures.regions[0].sum.max_ns, 1700 * MSEC);
	assert_int_equal(f.figures.regions[0].sum.n_slowest, 392);
	assert_int_equal(f.figures.regions[0].lost_ns, 19200 * MSEC);
	assert_int_equal(f.figures.regions[0].n_nodes, 1);
	end(&f);
}

/* Two ranks, of four threads each, of which the first thread of rank 0 waited in MPI. */
static void make_ranks(struct fixture *f, uint64_t mpi_ns)
{
	f->profile.processes = calloc(2, sizeof(*f->profile.processes));
	f->profile.n_processes = 2;
	f->profile.processes[0] = (struct profile_process){ 1, 100, 0, 4 };
	f->profile.processes[1] = (struct profile_process){ 2, 101, 4, 4 };
	f->metrics.threads[0].mpi_ns = mpi_ns;
	f->metrics.cause_ns[METRICS_MPI] += mpi_ns * f->metrics.n_slots;
}

/* The work of one rank in the region MADE_ASSEMBLE, as samples of 1 ms. */
static void add_share(struct fixture *f, uint32_t process, uint64_t ms)
{
	struct metrics *metrics = &f->metrics;

	metrics->shares =
		realloc(metrics->shares, (metrics->n_shares + 1) * sizeof(*metrics->shares));
	metrics->shares[metrics->n_shares++] =
		(struct metrics_share){ .node = region(f, MADE_ASSEMBLE)->node,
			.process = process,
			.work_ns = ms * MSEC,
			.samples = ms };
}

/* Eight threads of rank 1 have 8 s of work each, of rank 0 4 s: it waits for 4 s, or less. */
static void test_uneven_ranks(void **state)
{
	struct fixture f;
	char text[512];

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(&f);
		make_ranks(&f, i ? 3000 * MSEC : 6000 * MSEC);
		add_share(&f, 0, 32000);
		add_share(&f, 1, 64000);
		finish(&f);
		assert_int_equal(f.figures.n_uneven, 1);
		assert_int_equal(f.figures.uneven[0].process, 1);
		assert_int_equal(f.figures.uneven[0].most_ns, 8000 * MSEC);
		assert_int_equal(f.figures.uneven[0].mean_ns, 6000 * MSEC);
		assert_int_equal(f.figures.uneven[0].wait_ns, i ? 3000 * MSEC : 4000 * MSEC);
		expect_text(&f, METRICS_MPI,
			"rank 1 has 1.3 times the ranks' mean work here; others waited in MPI");
		assert_string_equal(find(&f, METRICS_MPI)->name, "parallel in assemble");
		assert_int_equal(find(&f, METRICS_MPI)->gain_ns, i ? 3000 * MSEC : 4000 * MSEC);
		assert_non_null(
			advice_evidence(&f.figures, find(&f, METRICS_MPI), 0, text, sizeof(text)));
		assert_non_null(
			strstr(text, "rank 1 works here for 8.00 s, of a mean rank for 6.00 s"));
		assert_non_null(strstr(text, i ? "waited 3.00 s in" : "waited 4.00 s in"));
		end(&f);
	}
}

/* Both ranks sleep in the calls of the scene, rank 0 a quarter of it; rank 1 waits for a CPU. */
static void add_calls(struct fixture *f)
{
	struct metrics *metrics = &f->metrics;

	metrics->shares = calloc(2 * f->tree.n_nodes + 1, sizeof(*metrics->shares));
	for (uint32_t i = 0; i < f->tree.n_nodes; i++) {
		uint64_t ns = tree_self(&f->tree, i).wait_ns[PROFILE_BLOCKED];

		for (uint32_t rank = 0; ns && rank < 2; rank++)
			metrics->shares[metrics->n_shares++] = (struct metrics_share){
				.node = i, .process = rank, .asleep_ns = rank ? ns : ns / 4
			};
	}
	metrics->threads[0].not_running_ns = 1000 * MSEC;
	metrics->threads[4].not_running_ns = 12000 * MSEC;
	metrics->threads[4].mpi_ns = 2000 * MSEC;
	metrics->shares[metrics->n_shares++] =
		(struct metrics_share){ .process = 1, .mpi_ns = 5000 * MSEC };
}

/* A rank can come late because it sleeps, or because it has no CPU outside of MPI: 12 less 3 s. */
static void test_late_ranks(void **state)
{
	struct fixture f;
	const struct advice *advice;
	char text[512];

	(void)state;
	begin_scene(&f, "reads");
	made_metrics(&f.metrics, &f.tree);
	make_ranks(&f, 60000 * MSEC);
	add_calls(&f);
	finish(&f);
	assert_int_equal(f.figures.n_uneven, 3);
	advice = find_name(&f, METRICS_MPI, "read_matrix");
	assert_string_equal(advice->place, "io.c:62");
	assert_string_equal(advice->text,
		"rank 1 sleeps 24.0 s in read, a mean rank 15.0 s; others waited in MPI");
	assert_int_equal(f.figures.uneven[0].wait_ns, 18000 * MSEC);
	assert_int_equal(f.figures.uneven[2].kind, FINDINGS_LATE_NO_CPU);
	assert_int_equal(f.figures.uneven[2].wait_ns, 8000 * MSEC);
	advice = find_name(&f, METRICS_MPI, "the whole of rank 1");
	assert_string_equal(
		advice->text, "9.00 s without a CPU, a mean rank 5.00 s; others waited in MPI");
	assert_non_null(advice_evidence(&f.figures, advice, 0, text, sizeof(text)));
	assert_non_null(strstr(
		text, "rank 1 has no CPU, outside of MPI, for 9.00 s, of a mean rank for 5"));
	f.metrics.threads[0].useful_ns = 1000 * MSEC;
	f.metrics.threads[4].useful_ns = 9000 * MSEC;
	finish(&f);
	assert_int_equal(f.figures.n_uneven, 2); /* its work explains it */
	end(&f);
}

/*
 * Even work, a difference that chance explains, no waiting in MPI, processes without ranks of their
 * own, and samples of wall time.
 */
static void test_even_ranks(void **state)
{
	static const struct {
		uint64_t ms[2], mpi_ms;
		uint32_t rank, clock;
	} cases[] = { { { 6400, 6400 }, 600, 2, 0 }, { { 60, 90 }, 600, 2, 0 },
		{ { 3200, 6400 }, 0, 2, 0 }, { { 3200, 6400 }, 600, 0, 0 },
		{ { 3200, 6400 }, 600, 1, 0 }, { { 3200, 6400 }, 600, 2, PROFILE_CLOCK_WALL } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		begin(&f);
		make_ranks(&f, cases[i].mpi_ms * MSEC);
		f.profile.processes[1].rank = cases[i].rank;
		if (cases[i].clock)
			f.profile.header.clock_kind = cases[i].clock;
		add_share(&f, 0, cases[i].ms[0]);
		add_share(&f, 1, cases[i].ms[1]);
		finish(&f);
		assert_int_equal(f.figures.n_uneven, 0);
		end(&f);
	}
}

/* Threads' blame of a function is one line, with the thread that has most. */
static void test_causes(void **state)
{
	struct fixture f;
	const struct findings_cause *cause;
	uint64_t sum = 0;

	(void)state;
	begin(&f);
	finish(&f);
	assert_int_equal(f.figures.n_waits, 4);
	assert_string_equal(f.figures.waits[0].name, "idle");
	assert_int_equal(f.figures.waits[1].sum.wait_ns, 12000 * MSEC);
	assert_int_equal(f.figures.waits[1].n_causes, 1);
	cause = &f.figures.causes[f.figures.waits[1].first_cause];
	assert_string_equal(cause->label->name, "spmv_row");
	assert_int_equal(cause->ns, 11900 * MSEC);
	assert_int_equal(cause->thread, 0);
	assert_int_equal(cause->thread_ns, 9800 * MSEC);
	for (size_t i = 0; i < f.figures.n_waits; i++) {
		const struct findings_wait *wait = &f.figures.waits[i];

		sum = wait->sum.unblamed_ns;
		for (size_t k = 0; k < wait->n_causes; k++)
			sum += f.figures.causes[wait->first_cause + k].ns;
		assert_int_equal(sum, wait->sum.wait_ns);
	}
	end(&f);
}

/* The runtime's lock of a critical section has no name; the code that enters it knows one. */
static void test_name_by_code(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.metrics.waits[2].wait_id = f.metrics.locks[0].wait_id = 0x40f000;
	finish(&f);
	assert_string_equal(f.figures.locks[0].name, "critical(by_code)");
	assert_string_equal(find(&f, METRICS_LOCK)->name, "critical(by_code)");
	f.metrics.locks[0].codeptr++;
	finish(&f);
	assert_string_equal(f.figures.locks[0].name, "critical");
	end(&f);
}

static void test_mutex_names(void **state)
{
	static const struct {
		enum profile_wait kind;
		uint64_t wait_id;
		const char *variable, *name;
	} rows[] = {
		{ PROFILE_CRITICAL, 8, ".gomp_critical_user_add.var", "critical(add)" },
		{ PROFILE_CRITICAL, 8, ".gomp_critical_user_add", "critical(add)" },
		{ PROFILE_CRITICAL, 8, ".gomp_critical_user_", "critical" },
		{ PROFILE_CRITICAL, 8, "other", "critical" },
		{ PROFILE_CRITICAL, 8, NULL, "critical" },
		{ PROFILE_LOCK, 0x1234, NULL, "omp_lock 0x1234" },
		{ PROFILE_LOCK, 0x1234, "table_lock", "lock table_lock" },
		{ PROFILE_NEST_LOCK, 0x1234, NULL, "omp_nest_lock 0x1234" },
		{ PROFILE_LOCK, 0, NULL, "locks without a record" },
		{ PROFILE_ATOMIC, 0x1234, NULL, "atomic" },
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		findings_mutex_name(
			text, sizeof(text), rows[i].kind, rows[i].wait_id, rows[i].variable);
		assert_string_equal(text, rows[i].name);
	}
}

/* The factors' losses are the causes', and their product is the efficiency. */
static void test_efficiency(void **state)
{
	static const uint64_t left_ms[] = { 99200, 99200, 86600, 69000, 57000, 54600, 54600 };
	uint64_t left_ns[EFFICIENCY_N + 1];
	struct fixture f;

	(void)state;
	begin(&f);
	efficiency_make(left_ns, &f.metrics);
	for (size_t i = 0; i <= EFFICIENCY_N; i++)
		assert_int_equal(left_ns[i], left_ms[i] * MSEC);
	f.metrics.cause_ns[METRICS_SHORT_TEAM] = 1000 * MSEC;
	f.metrics.cause_ns[METRICS_NOT_RUNNING] = 100 * MSEC;
	f.metrics.cause_ns[METRICS_BLOCKED] = 10 * MSEC;
	f.metrics.cause_ns[METRICS_MPI] = 1 * MSEC;
	efficiency_make(left_ns, &f.metrics);
	assert_int_equal(left_ns[0] - left_ns[EFFICIENCY_SERIAL], 1 * MSEC);
	assert_int_equal(left_ns[EFFICIENCY_OTHER] - left_ns[EFFICIENCY_N], 1110 * MSEC);
	assert_int_equal(left_ns[0], 100311 * MSEC);
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asleep_in_calls),
		cmocka_unit_test(test_construct),
		cmocka_unit_test(test_reduction),
		cmocka_unit_test(test_small_places),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_all_scenes),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_many_locks),
		cmocka_unit_test(test_more_threads_than_slots),
		cmocka_unit_test(test_overhead),
		cmocka_unit_test(test_exchanged),
		cmocka_unit_test(test_untold_runtimes),
		cmocka_unit_test(test_no_moment),
		cmocka_unit_test(test_teams_and_cpus),
		cmocka_unit_test(test_imbalance_without_cpus),
		cmocka_unit_test(test_contention),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_serial),
		cmocka_unit_test(test_serial_of_events),
		cmocka_unit_test(test_nothing_stands_out),
		cmocka_unit_test(test_five_entries_at_most),
		cmocka_unit_test(test_merged_regions),
		cmocka_unit_test(test_uneven_ranks),
		cmocka_unit_test(test_late_ranks),
		cmocka_unit_test(test_even_ranks),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_name_by_code),
		cmocka_unit_test(test_mutex_names),
		cmocka_unit_test(test_efficiency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
