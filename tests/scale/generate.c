/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generate FOLDER PROCESSES THREADS NODES [FIRST RANKS]: writes the files of a job, see job.h, for measurements; or a
 * piece of one of so many ranks, from rank FIRST on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/scale/job.h"

int main(int argc, char **argv)
{
	struct job job = { 0 };

	if (argc != 5 && argc != 7) {
		fprintf(stderr, "usage: generate FOLDER PROCESSES THREADS NODES [FIRST RANKS]\n");
		return 2;
	}
	job.n_processes = (uint32_t)strtoul(argv[2], NULL, 10);
	job.n_threads = (uint32_t)strtoul(argv[3], NULL, 10);
	job.n_nodes = (uint32_t)strtoul(argv[4], NULL, 10);
	if (argc == 7) {
		job.first = (uint32_t)strtoul(argv[5], NULL, 10);
		job.n_ranks = (uint32_t)strtoul(argv[6], NULL, 10);
	}
	mkdir(argv[1], 0700);
	if (job_write(&job, argv[1]) == 0)
		return 0;
	perror(argv[1]);
	return 1;
}
