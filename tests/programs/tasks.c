/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursive tasks: 233 leaves of work in leaf_kernel under fib_task, then a taskloop of 233
 * iterations with equal work in loop_kernel. One thread creates, all execute.
 */
#include "work.h"

static NOINLINE void leaf_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void loop_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long fib_task(int n, long unit)
{
	long a = 0, b = 0;

	if (n < 2) {
		if (n == 1)
			leaf_kernel(unit);
		return n;
	}
#pragma omp task shared(a)
	a = fib_task(n - 1, unit);
#pragma omp task shared(b)
	b = fib_task(n - 2, unit);
#pragma omp taskwait
	return a + b;
}

static NOINLINE void loop_tasks(int n, long unit, long *done)
{
#pragma omp taskloop grainsize(4)
	for (int i = 0; i < n; i++) {
		loop_kernel(unit);
#pragma omp atomic
		*done += 1;
	}
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long fib = 0, done = 0;

#pragma omp parallel
#pragma omp single
	{
		fib = fib_task(13, unit);
		loop_tasks(233, unit, &done);
	}
	return work_finish("tasks", fib * 1000 + done, 233233);
}
