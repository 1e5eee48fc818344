/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many events with no work between them, by one thread: 10 million uncontended locks, 1.5 million undeferred tasks or as
 * many regions of one thread. Says on stderr what CPU time they took.
 */
#include <string.h>

#include "../work.h"

static NOINLINE long locks(long n)
{
	omp_lock_t lock;
	long done = 0;

	omp_init_lock(&lock);
	for (long i = 0; i < n; i++) {
		omp_set_lock(&lock);
		done++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return done;
}

static NOINLINE long tasks(long n)
{
	long done = 0;

	for (long i = 0; i < n; i++) {
#pragma omp task if (0) shared(done)
		done++;
	}
	return done;
}

static NOINLINE long regions(long n)
{
	long done = 0;

	for (long i = 0; i < n; i++) {
#pragma omp parallel if (0)
		done++;
	}
	return done;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "locks";
	long n = strcmp(what, "locks") == 0 ? 10000000 : 1500000;
	double start = work_clock(CLOCK_THREAD_CPUTIME_ID);
	long done = strcmp(what, "locks") == 0   ? locks(n)
		    : strcmp(what, "tasks") == 0 ? tasks(n)
						 : regions(n);

	fprintf(stderr, "cpu_s %.6f\n", work_clock(CLOCK_THREAD_CPUTIME_ID) - start);
	return work_finish("many_events", done, n);
}
