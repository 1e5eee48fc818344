/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nobody sleeps in code of the program: first come many tiny regions, then one thread works for
 * SECONDS alone (0.4), while the runtime lets the other thread sleep. A few more regions wake it.
 */
#include "../work.h"

static NOINLINE long quick_regions(int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : sum)
		for (int k = 0; k < 100; k++)
			sum += k;
	}
	return sum;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.4, end;
	long sum;

	sum = quick_regions(300000);
	end = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	while (work_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	sum += quick_regions(10);
	return sum == 0;
}
