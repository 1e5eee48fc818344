/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequences of events that real programs rarely make, sent by a stand-in for a runtime; see play.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/play.h"

static void assert_class(const struct profile *profile, int thread, enum profile_class class)
{
	assert_in_range(profile->threads[thread].time_ns[class], COMPUTE_MS * 1000000 / 3,
		COMPUTE_MS * 1000000 * 5);
}

/* Tasks run on top of each other, each from a taskwait of the one before, deeper than the tool keeps
   them; the innermost computes. */
static int run_deep_tasks(void)
{
	static ompt_data_t region, task[200];

	EVENT(parallel_begin, &nothing, &no_frame, &region, 1, ompt_parallel_team, run_deep_tasks);
	EVENT(implicit_task, ompt_scope_begin, &region, &task[0], 1, 0, ompt_task_implicit);
	for (int i = 1; i < 200; i++) {
		EVENT(task_create, &task[i - 1], &no_frame, &task[i], ompt_task_explicit, 0,
			run_deep_tasks);
		EVENT(sync_region_wait, ompt_sync_region_taskwait, ompt_scope_begin, &region,
			&task[i - 1], run_deep_tasks);
		EVENT(task_schedule, &task[i - 1], ompt_task_switch, &task[i]);
	}
	play_compute(COMPUTE_MS);
	return 0;
}

/* The wait of the last task that is kept is not that of those above it. */
static void test_deep_tasks(void **state)
{
	struct profile profile;

	play_profile_of(run_deep_tasks, &profile);
	assert_class(&profile, 0, PROFILE_WORK);
	assert_int_equal(profile.threads[0].time_ns[PROFILE_WAIT_TASKWAIT], 0);
	profile_release(&profile);
}

static ompt_data_t hidden_region;

/* The worker of hidden_region: waits in its closing barrier while the region lasts, and beyond. */
static void *run_hidden_worker(void *argument)
{
	static ompt_data_t task;

	EVENT(thread_begin, ompt_thread_worker, &nothing);
	EVENT(implicit_task, ompt_scope_begin, &hidden_region, &task, 2, 1, ompt_task_implicit);
	play_state = ompt_state_wait_barrier_implicit_parallel;
	play_compute(COMPUTE_MS);
	__atomic_store_n(&play_turn, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&play_turn, __ATOMIC_ACQUIRE) == 1)
		continue;
	play_compute(COMPUTE_MS);
	return NULL;
}

static void begin_hidden(void)
{
	EVENT(parallel_begin, &nothing, &no_frame, &hidden_region, 2, ompt_parallel_team,
		begin_hidden);
}

/* A region begun on a stack that is not the thread's own: there is no path to it. */
static int run_hidden(void)
{
	static char stack[256 * 1024];
	ucontext_t here, there;
	pthread_t worker;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, begin_hidden, 0);
	swapcontext(&here, &there);
	pthread_create(&worker, NULL, run_hidden_worker, NULL);
	while (__atomic_load_n(&play_turn, __ATOMIC_ACQUIRE) == 0)
		usleep(1000);
	EVENT(parallel_end, &hidden_region, &nothing, ompt_parallel_team, begin_hidden);
	__atomic_store_n(&play_turn, 2, __ATOMIC_RELEASE);
	pthread_join(worker, NULL);
	return 0;
}

/* A worker has a team, and later none, whether or not its region's place is known. */
static void test_hidden_region(void **state)
{
	struct profile profile;

	play_profile_of(run_hidden, &profile);
	assert_int_equal(profile.threads[0].lost[PROFILE_LOST_CONTEXT], 1);
	assert_class(&profile, 1, PROFILE_WAIT_BARRIER);
	assert_class(&profile, 1, PROFILE_IDLE);
	profile_release(&profile);
}

/* Begins a region here in its caller. */
static __attribute__((noinline)) void begin_here(ompt_data_t *region)
{
	EVENT(parallel_begin, &nothing, &no_frame, region, 1, ompt_parallel_team,
		__builtin_return_address(0));
}

