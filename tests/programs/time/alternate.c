/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alternate PERIOD_US SECONDS [ODD]: each thread runs even_phase for a whole period of its own CPU
 * clock, then odd_phase for ODD microseconds or one period, and so on. Their shares are known by construction,
 * whatever the period: a sampler that beats with the program shows others. Deadlines are absolute,
 * so the phase does not drift.
 */
#include "../work.h"

/* Returns the CPU time at its end, a few microseconds past the deadline. */
#define PHASE(name)                                                                                \
	static NOINLINE double name(double deadline)                                               \
	{                                                                                          \
		uint64_t x = 88172645463325252u;                                                   \
		double now;                                                                        \
                                                                                                   \
		do {                                                                               \
			CHURN(x, 4000);                                                            \
			now = work_clock(CLOCK_THREAD_CPUTIME_ID);                                 \
		} while (now < deadline);                                                          \
		work_sink = x;                                                                     \
		return now;                                                                        \
	}

PHASE(even_phase)
PHASE(odd_phase)

int main(int argc, char **argv)
{
	double period = (argc > 1 ? atof(argv[1]) : 10000) * 1e-6;
	double seconds = argc > 2 ? atof(argv[2]) : 1;
	double odd_period = argc > 3 ? atof(argv[3]) * 1e-6 : period, cycle = period + odd_period;
	double all_even = 0, all_odd = 0;
	long pairs = (long)(seconds / cycle), uneven = 0;

	work_start(0, argv, 1);
#pragma omp parallel reduction(+ : uneven, all_even, all_odd)
	{
		double start = work_clock(CLOCK_THREAD_CPUTIME_ID), even = 0, odd = 0, at = start;

		for (long i = 0; i < pairs; i++) {
			double turn = even_phase(start + (double)i * cycle + period);

			even += turn - at;
			at = odd_phase(start + (double)(i + 1) * cycle);
			odd += at - turn;
		}
		uneven += even * odd_period > 1.02 * odd * period ||
			  odd * period > 1.02 * even * odd_period;
		all_even += even;
		all_odd += odd;
	}
	printf("alternate: %ld pairs of periods, %.1f %% even\n", pairs,
		100 * all_even / (all_even + all_odd));
	if (uneven)
		fprintf(stderr, "alternate: the phases were not as long as they should be\n");
	return uneven != 0;
}
