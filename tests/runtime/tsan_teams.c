/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stand-in for a runtime (tests/unit/sampler/play_runtime.h) with many things at the same time.
 * There are teams of changing size with barriers, a mutex, counted events, and tasks that others
 * execute; initial threads that come and go; phases and pauses; a library that is opened and
 * closed. It is built with ThreadSanitizer, like the tool. So ThreadSanitizer sees everything that
 * orders these threads, which it would not in a real runtime.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sampler/tool/control.h"
#include "tests/unit/sampler/play_runtime.h"

enum { N_TEAM = 4, TEAM_BITS = 3, N_MS = 1500, N_ROUNDS = 4, STOP = 1u << 31 };

static ompt_data_t region, implicit[N_TEAM], task_of[N_TEAM];
static ompt_data_t *offered; /* a task that somebody is to execute */
/*
 * How many regions have begun, and in the lowest bits the threads of the last region: so a thread
 * that is late does not mix figures of two regions. STOP: there are no more.
 */
static uint32_t begun;
static uint32_t n_arrived, n_passed, is_over;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int is_time_over(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000 + (now.tv_nsec - begin->tv_nsec) / 1000000 >=
	       N_MS;
}

static void spin(int n)
{
	for (volatile int i = 0; i < n; i++)
		continue;
}

/* Executes a task on top of the thread's implicit one, if there is one to execute. */
static void execute_offered(ompt_data_t *own)
{
	ompt_data_t *task = __atomic_exchange_n(&offered, NULL, __ATOMIC_ACQ_REL);

	if (!task)
		return;
	EVENT(task_schedule, own, ompt_task_switch, task);
	spin(2000);
	EVENT(task_schedule, task, ompt_task_complete, own);
	/* Its creator may make another. */
	__atomic_store_n(&task->ptr, NULL, __ATOMIC_RELEASE);
}

/* Waits for the others, and executes tasks meanwhile. */
static void barrier(ompt_sync_region_t kind, uint32_t n, ompt_data_t *own)
{
	uint32_t passed = __atomic_load_n(&n_passed, __ATOMIC_ACQUIRE);

	EVENT(sync_region_wait, kind, ompt_scope_begin, &region, own, barrier);
	if (__atomic_add_fetch(&n_arrived, 1, __ATOMIC_ACQ_REL) == n) {
		__atomic_store_n(&n_arrived, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&n_passed, passed + 1, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&n_passed, __ATOMIC_ACQUIRE) == passed) {
		execute_offered(own);
		usleep(20);
	}
	EVENT(sync_region_wait, kind, ompt_scope_end, &region, own, barrier);
}

static void use_mutex(void)
{
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, (uintptr_t)&mutex, use_mutex);
	pthread_mutex_lock(&mutex);
	EVENT(mutex_acquired, ompt_mutex_lock, (uintptr_t)&mutex, use_mutex);
	spin(3000);
	pthread_mutex_unlock(&mutex);
	EVENT(mutex_released, ompt_mutex_lock, (uintptr_t)&mutex, use_mutex);
}

