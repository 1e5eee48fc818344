/* SPDX-License-Identifier: Apache-2.0 */
/* The types and functions that the files of merge.h share. */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H

#include "attribution/tree/tree_builder.h"
#include "attribution/merge/merge.h"
#include "attribution/merge/merge_modules.h"

/* A growing list of items of one size. */
struct merge_list {
	void *items;
	size_t n, capacity;
};

/* The time in which a process ran, and its slots. */
struct merge_span {
	uint64_t begin_ns, end_ns; /* since the epoch */
	uint32_t n_slots;
};

/*
 * A mutex, and the longest wait that a process had for it. The node of that process becomes the
 * mutex' node.
 */
struct merge_lock {
	struct metrics_lock lock;
	uint64_t most_ns;
};

/* The figures of the processes added so far, in terms of the merged tree. */
struct merge_figures {
	struct merge_list regions; /* struct metrics_region; outer is a node of the tree */
	struct merge_list waits;   /* struct metrics_wait; causes is NULL: see firsts */
	struct merge_list firsts;  /* size_t: for each wait the index of its first cause in blame */
	struct merge_list blame;   /* struct metrics_blame */
	struct merge_list threads; /* struct metrics_thread */
	struct merge_list locks;   /* struct merge_lock */
	struct merge_list tasks;   /* struct metrics_task */
	struct merge_list targets; /* struct metrics_target */
	struct merge_list devices; /* struct metrics_device */
	struct merge_list awaits;  /* struct metrics_await */
	struct merge_list events;  /* struct metrics_event */
	struct merge_list spans;   /* struct merge_span */
	struct merge_list phases;  /* struct metrics_phase, in the order of the merged profile's */
	struct metrics sum;        /* the figures that need no list */
	size_t n_folded;           /* entries that the latest fold left */
};

/* Appends a copy of an item. Returns 0, or -1 when out of memory. */
int merge_append(struct merge_list *list, const void *item, size_t item_bytes);

/* How entries of one kind are compared, and how an entry is added to another. */
struct merge_kind {
	size_t bytes;
	int (*by_key)(const void *, const void *);
	int (*is_same)(const void *, const void *);
	void (*add)(void *, const void *);
};

/* Sorts the entries by key, and adds the entries with the same key together into one. */
void merge_fold(struct merge_list *list, const struct merge_kind *kind);

/* Returns the items of the list, sorted; the list is then empty. */
void *merge_hand_over(struct merge_list *list, size_t *n, size_t item_bytes,
	int (*compare)(const void *, const void *));

/* Parts of merge_figures_fold and merge_figures_finish. */
void merge_tasks_fold(struct merge_figures *figures);
void merge_tasks_finish(struct merge_figures *figures, struct metrics *metrics);
void merge_targets_fold(struct merge_figures *figures);
void merge_targets_finish(struct merge_figures *figures, struct metrics *metrics);

/* Where the nodes, threads, addresses and phases of a process are in the merged result. */
struct merge_places {
	const uint32_t *node; /* by node of the process' tree */
	uint32_t first_thread;
	const struct merge_modules *modules;
	const struct profile *all; /* has the names of implementations, with the process' names */
	/* by index into the process' metrics.phases: index into the merged phases */
	const uint32_t *phase;
};

/* Adds the figures of a process. Returns 0, or -1 when out of memory. */
int merge_figures_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places);

/*
 * Adds up the entries of the same region, mutex or task site, once there are twice as many entries
 * as after the latest fold. So memory grows with the number of regions, mutexes and sites, not with
 * the number of processes.
 */
void merge_figures_fold(struct merge_figures *figures);

/*
 * Makes *metrics of the figures; the caller releases the rest. Returns 0, or -1 when out of memory.
 */
int merge_figures_finish(struct merge_figures *figures, struct metrics *metrics);

/*
 * Makes only the mutexes and waits of *metrics from their lists. Returns 0, or -1 when out of
 * memory; the caller releases both.
 */
int merge_figures_fold_mutexes(struct merge_figures *figures, struct metrics *metrics);

void merge_figures_release(struct merge_figures *figures);

#endif