/* Two regions, one in the other. As the inner one's end is announced, its data is in the first case another
   thread's, in the second it has been freed and overwritten, in the third its page is gone. */
static int run_stale_data(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	ompt_data_t other = nothing, outer = nothing;

	for (int i = 0; i < 3; i++) {
		ompt_data_t *inner = mmap(
			NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		begin_here(&outer);
		begin_here(inner);
		if (i == 0)
			*inner = outer;
		else if (i == 1)
			memset(inner, 0xef, sizeof(*inner));
		else
			munmap(inner, page);
		EVENT(parallel_end, inner, &nothing, ompt_parallel_team, run_stale_data);
		EVENT(parallel_end, &other, &nothing, ompt_parallel_team, run_stale_data);
		if (i < 2)
			munmap(inner, page);
	}
	return 0;
}

/* Each region's end is that of the region that ends. */
static void test_stale_data(void **state)
{
	struct profile profile;

	play_profile_of(run_stale_data, &profile);
	assert_int_equal(profile.n_regions, 2);
	assert_int_equal(profile.regions[0].n, 3);
	assert_int_equal(profile.regions[1].n, 3);
	profile_release(&profile);
}

enum { N_CREATED = 100000 };

static ompt_data_t recursive_task;

/* Creates a task at the one site of the test: here in its caller. */
static __attribute__((noinline)) void create_task(ompt_data_t *task)
{
	EVENT(task_create, &nothing, &no_frame, task, ompt_task_explicit, 0,
		__builtin_return_address(0));
}

/* Creates n tasks, the last of which is *task. */
static __attribute__((noinline)) void create_tasks(ompt_data_t *task, int n)
{
	for (int i = 0; i < n; i++)
		create_task(task);
}

/* Executes recursive_task, which creates tasks at its own site. */
static void *run_recursive_task(void *is_worker)
{
	ompt_data_t own, created;

	if (is_worker)
		EVENT(thread_begin, ompt_thread_worker, &nothing);
	EVENT(task_schedule, &own, ompt_task_switch, &recursive_task);
	create_tasks(&created, N_CREATED);
	return NULL;
}

static int run_recursion(void)
{
	pthread_t worker;

	create_tasks(&recursive_task, 1);
	pthread_create(&worker, NULL, run_recursive_task, &nothing);
	run_recursive_task(NULL);
	pthread_join(worker, NULL);
	return 0;
}

/* Two threads count at once in the node that a recursive task has in the tree of one of them. */
static void test_recursion(void **state)
{
	struct profile profile;
	size_t n = 0;

	play_profile_of(run_recursion, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		if (profile.nodes[i].kind == PROFILE_NODE_TASK)
			n += profile.nodes[i].n;
	}
	assert_int_equal(n, 2 * N_CREATED + 1);
	profile_release(&profile);
}

/* Begins a region: here in its caller. */
static __attribute__((noinline)) void begin_region(ompt_data_t *region, int flags)
{
	EVENT(parallel_begin, &nothing, &no_frame, region, 1, flags, __builtin_return_address(0));
}

static void begin_team(ompt_data_t *own)
{
	static ompt_data_t region;

	begin_region(&region, ompt_parallel_team);
	EVENT(implicit_task, ompt_scope_begin, &region, own, 1, 0, ompt_task_implicit);
}

/* Creates a task as a runtime does, whose function this is: for its caller. */
static __attribute__((noinline, optimize("no-omit-frame-pointer"))) void announce_task(
	ompt_data_t *task)
{
	const ompt_frame_t frame = { .enter_frame.ptr = __builtin_frame_address(0) };

	EVENT(task_create, &nothing, &frame, task, ompt_task_explicit, 0,
		__builtin_return_address(0));
}

/* Encounters the one construct of the test, on equal stacks but for one return address: that to `way`. */
static __attribute__((noinline)) void encounter_task(void)
{
	ompt_data_t task;

	announce_task(&task);
	nothing.value = 0;
}

static __attribute__((noinline)) void way_by(int is_second)
{
	if (is_second) {
		encounter_task();
		nothing.value = 0;
	} else {
		encounter_task();
		nothing.value = 1;
	}
}

enum { N_WAYS = 400, N_OF_SECOND = 100 };

/* By the first way many times, by the second once in a while; and then in no region. */
static int run_ways(void)
{
	static ompt_data_t own;

	begin_team(&own);
	for (volatile int i = 0; i < N_WAYS; i++)
		way_by(i % (N_WAYS / N_OF_SECOND) == 0);
	EVENT(implicit_task, ompt_scope_end, NULL, &own, 1, 0, ompt_task_implicit);
	EVENT(parallel_end, &nothing, &nothing, ompt_parallel_team, run_ways);
	for (volatile int i = 0; i < N_WAYS; i++)
		way_by(0);
	return 0;
}

/* A construct that is encountered as the latest one was is known again, and one that is not is none that is. */
static void test_ways(void **state)
{
	struct profile profile;
	uint64_t n[3] = { 0 };
	size_t n_nodes = 0;

	play_profile_of(run_ways, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		if (profile.nodes[i].kind == PROFILE_NODE_TASK && n_nodes < 3)
			n[n_nodes++] = profile.nodes[i].n;
	}
	assert_int_equal(n_nodes, 3);
	assert_int_equal(n[0] + n[1] + n[2], 2 * N_WAYS);
	assert_int_equal(n[0], N_OF_SECOND);
	assert_int_equal(n[1], N_WAYS - N_OF_SECOND);
	assert_int_equal(n[2], N_WAYS);
	profile_release(&profile);
}

static ompt_data_t reused_task;

static __attribute__((noinline)) void create_undeferred(ompt_data_t *task)
{
	EVENT(task_create, &nothing, &no_frame, task, ompt_task_explicit | ompt_task_undeferred, 0,
		__builtin_return_address(0));
}

/* Creates an undeferred task deep in the stack, and executes it at once. */
static __attribute__((noinline)) void run_undeferred(ompt_data_t *own, int depth)
{
	volatile char deep[1024] = { 0 };

	if (depth > 0) {
		run_undeferred(own, depth - 1);
	} else {
		create_undeferred(&reused_task);
		EVENT(task_schedule, own, ompt_task_switch, &reused_task);
		EVENT(task_schedule, &reused_task, ompt_task_complete, own);
	}
	(void)deep[0];
}

/* Another thread creates the second task, at the same place of the heap. */
static int run_reused(void)
{
	static ompt_data_t region, own;

	EVENT(parallel_begin, &nothing, &no_frame, &region, 2, ompt_parallel_team, run_reused);
	EVENT(implicit_task, ompt_scope_begin, &region, &own, 2, 0, ompt_task_implicit);
	run_undeferred(&own, 4);
	EVENT(task_schedule, &own, ompt_task_switch, &reused_task);
	play_compute(COMPUTE_MS);
	return 0;
}

/* Where a task's frames end is forgotten with it. */
static void test_reused_task(void **state)
{
	struct profile profile;
	uint32_t n = 0;

	play_profile_of(run_reused, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind == PROFILE_NODE_SAMPLES &&
			profile.nodes[node->parent].kind == PROFILE_NODE_CONTEXT)
			n += node->n;
	}
	assert_int_equal(n, 0);
	profile_release(&profile);
}

