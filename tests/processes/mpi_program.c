/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hybrid [SECONDS [MORE]]: a program of MPI and OpenMP with a planted imbalance of ranks. In each of four steps every
 * thread of rank r spends (1 + MORE r) * SECONDS / 4 of its own CPU time in rank_kernel, then all ranks meet in
 * MPI_Barrier. MORE is 2 if it is not given: with two ranks the second has three quarters of the work, 1.5 times the
 * mean, and the first waits in MPI.
 */
#include <mpi.h>

#include "tests/programs/work.h"

static NOINLINE void rank_kernel(double seconds)
{
	double start = work_clock(CLOCK_THREAD_CPUTIME_ID);
	uint64_t x = 88172645463325252u;

	do {
		CHURN(x, 100000);
	} while (work_clock(CLOCK_THREAD_CPUTIME_ID) - start < seconds);
	work_sink = x;
}

static NOINLINE void exchange(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int provided, rank, size, sum = 0, one = 1;
	double seconds = argc > 1 ? atof(argv[1]) : 1, more = argc > 2 ? atof(argv[2]) : 2;

	work_start(0, argv, 1);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < 4; step++) {
#pragma omp parallel
		rank_kernel((1 + more * rank) * seconds / 4);
		exchange();
	}
	MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("hybrid: %d ranks\n", sum);
	MPI_Finalize();
	return 0;
}
