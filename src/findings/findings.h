/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of a run with names. Regions, task sites and waits that read the same are one entry;
 * causes are functions; mutexes have names; serial time has the functions in which it is spent.
 * Pure; the views and the advice (advice.h) are made from it.
 */
#ifndef OMPPROF_SRC_FINDINGS_FIGURES_H
#define OMPPROF_SRC_FINDINGS_FIGURES_H

#include "attribution/metrics/metrics.h"
#include "src/findings/names.h"

/* A parallel region at one place of the source, whatever the path to it. */
struct findings_region {
	/* of all paths to it; node: the node with the largest loss */
	struct metrics_region sum;
	const struct name_label *label; /* of kind NAME_REGION */
	uint64_t lost_ns;               /* thread time that was not useful */
	uint32_t *nodes;                /* of the named tree, n_nodes of them */
	size_t n_nodes;
	/* Explicit tasks that it creates. */
	uint64_t n_created, n_executed, busy_ns;
	uint32_t n_creators; /* the largest number of a creation site */
	uint32_t task;       /* index of the site that created most tasks, or UINT32_MAX */
	uint32_t await;      /* index of the longest wait of tasks for tasks, or UINT32_MAX */
};

/* A place that creates explicit tasks, in one region. */
struct findings_task {
	struct metrics_task sum;
	const struct name_label *label;
	uint32_t region; /* index into findings.regions, or UINT32_MAX */
	uint32_t site;   /* for findings_tasks.c */
	/* in findings.awaits: the waits of its tasks, longest first */
	size_t first_await, n_awaits;
};

/* Tasks of one place that waited for tasks of another place. */
struct findings_await {
	struct metrics_await sum;
	uint32_t task;    /* index into findings.tasks */
	uint32_t awaited; /* index into findings.tasks */
};

/* A target construct at one place of the source, and a device. */
struct findings_target {
	struct metrics_target sum;
	const struct name_label *label;
	/* index into findings.regions of the region that encounters it, or UINT32_MAX */
	uint32_t region;
};

/* A function whose code others waited for, in one entry of the waits. */
struct findings_cause {
	uint32_t wait; /* index into findings.waits */
	const struct name_label *label;
	uint64_t ns;
	uint32_t thread; /* index into profile.threads of the thread that caused most of it */
	uint64_t thread_ns;
};

/* A thing that was waited for. */
struct findings_wait {
	struct metrics_wait sum;        /* causes is NULL: see findings.causes */
	const char *name;               /* "closing barrier", "critical(NAME)", ... */
	const struct name_label *label; /* the region whose team waits, or the place of the wait */
	struct name_place place;        /* of the same node */
	size_t first_cause, n_causes;   /* in findings.causes, largest first */
	/*
	 * These link the mutexes that are waited for at one place, for example if each object has a
	 * lock:
	 */
	uint32_t next_at_place; /* index into findings.waits, or UINT32_MAX */
	uint8_t is_first_at_place;
};

/* The events of a findings_event that one thread counted. */
struct findings_event_thread {
	uint32_t thread; /* index into profile.threads */
	uint64_t n, amount;
};

/* Events of one kind at one place of the source, in one region. */
struct findings_event {
	uint32_t event; /* enum profile_event */
	uint64_t detail;
	uint32_t node;                  /* of the tree: the node with most of the events */
	const struct name_label *label; /* of the code around it */
	struct name_place place;
	uint32_t region; /* index into findings.regions, or UINT32_MAX */
	uint64_t n, n_looked, amount;
	size_t first, n_threads; /* in findings.event_threads, by thread */
	/* threads that could have counted events: the threads that did, or the region's team */
	size_t n_members;
};

/* Finds a mutex by its kind and wait id. */
struct findings_lock_key {
	uint64_t wait_id;
	uint32_t index; /* index into findings.locks and metrics.locks */
	uint8_t kind;
};

struct findings_lock {
	struct metrics_lock sum;
	const char *name;
	const struct name_label *label; /* the place where it is waited for most, or NULL */
	struct name_place place;        /* of the same node */
	const char *impl;               /* the runtime's name of its implementation, or NULL */
};

