/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same work twice: 300,000 pieces of some hundred nanoseconds on one thread, by alone, and as
 * tasks that both threads create and execute, by piece. So both functions have the same work. With
 * an argument it is so many times as much.
 */
#include "../work.h"

enum { STEPS = 200 };

static NOINLINE void piece(uint64_t *x)
{
	CHURN(*x, STEPS);
}

static NOINLINE void alone(uint64_t *x)
{
	CHURN(*x, STEPS);
}

int main(int argc, char **argv)
{
	long n = (long)(300000 * (argc > 1 ? atof(argv[1]) : 1)), n_done = 0;
	uint64_t x = 88172645463325252u;

	for (long i = 0; i < n; i++)
		alone(&x);
	work_sink = x;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(+ : n_done)
	for (long i = 0; i < n; i++) {
#pragma omp task
		{
			uint64_t own = 88172645463325252u;

			piece(&own);
			work_sink = own;
		}
		n_done++;
	}
	return work_finish("tiny_tasks", n_done, n);
}
