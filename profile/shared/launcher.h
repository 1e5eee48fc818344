/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of a process in a parallel job, as the job's launcher (mpirun, mpiexec, srun) reports
 * it in environment variables. Used by the tool, which notes it in the profile, by `ompprof run`
 * and by `ompprof merge`.
 */
#ifndef OMPPROF_PROFILE_SHARED_LAUNCHER_H
#define OMPPROF_PROFILE_SHARED_LAUNCHER_H

#include <stdint.h>

struct launcher {
	int has_rank;
	uint32_t rank;
	uint32_t n_ranks; /* 0: not known */
	/*
	 * the same for all processes of one job; "": no rank, or launcher and OMPPROF_JOB name no
	 * job
	 */
	char job[512];
	const char *variable; /* the name of the variable with the rank; NULL without a rank */
};

/*
 * Reads the environment. As srun may have started mpirun, Open MPI's variables come first, then
 * MVAPICH2's, PMI's, PMIx's and Slurm's. Slurm's count only in the steps of srun: a batch script
 * has them, too, and is no rank. Any thread.
 */
void launcher_read(struct launcher *launcher);

#endif
