/* SPDX-License-Identifier: Apache-2.0 */
/* Events of teams whose executions are too quick to be timed one and all, sent by a stand-in for a runtime; see
   play.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/play.h"

enum { N_EXECUTIONS = 6000, ALONE_IN = 150, SERIAL_NS = 2000, PATIENCE = 20000 };

static ompt_data_t region;
static int is_ready;     /* the member */
static int64_t *span_ns; /* from the member's begin to the last execution's end */

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

static void end_as_member(ompt_data_t *task)
{
	EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL,
		task, NULL);
	EVENT(implicit_task, ompt_scope_end, NULL, task, 0, 1, ompt_task_implicit);
}

/* Hears of the end of an execution with the next one. */
static void *run_member(void *argument)
{
	static ompt_data_t task;
	int has_task = 0;

	*span_ns = -now_ns();
	EVENT(thread_begin, ompt_thread_worker, &nothing);
	__atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < N_EXECUTIONS; i++) {
		if (is_alone(i))
			continue;
		spin_for_turn(2 * (uint32_t)i + 1);
		if (has_task)
			end_as_member(&task);
		has_task = 1;
		EVENT(implicit_task, ompt_scope_begin, &region, &task, 2, 1, ompt_task_implicit);
		EVENT(sync_region_wait, ompt_sync_region_barrier_implicit_parallel,
			ompt_scope_begin, &region, &task, NULL);
		play_set_turn(2 * i + 2);
	}
	spin_for_turn(2 * N_EXECUTIONS + 1);
	end_as_member(&task);
	EVENT(thread_end, &nothing);
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
	EVENT(parallel_end, &region, &nothing, ompt_parallel_team, execute);
}

static int run_quick_team(void)
{
	static ompt_data_t own;
	pthread_t worker;

	play_turn = 0;
	pthread_create(&worker, NULL, run_member, NULL);
	while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
		sched_yield();
	/* Volatile, for one call in the code: its address is part of the path. */
	for (volatile int i = 0; i < N_EXECUTIONS; i++) {
		spin_ns(SERIAL_NS);
		execute(i, &own);
	}
	*span_ns += now_ns();
	play_set_turn(2 * N_EXECUTIONS + 1);
	pthread_join(worker, NULL);
	return 0;
}

/* A member's time in quick executions is that of those that it was a member of, and the time between them it was
   idle, though it reads a clock in few of them. */
static void test_quick_team(void **state)
{
	struct profile profile;
	uint64_t n = 0, time_ns = 0, idle_ns, member_ns;

	span_ns = mmap(
		NULL, sizeof(*span_ns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(span_ns, MAP_FAILED);
	play_profile_of(run_quick_team, &profile);
	assert_int_equal(profile.n_regions, 1);
	assert_int_equal(profile.regions[0].n, N_EXECUTIONS);
	member_ns = profile.regions[0].team_wall_ns - profile.regions[0].wall_ns;
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind != PROFILE_NODE_CONTEXT || node->owner != 1)
			continue;
		n += node->n;
		time_ns += node->time_ns;
	}
	assert_int_equal(n, N_EXECUTIONS - N_EXECUTIONS / ALONE_IN);
	/* A member that is late was idle until then. */
	assert_in_range(time_ns, 1, member_ns * 101 / 100);
	idle_ns = play_sum_of_waits(&profile, PROFILE_IDLE_BEFORE, 0) +
		  play_sum_of_waits(&profile, PROFILE_IDLE_BETWEEN, 0);
	assert_in_range(idle_ns, N_EXECUTIONS * (uint64_t)SERIAL_NS * 9 / 10, (uint64_t)*span_ns);
	assert_in_range(
		time_ns + idle_ns, (uint64_t)*span_ns * 98 / 100, (uint64_t)*span_ns * 101 / 100);
	munmap(span_ns, sizeof(*span_ns));
	profile_release(&profile);
}

/* Begins and ends a region as a runtime does, whose function this is: for its caller. */
static __attribute__((noinline, optimize("no-omit-frame-pointer"))) void announce_region(void)
{
	const ompt_frame_t frame = { .enter_frame.ptr = __builtin_frame_address(0) };

	EVENT(parallel_begin, &nothing, &frame, &region, 1, ompt_parallel_team,
		__builtin_return_address(0));
	EVENT(parallel_end, &region, &nothing, ompt_parallel_team, __builtin_return_address(0));
}

static __attribute__((noinline)) void encounter_region(void)
{
	announce_region();
	nothing.value = 0;
}

/* On equal stacks but for one return address: that to here. */
static __attribute__((noinline)) void encounter_by(int is_second)
{
	if (is_second) {
		encounter_region();
		nothing.value = 0;
	} else {
		encounter_region();
		nothing.value = 1;
	}
}

enum { N_WAYS = 1000, SECOND_IN = 5 };

static int run_ways(void)
{
	for (volatile int i = 0; i < N_WAYS; i++)
		encounter_by(i % SECOND_IN == 0);
	return 0;
}

/* A region that is encountered as the latest one was is known again, and one that is not is none that is. */
static void test_ways(void **state)
{
	struct profile profile;

	play_profile_of(run_ways, &profile);
	assert_int_equal(profile.n_regions, 2);
	assert_int_equal(profile.regions[0].n, N_WAYS / SECOND_IN);
	assert_int_equal(profile.regions[1].n, N_WAYS - N_WAYS / SECOND_IN);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind == PROFILE_NODE_REGION)
			assert_int_equal(node->n, profile.regions[node->record].n);
	}
	profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quick_team),
		cmocka_unit_test(test_ways),
	};

	return cmocka_run_group_tests_name("events_team", tests, play_set_up, play_tear_down);
}
