/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Works in last_kernel for half a second on each thread, prints its line, and then dies by a SIGSEGV
 * of its own making in fall. The profile holds last_kernel's time all the same.
 */
#include "../work.h"

static NOINLINE void last_kernel(double seconds)
{
	double end = work_clock(CLOCK_MONOTONIC) + seconds;
	uint64_t x = 88172645463325252u;

	while (work_clock(CLOCK_MONOTONIC) < end)
		CHURN(x, 100000);
	work_sink = x;
}

static NOINLINE void fall(volatile int *nowhere)
{
	*nowhere = 1;
}

int main(int argc, char **argv)
{
	work_start(0, argv, 1);
	printf("crash: now\n");
	fflush(stdout);
#pragma omp parallel
	{
		last_kernel(argc > 1 ? atof(argv[1]) : 0.5);
#pragma omp barrier
#pragma omp master
		fall(NULL);
	}
	return 1;
}
