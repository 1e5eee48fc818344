/* SPDX-License-Identifier: Apache-2.0 */
/* The object that program_dl.c loads: calls back, calls libm by lazy binding, recurses. */
#include <math.h>

double plugin_work(double (*back)(double), int n);

double plugin_work(double (*back)(double), int n)
{
	double x = back(n) + sin(n) + pow(n, 0.3);

	return n > 0 ? x + plugin_work(back, n - 1) : x;
}
