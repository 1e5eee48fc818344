/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library for python_calls.py: a region that works, and a function that calls Python back.
 * Flags: -shared -fPIC
 */
#define _GNU_SOURCE
#include <time.h>

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

__attribute__((noinline)) void spin(double seconds)
{
	double end = cpu_s() + seconds;

	while (cpu_s() < end)
		for (volatile int i = 0; i < 1000; i++)
			;
}

/* Each of two threads works for so long. */
void region(double seconds)
{
#pragma omp parallel num_threads(2)
	spin(seconds);
}

void call_back(void (*function)(void))
{
	function();
	__asm__ volatile("");
}
