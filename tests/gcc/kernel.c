/* SPDX-License-Identifier: Apache-2.0 */
/* A library with OpenMP, for programs that load it late: work_kernel takes about `n` additions. */
long work_kernel(long n)
{
	long sum = 0;

#pragma omp parallel for reduction(+ : sum) schedule(static)
	for (long i = 0; i < n; i++) {
		sum += i % 7;
		__asm__ volatile("" : "+r"(sum));
	}
	return sum;
}
