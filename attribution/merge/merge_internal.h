/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of merge.h. */
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

/* A wait, and the index in `blame` of its first cause; its own pointer to them is not valid. */
struct merge_wait {
	struct metrics_wait wait;
	size_t first;
};

/* The collective calls of MPI, in terms of the merged tree. */
struct merge_collectives {
	struct merge_list hosts; /* private to merge_collectives.c, as the others */
	struct merge_list calls;
	struct merge_list ranks;
	size_t n_folded; /* calls that the latest fold left */
	uint64_t mpi_ns, n_begun;
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
	struct merge_list shares;  /* struct metrics_share */
	struct merge_list spans;   /* struct merge_span */
	struct merge_list phases;  /* struct metrics_phase, in the order of the merged profile's */
	struct merge_collectives collectives;
	struct metrics sum; /* the figures without a list */
	size_t n_folded;    /* entries that the latest fold left */
	int has_too_many;   /* shares: they are left out */
};

/*
 * Appends copies of n items. Returns the first copy, which moves when the list grows, or NULL when
 * out of memory; not NULL if n is 0.
 */
void *merge_append(struct merge_list *list, const void *items, size_t n, size_t item_bytes);

/* Adds up the entries with the same key. */
void merge_fold(struct merge_list *list, const struct metrics_kind *kind);

/* Returns the items of the list, which the caller frees; the list is then empty. */
void *merge_take(struct merge_list *list, size_t *n);

/* As merge_take(), but sorted by kind->by_rank. */
void *merge_take_sorted(struct merge_list *list, size_t *n, const struct metrics_kind *kind);

/* Appends a wait and its causes. Returns the copies of the causes, or NULL when out of memory. */
struct metrics_blame *merge_append_wait(
	struct merge_figures *figures, const struct metrics_wait *wait);

/* The objects of several processes in one list, each at addresses of its own. */
struct merge_modules {
	struct profile_module *modules;
	size_t n, capacity;
	uint64_t next_free; /* next address for an object whose own addresses are taken */
	/* The process that is being added: */
	const struct profile *profile;
	uint32_t *place; /* by index into its modules: index into `modules` */
	size_t n_place;
};

/*
 * Adds the objects of a process that are not known yet. The functions below then translate indices
 * and addresses of this process. Returns 0, or -1 when out of memory.
 */
int merge_modules_add(struct merge_modules *modules, const struct profile *profile);

/* Translate an index of a module, and an address in it. UINT32_MAX is no module and stays. */
uint32_t merge_modules_index(const struct merge_modules *modules, uint32_t module);
uint64_t merge_modules_addr(const struct merge_modules *modules, uint32_t module, uint64_t addr);

/* Translates an address; an address in no object, such as a mutex' on the heap, stays. */
uint64_t merge_modules_any(const struct merge_modules *modules, uint64_t addr);

/* Moves the objects and their ranges to *profile. Returns 0, or -1 when out of memory. */
int merge_modules_finish(struct merge_modules *modules, struct profile *profile);

void merge_modules_release(struct merge_modules *modules);

/* Where the nodes, threads, addresses and phases of a process are in the result. */
struct merge_places {
	const uint32_t *node; /* by node of the process' tree */
	uint32_t process;     /* its index */
	uint32_t first_thread;
	const struct merge_modules *modules;
	const struct profile *all; /* knows the implementations of mutexes by name */
	/* by index into the process' metrics.phases: into the merged metrics.phases */
	const uint32_t *phase;
};

/* Adds the figures of a process. Returns 0, or -1 when out of memory. */
int merge_figures_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places);

/* Adds the work and the sleep of a process by place. Returns 0, or -1 when out of memory. */
int merge_shares_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places);

/*
 * Adds the collective calls of a process. The ticks of the ranks of one host are readings of one
 * counter, so their moments can be compared. The calls of ranks with the same number are added up,
 * so that memory does not grow with the number of ranks. Returns 0, or -1 when out of memory.
 */
int merge_collectives_add(struct merge_collectives *all, const struct merge_process *process,
	const struct merge_places *places);

/* Fills *ranks. Returns 0, or -1 when out of memory. */
int merge_collectives_finish(struct merge_collectives *all, struct metrics_ranks *ranks);

void merge_collectives_release(struct merge_collectives *all);

/*
 * Adds up the entries of the same region, mutex, task site, pair of task sites, target or device,
 * once there are more than twice as many as the latest fold left. So their memory does not grow
 * with the number of processes.
 */
void merge_figures_fold(struct merge_figures *figures);

/* Fills *metrics; the caller releases *figures. Returns 0, or -1 when out of memory. */
int merge_figures_finish(struct merge_figures *figures, struct metrics *metrics);

/* Fills only the mutexes and waits; on failure the caller also releases *metrics. */
int merge_figures_fold_mutexes(struct merge_figures *figures, struct metrics *metrics);

void merge_figures_release(struct merge_figures *figures);

#endif
