/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of advice: which sentences there are, and which there are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/findings/advice_internal.h"
#include "tests/unit/command/advice_fixture.h"

/* Finds the sentence of an entry that begins so, or returns NULL. */
static const char *find_sentence(
	const struct fixture *f, const struct advice *advice, const char *begin)
{
	static char text[1024];

	for (size_t i = 0; advice_evidence(&f->figures, advice, i, text, sizeof(text)); i++)
		if (strncmp(text, begin, strlen(begin)) == 0)
			return text;
	return NULL;
}

/* `sentence` is the only one that begins with its first `n` characters. */
static void expect(
	const struct fixture *f, enum metrics_cause cause, size_t n, const char *sentence)
{
	char begin[64];
	const char *found;

	memcpy(begin, sentence, n);
	begin[n] = '\0';
	found = find_sentence(f, find(f, cause), begin);
	assert_non_null(found);
	assert_string_equal(found, sentence);
}

static void expect_no(const struct fixture *f, enum metrics_cause cause, const char *begin)
{
	assert_null(find_sentence(f, find(f, cause), begin));
}

/* Several processes have more slots at a time than the largest team has threads. */
static void test_teams_of_processes(void **state)
{
	static const char one[] = "Its teams have 2 to 8 threads; the run's largest has 8.";
	struct fixture f;

	(void)state;
	begin(&f);
	lose(&f, MADE_AXPY, METRICS_SHORT_TEAM, 4000 * MSEC);
	region(&f, MADE_AXPY)->min_team = 2;
	finish(&f);
	expect(&f, METRICS_SHORT_TEAM, 9, one);
	f.metrics.n_processes = 2;
	f.metrics.most_slots = 8;
	f.metrics.n_slots = 16;
	f.metrics.walls_ns = 2 * f.metrics.wall_ns;
	f.metrics.capacity_ns = 8 * f.metrics.walls_ns;
	finish(&f);
	expect(&f, METRICS_SHORT_TEAM, 9, one);
	end(&f);
}

/* How much of the overhead can be ompprof's cost, and that this makes the gain unsure. */
static void test_own_cost(void **state)
{
	struct fixture f;
	uint64_t all_ns;

	(void)state;
	begin(&f);
	lose(&f, MADE_AXPY, METRICS_OVERHEAD, 4000 * MSEC);
	finish(&f);
	all_ns = f.metrics.cause_ns[METRICS_OVERHEAD];
	expect_no(&f, METRICS_OVERHEAD, "The cost of ompprof");
	f.figures.run.own_least_ns = f.figures.run.own_most_ns = all_ns / 4;
	expect(&f, METRICS_OVERHEAD, 4,
		"25.0 % of the run's overhead is the cost of ompprof, and no gain.");
	f.figures.run.own_most_ns = 2 * all_ns;
	expect(&f, METRICS_OVERHEAD, 20,
		"The cost of ompprof is 25.0 to 100.0 % of the run's overhead. The gain leaves out "
		"25.0 %, so it is unsure.");
	end(&f);
}

/* Who came last is not said if the lack of CPUs decided it; waits for a CPU are told apart. */
static void test_lack_of_cpus(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	assert_non_null(find_sentence(&f, find(&f, METRICS_IMBALANCE), "Last to arrive"));
	expect_no(&f, METRICS_IMBALANCE, "They waited for threads without a CPU");
	lose(&f, MADE_SOLVE, METRICS_HELD_UP, 8000 * MSEC);
	f.metrics.waits[1].causes[0].node = METRICS_NO_CPU;
	finish(&f);
	expect_no(&f, METRICS_IMBALANCE, "Last to arrive");
	expect_no(&f, METRICS_IMBALANCE, "%");
	expect(&f, METRICS_IMBALANCE, 37,
		"They waited for threads without a CPU for another 8.00 of the 49.6 thread-s, "
		"16.1 %.");
	assert_non_null(find_sentence(
		&f, find(&f, METRICS_IMBALANCE), "Most waited for: a thread without a CPU, "));
	end(&f);
}

