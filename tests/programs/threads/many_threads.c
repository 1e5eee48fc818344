/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Very many threads at once: many_threads FACTOR MODE N.
 *   team    a team of N threads, in each of 4 regions of which each works, adds up and meets the others at a
 *           barrier; no critical sections, as libomp lets all of them yield in turns until they are in
 *   native  N threads of the program's own, alive at once, each of which works, and adds up in a region of its own;
 *           then N, one after the other, that do not use OpenMP
 * Says on stderr how much CPU time the process used, in seconds.
 * Flags: -pthread
 */
#include <pthread.h>
#include <string.h>

#include "../work.h"

enum { REGIONS = 4, STACK_BYTES = 1 << 18 };

static long unit, sum;
static pthread_barrier_t all;

static NOINLINE void member_kernel(void)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, unit);
	work_sink = x;
}

static NOINLINE void own_kernel(void)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, REGIONS * unit);
	work_sink = x;
}

static void in_team(int n)
{
	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(n)
		{
			member_kernel();
#pragma omp atomic
			sum++;
#pragma omp barrier
#pragma omp atomic
			sum++;
		}
	}
}

static void *own_start(void *argument)
{
	pthread_barrier_wait(&all);
	own_kernel();
#pragma omp parallel num_threads(1)
	{
#pragma omp atomic
		sum += 2 * REGIONS;
	}
	pthread_barrier_wait(&all);
	return argument;
}

static void *later_start(void *argument)
{
	__atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
	return argument;
}

static int start(pthread_t *thread, void *(*routine)(void *))
{
	pthread_attr_t attributes;
	int status;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	status = pthread_create(thread, &attributes, routine, NULL);
	pthread_attr_destroy(&attributes);
	return status;
}

/* Returns -1 if there cannot be so many threads. */
static int of_its_own(int n)
{
	pthread_t *threads = calloc((size_t)n, sizeof(*threads)), later;

	pthread_barrier_init(&all, NULL, (unsigned)n);
	for (int i = 0; i < n; i++)
		if (start(&threads[i], own_start) != 0)
			return -1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < n; i++) {
		if (start(&later, later_start) != 0)
			return -1;
		pthread_join(later, NULL);
	}
	free(threads);
	sum -= n;
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[3]) : 16;

	unit = work_start(argc, argv, 1);
	if (argc > 2 && strcmp(argv[2], "native") == 0) {
		if (of_its_own(n) != 0)
			exit(3);
	} else {
		in_team(n);
	}
	fprintf(stderr, "cpu %.3f\n", work_clock(CLOCK_PROCESS_CPUTIME_ID));
	return work_finish("many_threads", sum, 2L * REGIONS * n);
}
