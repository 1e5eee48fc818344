/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the profile files of a made-up job: so many ranks, each with a team of so many threads, each of which has
 * a tree of about so many nodes. The same numbers give the same bytes. For measurements and tests of how reports
 * scale.
 *
 * All ranks run one program, at addresses of their own; its functions call each other at random, some far
 * more often than others, so that ranks have most of their paths in common, but never all. The primary thread
 * encounters regions; all threads work in them, wait at their ends and for a mutex, and are blamed.
 */
#ifndef OMPPROF_TESTS_SCALE_JOB_H
#define OMPPROF_TESTS_SCALE_JOB_H

#include <stdint.h>

struct job {
	uint32_t n_processes;
	uint32_t n_threads; /* of each process; less than BUILD_MAX_THREADS */
	uint32_t n_nodes;   /* of each thread */
	/* Of a job that is written in pieces: the first rank of this one, and the ranks of all; 0: this is all. */
	uint32_t first, n_ranks;
};

/* Writes them to `folder`, which is there. Returns 0, or -1 with errno set. */
int job_write(const struct job *job, const char *folder);

#endif
