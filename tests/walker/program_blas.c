/* SPDX-License-Identifier: Apache-2.0 */
/* Work for the walkers' tests: OpenBLAS, whose kernels are written by hand: some use their stack,
   some are jumped to from the function that was called. */
#include "program.h"

#include <stdio.h>

#define MAX_N 400

void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
	const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
	const double *beta, double *c, const int *ldc);

void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
	const int *lda, const double *x, const int *incx, const double *beta, double *y,
	const int *incy);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);

static double a[MAX_N * MAX_N], b[MAX_N * MAX_N], c[MAX_N * MAX_N];

int main(void)
{
	int n = 24 + work_size(6000);
	double one = 1, dot = 0;
	int step = 1;

	n = n < MAX_N ? n : MAX_N;
	for (int i = 0; i < n * n; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	do {
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n);
		dgemv_("N", &n, &n, &one, a, &n, b, &step, &one, c, &step);
		dgemv_("T", &n, &n, &one, a, &n, b, &step, &one, c, &step);
		dot += ddot_(&n, a, &step, b, &step);
	} while (!is_enough());
	printf("%g %g\n", c[n], dot);
	return 0;
}
