/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursive tasks: 233 leaves of work in leaf_kernel under fib_task, then a taskloop of 233
 * iterations with equal work in loop_kernel. One thread creates, all execute. With a second argument it
 * says on stderr what CPU time each kernel took.
 */
#include "../work.h"

static uint64_t leaf_ns, loop_ns;

static uint64_t cpu_ns(void)
{
	return (uint64_t)(1e9 * work_clock(CLOCK_THREAD_CPUTIME_ID));
}

static NOINLINE void leaf_kernel(long steps)
{
	uint64_t x = 88172645463325252u, begin = cpu_ns();

	CHURN(x, steps);
	work_sink = x;
	__atomic_fetch_add(&leaf_ns, cpu_ns() - begin, __ATOMIC_RELAXED);
}

static NOINLINE void loop_kernel(long steps)
{
	uint64_t x = 88172645463325252u, begin = cpu_ns();

	CHURN(x, steps);
	work_sink = x;
	__atomic_fetch_add(&loop_ns, cpu_ns() - begin, __ATOMIC_RELAXED);
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
	if (argc > 2)
		fprintf(stderr, "cpu_ns %llu %llu\n", (unsigned long long)leaf_ns,
			(unsigned long long)loop_ns);
	return work_finish("tasks", fib * 1000 + done, 233233);
}
