/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplies matrices by a BLAS that the linker finds; prints a result that does not depend on the
 * order of sums.
 */
#include <stdio.h>

enum { N = 600 };

extern void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
	const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
	const double *beta, double *c, const int *ldc);

static double a[N * N], b[N * N], c[N * N];

int main(void)
{
	double one = 1, none = 0, sum = 0;
	int n = N;

	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	for (int turn = 0; turn < 20; turn++)
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &none, c, &n);
	for (int i = 0; i < N * N; i++)
		sum += c[i];
	printf("%.0f\n", sum);
	return 0;
}
