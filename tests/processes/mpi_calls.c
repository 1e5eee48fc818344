/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_calls SECONDS: rank 1 is late for a message, a barrier of all and a completion, each by so
 * many seconds in which it sleeps. Rank 0 prints how long it was in MPI_Recv, MPI_Barrier and
 * MPI_Wait. Arguments in registers and on the stack have known values, and are compared.
 */
#include <mpi.h>
#include <unistd.h>

#include "tests/programs/work.h"

enum { LATER = 7, N = 6 };

static unsigned late_us;

static NOINLINE double receive(int rank)
{
	double begin = MPI_Wtime();
	int message = LATER;

	if (rank == 1) {
		usleep(late_us);
		MPI_Send(&message, 1, MPI_INT, 0, LATER, MPI_COMM_WORLD);
	} else if (rank == 0) {
		MPI_Recv(&message, 1, MPI_INT, 1, LATER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	return MPI_Wtime() - begin;
}

static NOINLINE double meet(int rank)
{
	double begin = MPI_Wtime();

	if (rank == 1)
		usleep(late_us);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Wtime() - begin;
}

/* Twelve arguments: six of them are on the stack of an x86-64, four on that of an AArch64. */
static NOINLINE int exchange(int rank)
{
	int mine[N] = { rank, 1, 2, 3, 4, 5 }, other[N] = { 0 };
	MPI_Status status = { .MPI_TAG = -1 };
	int error = MPI_Sendrecv(mine, N, MPI_INT, 1 - rank, 40 + rank, other, N, MPI_INT, 1 - rank,
		41 - rank, MPI_COMM_WORLD, &status);

	return error == MPI_SUCCESS && other[0] == 1 - rank && other[5] == 5 &&
	       status.MPI_SOURCE == 1 - rank && status.MPI_TAG == 41 - rank;
}

static NOINLINE double complete(int rank)
{
	double begin = MPI_Wtime();
	MPI_Request request;
	int message = LATER;

	if (rank == 0)
		MPI_Irecv(&message, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
	else
		usleep(late_us);
	if (rank == 1)
		MPI_Isend(&message, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return MPI_Wtime() - begin;
}

int main(int argc, char **argv)
{
	int provided, rank, is_right;
	double took[3];

	late_us = (unsigned)(1e6 * (argc > 1 ? atof(argv[1]) : 0.2));
	work_start(0, argv, 1);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
	work_sink += 0;
	is_right = exchange(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	took[0] = receive(rank);
	took[1] = meet(rank);
	took[2] = complete(rank);
	if (!is_right)
		printf("wrong arguments\n");
	if (rank == 0)
		printf("%.4f %.4f %.4f\n", took[0], took[1], took[2]);
	MPI_Finalize();
	return 0;
}
