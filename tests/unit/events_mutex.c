/* SPDX-License-Identifier: Apache-2.0 */
/* Events of mutexes, sent by a stand-in for a runtime; see play.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/play.h"

/* Asks for the mutex and gets it, before its former owner says that it has released it. */
static void *run_next_owner(void *argument)
{
	EVENT(thread_begin, ompt_thread_worker, &nothing);
	EVENT(mutex_acquire, ompt_mutex_critical, 0, 0, 4096, run_next_owner);
	play_set_turn(1);
	play_wait_for_turn(2);
	EVENT(mutex_acquired, ompt_mutex_critical, 4096, run_next_owner);
	play_set_turn(3);
	play_wait_for_turn(4);
	EVENT(mutex_released, ompt_mutex_critical, 4096, run_next_owner);
	return NULL;
}

static int run_handover(void)
{
	pthread_t worker;

	play_turn = 0;
	EVENT(mutex_acquire, ompt_mutex_critical, 0, 0, 4096, run_handover);
	EVENT(mutex_acquired, ompt_mutex_critical, 4096, run_handover);
	pthread_create(&worker, NULL, run_next_owner, NULL);
	play_wait_for_turn(1);
	play_compute(COMPUTE_MS);
	play_set_turn(2);
	play_wait_for_turn(3);
	EVENT(mutex_released, ompt_mutex_critical, 4096, run_handover);
	play_set_turn(4);
	pthread_join(worker, NULL);
	return 0;
}

/* Who was waited for is blamed though the next owner was quicker to say that it is that. */
static void test_handover(void **state)
{
	struct profile profile;

	play_profile_of(run_handover, &profile);
	assert_true(play_sum_of_waits(&profile, PROFILE_CRITICAL, 0) >= COMPUTE_MS * 900000);
	assert_true(play_sum_of_waits(&profile, PROFILE_CRITICAL, 1) >= COMPUTE_MS * 900000);
	profile_release(&profile);
}

enum { N_KINDS = 1000 };

/* A lock and a nested lock by turns in one place, as of two functions on the stack. */
static int run_kinds(void)
{
	for (int i = 0; i < N_KINDS; i++) {
		ompt_mutex_t kind = i % 2 ? ompt_mutex_nest_lock : ompt_mutex_lock;

		EVENT(mutex_acquire, kind, 0, 0, 4096, run_kinds);
		EVENT(mutex_acquired, kind, 4096, run_kinds);
		EVENT(mutex_released, kind, 4096, run_kinds);
	}
	return 0;
}

/* They have a record each. */
static void test_kinds(void **state)
{
	struct profile profile;

	play_profile_of(run_kinds, &profile);
	assert_int_equal(profile.n_locks, 2);
	assert_int_equal(profile.locks[0].n_acquired, N_KINDS / 2);
	assert_int_equal(profile.locks[1].n_acquired, N_KINDS / 2);
	profile_release(&profile);
}

enum { N_QUICK = 20000, NESTED_IN = 11, FAILED_IN = 7 };

static void pass_lock(ompt_wait_id_t lock)
{
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, lock, pass_lock);
	EVENT(mutex_acquired, ompt_mutex_lock, lock, pass_lock);
	EVENT(mutex_released, ompt_mutex_lock, lock, pass_lock);
}

/* A lock that is free each time; sometimes it is asked for twice, as old runtimes announce a test of it that
   failed, and sometimes another one is taken while it is held. */
static int run_quick_locks(void)
{
	for (int i = 0; i < N_QUICK; i++) {
		if (i % FAILED_IN == 0)
			EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_quick_locks);
		EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_quick_locks);
		EVENT(mutex_acquired, ompt_mutex_lock, 4096, run_quick_locks);
		if (i % NESTED_IN == 0)
			pass_lock(8192);
		EVENT(mutex_released, ompt_mutex_lock, 4096, run_quick_locks);
	}
	return 0;
}

/* All acquisitions count, and those that are timed stand for all. */
static void test_quick_locks(void **state)
{
	struct profile profile;

	play_profile_of(run_quick_locks, &profile);
	assert_int_equal(profile.n_locks, 2);
	assert_int_equal(profile.locks[0].n_acquired, N_QUICK);
	assert_int_equal(profile.locks[1].n_acquired, (N_QUICK + NESTED_IN - 1) / NESTED_IN);
	assert_in_range(profile.locks[0].n_held, N_QUICK * 95 / 100, N_QUICK * 105 / 100);
	profile_release(&profile);
}

/* Waits for what the other thread has got as quickly as many times before. */
static void *run_late_owner(void *argument)
{
	EVENT(thread_begin, ompt_thread_other, &nothing);
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_late_owner);
	play_set_turn(1);
	play_wait_for_turn(2);
	EVENT(mutex_acquired, ompt_mutex_lock, 4096, run_late_owner);
	EVENT(mutex_released, ompt_mutex_lock, 4096, run_late_owner);
	return NULL;
}

static int run_long_hold(void)
{
	pthread_t worker;

	play_turn = 0;
	for (int i = 0; i < N_QUICK; i++)
		pass_lock(4096);
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_long_hold);
	EVENT(mutex_acquired, ompt_mutex_lock, 4096, run_long_hold);
	pthread_create(&worker, NULL, run_late_owner, NULL);
	play_wait_for_turn(1);
	play_compute(COMPUTE_MS);
	EVENT(mutex_released, ompt_mutex_lock, 4096, run_long_hold);
	play_set_turn(2);
	pthread_join(worker, NULL);
	return 0;
}

