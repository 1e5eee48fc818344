/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_late SECONDS: rank 1 sleeps before it sends. Thread 0 of rank 0 waits for the message in
 * receive_late(), and the other thread waits for thread 0 at a barrier. Rank 0 prints how long
 * MPI_Recv took.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static double receive_late(void)
{
	double begin = MPI_Wtime();
	int message;

	MPI_Recv(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
	double took = 0;
	int rank, message = 1, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		usleep((unsigned)(atof(argv[1]) * 1e6));
		MPI_Send(&message, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	} else {
#pragma omp parallel num_threads(2)
		{
#pragma omp master
			took = receive_late();
#pragma omp barrier
		}
		printf("%.4f\n", took);
	}
	MPI_Finalize();
	return 0;
}
