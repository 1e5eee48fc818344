/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the launcher of a parallel job (mpirun, mpiexec, srun) tells a process about its place in it, in
 * environment variables. Used by the tool, which notes it in the profile, and by `ompprof run`.
 */
#ifndef OMPPROF_PROFILE_SHARED_LAUNCHER_H
#define OMPPROF_PROFILE_SHARED_LAUNCHER_H

#include <stdint.h>

struct launcher {
	int has_rank;
	uint32_t rank;
	uint32_t n_ranks; /* 0: not known */
	char job[512];    /* the same for all processes of one job, and for no others as far as the
				 launcher can tell; "" if it does not */
	const char *variable; /* the name of the variable that told the rank; NULL without a rank */
};

/*
 * Reads the environment. The launcher that is nearest to the process counts: Open MPI's variables, then
 * MVAPICH2's, those of PMI and PMIx, and Slurm's, as mpirun itself may have been started by srun. Slurm's
 * count in the steps of srun alone: a batch script has them, too, and is no rank.
 * Any thread.
 */
void launcher_read(struct launcher *launcher);

#endif