static ompt_data_t counted_region;

/* Encounters a region of no time: here in its caller. */
static __attribute__((noinline)) void run_region(int flags)
{
	EVENT(parallel_begin, &nothing, &no_frame, &counted_region, 1, flags,
		__builtin_return_address(0));
	EVENT(parallel_end, &counted_region, &nothing, flags, __builtin_return_address(0));
}

static __attribute__((noinline)) void encounter(int depth, int flags)
{
	if (depth > 0)
		encounter(depth - 1, flags);
	else
		run_region(flags);
	nothing.value = 0;
}

enum { N_DEPTHS = 60, N_ENCOUNTERS = 10 };

/* One construct by way of many paths, as a region and as a league: after each other, and in turn. */
static int run_sites(void)
{
	for (int i = 0; i < N_ENCOUNTERS * 4 * N_DEPTHS; i++) {
		int is_in_turn = i / N_DEPTHS % 4 > 1;
		/* Volatile, for one call in the code: its address is part of the path. */
		volatile int depth = (is_in_turn ? i / 2 : i) % N_DEPTHS;
		volatile int flags = (is_in_turn ? i : i / N_DEPTHS) % 2 ? ompt_parallel_league
									 : ompt_parallel_team;

		encounter(depth, flags);
	}
	return 0;
}

