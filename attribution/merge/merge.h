/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one attributed tree and one set of figures of several processes' of a run. What is of the same code
 * is one node: objects are the same by their build-id, or without one by their path, whatever their address
 * in a process. Used by src/report/report_job.c. Pure.
 *
 * Each process has its own slots and its own wall time; thread times, waits and capacities add up. The wall
 * time of all together is that in which at least one of them ran, and the slots are the most that there
 * were at one time. Timelines are put side by side by the machines' wall clocks; traces are left out.
 */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/tree.h"

/* What is known of one process; the caller keeps it as it is until merge_add returns. */
struct merge_process {
	const struct profile *profile;
	const struct tree *tree;       /* that is shown */
	const struct tree *user_tree;  /* NULL: it is the same */
	const struct metrics *metrics; /* of the user view */
};

struct merge; /* what is under way */

/* Begins with nothing. With by_program each program's tree hangs from a node of its own. NULL: no memory. */
struct merge *merge_begin(int by_program);

/* Adds a process. Returns 0, or -1 when out of memory. */
int merge_add(struct merge *merge, const struct merge_process *process);

/* What it came to. The profile has modules, threads and a header, but no nodes, regions and locks. */
struct merged {
	struct profile profile;
	struct tree tree;
	struct tree user_tree; /* empty if no process had one */
	struct metrics metrics;
};

/* Ends: fills *merged and frees *merge. Returns 0, or -1 when out of memory; *merged is then empty. */
int merge_finish(struct merge *merge, struct merged *merged);

void merge_abandon(struct merge *merge);

/* The wait id that stands for a mutex of merged metrics; its own, or one for several that are the same. */
typedef uint64_t merge_mutex_id(void *data, const struct metrics_lock *lock);

/*
 * Makes one of the mutexes of merged metrics for which `id` returns the same, and of their waits. Returns 0, or -1
 * when out of memory; *metrics is then as it was.
 */
int merge_join_mutexes(struct metrics *metrics, merge_mutex_id *id, void *data);

#endif
