/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of a run in terms of names: regions, task sites and waits that read the same are one
 * entry, causes are functions, mutexes have names, and serial time has functions that it is spent
 * in. Pure; the views and the advice (advice.h) are made from it.
 */
#ifndef OMPPROF_SRC_FINDINGS_FIGURES_H
#define OMPPROF_SRC_FINDINGS_FIGURES_H

#include "attribution/metrics/metrics.h"
#include "src/findings/names.h"

/* A parallel region at one place of the source, whatever the path to it. */
struct findings_region {
	struct metrics_region sum;      /* of all paths to it; node: that with the largest loss */
	const struct name_label *label; /* of kind NAME_REGION */
	uint64_t lost_ns;               /* thread time that was not useful */
	uint32_t *nodes;                /* of the named tree, n_nodes of them */
	size_t n_nodes;
	/* Explicit tasks that it creates. */
	uint64_t n_created, n_executed, busy_ns;
	uint32_t n_creators; /* the most of any creation site */
	uint32_t task;       /* index of the site that created most, or UINT32_MAX */
	uint32_t await;      /* index of the longest waiting of tasks for tasks, or UINT32_MAX */
};

/* A place that creates explicit tasks, in one region. */
struct findings_task {
	struct metrics_task sum;
	const struct name_label *label;
	uint32_t region;              /* index into figures.regions, or UINT32_MAX */
	uint32_t site;                /* findings_tasks.c's own */
	size_t first_await, n_awaits; /* in figures.awaits: what these waited for, longest first */
};

/* Tasks of one place that waited for tasks of another. */
struct findings_await {
	struct metrics_await sum;
	uint32_t task;    /* index into figures.tasks */
	uint32_t awaited; /* likewise */
};

/* A target construct at one place of the source, and a device. */
struct findings_target {
	struct metrics_target sum;
	const struct name_label *label;
	uint32_t region; /* index into figures.regions that it is encountered in, or UINT32_MAX */
};

/* A function whose code others waited for, with one thing that they waited for. */
struct findings_cause {
	uint32_t wait; /* index into figures.waits */
	const struct name_label *label;
	uint64_t ns;
	uint32_t thread; /* index into profile.threads of the one that caused most of it */
	uint64_t thread_ns;
};

/* Something that was waited for. */
struct findings_wait {
	struct metrics_wait sum;        /* causes is NULL: see figures.causes */
	const char *name;               /* "closing barrier", "critical(NAME)", ... */
	const struct name_label *label; /* the region whose team waits, or where it was waited */
	struct name_place place;        /* likewise */
	size_t first_cause, n_causes;   /* in figures.causes, largest first */
	/* Of mutexes that are waited for at one place, as when each object has one: */
	uint32_t next_at_place; /* index into figures.waits, or UINT32_MAX */
	uint8_t is_first_at_place;
};

/* What one thread counted of a findings_event. */
struct findings_event_thread {
	uint32_t thread; /* index into profile.threads */
	uint64_t n, amount;
};

/* Events of one kind at one place of the source, in one region. */
struct findings_event {
	uint32_t event; /* enum profile_event */
	uint64_t detail;
	uint32_t node;                  /* of the tree: the one with most of them */
	const struct name_label *label; /* of the code around it */
	struct name_place place;
	uint32_t region; /* index into figures.regions, or UINT32_MAX */
	uint64_t n, n_looked, amount;
	size_t first, n_threads; /* in figures.event_threads, by thread */
	size_t n_members; /* threads that could have counted any: those that did, or the region's team */
};

/* Finds mutexes by what they are. */
struct findings_lock_key {
	uint64_t wait_id;
	uint32_t index; /* into figures.locks and metrics.locks */
	uint8_t kind;
};

struct findings_lock {
	struct metrics_lock sum;
	const char *name;
	const struct name_label *label; /* where it is waited for most, or NULL */
	struct name_place place;        /* likewise */
	const char *impl;               /* what the runtime calls its implementation, or NULL */
};

/*
 * A function with its part of the serial time, which samples of an event do not tell; see
 * findings_serial.c.
 */
struct findings_serial {
	const struct name_label *label;
	uint32_t node;    /* of the named tree: that with most of it */
	uint64_t work_ns; /* sampled, its callees' included */
	uint64_t node_ns; /* of these in `node` */
};