/* Without a cause for most of the waiting, the largest cause is not the whole truth. */
static void test_unblamed(void **state)
{
	struct metrics_wait *wait;
	struct fixture f;

	(void)state;
	begin(&f);
	wait = &f.metrics.waits[1];
	wait->unblamed_ns = wait->wait_ns / 4;
	finish(&f);
	expect_no(&f, METRICS_IMBALANCE, "Nothing tells");
	wait->unblamed_ns = wait->wait_ns / 4 * 3;
	finish(&f);
	expect(&f, METRICS_IMBALANCE, 13,
		"Nothing tells what threads waited for in 75.0 % of this waiting.");
	end(&f);
}

/* Waits of less than 10 us for each task may be the runtime's search for the next. */
static void test_search(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.metrics.waits[3].unblamed_ns = f.metrics.waits[3].wait_ns / 4 * 3;
	f.metrics.tasks[0].n_executed = 400000;
	finish(&f);
	expect_no(&f, METRICS_TASK, "This is");
	f.metrics.tasks[0].n_executed = 1000000;
	finish(&f);
	expect(&f, METRICS_TASK, 8,
		"This is 4.00 us for each of 1.00M tasks: the runtime may look for the next task "
		"meanwhile.");
	expect_no(&f, METRICS_IMBALANCE, "This is");
	f.metrics.tasks[0].n_executed = 0;
	finish(&f);
	expect_no(&f, METRICS_TASK, "This is");
	/* They waited for code that is known. */
	f.metrics.tasks[0].n_executed = 1000000;
	f.metrics.waits[3].unblamed_ns = f.metrics.waits[3].wait_ns / 2;
	finish(&f);
	expect_no(&f, METRICS_TASK, "This is");
	end(&f);
}

/* Threads wait for tasks in taskwaits, too, not only at barriers. */
static void test_taskwait(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.metrics.waits[3].kind = PROFILE_TASKWAIT;
	f.metrics.waits[3].unblamed_ns = f.metrics.waits[3].wait_ns / 4 * 3;
	finish(&f);
	expect(&f, METRICS_TASK, 13,
		"Nothing tells what threads waited for in 75.0 % of this waiting.");
	/* The barrier of a construct has advice of its own. */
	f.metrics.waits[3].kind = PROFILE_BARRIER_WORKSHARE;
	f.metrics.waits[3].has_site = 1;
	f.metrics.waits[3].node = f.metrics.waits[3].causes[0].node;
	finish(&f);
	expect_no(&f, METRICS_TASK, "Nothing tells");
	end(&f);
}

/* Each process has threads of the same numbers. */
static void test_thread_of_process(void **state)
{
	struct profile_process process = { .rank = 4 };
	struct fixture f;

	(void)state;
	begin(&f);
	process.n_threads = f.profile.n_threads;
	f.profile.processes = &process;
	f.profile.n_processes = 1;
	finish(&f);
	assert_non_null(strstr(find_sentence(&f, find(&f, METRICS_IMBALANCE), "81.7 %"),
		"of the waiting was for the profile's thread 1 of rank 3."));
	f.profile.processes = NULL;
	f.profile.n_processes = 0;
	end(&f);
}

/* The barrier of a construct is advice by itself, so it is no evidence for its region. */
static void test_construct_of_region(void **state)
{
	const struct advice *advice;
	struct fixture f;

	(void)state;
	begin(&f);
	make_construct(&f);
	f.metrics.waits[3].region = f.metrics.waits[1].region;
	f.metrics.waits[3].wait_ns = f.metrics.waits[1].wait_ns / 2;
	finish(&f);
	for (advice = f.list.entries; advice->about != ADVICE_OF_REGION; advice++)
		assert_true(advice + 1 < f.list.entries + f.list.n);
	assert_int_equal(advice->cause, METRICS_IMBALANCE);
	assert_string_equal(find_sentence(&f, advice, "The item is"),
		"The item is 4.00 thread-s of it; the rest was at constructs within the region.");
	assert_string_equal(find_sentence(&f, advice, "Most waited for"),
		"Most waited for: 'grow' (tree.c:14), 50.0 % of the waiting.");
	end(&f);
}

