/* SPDX-License-Identifier: Apache-2.0 */
/* The part of program_bare.c that is built without call frame information. */

double bare_back(double value);
double bare_leaf(const double *values, int n);
double bare_outer(const double *values, int n);
double bare_indirect(const double *values, int n);

__attribute__((noinline)) double bare_leaf(const double *values, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += values[i] * values[i];
	return sum;
}

static __attribute__((noinline)) double middle(const double *values, int n)
{
	double sum = 1;

	for (int i = 0; i < 3; i++)
		sum += bare_leaf(values, n) + i;
	return sum;
}

__attribute__((noinline)) double bare_outer(const double *values, int n)
{
	double sum = middle(values, n);

	sum += bare_leaf(values, n / 2);
	return sum + bare_back(sum);
}

static __attribute__((noinline)) double hidden(const double *values, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += values[i];
	return sum * 2;
}

static double (*volatile target)(const double *, int) = hidden;

__attribute__((noinline)) double bare_indirect(const double *values, int n)
{
	return target(values, n) + bare_outer(values, n) + 1;
}