static void create_and_offer(uint32_t index)
{
	ompt_data_t *task = &task_of[index], *none = NULL;

	/* Not before its last execution is over. */
	if (__atomic_load_n(&task->ptr, __ATOMIC_ACQUIRE))
		return;
	EVENT(task_create, &implicit[index], &no_frame, task, ompt_task_explicit, 0,
		__builtin_return_address(0));
	if (!__atomic_compare_exchange_n(
		    &offered, &none, task, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		EVENT(task_schedule, &implicit[index], ompt_task_switch, task);
		EVENT(task_schedule, task, ompt_task_complete, &implicit[index]);
		__atomic_store_n(&task->ptr, NULL, __ATOMIC_RELEASE);
	}
}

/* A loop in chunks, and a flush: events that are only counted. */
static void count_events(ompt_data_t *own)
{
	ompt_data_t iteration = { .value = 0 };

	EVENT(work, ompt_work_loop, ompt_scope_begin, &region, own, 2, count_events);
	for (; iteration.value < 2; iteration.value++)
		EVENT(dispatch, &region, own, ompt_dispatch_iteration, iteration);
	EVENT(work, ompt_work_loop, ompt_scope_end, &region, own, 2, count_events);
	EVENT(flush, &nothing, count_events);
}

static void take_part(uint32_t index, uint32_t n)
{
	ompt_data_t *own = &implicit[index];

	EVENT(implicit_task, ompt_scope_begin, &region, own, n, index, ompt_task_implicit);
	for (int i = 0; i < N_ROUNDS; i++) {
		spin(20000);
		use_mutex();
		create_and_offer(index);
		count_events(own);
		barrier(ompt_sync_region_barrier_explicit, n, own);
	}
	barrier(ompt_sync_region_barrier_implicit_parallel, n, own);
}

/* Its implicit task ends when the next one begins, as libomp has it. */
static void *run_worker(void *argument)
{
	uint32_t index = (uint32_t)(uintptr_t)argument, seen = 0, now, n;

	EVENT(thread_begin, ompt_thread_worker, &nothing);
	for (;;) {
		while ((now = __atomic_load_n(&begun, __ATOMIC_ACQUIRE)) == seen)
			usleep(20);
		if (now == STOP)
			break;
		seen = now;
		n = now & ((1u << TEAM_BITS) - 1);
		if (index >= n)
			continue;
		EVENT(implicit_task, ompt_scope_end, NULL, &implicit[index], 0, index,
			ompt_task_implicit);
		take_part(index, n);
	}
	EVENT(thread_end, &nothing);
	return NULL;
}

/* An initial thread with a few regions of its own. */
static void *run_root(void *argument)
{
	ompt_data_t own_region = nothing, own_task = nothing;

	EVENT(thread_begin, ompt_thread_initial, &nothing);
	for (int i = 0; i < 5; i++) {
		EVENT(parallel_begin, &nothing, &no_frame, &own_region, 1, ompt_parallel_team,
			__builtin_return_address(0));
		EVENT(implicit_task, ompt_scope_begin, &own_region, &own_task, 1, 0,
			ompt_task_implicit);
		use_mutex();
		EVENT(implicit_task, ompt_scope_end, NULL, &own_task, 1, 0, ompt_task_implicit);
		EVENT(parallel_end, &own_region, &nothing, ompt_parallel_team, NULL);
	}
	EVENT(thread_end, &nothing);
	return NULL;
}

static void control(uint64_t command, uint64_t modifier)
{
	EVENT(control_tool, command, modifier, NULL, control);
}

/* The program's commands, which come while other threads are in the midst of anything. */
static void *run_controls(void *argument)
{
	for (uint64_t i = 1; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); i++) {
		control(CONTROL_PHASE_BEGIN, 1 + i % 3);
		usleep(2000);
		control(CONTROL_FLUSH, 0);
		if (i % 4 == 0) {
			control(CONTROL_PAUSE, 0);
			usleep(500);
			control(CONTROL_START, 0);
		}
		usleep(2000);
		control(CONTROL_PHASE_END, 0);
	}
	return NULL;
}

/* Threads, and a library, that come and go. */
static void *run_others(void *argument)
{
	while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
		pthread_t root;
		void *library = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);

		if (pthread_create(&root, NULL, run_root, NULL) == 0)
			pthread_join(root, NULL);
		if (library)
			dlclose(library);
	}
	return NULL;
}

static void run_region(uint32_t n)
{
	EVENT(parallel_begin, &nothing, &no_frame, &region, n, ompt_parallel_team,
		__builtin_return_address(0));
	__atomic_store_n(&begun, ((begun >> TEAM_BITS) + 1) << TEAM_BITS | n, __ATOMIC_RELEASE);
	take_part(0, n);
	EVENT(implicit_task, ompt_scope_end, NULL, &implicit[0], n, 0, ompt_task_implicit);
	EVENT(parallel_end, &region, &nothing, ompt_parallel_team, run_region);
}

static int run_teams(void)
{
	struct timespec begin;
	pthread_t worker[N_TEAM], others, controls;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (uintptr_t i = 1; i < N_TEAM; i++)
		pthread_create(&worker[i], NULL, run_worker, (void *)i);
	pthread_create(&others, NULL, run_others, NULL);
	pthread_create(&controls, NULL, run_controls, NULL);
	for (uint32_t i = 0; !is_time_over(&begin); i++)
		run_region(1 + i % N_TEAM);
	__atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&begun, STOP, __ATOMIC_RELEASE);
	for (int i = 1; i < N_TEAM; i++)
		pthread_join(worker[i], NULL);
	pthread_join(others, NULL);
	pthread_join(controls, NULL);
	return 0;
}

/* If ThreadSanitizer finds anything, the child's status tells. */
static void test_teams(void **state)
{
	struct profile profile;
	uint64_t n_counted = 0;

	setenv("OMPPROF_EVENTS", "all", 1);
	play_profile_of(run_teams, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++)
		n_counted += profile.nodes[i].kind == PROFILE_NODE_EVENT;
	assert_true(profile.n_regions >= 1);
	assert_int_equal(profile.n_phases, 3);
	assert_true(profile.header.n_pauses > 0);
	assert_true(n_counted > 0);
	assert_true(profile.n_threads > N_TEAM);
	profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_teams) };

	return cmocka_run_group_tests_name("teams", tests, play_set_up, play_tear_down);
}
