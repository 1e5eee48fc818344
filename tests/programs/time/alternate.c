/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alternate PERIOD_US SECONDS: each thread runs even_phase for a whole period of its own CPU clock,
 * then odd_phase for one, and so on. Their shares are equal by construction, whatever the period: a
 * sampler that beats with the program shows them unequal. Deadlines are absolute, so the phase does
 * not drift.
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
	long pairs = (long)(seconds / (2 * period)), uneven = 0;

	work_start(0, argv, 1);
#pragma omp parallel reduction(+ : uneven)
	{
		double start = work_clock(CLOCK_THREAD_CPUTIME_ID), even = 0, odd = 0, at = start;

		for (long i = 0; i < pairs; i++) {
			double turn = even_phase(start + (double)(2 * i + 1) * period);

			even += turn - at;
			at = odd_phase(start + (double)(2 * i + 2) * period);
			odd += at - turn;
		}
		uneven += even > 1.02 * odd || odd > 1.02 * even;
	}
	printf("alternate: %ld pairs of periods\n", pairs);
	if (uneven)
		fprintf(stderr, "alternate: the phases were not equal\n");
	return uneven != 0;
}
