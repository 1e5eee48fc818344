/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library that dlopen.c loads: all its work is library_kernel in one region.
 * Flags: -fPIC -shared
 */
#include "../work.h"

static NOINLINE void library_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

long library_work(long unit)
{
	long threads = 0;

#pragma omp parallel num_threads(2) reduction(+ : threads)
	{
		library_kernel(100 * unit);
		threads++;
	}
	return threads;
}
