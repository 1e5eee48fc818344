/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two regions of microseconds in turns, 100,000 times, the one with ten times the work of the other: a worker has no more
 * to tell them apart by than what the thread that encounters them says.
 */
#include "../work.h"

static NOINLINE void small_work(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void large_work(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void small_step(long steps)
{
#pragma omp parallel
	small_work(steps);
}

static NOINLINE void large_step(long steps)
{
#pragma omp parallel
	large_work(steps);
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1), n = 0;

	for (; n < 100000; n++) {
		small_step(unit / 5000);
		large_step(unit / 500);
	}
	return work_finish("two_regions", n, 100000);
}
