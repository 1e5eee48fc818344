/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An explicit barrier that thread 0 reaches late, by late_kernel; the others wait in the barrier of
 * meet, for half of their time.
 */
#include "../work.h"

static NOINLINE void late_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void early_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void meet(void)
{
#pragma omp barrier
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long met = 0;

#pragma omp parallel
	for (int i = 0; i < 10; i++) {
		if (omp_get_thread_num() == 0)
			late_kernel(40 * unit);
		else
			early_kernel(20 * unit);
		meet();
#pragma omp atomic
		met++;
	}
	return work_finish("barrier", met / omp_get_max_threads(), 10);
}
