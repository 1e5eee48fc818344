/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hog SECONDS: every thread spends that much of its own CPU time in hog_kernel, and nothing else. The
 * line says how many CPU seconds the threads used together: the profile's sum must agree with it.
 */
#include "../work.h"

static NOINLINE double hog_kernel(double seconds)
{
	double start = work_clock(CLOCK_THREAD_CPUTIME_ID), now;
	uint64_t x = 88172645463325252u;

	do {
		CHURN(x, 100000);
		now = work_clock(CLOCK_THREAD_CPUTIME_ID);
	} while (now - start < seconds);
	work_sink = x;
	return now - start;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, used = 0;
	int threads = 0;

	work_start(0, argv, 1);
#pragma omp parallel reduction(+ : used, threads)
	{
		used += hog_kernel(seconds);
		threads++;
	}
	printf("hog: %d threads, %.3f CPU seconds\n", threads, used);
	return used < seconds * threads;
}