struct findings {
	const struct profile *profile;
	const struct tree *tree;
	const struct name_tree *names;
	const struct metrics *metrics;
	struct findings_region *regions; /* largest loss first */
	size_t n_regions;
	struct findings_task *tasks; /* most created first */
	size_t n_tasks;
	struct findings_target *targets; /* longest first */
	size_t n_targets;
	struct findings_await *awaits; /* by task, longest first */
	size_t n_awaits;
	struct findings_wait *waits; /* longest first */
	size_t n_waits;
	const char **wait_names; /* by index into metrics.waits */
	struct findings_cause *causes;
	size_t n_causes;
	struct findings_lock *locks; /* longest wait first */
	size_t n_locks;
	struct findings_lock_key *lock_keys; /* in order, one for each of metrics.locks */
	struct findings_event *events;       /* most first */
	size_t n_events;
	struct findings_event_thread *event_threads;
	struct findings_serial *serial; /* largest first */
	size_t n_serial;
	uint64_t serial_work_ns; /* the sum of theirs */
	uint32_t *region_nodes;
};

/* The name of a variable, or NULL; symbols_variable() and symbols_critical() in the command. */
typedef const char *findings_variable(
	void *data, const struct symbols_object *object, uint64_t addr);

/*
 * `tree` is the user view of `profile`, `names` were made of it; all must outlive *figures. Returns
 * 0, or -1 with *diag set (out of memory). Release with findings_release in either case.
 */
struct findings_input {
	const struct profile *profile;
	const struct tree *tree;
	struct name_tree *names; /* names of mutexes are interned there */
	const struct metrics *metrics;
	findings_variable *variable; /* at an address; or NULL */
	findings_variable *critical; /* of the critical section that a call enters; or NULL */
	void *data;                  /* for both */
};
int findings_make(struct findings *figures, const struct findings_input *input, struct diag *diag);
void findings_release(struct findings *figures);

/* The node of the named tree for a node of the attributed tree, or NAMES_NONE. */
uint32_t findings_node(const struct findings *figures, uint32_t tree_node);

/* Its label; for a wait that of the code around it. NULL for UINT32_MAX. */
const struct name_label *findings_label(const struct findings *figures, uint32_t tree_node);

/* The order of places in the source: 0 if they read the same. */
int findings_compare_places(const struct name_label *a, const struct name_label *b);

/* Its line in the source; "" and 0 for UINT32_MAX. */
struct name_place findings_place(const struct findings *figures, uint32_t tree_node);

/* The tree node that a wait is shown at: the region whose team waits or, of a mutex, where most of it is waited. */
uint32_t findings_wait_node(const struct metrics_wait *wait);

/* The index of a mutex in figures.locks, or UINT32_MAX. */
uint32_t findings_find_lock(
	const struct findings *figures, enum profile_wait kind, uint64_t wait_id);

/* Thread time of a region in all causes. */
uint64_t findings_capacity(const struct metrics_region *region);

/* A wait by what people call it: "closing barrier"; and by the fewer words of JSON: "barrier". */
const char *findings_wait_name(enum profile_wait kind);
const char *findings_wait_word(enum profile_wait kind);
int findings_is_mutex(enum profile_wait kind);

/*
 * What a mutex is called, given the variable that its wait id is the address of, or NULL:
 * "critical(NAME)" from .gomp_critical_user_NAME (gcc) or .gomp_critical_user_NAME.var (clang).
 */
void findings_mutex_name(char *text, size_t text_bytes, enum profile_wait kind, uint64_t wait_id,
	const char *variable);

/* --- parts of findings_make; each returns 0 or -1 --- */
int findings_add_regions(struct findings *figures);
int findings_add_tasks(struct findings *figures);
int findings_add_targets(struct findings *figures);
int findings_sort_locks(struct findings *figures); /* for findings_find_lock */
int findings_add_waits(struct findings *figures, const struct findings_input *input);
int findings_add_locks(struct findings *figures, const struct findings_input *input);
int findings_add_serial(struct findings *figures);
int findings_add_events(struct findings *figures);

/* By node of the attributed tree the region that it is in, an index into figures.regions, or UINT32_MAX; free() it. NULL
   when out of memory. findings_add_regions comes first. */
uint32_t *findings_find_regions(const struct findings *figures);

#endif