/* Each path has a node of its own, and each execution counts for one. */
static void test_sites(void **state)
{
	struct profile profile;
	size_t n = 0;

	play_profile_of(run_sites, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		if (profile.nodes[i].kind != PROFILE_NODE_REGION)
			continue;
		assert_int_equal(profile.nodes[i].n, 2 * N_ENCOUNTERS);
		n++;
	}
	assert_int_equal(n, 2 * N_DEPTHS);
	profile_release(&profile);
}

/* Regions and tasks that the tool keeps of a thread, and leagues of the process: thread.h, events_region.c. */
enum { N_KEPT = 64, N_LEAGUES = 16 };

/* More tasks on top of each other than are kept, of one site. */
static int run_one_site(void)
{
	static ompt_data_t task[3 * N_KEPT];

	begin_team(&task[0]);
	for (int i = 1; i < 3 * N_KEPT; i++) {
		create_task(&task[i]);
		EVENT(task_schedule, &task[i - 1], ompt_task_switch, &task[i]);
	}
	return 0;
}

/* Likewise, of two sites in turn. */
static int run_two_sites(void)
{
	static ompt_data_t task[3 * N_KEPT];

	begin_team(&task[0]);
	for (int i = 1; i + 1 < 3 * N_KEPT; i += 2) {
		create_task(&task[i]);
		EVENT(task_schedule, &task[i - 1], ompt_task_switch, &task[i]);
		create_task(&task[i + 1]);
		EVENT(task_schedule, &task[i], ompt_task_switch, &task[i + 1]);
	}
	return 0;
}

static int run_many_regions(void)
{
	static ompt_data_t region[N_KEPT + 6];

	for (int i = 0; i < N_KEPT + 6; i++)
		begin_region(&region[i], ompt_parallel_team);
	return 0;
}

static int run_many_leagues(void)
{
	static ompt_data_t region[N_LEAGUES + 3];

	for (int i = 0; i < N_LEAGUES + 3; i++)
		begin_region(&region[i], ompt_parallel_league);
	return 0;
}

/* A task that was created before the tool came. */
static int run_unknown_task(void)
{
	static ompt_data_t own, unknown;

	begin_team(&own);
	EVENT(task_schedule, &own, ompt_task_switch, &unknown);
	return 0;
}

/* The runtime says of a region not where it was encountered, and on this stack nobody can see it. */
static void begin_nowhere(void)
{
	static ompt_data_t region;

	EVENT(parallel_begin, &nothing, &no_frame, &region, 1, ompt_parallel_team, NULL);
}

static int run_nowhere(void)
{
	static ompt_data_t own;
	static char stack[256 * 1024];
	ucontext_t here, there;

	begin_team(&own);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, begin_nowhere, 0);
	swapcontext(&here, &there);
	return 0;
}

/* A thread that never registered, as its struct could not be had, say. */
static void *create_unregistered(void *unused)
{
	static ompt_data_t task;

	create_task(&task);
	return unused;
}

static int run_unregistered(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, create_unregistered, NULL);
	pthread_join(thread, NULL);
	return 0;
}

