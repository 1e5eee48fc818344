/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of the program's own, each of which enters OpenMP with a team of 2: two regions at the
 * same time, with left_kernel and right_kernel under the start function of their own thread.
 * Flags: -pthread
 */
#include <pthread.h>

#include "../work.h"

static long unit;

static NOINLINE void left_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void right_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static void *left_start(void *result)
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		left_kernel(100 * unit);
		sum++;
	}
	*(long *)result = sum;
	return NULL;
}

static void *right_start(void *result)
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		right_kernel(100 * unit);
		sum++;
	}
	*(long *)result = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t left, right;
	long n_left = 0, n_right = 0;

	unit = work_start(argc, argv, 1);
	pthread_create(&left, NULL, left_start, &n_left);
	pthread_create(&right, NULL, right_start, &n_right);
	pthread_join(left, NULL);
	pthread_join(right, NULL);
	return work_finish("pthread", n_left + n_right, 4);
}