/* A hold that nobody expected to be long is seen by samples: it is blamed. */
static void test_long_hold(void **state)
{
	struct profile profile;
	uint64_t blame = 0;

	play_profile_of(run_long_hold, &profile);
	for (size_t i = 0; i < profile.n_nodes; i++) {
		if (profile.nodes[i].kind == PROFILE_NODE_BLAME &&
			profile.nodes[i].wait == PROFILE_LOCK)
			blame += profile.nodes[i].blame_ns;
	}
	assert_true(play_sum_of_waits(&profile, PROFILE_LOCK, 0) >= COMPUTE_MS * 900000);
	assert_true(blame >= COMPUTE_MS * 500000);
	assert_int_equal(profile.locks[0].n_acquired, N_QUICK + 1);
	profile_release(&profile);
}

/* After many of another lock, tests one in vain, as old runtimes announce it, and then works as before. */
static int run_failed_test(void)
{
	for (int i = 0; i < N_QUICK; i++)
		pass_lock(4096);
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 8192, run_failed_test);
	for (int i = 0; i < 2; i++)
		pass_lock(4096);
	play_compute(COMPUTE_MS);
	/* As if it were killed: what the thread says of itself stays. */
	_exit(0);
}

/* Whatever it does next, it does not wait for that lock. */
static void test_failed_test(void **state)
{
	struct profile profile;

	play_profile_of(run_failed_test, &profile);
	assert_true(play_sum_of_waits(&profile, PROFILE_LOCK, 0) < COMPUTE_MS * 500000);
	profile_release(&profile);
}

/* Holds the lock while the other thread does something else. */
static void *run_holder(void *argument)
{
	EVENT(thread_begin, ompt_thread_other, &nothing);
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_holder);
	EVENT(mutex_acquired, ompt_mutex_lock, 4096, run_holder);
	play_set_turn(1);
	play_wait_for_turn(2);
	EVENT(mutex_released, ompt_mutex_lock, 4096, run_holder);
	return NULL;
}

/* After many of a lock, tests it in vain, and then another one with success, as old runtimes announce that: without
   asking. */
static int run_succeeded_test(void)
{
	pthread_t holder;

	play_turn = 0;
	for (int i = 0; i < N_QUICK; i++)
		pass_lock(4096);
	pthread_create(&holder, NULL, run_holder, NULL);
	play_wait_for_turn(1);
	EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_succeeded_test);
	EVENT(mutex_acquired, ompt_mutex_lock, 8192, run_succeeded_test);
	play_compute(COMPUTE_MS);
	play_set_turn(2);
	pthread_join(holder, NULL);
	return 0;
}

/* It does not wait for the first one meanwhile, and nobody is blamed. */
static void test_succeeded_test(void **state)
{
	struct profile profile;

	play_profile_of(run_succeeded_test, &profile);
	assert_int_equal(profile.n_locks, 3);
	assert_true(play_sum_of_waits(&profile, PROFILE_LOCK, 0) < COMPUTE_MS * 500000);
	assert_true(play_sum_of_waits(&profile, PROFILE_LOCK, 1) < COMPUTE_MS * 500000);
	profile_release(&profile);
}

enum { N_MUTEXES = 20000 };

/* Takes more locks than the file has room for, when it cannot be opened to grow. Returns errno. */
static int run_many_locks(void)
{
	struct rlimit limit, none;

	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	errno = 0;
	for (int i = 1; i <= N_MUTEXES; i++)
		pass_lock((ompt_wait_id_t)i * 64);
	setrlimit(RLIMIT_NOFILE, &limit);
	return errno;
}

/* What fails in an event leaves the program's errno alone. */
static void test_errno(void **state)
{
	struct profile profile;

	play_profile_of(run_many_locks, &profile);
	assert_true(profile.n_locks < N_MUTEXES);
	profile_release(&profile);
}

enum { N_HOLDS = 6000, HOLD_NS = 2000 };

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Each hold takes this long, so that few of them are timed. */
static int run_equal_holds(void)
{
	for (int i = 0; i < N_HOLDS; i++) {
		int64_t end;

		EVENT(mutex_acquire, ompt_mutex_lock, 0, 0, 4096, run_equal_holds);
		EVENT(mutex_acquired, ompt_mutex_lock, 4096, run_equal_holds);
		end = now_ns() + HOLD_NS;
		while (now_ns() < end)
			;
		EVENT(mutex_released, ompt_mutex_lock, 4096, run_equal_holds);
	}
	return 0;
}

/* Holds that are timed stand for the others with their time, too, but for no more than there was. */
static void test_equal_holds(void **state)
{
	struct profile profile;

	play_profile_of(run_equal_holds, &profile);
	assert_int_equal(profile.n_locks, 1);
	assert_true(profile.locks[0].held_ns >= (uint64_t)N_HOLDS * HOLD_NS * 7 / 10);
	assert_true(profile.locks[0].held_ns <= profile.header.last_ns);
	profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handover),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_quick_locks),
		cmocka_unit_test(test_long_hold),
		cmocka_unit_test(test_failed_test),
		cmocka_unit_test(test_succeeded_test),
		cmocka_unit_test(test_errno),
		cmocka_unit_test(test_equal_holds),
	};

	return cmocka_run_group_tests_name("events_mutex", tests, play_set_up, play_tear_down);
}
