/* SPDX-License-Identifier: Apache-2.0 */
/* Work for the walkers' tests: loops, nested regions, tasks, locks, a large realigned frame. */
#include "program.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define MAX_N 20000

static double data[MAX_N];
static int n;

static void loops(void)
{
	double sum = 0;

#pragma omp parallel for schedule(dynamic, 64) reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		data[i] = sin(i) * sqrt(i + 1.0);
		sum += data[i];
	}
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		data[i] += sum / n;
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp for
			for (int i = 0; i < n; i++)
				data[i] = cos(data[i]);
#pragma omp critical
			data[0] += 1;
		}
#pragma omp barrier
	}
}

static long fibonacci(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 6)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

static void tasks(void)
{
#pragma omp parallel
#pragma omp single
	data[1] += (double)fibonacci(work_levels(14));
}

/* A frame that must be aligned to 64 bytes, of variable size. */
static double __attribute__((noinline)) aligned(int depth)
{
	double block[8] __attribute__((aligned(64)));
	double more[depth];

	memset(more, depth, sizeof(more));
	for (int i = 0; i < 8; i++)
		block[i] = sin(more[i % depth]) + i;
	return depth > 1 ? aligned(depth - 1) + block[depth % 8] : block[0];
}

int main(void)
{
	n = work_size(MAX_N);
	omp_set_max_active_levels(2);
	do {
		loops();
		nested();
		tasks();
#pragma omp parallel
#pragma omp critical
		data[2] += aligned(4 + work_size(36));
	} while (!is_enough());
	printf("%g\n", data[0]);
	return 0;
}
