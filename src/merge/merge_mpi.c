/* SPDX-License-Identifier: Apache-2.0 */
/* `ompprof merge` under mpirun: cmd_merge.c executes it, so that ompprof itself needs no MPI. */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "profile/shared/launcher.h"
#include "src/merge/merge_files.h"
#include "src/text/message.h"
#include "src/text/status.h"

/* Most bytes of one message: MPI's counts are ints. */
enum { MOST_BYTES = INT_MAX };

enum { TAG_SIZE = 1, TAG_BYTES = 2 };

static uint8_t *share(uint8_t *bytes, size_t *n)
{
	unsigned long long n_bytes = *n;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Bcast(&n_bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
	*n = n_bytes;
	if (rank != 0)
		bytes = malloc(n_bytes + 1);
	if (!bytes)
		MPI_Abort(MPI_COMM_WORLD, STATUS_FAILURE);
	for (size_t at = 0; at < n_bytes; at += MOST_BYTES) {
		size_t left = n_bytes - at;

		MPI_Bcast(bytes + at, left < MOST_BYTES ? (int)left : MOST_BYTES, MPI_BYTE, 0,
			MPI_COMM_WORLD);
	}
	return bytes;
}

static void send_bytes(const uint8_t *bytes, size_t n)
{
	unsigned long long n_bytes = n;

	MPI_Send(&n_bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG_SIZE, MPI_COMM_WORLD);
	for (size_t at = 0; at < n; at += MOST_BYTES)
		MPI_Send(bytes + at, n - at < MOST_BYTES ? (int)(n - at) : MOST_BYTES, MPI_BYTE, 0,
			TAG_BYTES, MPI_COMM_WORLD);
}

static uint8_t *receive(int from, size_t *n)
{
	unsigned long long n_bytes;
	uint8_t *bytes;

	MPI_Recv(&n_bytes, 1, MPI_UNSIGNED_LONG_LONG, from, TAG_SIZE, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	*n = n_bytes;
	bytes = malloc(n_bytes + 1);
	for (size_t at = 0; bytes && at < n_bytes; at += MOST_BYTES) {
		size_t left = n_bytes - at;

		MPI_Recv(bytes + at, left < MOST_BYTES ? (int)left : MOST_BYTES, MPI_BYTE, from,
			TAG_BYTES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	return bytes;
}

static void give_up(void)
{
	MPI_Abort(MPI_COMM_WORLD, STATUS_FAILURE);
	exit(STATUS_FAILURE);
}

/*
 * Whether MPICH's launcher, Hydra, has started this process, and MPI is Open MPI. Each rank would
 * then start an MPI job of its own. Such starts fail now and then if many happen at once.
 */
static int is_foreign_launcher(void)
{
#ifdef OPEN_MPI
	return getenv("HYDI_CONTROL_FD") && !getenv("OMPI_COMM_WORLD_SIZE");
#else
	return 0;
#endif
}

/* Rank 0 merges alone: MPI found another size than the launcher says, so it is another MPI. */
static int merge_alone(const struct launcher *launcher, int argc, char **argv)
{
	static const struct merge_ranks alone = { .size = 1 };

	if (launcher->rank != 0)
		return STATUS_OK;
	message("ompprof is built for another MPI than this mpirun's; rank 0 merges alone");
	return merge_main(argc, argv, &alone);
}

int main(int argc, char **argv)
{
	struct merge_ranks ranks = {
		.share = share, .send = send_bytes, .receive = receive, .give_up = give_up
	};
	struct launcher launcher;
	int level, status;

	launcher_read(&launcher);
	if (launcher.n_ranks > 1 && is_foreign_launcher())
		return merge_alone(&launcher, argc, argv);
	/* The threads that read files do not call MPI. */
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
		return STATUS_FAILURE;
	MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
	if ((uint32_t)ranks.size == launcher.n_ranks || launcher.n_ranks <= 1)
		status = merge_main(argc, argv, &ranks);
	else /* MPI found another size of the job */
		status = merge_alone(&launcher, argc, argv);
	MPI_Finalize();
	return status;
}
