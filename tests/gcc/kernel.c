/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library with OpenMP, for programs that load it late: work_kernel takes about `n` additions.
 * With -DMAIN it is a program.
 */
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

#ifdef MAIN
int printf(const char *format, ...);

int main(void)
{
	return printf("%ld\n", work_kernel(10000000)) < 0;
}
#endif
