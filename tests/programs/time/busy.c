/* SPDX-License-Identifier: Apache-2.0 */
/* Works for argv[1] seconds: thread 0 of each region twice as long as the others, which wait for it. */
#include <omp.h>
#include <stdlib.h>

static volatile _Thread_local double sum;

__attribute__((noinline)) static void spin(double seconds)
{
	double end = omp_get_wtime() + seconds;

	while (omp_get_wtime() < end) {
		for (int i = 0; i < 100000; i++)
			sum = sum * 0.5 + i;
	}
}

__attribute__((noinline)) void work_long(void)
{
	spin(0.02);
	sum = 1;
}

__attribute__((noinline)) void work_short(void)
{
	spin(0.01);
	sum = 2;
}

int main(int argc, char **argv)
{
	double end = omp_get_wtime() + (argc > 1 ? atof(argv[1]) : 1);

	while (omp_get_wtime() < end) {
#pragma omp parallel
		{
			if (omp_get_thread_num() == 0)
				work_long();
			else
				work_short();
		}
	}
	return 0;
}
