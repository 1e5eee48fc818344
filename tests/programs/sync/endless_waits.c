/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endless_waits lock | critical | barrier: thread 1 waits for thread 0, which after a second kills the
 * process: the wait never ends. Prints what it is about to do.
 */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static omp_lock_t lock;
static volatile int is_waited_for;

/* Thread 1 is about to wait: after a second that is all it has done. */
static NOINLINE void let_wait(void)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec <
		1000000000L);
	raise(SIGKILL);
}

static NOINLINE void wait_for_lock(void)
{
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
}

static NOINLINE void wait_for_critical(void)
{
#pragma omp critical(never)
	is_waited_for++;
}

static NOINLINE void wait_at_barrier(void)
{
#pragma omp barrier
	is_waited_for = 2; /* or it were a tail call */
}

static NOINLINE void hold(const char *what)
{
	if (strcmp(what, "critical") == 0) {
#pragma omp critical(never)
		{
			is_waited_for = 1;
			let_wait();
		}
	}
	omp_set_lock(&lock);
	is_waited_for = 1;
	let_wait();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "barrier";

	omp_init_lock(&lock);
	printf("endless_waits: %s\n", what);
	fflush(stdout);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			hold(what);
		} else {
			while (!is_waited_for)
				;
			if (strcmp(what, "lock") == 0)
				wait_for_lock();
			else if (strcmp(what, "critical") == 0)
				wait_for_critical();
			else
				wait_at_barrier();
		}
	}
	return 0;
}
