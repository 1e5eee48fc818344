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

/* A process. Its start time tells it from a later process with the same number. */
struct run_process {
	int pid;        /* 0: none */
	uint64_t start; /* clock ticks after the machine's boot */
};

struct run_marker {
	/* the launcher's name for the job; "" for a run without a launcher or with one rank */
	char job[600];
	char host[64];
	struct run_process made_by; /* the `ompprof run` that made the folder */
	struct run_process
		/* the process that started the job; needed if the name does not identify the job */
		launcher;
	uint64_t made_ns; /* since the epoch */
	uint64_t run_id;
};

/* Reads a process's parent and start time (as in struct run_process). Returns 0 or -1. */
int run_process_read(int pid, int *parent, uint64_t *start);

/*
 * Whether an entry of a process's first environment begins with these n bytes. If they include the
 * 0 at the end of `begin`, the entry has to be equal. No if it cannot be read.
 */
int run_process_has(int pid, const char *begin, size_t n);

/* Makes the marker of a folder that this process makes now. */
void run_marker_make(struct run_marker *marker, const struct launcher *launcher);

/* Reads the marker in `folder`. Returns 0, or -1 without a complete one. */
int run_marker_read(struct run_marker *marker, const char *folder);

/* Writes the marker in one step: no reader sees half of it. Returns 0 or an errno. */
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