/* The function in which a thread slept for so long. */
static uint32_t find_call(const struct fixture *f, uint64_t ns)
{
	uint32_t i = 1;

	while (i < f->tree.n_nodes && tree_self(&f->tree, i).wait_ns[PROFILE_BLOCKED] != ns)
		i++;
	assert_true(i < f->tree.n_nodes);
	return f->tree.nodes[i].parent;
}

/* Two ranks, of which rank 1 came last to two calls of a function, and for wait_ns; rank 0 to one. */
static void make_late(struct fixture *f, uint64_t wait_ns)
{
	struct metrics_ranks *ranks = &f->metrics.ranks;
	uint32_t call;

	begin_scene(f, "reads");
	made_metrics(&f->metrics, &f->tree);
	f->metrics.cause_ns[METRICS_MPI] = 64000 * MSEC;
	f->profile.processes = calloc(2, sizeof(*f->profile.processes));
	f->profile.n_processes = 2;
	f->profile.processes[0] = (struct profile_process){ 1, 100, 0, 4 };
	f->profile.processes[1] = (struct profile_process){ 2, 101, 4, 4 };
	call = find_call(f, 16000 * MSEC);
	ranks->late = calloc(3, sizeof(*ranks->late));
	ranks->late[0] = (struct metrics_late){ call, 1, 1, wait_ns / 2 };
	ranks->late[1] = (struct metrics_late){ call, 0, 1, MSEC };
	ranks->late[2] = (struct metrics_late){ call, 1, 1, wait_ns - wait_ns / 2 };
	ranks->n_late = 3;
	ranks->n_compared = 5;
	finish(f);
	/* The scene sleeps; these are calls of MPI. */
	for (size_t i = 0; i < f->figures.n_sleeps; i++)
		f->figures.sleeps[i].wait = PROFILE_MPI;
	for (size_t i = 0; i < f->figures.n_late; i++)
		f->figures.late[i].waits.wait = PROFILE_MPI;
	f->figures.mpi_ns = f->figures.sleep_ns;
	f->figures.sleep_ns = 0;
	advice_make(&f->list, &f->figures);
}

/* Who came last to a call of MPI, if it is worth a word: never for longer than the call took. */
static void test_late_rank(void **state)
{
	static const struct {
		uint64_t wait_ms;
		const char *text;
	} cases[] = {
		{ 9000, "in this call for 24.0 s, of which 9.00 s for rank 1, which came last" },
		{ 30000, "in this call for 24.0 s, of which 24.0 s for rank 1, which came last" },
		{ 2000, "in this call for 24.0 s: ranks wait for each other or for data (--by "
			"rank)" }
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		make_late(&f, cases[i].wait_ms * MSEC);
		assert_int_equal(f.figures.n_late, 2);
		expect_text(&f, METRICS_MPI, cases[i].text);
		if (i == 0)
			expect(&f, METRICS_MPI, 6,
				"Of the 5 collective calls that were compared, rank 1 came last to "
				"2 here: others waited 9.00 s for it, also without a CPU.");
		end(&f);
	}
}

/* Time in a call of MPI without a CPU is a part of the time in the call, and not of a lack of CPUs. */
static void test_no_cpu_in_mpi(void **state)
{
	static const struct {
		uint64_t wait_ms;
		const char *text;
	} cases[] = { { 9000, "in this call for 27.0 s, 9.00 s for rank 1, which came last; 3.00 s "
			      "without a CPU" },
		{ 2000, "in this call for 27.0 s, 3.00 s without a CPU: ranks wait for ranks or "
			"data" } };
	struct fixture f;
	uint64_t gain_ns;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		make_late(&f, cases[i].wait_ms * MSEC);
		gain_ns = find(&f, METRICS_MPI)->gain_ns;
		f.figures.sleeps[0].no_cpu_ns = 3000 * MSEC;
		f.metrics.cause_ns[METRICS_NOT_RUNNING] = 40000 * MSEC;
		advice_make(&f.list, &f.figures);
		expect_text(&f, METRICS_MPI, cases[i].text);
		assert_true(find(&f, METRICS_MPI)->gain_ns > gain_ns);
		assert_int_equal(find(&f, METRICS_NOT_RUNNING)->gain_ns,
			metrics_most_gain(&f.metrics, (40000 - 3000 * f.metrics.n_slots) * MSEC));
		end(&f);
	}
}

