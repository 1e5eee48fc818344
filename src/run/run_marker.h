/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that says to which run a profile folder belongs. A launcher may start processes at the
 * same moment with the same folder. With this file they recognise each other, and do not take an
 * older run for their own. run_output.c says how the folder is made.
 */
#ifndef OMPPROF_SRC_RUN_RUN_MARKER_H
#define OMPPROF_SRC_RUN_RUN_MARKER_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/launcher.h"

/*
 * A process: its number and its start time, which tells it from a later process with the same
 * number.
 */
struct run_process {
	int pid;        /* 0: none */
	uint64_t start; /* clock ticks after the machine's boot */
};

struct run_marker {
	char job[600]; /* the launcher's name for the job; "" for a run without a launcher */
	char host[64];
	struct run_process made_by; /* the `ompprof run` that made the folder */
	struct run_process
		/*
		 * the process that started the job, if the job's name alone does not identify the
		 * job
		 */
		launcher;
	uint64_t made_ns; /* since the epoch */
	uint64_t run_id;
};

/* Reads the parent and the start of a process from /proc. Returns 0 or -1. */
int run_process_read(int pid, int *parent, uint64_t *start);

/*
 * Whether the environment with which a process began has an entry whose first n bytes are those of
 * `begin`. With the terminating 0 among them the entry is `begin` itself. If the environment cannot
 * be read: no.
 */
int run_process_has(int pid, const char *begin, size_t n);

/* Makes the marker that this process would write now. */
void run_marker_make(struct run_marker *marker, const struct launcher *launcher);

/* Reads the marker in `folder`. Returns 0, or -1 if there is no complete one. */
int run_marker_read(struct run_marker *marker, const char *folder);

/* Writes the marker, atomically: no reader sees half of it. Returns 0 or an errno. */
int run_marker_write(const struct run_marker *marker, const char *folder);

/*
 * Whether `found` belongs to the same job as `own`: the names are equal and, on the same host, also
 * the process that started the job. Jobs at different times can still look the same; see
 * run_marker_is_young.
 */
int run_marker_is_same_job(const struct run_marker *found, const struct run_marker *own);

/* Whether the marker is so young that processes of its job may still be starting. */
int run_marker_is_young(const struct run_marker *found, const struct run_marker *own);

/* Whether the `ompprof run` that made the folder still runs on this host. */
int run_marker_is_alive(const struct run_marker *found);

#endif
