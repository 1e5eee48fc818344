/* SPDX-License-Identifier: Apache-2.0 */
/* Work for the walkers' tests: a matrix product by OpenBLAS, whose kernels are written by hand. */
#include "program.h"

#include <stdio.h>

#define MAX_N 400

void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
	const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
	const double *beta, double *c, const int *ldc);

static double a[MAX_N * MAX_N], b[MAX_N * MAX_N], c[MAX_N * MAX_N];

int main(void)
{
	int n = 40 + work_size(1500);
	double one = 1;

	n = n < MAX_N ? n : MAX_N;
	for (int i = 0; i < n * n; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	do {
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n);
	} while (!is_enough());
	printf("%g\n", c[n]);
	return 0;
}
