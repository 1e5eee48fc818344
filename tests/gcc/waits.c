/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads, one of which waits for the other: at a barrier and at the end of the region while the other one is in
 * busy_part, and for a critical section that the other one holds in busy_holder.
 */
#include <omp.h>
#include <stdio.h>

__attribute__((noinline)) static long busy_part(double seconds)
{
	double end = omp_get_wtime() + seconds;
	long n = 0;

	while (omp_get_wtime() < end)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("" : "+r"(n));
	return n + 1;
}

__attribute__((noinline)) static long busy_holder(double seconds)
{
	double end = omp_get_wtime() + seconds;
	long n = 0;

	while (omp_get_wtime() < end)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("" : "+r"(n));
	return n + 2;
}

int main(void)
{
	long n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	{
		if (omp_get_thread_num() == 1)
			n += busy_part(0.3);
#pragma omp barrier
#pragma omp critical(held)
		n += busy_holder(0.2);
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			n += busy_part(0.3);
	}
	printf("%ld\n", n);
	return 0;
}
