/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of sampler/core/run_delay.c: how long a thread has waited for a CPU since its record
 * began, and 0 for a thread that is not there.
 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sampler/core/run_delay.h"

/* Greater than any thread id of Linux. */
#define NO_TID 4000000000u

/* Leaves digits where the next call's variables are. */
static __attribute__((noinline)) void fill_stack(void)
{
	volatile char digits[1024];

	for (size_t i = 0; i < sizeof(digits); i++)
		digits[i] = '7';
}

static void test_no_thread(void **state)
{
	(void)state;
	fill_stack();
	assert_int_equal(run_delay_of(NO_TID), 0);
}

/* A thread that has ended is asked for after one that has not. */
static void test_no_thread_after_another(void **state)
{
	(void)state;
	run_delay_of((uint32_t)getpid());
	assert_int_equal(run_delay_of(NO_TID), 0);
}

/* Has another process on the same CPU until this one has waited for 20 ms. Returns whether the kernel counts that. */
static int wait_for_cpu(uint32_t tid)
{
	time_t end = time(NULL) + 5;
	cpu_set_t before, one;
	pid_t rival;

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	rival = fork();
	while (rival == 0)
		;
	while (run_delay_of(tid) < 20000000 && time(NULL) < end)
		;
	kill(rival, SIGKILL);
	waitpid(rival, NULL, 0);
	sched_setaffinity(0, sizeof(before), &before);
	return run_delay_of(tid) >= 20000000;
}

/* A thread that waited before the tool knew of it. */
static void test_before_the_record(void **state)
{
	struct profile_thread record = { .tid = (uint32_t)getpid() };
	struct thread *thread = calloc(1, sizeof(*thread));
	uint64_t before;

	(void)state;
	assert_non_null(thread);
	thread->record = &record;
	if (!wait_for_cpu(record.tid)) {
		free(thread);
		skip();
	}
	before = run_delay_of(record.tid);
	run_delay_begin(thread, 0);
	run_delay_end(thread);
	assert_true(record.run_delay_ns <= run_delay_of(record.tid) - before);
	free(thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_thread),
		cmocka_unit_test(test_no_thread_after_another),
		cmocka_unit_test(test_before_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
