/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two halves of some length by the clock, of two threads: in the first both work up to its end (even_kernel), in the second
 * one works (late_kernel) and the other waits for it at the region's barrier. Prints the begin of each and the end of the
 * last, in seconds since the epoch.
 */
#include "../work.h"

#include <omp.h>

#define KERNEL(name)                                                                               \
	static NOINLINE void name(double end)                                                      \
	{                                                                                          \
		uint64_t x = 88172645463325252u;                                                   \
                                                                                                   \
		while (work_clock(CLOCK_REALTIME) < end)                                           \
			CHURN(x, 20000);                                                           \
		work_sink = x;                                                                     \
	}

KERNEL(even_kernel)
KERNEL(late_kernel)

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.3, begin;
	int n_threads = 0;

	omp_set_num_threads(2);
#pragma omp parallel
#pragma omp atomic
	n_threads++;
	begin = work_clock(CLOCK_REALTIME);
#pragma omp parallel
	even_kernel(begin + seconds);
#pragma omp parallel
	if (omp_get_thread_num() == 0)
		late_kernel(begin + 2 * seconds);
	printf("%.6f %.6f %.6f\n", begin, begin + seconds, work_clock(CLOCK_REALTIME));
	return n_threads != 2;
}
