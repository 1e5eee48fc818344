/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread creates a long task and waits for it with nothing to do, in wait_here: the wait is a
 * taskwait of that thread, and task_kernel is the cause. The creator gives the task away by working
 * first: own_kernel takes half as long.
 */
#include "../work.h"

static NOINLINE void task_kernel(long steps)
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

static NOINLINE void wait_here(void)
{
#pragma omp taskwait
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long done = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
		{
			task_kernel(40 * unit);
			done++;
		}
		own_kernel(20 * unit);
		wait_here();
	}
	return work_finish("taskwait", done, 10);
}
