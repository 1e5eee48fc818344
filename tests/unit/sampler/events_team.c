/* SPDX-License-Identifier: Apache-2.0 */
/* Events that several threads have at once: of teams whose executions are too quick to be timed one and all, and of a
   recursive task. Sent by a stand-in for a runtime; see play_runtime.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/sampler/play_runtime.h"

enum {
	N_EXECUTIONS = 6000,
	ALONE_IN = 150,
	SERIAL_NS = 2000,
	PATIENCE = 20000,
	PAUSE_NS = 5000000
};

/* A program that is sanitized is slow. */
#ifdef __SANITIZE_THREAD__
enum { N_GENERATIONS = 1 << 14 };
#else
enum { N_GENERATIONS = 1 << 21 };
#endif

static ompt_data_t region;
static int is_ready; /* the member */

/* From the member's begin to its end: at least, from one event to the other, and at most, with both; and how long it was
   a member: of each execution, from after the event that it begins with to before that which ends the region. */
struct span {
	int64_t least_ns;
	int64_t most_ns;
	int64_t member_ns;
};

static struct span *span;
static int64_t begun_ns[N_EXECUTIONS], ended_ns[N_EXECUTIONS];

/* Without sleeping: for a thread that is at work. */
static void spin_for_turn(uint32_t turn)
{
	for (int i = 0; __atomic_load_n(&play_turn, __ATOMIC_ACQUIRE) != turn; i++) {
		if (i > PATIENCE)
			sched_yield();
	}
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void spin_ns(long ns)
{
	int64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

/* Some of the executions the primary thread does alone. */
static int is_alone(int i)
{
	return i % ALONE_IN == ALONE_IN - 1;
}

/* Of an implicit task, every other time at another place than it began, as libomp does. */
static void end_as_member(ompt_data_t *task)
{
	static unsigned n_ended;
	ompt_data_t elsewhere = *task;

	if (++n_ended % 2 == 0)
		task = &elsewhere;
	EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL,
		task, NULL);
	EVENT(implicit_task, ompt_scope_end, NULL, task, 0, 1, ompt_task_implicit);
}

/* Hears of the end of an execution with the next one. */
static void *run_member(void *argument)
{
	static ompt_data_t task;
	int has_task = 0;

	span->most_ns = -now_ns();
	EVENT(thread_begin, ompt_thread_worker, &nothing);
	span->least_ns = -now_ns();
	__atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < N_EXECUTIONS; i++) {
		if (is_alone(i))
			continue;
		spin_for_turn(2 * (uint32_t)i + 1);
		if (has_task)
			end_as_member(&task);
		has_task = 1;
		EVENT(implicit_task, ompt_scope_begin, &region, &task, 2, 1, ompt_task_implicit);
		begun_ns[i] = now_ns();
		spin_ns(SERIAL_NS);
		EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel,
			ompt_scope_begin, &region, &task, NULL);
		play_set_turn(2 * i + 2);
	}
	spin_for_turn(2 * N_EXECUTIONS + 1);
	end_as_member(&task);
	span->least_ns += now_ns();
	EVENT(thread_end, &nothing);
	span->most_ns += now_ns();
	return NULL;
}

/* Begins a region here in its caller. */
static __attribute__((noinline)) void begin_here(unsigned n)
{
	EVENT(parallel_begin, &nothing, &no_frame, &region, n, ompt_parallel_team,
		__builtin_return_address(0));
}

static __attribute__((noinline, noclone)) void execute(int i, ompt_data_t *own)
{
	volatile unsigned n = is_alone(i) ? 1 : 2; /* likewise */

	begin_here(n);
	EVENT(implicit_task, ompt_scope_begin, &region, own, n, 0, ompt_task_implicit);
	if (n == 2) {
		play_set_turn(2 * i + 1);
		spin_for_turn(2 * (uint32_t)i + 2);
	} else {
		spin_ns(SERIAL_NS);
	}
	EVENT(implicit_task, ompt_scope_end, NULL, own, n, 0, ompt_task_implicit);
	ended_ns[i] = now_ns();
	EVENT(parallel_end, &region, &nothing, ompt_parallel_team, execute);
}

static pthread_t begin_member(void)
{
	pthread_t worker;

	play_turn = 0;
	pthread_create(&worker, NULL, run_member, NULL);
	while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
		sched_yield();
	return worker;
}

static void end_member(pthread_t worker)
{
	spin_ns(PAUSE_NS);
	play_set_turn(2 * N_EXECUTIONS + 1);
	pthread_join(worker, NULL);
	span->member_ns = 0;
	for (int i = 0; i < N_EXECUTIONS; i++) {
		if (!is_alone(i))
			span->member_ns += ended_ns[i] - begun_ns[i];
	}
}

/* The executions of a part of the test, on the thread that encounters them. */
static __attribute__((noinline)) void execute_all(int from, int to)
{
	static ompt_data_t own;

	/* Volatile, for one call in the code: its address is part of the path. */
	for (volatile int i = from; i < to; i++) {
		spin_ns(SERIAL_NS);
		execute(i, &own);
	}
}

static int run_quick_team(void)
{
	pthread_t worker = begin_member();

	execute_all(0, N_EXECUTIONS);
	end_member(worker);
	return 0;
}

