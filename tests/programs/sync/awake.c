/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nobody sleeps in code of the program: first come many tiny regions, then one thread works for
 * SECONDS alone (0.4), while the runtime lets the other thread sleep.
 */
#include "../work.h"

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.4, end;
	long sum = 0;

	for (int i = 0; i < 300000; i++) {
#pragma omp parallel reduction(+ : sum)
		for (int k = 0; k < 100; k++)
			sum += k;
	}
	end = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	while (work_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	return sum == 0;
}
