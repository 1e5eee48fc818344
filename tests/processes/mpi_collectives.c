/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_collectives SECONDS [N]: rank 1 sleeps before a barrier, and works twice as long as the others before an
 * MPI_Allreduce. Rank 0 sleeps before it broadcasts, and then rank 1 before it takes a broadcast, for which rank 0
 * does not wait. Rank 1 sleeps before rank 0 gathers and reduces from all. Rank 0 prints a line for each call:
 * "FUNCTION RANK SECONDS ROOT": who came last, and for how long all others, and rank 0, were there before. N broadcasts
 * follow. The ranks tell their moments on another communicator.
 */
#include <mpi.h>
#include <unistd.h>

#include "tests/programs/work.h"

enum { MOST_RANKS = 16 };

static MPI_Comm aside;
static int rank, size;
static double late_s;

static void tell(const char *function, double arrived)
{
	double all[MOST_RANKS], waited = 0;
	int last = 0;

	MPI_Gather(&arrived, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, aside);
	for (int i = 0; rank == 0 && i < size; i++)
		last = all[i] > all[last] ? i : last;
	for (int i = 0; rank == 0 && i < size; i++)
		waited += all[last] - all[i];
	if (rank == 0)
		printf("%s %d %.4f %.4f\n", function, last, waited, all[last] - all[0]);
	MPI_Barrier(aside);
}

static void sleep_on(int late)
{
	if (rank == late)
		usleep((unsigned)(late_s * 1e6));
}

static void work(double seconds)
{
	double start = work_clock(CLOCK_THREAD_CPUTIME_ID);
	uint64_t x = 88172645463325252u;

	do {
		CHURN(x, 100000);
	} while (work_clock(CLOCK_THREAD_CPUTIME_ID) - start < seconds);
	work_sink = x;
}

static NOINLINE double meet_after_sleep(void)
{
	double arrived;

	sleep_on(1);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Barrier(MPI_COMM_WORLD);
	return arrived;
}

static NOINLINE double meet_after_work(void)
{
	int mine = 1, all;
	double arrived;

	work(rank == 1 ? 2 * late_s : late_s);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return arrived;
}

static NOINLINE double send_late(void)
{
	int message = 1;
	double arrived;

	sleep_on(0);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Bcast(&message, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return arrived;
}

static NOINLINE double take_late(void)
{
	int message = 1;
	double arrived;

	sleep_on(1);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Bcast(&message, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return arrived;
}

static NOINLINE double gather_late(void)
{
	int mine = 1, all[MOST_RANKS];
	double arrived;

	sleep_on(1);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return arrived;
}

static NOINLINE double reduce_late(void)
{
	int mine = 1, sum;
	double arrived;

	sleep_on(1);
	arrived = work_clock(CLOCK_MONOTONIC);
	MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	return arrived;
}

int main(int argc, char **argv)
{
	int provided, message = 1;

	late_s = argc > 1 ? atof(argv[1]) : 0.2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &aside);
	/* Calls before the runtime starts are counted, too. */
	if (rank == 0)
		work_start(0, argv, 1);
	MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
	work_sink += 0;
	MPI_Barrier(aside);
	tell("meet_after_sleep", meet_after_sleep());
	tell("meet_after_work", meet_after_work());
	tell("send_late", send_late());
	tell("take_late", take_late());
	tell("gather_late", gather_late());
	tell("reduce_late", reduce_late());
	for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--)
		MPI_Bcast(&message, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
