/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one attributed tree and one set of figures of several processes of a run. The same code of
 * several processes is one node. Objects are the same if their build-ids are the same, or, without
 * build-ids, their paths; their addresses do not count. Used by src/report/report_job.c. Pure.
 *
 * Each process has its own slots and its own wall time; thread times, waits and capacities add up.
 * The merged wall time is the time in which at least one process ran. The merged slots are the most
 * slots that the processes had at one time. Timelines are put side by side by the machines' wall
 * clocks; traces are left out.
 */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/tree.h"

/* A process to be added. The caller keeps all of it unchanged until merge_add returns. */
struct merge_process {
	const struct profile *profile;
	const struct tree *tree;       /* the tree that is shown */
	const struct tree *user_tree;  /* NULL: the same as `tree` */
	const struct metrics *metrics; /* of the user view */
};

struct merge; /* a merge under way */

/*
 * Begins an empty merge. With by_program each program's tree hangs from a node of its own. Returns
 * NULL when out of memory.
 */
struct merge *merge_begin(int by_program);

/* Adds a process. Returns 0, or -1 when out of memory. */
int merge_add(struct merge *merge, const struct merge_process *process);

/* The result. Its profile has modules, threads and a header, but no nodes, regions and mutexes. */
struct merged {
	struct profile profile;
	struct tree tree;
	struct tree user_tree; /* empty if no process had one */
	struct metrics metrics;
};

/*
 * Ends the merge: fills *merged and frees *merge. Returns 0, or -1 when out of memory; *merged is
 * then empty.
 */
int merge_finish(struct merge *merge, struct merged *merged);

void merge_abandon(struct merge *merge);

/*
 * Returns the wait id of a mutex in merged metrics: its own, or a common wait id for mutexes that
 * are the same.
 */
typedef uint64_t merge_mutex_id(void *data, const struct metrics_lock *lock);

/*
 * Joins the mutexes of merged metrics for which `id` returns the same wait id, and their waits.
 * Returns 0, or -1 when out of memory; *metrics is then unchanged.
 */
int merge_join_mutexes(struct metrics *metrics, merge_mutex_id *id, void *data);

#endif