/* Of a sleep in a region a thread's mean share is compared, and all of it is told. */
static void test_sleep_of_team(void **state)
{
	const struct findings_region *region;
	const struct advice *advice;
	char text[512];
	struct fixture f;
	uint32_t call, wait;

	(void)state;
	make_late(&f, 0);
	for (size_t i = 0; i < f.figures.n_sleeps; i++)
		f.figures.sleeps[i].wait = PROFILE_BLOCKED;
	/* Rank 0 waited for 2 s, for half of it without a CPU. */
	f.metrics.threads[0].mpi_ns = 1000 * MSEC;
	call = find_call(&f, 16000 * MSEC);
	for (wait = call; f.tree.nodes[wait].parent != call; wait++)
		;
	f.metrics.shares = calloc(3, sizeof(*f.metrics.shares));
	f.metrics.shares[0] = (struct metrics_share){ 0, 0, 0, 0, 0, 2000 * MSEC };
	f.metrics.shares[1] = (struct metrics_share){ wait, 0, 0, 0, 4000 * MSEC, 0 };
	f.metrics.shares[2] = (struct metrics_share){ wait, 1, 0, 0, 16000 * MSEC, 0 };
	f.metrics.n_shares = 3;
	for (size_t i = 0; i < f.figures.n_regions; i++)
		if (f.figures.regions[i].sum.max_team == 8)
			f.figures.region_of[wait] = (uint32_t)i;
	assert_int_not_equal(f.figures.region_of[wait], UINT32_MAX);
	region = &f.figures.regions[f.figures.region_of[wait]];
	free(f.figures.uneven);
	f.figures.n_uneven = 0;
	assert_int_equal(findings_add_uneven(&f.figures), 0);
	advice_make(&f.list, &f.figures);
	for (advice = f.list.entries; advice->about != ADVICE_OF_UNEVEN; advice++)
		assert_true(advice < &f.list.entries[f.list.n - 1]);
	assert_string_equal(advice->text,
		"rank 1 sleeps 16.0 thread-s in read, a mean rank 10.0; others waited in MPI");
	assert_int_equal(f.figures.uneven[0].most_ns, 16000 * MSEC / region->sum.max_team);
	assert_int_equal(f.figures.uneven[0].wait_ns, 12000 * MSEC / region->sum.max_team);
	assert_non_null(advice_evidence(&f.figures, find(&f, METRICS_MPI), 0, text, sizeof(text)));
	assert_non_null(strstr(text, "A mean thread of rank 1 sleeps here for 2.00 s, of a mean "));
	end(&f);
}

/* Threads wait for a thread that sleeps in a call, if it slept for half of their waiting. */
static void expect_sleep(enum metrics_cause about, uint64_t percent)
{
	static struct name_label call = { .name = "__read" };
	const struct findings_wait *wait;
	struct findings_cause *cause;
	struct fixture f;

	begin(&f);
	if (about == METRICS_IMBALANCE)
		make_construct(&f);
	finish(&f);
	wait = advice_find_wait(&f.figures, find(&f, about));
	cause = &f.figures.causes[wait->first_cause];
	cause->label = &call;
	cause->asleep_ns = wait->sum.wait_ns / 100 * percent;
	advice_make(&f.list, &f.figures);
	assert_int_equal(
		strncmp(find(&f, about)->text, "a thread sleeps in read: ", 25) == 0, percent > 50);
	end(&f);
}

static void test_wait_for_sleep(void **state)
{
	(void)state;
	for (uint64_t percent = 49; percent <= 51; percent += 2) {
		expect_sleep(METRICS_IMBALANCE, percent);
		expect_sleep(METRICS_TASK, percent);
	}
}

/*
 * The thread that joins sleeps beside others: 10 of the 36 s that calls slept outside of regions are a loss. 8 of them
 * are the nap's, and another thread slept for 4 s in a region. As many slots were idle as one thread lost. A call that
 * does not wait for a thread shares the loss with the nap.
 */