/* What has no creation path of its own, or that of another, is counted; nothing else is. */
static void test_lost_contexts(void **state)
{
	static const struct {
		int (*run)(void);
		uint64_t n_lost;
		uint64_t n_of_no_thread;
	} cases[] = {
		{ run_one_site, 0, 0 },
		{ run_two_sites, N_KEPT, 0 }, /* every other one of those not kept */
		{ run_many_regions, 6, 0 },
		{ run_many_leagues, 3, 0 },
		{ run_unknown_task, 1, 0 },
		{ run_nowhere, 1, 0 },
		{ run_unregistered, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct profile profile;

		play_profile_of(cases[i].run, &profile);
		assert_int_equal(profile.threads[0].lost[PROFILE_LOST_CONTEXT], cases[i].n_lost);
		assert_int_equal(
			profile.header.lost[PROFILE_LOST_CONTEXT], cases[i].n_of_no_thread);
		profile_release(&profile);
	}
}

enum { N_WAITED = 20000 };

static void spin_ns(long ns)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < ns);
}

/* Creates quick tasks and waits for each, by executing it. */
static int run_own_tasks(void)
{
	static ompt_data_t region, own, task;

	EVENT(parallel_begin, &nothing, &no_frame, &region, 1, ompt_parallel_team, run_own_tasks);
	EVENT(implicit_task, ompt_scope_begin, &region, &own, 1, 0, ompt_task_implicit);
	for (int i = 0; i < N_WAITED; i++) {
		EVENT(task_create, &own, &no_frame, &task, ompt_task_explicit, 0, run_own_tasks);
		EVENT(sync_region_wait, ompt_sync_region_taskwait, ompt_scope_begin, &region, &own,
			run_own_tasks);
		EVENT(task_schedule, &own, ompt_task_switch, &task);
		spin_ns(2000);
		EVENT(task_schedule, &task, ompt_task_complete, &own);
		EVENT(sync_region_wait, ompt_sync_region_taskwait, ompt_scope_end, &region, &own,
			run_own_tasks);
	}
	EVENT(implicit_task, ompt_scope_end, NULL, &own, 1, 0, ompt_task_implicit);
	EVENT(parallel_end, &region, &nothing, ompt_parallel_team, run_own_tasks);
	return 0;
}

/* What goes by in quick tasks is no wait, though they are not all timed. */
static void test_own_tasks(void **state)
{
	struct profile profile;

	play_profile_of(run_own_tasks, &profile);
	assert_true(play_sum_of_waits(&profile, PROFILE_TASKWAIT, 0) < N_WAITED * 2000L / 2);
	profile_release(&profile);
}

static ompt_data_t left_region, left_task;

/* Waits in the closing barrier of a region, after which the teams are smaller for long. */
static void *run_left(void *argument)
{
	EVENT(thread_begin, ompt_thread_worker, &nothing);
	EVENT(implicit_task, ompt_scope_begin, &left_region, &left_task, 2, 1, ompt_task_implicit);
	EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin,
		&left_region, &left_task, NULL);
	play_set_turn(1);
	play_wait_for_turn(2);
	EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL,
		&left_task, NULL);
	EVENT(implicit_task, ompt_scope_end, NULL, &left_task, 0, 1, ompt_task_implicit);
	EVENT(thread_end, &nothing);
	return NULL;
}

static int run_smaller(void)
{
	static ompt_data_t own;
	pthread_t worker;

	play_turn = 0;
	for (int i = 0; i < 100; i++) {
		unsigned n = i ? 1 : 2;

		EVENT(parallel_begin, &nothing, &no_frame, &left_region, n, ompt_parallel_team,
			run_smaller);
		EVENT(implicit_task, ompt_scope_begin, &left_region, &own, n, 0,
			ompt_task_implicit);
		if (i == 0) {
			pthread_create(&worker, NULL, run_left, NULL);
			play_wait_for_turn(1);
			play_compute(COMPUTE_MS);
		}
		EVENT(implicit_task, ompt_scope_end, NULL, &own, n, 0, ompt_task_implicit);
		EVENT(parallel_end, &left_region, &nothing, ompt_parallel_team, run_smaller);
	}
	play_set_turn(2);
	pthread_join(worker, NULL);
	return 0;
}

