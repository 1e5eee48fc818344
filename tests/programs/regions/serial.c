/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial code between regions: serial_kernel runs on one thread for as long as region_kernel runs on
 * all of them. The other threads are idle for half of the wall time, and serial_kernel is the cause.
 */
#include "../work.h"

static NOINLINE void serial_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void region_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long rounds = 0;

	for (int round = 0; round < 10; round++) {
		serial_kernel(25 * unit);
#pragma omp parallel
		{
			region_kernel(25 * unit);
#pragma omp atomic
			rounds++;
		}
	}
	return work_finish("serial", rounds / omp_get_max_threads(), 10);
}
