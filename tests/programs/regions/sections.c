/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sections, one with three times the work of the other: with 2 threads the thread of
 * short_kernel waits in the implicit barrier for long_kernel.
 */
#include "../work.h"

static NOINLINE void long_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void short_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long n_long = 0, n_short = 0;

#pragma omp parallel
	for (int i = 0; i < 10; i++) {
#pragma omp sections
		{
#pragma omp section
			{
				long_kernel(45 * unit);
				n_long++;
			}
#pragma omp section
			{
				short_kernel(15 * unit);
				n_short++;
			}
		}
	}
	return work_finish("sections", n_long * 100 + n_short, 1010);
}
