/* SPDX-License-Identifier: Apache-2.0 */
/* 200,000 regions of a microsecond: what the events of regions cost. Prints its own time. */
#include "tests/programs/work.h"

static NOINLINE void compute(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) / 5;
	double start = work_clock(CLOCK_MONOTONIC);

	for (long i = 0; i < n; i++) {
#pragma omp parallel
		compute(500);
	}
	printf("inner_ns %.0f\n", 1e9 * (work_clock(CLOCK_MONOTONIC) - start));
	return 0;
}