/*
 * A function with its part of the serial time. Samples of an event do not tell serial time. See
 * findings_serial.c.
 */
struct findings_serial {
	const struct name_label *label;
	uint32_t node;    /* of the named tree: the node with most of the work */
	uint64_t work_ns; /* sampled, in the function and its callees */
	uint64_t node_ns; /* the part of work_ns in `node` */
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
	struct findings_lock_key *lock_keys; /* sorted by key, one for each of metrics.locks */
	struct findings_event *events;       /* most events first */
	size_t n_events;
	struct findings_event_thread *event_threads;
	struct findings_serial *serial; /* largest first */
	size_t n_serial;
	uint64_t serial_work_ns; /* the sum of their work_ns */
	uint32_t *region_nodes;  /* what the members `nodes` of the regions point into */
	/* by node of `tree`: the region around it, an index into `regions`, or UINT32_MAX */
	uint32_t *region_of;
};

/*
 * Returns the name of a variable, or NULL; symbols_variable() and symbols_critical() in the
 * command.
 */
typedef const char *findings_variable(
	void *data, const struct symbols_object *object, uint64_t addr);

/*
 * The input of findings_make. `tree` is the user view of `profile`, and `names` were made from it.
 * All must outlive *figures. findings_make returns 0, or -1 with *diag set (out of memory). Release
 * with findings_release in either case.
 */
struct findings_input {
	const struct profile *profile;
	const struct tree *tree;
	struct name_tree *names; /* gets the names of mutexes, too */
	const struct metrics *metrics;
	findings_variable *variable; /* finds the variable at an address; or NULL */
	/* finds the variable of the critical section that a call enters; or NULL */
	findings_variable *critical;
	void *data; /* for both */
};
int findings_make(struct findings *figures, const struct findings_input *input, struct diag *diag);
void findings_release(struct findings *figures);

/* The node of the named tree for a node of the attributed tree, or NAMES_NONE. */
uint32_t findings_node(const struct findings *figures, uint32_t tree_node);

/* The label of that node; for a wait the label of the code around it. NULL for UINT32_MAX. */
const struct name_label *findings_label(const struct findings *figures, uint32_t tree_node);

/* The order of places in the source: 0 if they read the same. */
int findings_compare_places(const struct name_label *a, const struct name_label *b);

/* The line of that node in the source; "" and 0 for UINT32_MAX. */
struct name_place findings_place(const struct findings *figures, uint32_t tree_node);

/*
 * The tree node that a wait is shown at: the region whose team waits, or for a mutex the node where
 * most of it is waited.
 */
uint32_t findings_wait_node(const struct metrics_wait *wait);

/* The index of a mutex in findings.locks, or UINT32_MAX. */
uint32_t findings_find_lock(
	const struct findings *figures, enum profile_wait kind, uint64_t wait_id);

/* The thread time of a region or a run in all causes, given its cause_ns. */
uint64_t findings_sum_causes(const uint64_t cause_ns[METRICS_N_CAUSES]);

/*
 * The name of a wait for people: "closing barrier"; and the word of JSON, which several kinds
 * share: "barrier".
 */
const char *findings_wait_name(enum profile_wait kind);
const char *findings_wait_word(enum profile_wait kind);
int findings_is_mutex(enum profile_wait kind);

/*
 * The name of a mutex, given the variable at its wait id, or NULL: "critical(NAME)" from
 * .gomp_critical_user_NAME (gcc) or .gomp_critical_user_NAME.var (clang).
 */
void findings_mutex_name(char *text, size_t text_bytes, enum profile_wait kind, uint64_t wait_id,
	const char *variable);

/* --- parts of findings_make; each returns 0 or -1 --- */
int findings_add_tasks(struct findings *figures);
int findings_add_targets(struct findings *figures);
int findings_sort_locks(struct findings *figures); /* for findings_find_lock */
int findings_add_waits(struct findings *figures, const struct findings_input *input);
int findings_add_locks(struct findings *figures, const struct findings_input *input);
int findings_add_serial(struct findings *figures);
int findings_add_events(struct findings *figures);

#endif