/* A worker of a team that was larger finds when its region ended, however many have since. */
static void test_smaller_teams(void **state)
{
	struct profile profile;

	play_profile_of(run_smaller, &profile);
	assert_int_equal(profile.threads[1].lost[PROFILE_LOST_WAITS], 0);
	assert_true(play_sum_of_waits(&profile, PROFILE_BARRIER_CLOSING, 0) >= COMPUTE_MS * 900000);
	profile_release(&profile);
}

enum { N_QUICK_REGIONS = 1500, N_TRIES = 40 };

/* Of the latest run of quick regions: how long it took, and how much of that the thread had no CPU. */
struct run_time {
	int64_t wall_ns;
	int64_t away_ns;
};

static struct run_time *run_time;

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Regions that take little more than the task in each. */
static __attribute__((noinline)) int run_quick_regions(void)
{
	static ompt_data_t region, own, task;
	int64_t begin_ns = clock_ns(CLOCK_MONOTONIC), cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < N_QUICK_REGIONS; i++) {
		begin_here(&region);
		EVENT(implicit_task, ompt_scope_begin, &region, &own, 1, 0, ompt_task_implicit);
		create_task(&task);
		EVENT(task_schedule, &own, ompt_task_switch, &task);
		spin_ns(500);
		EVENT(task_schedule, &task, ompt_task_complete, &own);
		EVENT(implicit_task, ompt_scope_end, NULL, &own, 1, 0, ompt_task_implicit);
		EVENT(parallel_end, &region, &nothing, ompt_parallel_team, run_quick_regions);
	}
	run_time->wall_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	run_time->away_ns = run_time->wall_ns - (clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns);
	return 0;
}

/* The ticks of the tasks in quick regions as a part of the regions'. */
static double part_of_tasks(void)
{
	struct profile profile;
	uint64_t sum = 0, n = 0;
	double part;

	play_profile_of(run_quick_regions, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind != PROFILE_NODE_CONTEXT || node->context == UINT32_MAX ||
			profile.nodes[node->context].kind != PROFILE_NODE_TASK)
			continue;
		sum += node->time_ns;
		n += node->n;
	}
	assert_int_equal(n, N_QUICK_REGIONS);
	assert_int_equal(profile.n_regions, 1);
	assert_int_equal(profile.regions[0].n, N_QUICK_REGIONS);
	part = (double)sum / (double)profile.regions[0].wall_ns;
	profile_release(&profile);
	return part;
}

/* Of their executions only a part is timed, with the tasks in them; it stands for all. What a thread loses of its
   CPU in one of those that are timed, or in another one, spoils the figure: the run that lost least is judged, if it
   lost little. */
static void test_quick_regions(void **state)
{
	double part = 0, least = 1, away;

	run_time = mmap(
		NULL, sizeof(*run_time), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(run_time, MAP_FAILED);
	for (int i = 0; i < N_TRIES && least > 0.02; i++) {
		double now = part_of_tasks();

		away = (double)run_time->away_ns / (double)run_time->wall_ns;
		if (away < least) {
			least = away;
			part = now;
		}
	}
	munmap(run_time, sizeof(*run_time));
	if (least <= 0.1)
		assert_true(part >= 0.4 && part <= 1.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deep_tasks),
		cmocka_unit_test(test_hidden_region),
		cmocka_unit_test(test_stale_data),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_reused_task),
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_lost_contexts),
		cmocka_unit_test(test_own_tasks),
		cmocka_unit_test(test_smaller_teams),
		cmocka_unit_test(test_quick_regions),
	};

	return cmocka_run_group_tests_name("events", tests, play_set_up, play_tear_down);
}