/* Before the member comes there are so many that generations begin at 0 again in the midst of the test. */
static int run_wrapped_team(void)
{
	ompt_data_t own_region;
	pthread_t worker;

	for (int i = N_EXECUTIONS / 2; i < N_GENERATIONS; i++) {
		EVENT(parallel_begin, &nothing, &no_frame, &own_region, 1, ompt_parallel_team,
			run_wrapped_team);
		EVENT(parallel_end, &own_region, &nothing, ompt_parallel_team, run_wrapped_team);
	}
	worker = begin_member();
	execute_all(0, N_EXECUTIONS);
	end_member(worker);
	return 0;
}

enum { N_ROOTS = 3 }; /* the last execution of each but the last is not one alone */

static void *run_root(void *argument)
{
	int first = (int)(intptr_t)argument * (N_EXECUTIONS / N_ROOTS);

	EVENT(thread_begin, ompt_thread_initial, &nothing);
	spin_ns(PAUSE_NS);
	execute_all(first, first + N_EXECUTIONS / N_ROOTS);
	EVENT(thread_end, &nothing);
	return NULL;
}

/* Threads that encounter the executions come after each other: each gets the memory of the one before, of whose
   last execution the member hears later. */
static int run_teams_of_roots(void)
{
	pthread_t worker = begin_member(), root;

	for (intptr_t i = 0; i < N_ROOTS; i++) {
		pthread_create(&root, NULL, run_root, (void *)i);
		pthread_join(root, NULL);
	}
	end_member(worker);
	return 0;
}

/* What the profile says of a member. */
struct seen {
	uint64_t n;
	uint64_t time_ns;
	uint64_t idle_ns;
	uint64_t most_ns; /* that it was a member, by what the encountering thread says */
};

static void see(int (*run)(void), struct seen *seen)
{
	struct profile profile;

	*seen = (struct seen){ 0 };
	play_profile_of(run, &profile);
	for (size_t i = 0; i < profile.n_regions; i++)
		seen->most_ns += profile.regions[i].team_wall_ns - profile.regions[i].wall_ns;
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind != PROFILE_NODE_CONTEXT ||
			profile.threads[node->owner].type != ompt_thread_worker)
			continue;
		seen->n += node->n;
		seen->time_ns += node->time_ns;
	}
	seen->idle_ns = play_sum_of_waits(&profile, PROFILE_IDLE_BEFORE, 0) +
			play_sum_of_waits(&profile, PROFILE_IDLE_BETWEEN, 0) +
			play_sum_of_waits(&profile, PROFILE_IDLE_AFTER, 0);
	profile_release(&profile);
}

/* A member's time in quick executions is that of those that it was a member of, and the time between them it was
   idle, though it reads a clock in few of them: whatever the machine did meanwhile. */
static void judge(int (*run)(void))
{
	struct seen seen;

	span = mmap(NULL, sizeof(*span), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(span, MAP_FAILED);
	see(run, &seen);
	assert_int_equal(seen.n, N_EXECUTIONS - N_EXECUTIONS / ALONE_IN);
	assert_in_range(
		seen.time_ns, (uint64_t)span->member_ns * 98 / 100, seen.most_ns * 101 / 100);
	assert_true(seen.idle_ns >= N_EXECUTIONS * (uint64_t)SERIAL_NS * 9 / 10);
	assert_in_range(seen.time_ns + seen.idle_ns, (uint64_t)span->least_ns * 98 / 100,
		(uint64_t)span->most_ns * 101 / 100);
	munmap(span, sizeof(*span));
}

static void test_quick_team(void **state)
{
	judge(run_quick_team);
}

static void test_wrapped_team(void **state)
{
	judge(run_wrapped_team);
}

static void test_teams_of_roots(void **state)
{
	judge(run_teams_of_roots);
}

enum { N_LONG = 12, QUICK_BEFORE = 500, LONG_MS = 30 };

/* Quick executions, and after so many one in whose closing barrier thread 0 waits for long, which is most likely none
   that is timed. */
static __attribute__((noinline, noclone)) int run_long_waits(void)
{
	static ompt_data_t own;

	EVENT(implicit_task, ompt_scope_begin, &nothing, &nothing, 1, 1, ompt_task_initial);
	for (volatile int i = 1; i <= N_LONG * QUICK_BEFORE; i++) {
		begin_here(2);
		EVENT(implicit_task, ompt_scope_begin, &region, &own, 2, 0, ompt_task_implicit);
		EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel,
			ompt_scope_begin, &region, &own, NULL);
		play_state = ompt_state_wait_barrier_implicit_parallel;
		if (i % QUICK_BEFORE == 0)
			play_compute(LONG_MS);
		play_state = ompt_state_work_parallel;
		EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end,
			&region, &own, NULL);
		EVENT(implicit_task, ompt_scope_end, NULL, &own, 2, 0, ompt_task_implicit);
		EVENT(parallel_end, &region, &nothing, ompt_parallel_team, run_long_waits);
	}
	return 0;
}

/* A wait that nobody expected is timed from its first sample on. */
static void test_long_waits(void **state)
{
	struct profile profile;

	play_profile_of(run_long_waits, &profile);
	assert_int_equal(profile.regions[0].n, N_LONG * QUICK_BEFORE);
	assert_true(play_sum_of_waits(&profile, PROFILE_BARRIER_CLOSING, 0) >=
		    N_LONG * LONG_MS * 1000000ULL / 3);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_quick_team),
		cmocka_unit_test(test_wrapped_team),
		cmocka_unit_test(test_teams_of_roots),
		cmocka_unit_test(test_long_waits),
	};

	return cmocka_run_group_tests_name("events_team", tests, play_set_up, play_tear_down);
}
