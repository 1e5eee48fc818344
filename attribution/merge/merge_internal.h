/* SPDX-License-Identifier: Apache-2.0 */
/* The types and functions that the files of merge.h share. */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_INTERNAL_H

#include "attribution/tree/tree_builder.h"
#include "attribution/merge/merge.h"

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

/* A wait, and the index of its first cause in the list of blame. `causes` is not set yet. */
struct merge_wait {
	struct metrics_wait wait;
	size_t first;
};

/* The figures of the processes added so far, in terms of the merged tree. */
struct merge_figures {
	struct merge_list regions; /* struct metrics_region; outer is a node of the tree */
	struct merge_list waits;   /* struct merge_wait */
	struct merge_list blame;   /* struct metrics_blame */
	struct merge_list threads; /* struct metrics_thread */
	struct merge_list locks;   /* struct metrics_lock */
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

/*
 * Appends copies of n items. Returns the first copy, also if n is 0; NULL when out of memory. The
 * next call can move the items.
 */
void *merge_append(struct merge_list *list, const void *items, size_t n, size_t item_bytes);

/* Adds up the entries with the same key. */
void merge_fold(struct merge_list *list, const struct metrics_kind *kind);

/* Returns the items of the list, which the caller frees; the list is then empty. */
void *merge_take(struct merge_list *list, size_t *n);

/* The same, sorted by kind->by_rank. */
void *merge_take_sorted(struct merge_list *list, size_t *n, const struct metrics_kind *kind);

/*
 * Appends a wait and its causes. Returns the copies of its causes, or NULL when out of memory.
 */
struct metrics_blame *merge_append_wait(
	struct merge_figures *figures, const struct metrics_wait *wait);

/*
 * The loaded objects of several processes in one list, in which each object has an address of its
 * own.
 */
struct merge_modules {
	struct profile_module *modules;
	size_t n, capacity;
	uint64_t next_free; /* address for an object whose own address range another object has */
	/* About the process that is being added: */
	const struct profile *profile;
	uint32_t *place; /* by index into its modules: index into `modules` */
	size_t n_place;
};

/*
 * Adds the objects of a process that are not known yet. The functions below then translate for this
 * process. Returns 0, or -1 when out of memory.
 */
int merge_modules_add(struct merge_modules *modules, const struct profile *profile);

/*
 * Translate a process' index of a module, and an address in it, into the list's. UINT32_MAX stays
 * as it is.
 */
uint32_t merge_modules_index(const struct merge_modules *modules, uint32_t module);
uint64_t merge_modules_addr(const struct merge_modules *modules, uint32_t module, uint64_t addr);

/*
 * Translates an address of the process that may be in an object or not, such as the address of a
 * mutex.
 */
uint64_t merge_modules_any(const struct merge_modules *modules, uint64_t addr);

/*
 * Gives the list to *profile, with the ranges that profile_module_at uses. Returns 0, or -1 when
 * out of memory.
 */
int merge_modules_finish(struct merge_modules *modules, struct profile *profile);

void merge_modules_release(struct merge_modules *modules);

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
