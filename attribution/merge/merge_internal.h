/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of merge.h share. */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H

#include "attribution/tree/tree_builder.h"
#include "attribution/merge/merge.h"
#include "attribution/merge/merge_modules.h"

/* Items of one size, appended. */
struct merge_list {
	void *items;
	size_t n, capacity;
};

/* When a process ran and how much of the machine it had. */
struct merge_span {
	uint64_t begin_ns, end_ns; /* since the epoch */
	uint32_t n_slots;
};

/* A mutex, and the longest wait that one process had for it: that one's node and place stand for all. */
struct merge_lock {
	struct metrics_lock lock;
	uint64_t most_ns;
};

/* The figures of all processes, in terms of the merged tree, as they are added. */
struct merge_figures {
	struct merge_list regions; /* struct metrics_region; outer is a node of the tree */
	struct merge_list waits;   /* struct metrics_wait; causes is NULL, and the first of them */
	struct merge_list firsts;  /* is here: size_t, index into blame */
	struct merge_list blame;   /* struct metrics_blame */
	struct merge_list threads; /* struct metrics_thread */
	struct merge_list locks;   /* struct merge_lock */
	struct merge_list tasks;   /* struct metrics_task */
	struct merge_list targets; /* struct metrics_target */
	struct merge_list devices; /* struct metrics_device */
	struct merge_list awaits;  /* struct metrics_await */
	struct merge_list events;  /* struct metrics_event */
	struct merge_list spans;   /* struct merge_span */
	struct merge_list phases;  /* struct metrics_phase, beside the merged profile's */
	struct metrics sum;        /* what needs no list */
	size_t n_folded;           /* entries that merge_figures_fold left */
};

/* Appends a copy of an item. Returns 0, or -1 when out of memory. */
int merge_append(struct merge_list *list, const void *item, size_t item_bytes);

/* Entries of one kind: which are of the same thing, and how two become one. */
struct merge_kind {
	size_t bytes;
	int (*by_key)(const void *, const void *);
	int (*is_same)(const void *, const void *);
	void (*add)(void *, const void *);
};

/* Sorts the list by what its entries are of, and makes one of those of the same. */
void merge_fold(struct merge_list *list, const struct merge_kind *kind);

/* The items of the list, sorted; it is empty then. */
void *merge_hand_over(struct merge_list *list, size_t *n, size_t item_bytes,
	int (*compare)(const void *, const void *));

/* Parts of merge_figures_fold and merge_figures_finish. */
void merge_tasks_fold(struct merge_figures *figures);
void merge_tasks_finish(struct merge_figures *figures, struct metrics *metrics);
void merge_targets_fold(struct merge_figures *figures);
void merge_targets_finish(struct merge_figures *figures, struct metrics *metrics);

/* What figures have to know of a process: where its nodes, threads and addresses are now. */
struct merge_places {
	const uint32_t *node; /* by node of the process' tree */
	uint32_t first_thread;
	const struct merge_modules *modules;
	const struct profile *all; /* with the names of implementations, the process' included */
	const uint32_t *phase; /* by index into the process' metrics.phases: into the merged ones */
};

/* Adds the figures of a process. Returns 0, or -1 when out of memory. */
int merge_figures_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places);

/*
 * Makes one of the entries that are of the same region, mutex or task site, once there are twice as many as the
 * last time: memory is in proportion to what there is of these, not to the processes.
 */
void merge_figures_fold(struct merge_figures *figures);

/* Makes *metrics of them; the caller releases what is left. Returns 0, or -1 when out of memory. */
int merge_figures_finish(struct merge_figures *figures, struct metrics *metrics);

/*
 * Makes what *metrics has of mutexes and waits, and nothing else, of the lists of these. Returns 0, or -1 when out of
 * memory; the caller releases both.
 */
int merge_figures_fold_mutexes(struct merge_figures *figures, struct metrics *metrics);

void merge_figures_release(struct merge_figures *figures);

#endif