static void expect_gain_beside(const char *call, uint64_t gain_ms)
{
	struct name_label nap = { .name = "usleep" }, join = { .name = call },
			  caller = { .name = "main", .file = "a.c", .line = 5 };
	const struct advice *advice = NULL;
	struct fixture f;

	begin_scene(&f, "reads");
	made_metrics(&f.metrics, &f.tree);
	f.metrics.cause_ns[METRICS_BLOCKED] = 24000 * MSEC;
	f.metrics.serial_cause_ns[METRICS_BLOCKED] = 20000 * MSEC;
	f.metrics.idle_blocked_ns = 10000 * MSEC;
	finish(&f);
	assert_true(f.figures.n_sleeps >= 2);
	f.figures.n_sleeps = 2;
	f.figures.sleep_ns = 20000 * MSEC;
	f.figures.sleeps[0] = (struct findings_sleep){ PROFILE_BLOCKED, &join, &caller, 1, 1,
		28000 * MSEC, 28000 * MSEC, 0 };
	f.figures.sleeps[1] = (struct findings_sleep){ PROFILE_BLOCKED, &nap, &caller, 1, 2,
		12000 * MSEC, 8000 * MSEC, 0 };
	advice_make(&f.list, &f.figures);
	for (size_t i = 0; i < f.list.n; i++)
		if (strcmp(f.list.entries[i].name, "usleep in main, 2x") == 0)
			advice = &f.list.entries[i];
	assert_non_null(advice);
	assert_in_range(advice->gain_ns, metrics_gain(&f.metrics, gain_ms * MSEC),
		metrics_gain(&f.metrics, (gain_ms + 1) * MSEC));
	end(&f);
}

static void test_joining_is_no_loss(void **state)
{
	static const char *const joins[] = { "___pthread_join", "pthread_timedjoin_np@GLIBC_2.34",
		"__pthread_clockjoin_ex", "thrd_join", "std::thread::join()" };
	static const char *const others[] = { "join_tables", "db::joiner::wait()", "thrd_joins",
		"pthread_cond_wait" };

	(void)state;
	for (size_t i = 0; i < sizeof(joins) / sizeof(joins[0]); i++)
		expect_gain_beside(joins[i], 8000 + 4000 + 8000);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		expect_gain_beside(others[i], 4000 + 4444);
}

/* Libraries have several names for a function; programs are written with the plain name. */
static void test_call_names(void **state)
{
	static const char *const rows[][2] = { { "read", "read" },
		{ "__libc_read@GLIBC_2.2.5", "read" }, { "___pthread_join", "pthread_join" },
		{ "_IO_fwrite", "fwrite" }, { "MPI_Recv", "MPI_Recv" },
		{ "IO_of_mine", "IO_of_mine" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *name = rows[i][0];
		int n = advice_call_name(&name);

		assert_int_equal(n, strlen(rows[i][1]));
		assert_memory_equal(name, rows[i][1], (size_t)n);
	}
}

/* A cause has a name also where samples have no path. */
static void test_cause_without_path(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	assert_int_equal(findings_label(&f.figures, 0)->kind, NAME_ROOT);
	assert_string_equal(findings_cause_label(&f.figures, 0)->name, "(no call path)");
	assert_string_equal(findings_cause_label(&f.figures, METRICS_NO_CPU)->name, "had no CPU");
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_teams_of_processes),
		cmocka_unit_test(test_own_cost),
		cmocka_unit_test(test_late_rank),
		cmocka_unit_test(test_no_cpu_in_mpi),
		cmocka_unit_test(test_sleep_of_team),
		cmocka_unit_test(test_wait_for_sleep),
		cmocka_unit_test(test_joining_is_no_loss),
		cmocka_unit_test(test_cause_without_path),
		cmocka_unit_test(test_call_names),
		cmocka_unit_test(test_lack_of_cpus),
		cmocka_unit_test(test_unblamed),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_taskwait),
		cmocka_unit_test(test_thread_of_process),
		cmocka_unit_test(test_construct_of_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
