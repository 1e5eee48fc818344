/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one attributed tree and one set of figures of several processes. The same code of several
 * processes is one node. Objects are the same if their build-ids are, or, without build-ids, their
 * paths and sizes. Used by report_job_load.c and report_names.c in src/report. Pure.
 *
 * Thread times, waits and capacities add up. The wall time is the time in which at least one
 * process ran; the slots are the most slots that there were at one time. Timelines are put side by
 * side by the machines' wall clocks; traces are left out.
 */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/tree.h"

/* A process to be added; it must not change until merge_add returns. */
struct merge_process {
	const struct profile *profile;
	const struct tree *tree;       /* the tree that is shown */
	const struct tree *user_tree;  /* NULL: the same as `tree` */
	const struct metrics *metrics; /* of the user view */
};

struct merge; /* a merge under way */

enum { MERGE_SHARES_MOST = 1 << 20 /* with more of them metrics.shares is left out */ };

/*
 * With by_program the tree of a process hangs from its program's TREE_PROGRAM node. NULL when out
 * of memory.
 */
struct merge *merge_begin(int by_program);

/* Adds a process. Returns 0, or -1 when out of memory. */
int merge_add(struct merge *merge, const struct merge_process *process);

/* The result. Its profile has no nodes, no regions and no mutexes. */
struct merged {
	struct profile profile;
	struct tree tree;
	struct tree user_tree; /* empty if no process had one */
	struct metrics metrics;
};

/* Fills *merged and frees *merge. Returns 0, or -1 when out of memory; *merged is then empty. */
int merge_finish(struct merge *merge, struct merged *merged);

void merge_abandon(struct merge *merge);

/* Returns the wait id that a mutex gets: its own, or an id that equal mutexes share. */
typedef uint64_t merge_mutex_id(void *data, const struct metrics_lock *lock);

/*
 * Adds up mutexes of one kind that get the same wait id, and their waits. Returns 0, or -1 when out
 * of memory; *metrics is then unchanged.
 */
int merge_join_mutexes(struct metrics *metrics, merge_mutex_id *id, void *data);

#endif
