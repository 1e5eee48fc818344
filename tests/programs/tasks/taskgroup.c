/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As taskwait, but the creator waits at the end of a taskgroup, whose task has a child of its own:
 * child_kernel is done before the group ends.
 */
#include "../work.h"

static NOINLINE void task_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void child_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void own_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void group(long unit, long *done)
{
#pragma omp taskgroup
	{
#pragma omp task
		{
#pragma omp task
			{
				child_kernel(20 * unit);
#pragma omp atomic
				*done += 1;
			}
			task_kernel(20 * unit);
		}
		own_kernel(10 * unit);
	}
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long done = 0, early = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= 10; i++) {
		group(unit, &done);
		early += done != i;
	}
	return work_finish("taskgroup", done * 100 + early, 1000);
}
