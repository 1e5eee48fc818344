/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for the walkers' tests: half of it in code without call frame information, program_bare_part.c,
 * whose functions call each other and are called from here.
 */
#include "program.h"

#include <stdio.h>

#define N 64

double bare_leaf(const double *values, int n);
double bare_outer(const double *values, int n);
double bare_indirect(const double *values, int n);
double bare_back(double value);

static double values[N];

double bare_back(double value)
{
	return value * 0.5 + 1;
}

static __attribute__((noinline)) double work(int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		values[i % N] += 1;
		sum += bare_leaf(values, N);
		sum += bare_outer(values, N / 2);
		sum += bare_indirect(values, N / 4);
	}
	return sum;
}

int main(void)
{
	double sum = 0;

	do {
		sum += work(work_size(1000));
	} while (!is_enough());
	printf("%g\n", sum);
	return 0;
}
