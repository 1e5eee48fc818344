/* SPDX-License-Identifier: Apache-2.0 */
/* generate FOLDER PROCESSES THREADS NODES: writes the files of a job, see job.h, for measurements by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/scale/job.h"

int main(int argc, char **argv)
{
	struct job job;

	if (argc != 5) {
		fprintf(stderr, "usage: generate FOLDER PROCESSES THREADS NODES\n");
		return 2;
	}
	job.n_processes = (uint32_t)strtoul(argv[2], NULL, 10);
	job.n_threads = (uint32_t)strtoul(argv[3], NULL, 10);
	job.n_nodes = (uint32_t)strtoul(argv[4], NULL, 10);
	mkdir(argv[1], 0700);
	if (job_write(&job, argv[1]) == 0)
		return 0;
	perror(argv[1]);
	return 1;
}
