/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of a run with names. Regions, task sites and waits that read the same are one entry.
 * There are entries for functions that caused waits, and for functions with serial time. Depends on
 * its input alone; the views and the advice (advice.h) are made from it.
 */
#ifndef OMPPROF_SRC_FINDINGS_FINDINGS_H
#define OMPPROF_SRC_FINDINGS_FINDINGS_H

#include "attribution/metrics/metrics.h"
#include "src/findings/contention.h"
#include "src/findings/names.h"

/* A parallel region at one place of the source, whatever the path to it. */
struct findings_region {
	/* the sum over all paths; sum.node is the node with the largest loss */
	struct metrics_region sum;
	const struct name_label *label; /* its kind is NAME_REGION */
	uint64_t lost_ns;               /* thread time in all causes but METRICS_USEFUL */
	uint64_t barrier_ns;            /* waiting at its barriers, the closing one included */
	/* the part of its IMBALANCE that is in findings_wait.imbalance_ns */
	uint64_t at_constructs_ns;
	uint32_t *nodes; /* its n_nodes nodes in the named tree */
	size_t n_nodes;
	/* the explicit tasks that it creates */
	uint64_t n_created, n_executed, n_detached, busy_ns;
	uint32_t n_creators; /* the largest n_creators of its task sites */
	/* the site that created most tasks: index into findings.tasks, or UINT32_MAX */
	uint32_t task;
	/* the longest wait of tasks for tasks: index into findings.awaits, or UINT32_MAX */
	uint32_t await;
};

/* A place that creates explicit tasks, in one region. */
struct findings_task {
	struct metrics_task sum;
	const struct name_label *label;
	uint32_t region; /* index into findings.regions, or UINT32_MAX */
	uint32_t site;   /* its number while findings_tasks.c sorts */
	/* awaits[first_await] and the n_awaits - 1 after it: waits of its tasks, longest first */
	size_t first_await, n_awaits;
};

/* Tasks of one place that waited for tasks of another place, or of the same. */
struct findings_await {
	struct metrics_await sum;
	uint32_t task;    /* index into findings.tasks */
	uint32_t awaited; /* index into findings.tasks */
};

/* A target construct at one place of the source, on one device. */
struct findings_target {
	struct metrics_target sum;
	const struct name_label *label;
	/* index into findings.regions of the region that encounters it, or UINT32_MAX */
	uint32_t region;
};

/* A function or construct whose code made others wait, for one entry of findings.waits. */
struct findings_cause {
	uint32_t wait; /* index into findings.waits */
	const struct name_label *label;
	uint64_t ns, asleep_ns; /* asleep_ns: the part while it slept in a call */
	/* the thread that caused most, thread_ns: index into profile.threads */
	uint32_t thread;
	uint64_t thread_ns;
};

/*
 * The waits of one kind at one construct of a team, for one mutex, or for the devices of one target
 * construct; or all idleness.
 */
struct findings_wait {
	struct metrics_wait sum; /* its member `causes` is NULL: see first_cause */
	const char *name;        /* "closing barrier", "critical(NAME)", ... */
	/* of the node that findings_wait_node returns; `place` as findings_wait_place() has it */
	const struct name_label *label;
	struct name_place place;
	/* of a barrier with sum.has_site: its part of its regions' IMBALANCE */
	uint64_t imbalance_ns;
	size_t first_cause, n_causes; /* index into findings.causes; the largest comes first */
	/* the thread whose code is blamed for most of it: index into profile.threads */
	uint32_t thread;
	uint64_t thread_ns; /* the time for which it is blamed */
	/* Mutexes with the same place are linked, as each object can have a lock. */
	uint32_t next_at_place;    /* index into findings.waits, or UINT32_MAX */
	uint8_t is_first_at_place; /* 0 unless it is a mutex */
};

/*
 * A construct that threads waited at, whatever the path to it: a line that acquires mutexes, or an
 * entry of findings.waits. There is none for idleness.
 */
struct findings_construct {
	uint8_t kind; /* enum profile_wait */
	/* 0: waits for its mutexes are at other lines, too, and blame is known by mutex alone */
	uint8_t has_blame;
	const char *name; /* as of the wait; of several mutexes the kind */
	/* the function around the construct, the region whose team waits or the target construct */
	const struct name_label *label;
	struct name_place place;
	uint64_t n, wait_ns, unblamed_ns;
	/* as in struct findings_wait; thread_ns is 0 for several mutexes */
	uint32_t thread;
	uint64_t thread_ns;
	uint32_t wait; /* its entry of findings.waits, or UINT32_MAX */
};

/* One thread's part of a findings_event. */
struct findings_event_thread {
	uint32_t thread; /* index into profile.threads */
	uint64_t n, amount;
};

/* Events of one kind at one place of the source, in one region. */
struct findings_event {
	uint32_t event; /* enum profile_event */
	uint64_t detail;
	uint32_t node; /* in the attributed tree: where one thread had most of them */
	const struct name_label *label; /* of the code around it */
	struct name_place place;
	uint32_t region; /* index into findings.regions, or UINT32_MAX */
	uint64_t n, n_looked, amount;
	size_t first, n_threads; /* index into findings.event_threads; sorted by thread */
	/* the threads that could have counted: the region's largest team, n_threads at least */
	size_t n_members;
};

/* A mutex in the index that findings_find_lock searches. */
struct findings_lock_key {
	uint64_t wait_id;
	uint32_t index; /* index into findings.locks and metrics.locks */
	uint8_t kind;
};

struct findings_lock {
	struct metrics_lock sum;
	const char *name;
	const struct name_label *label; /* where it is waited for most, or NULL */
	struct name_place place;        /* the line of that place */
	const char *impl;               /* what the runtime calls its implementation, or NULL */
};

/*
 * A function with its part of the serial time; see findings_serial.c. There is none if the clock
 * counts events, whose samples do not tell time.
 */
struct findings_serial {
	const struct name_label *label;
	uint32_t node;    /* in the named tree: the node with most of the work */
	uint64_t work_ns; /* sampled, with the callees that have no entry of their own */
	uint64_t node_ns; /* the part of work_ns that is in `node` */
};

/*
 * Sleep of OpenMP threads in calls of one function of the C library, at one line, or their time in
 * calls of MPI.
 */
struct findings_sleep {
	uint8_t wait;                    /* PROFILE_BLOCKED or PROFILE_MPI */
	const struct name_label *call;   /* the function that slept */
	const struct name_label *caller; /* with the line of the call */
	uint32_t node;                   /* the caller in the named tree, where most of it was */
	uint64_t n, ns;                  /* n: 0 if the number of calls is not known */
	uint64_t serial_ns;              /* the part of ns outside of regions */
	uint64_t no_cpu_ns;              /* in the call of MPI without a CPU; not in ns */
};

/* Why a rank comes later than others. */
enum findings_late_kind {
	FINDINGS_LATE_WORK,   /* it works longer, in a region or a function outside of regions */
	FINDINGS_LATE_ASLEEP, /* it sleeps longer in a call */
	FINDINGS_LATE_NO_CPU, /* its initial thread waits longer for a CPU, outside of MPI */
};

/*
 * A place in which a rank spent more time than others, and these others waited in MPI. Times are of
 * one rank: in a region the time of its threads divided by its team.
 */
struct findings_uneven {
	enum findings_late_kind kind;
	const struct name_label *label; /* the region, function or caller; NULL if it had no CPU */
	const struct name_label *call;  /* the function that slept, or NULL */
	uint32_t node;                  /* in the named tree, if there is a label */
	uint32_t region;                /* index into findings.regions; UINT32_MAX: in no region */
	uint32_t process;               /* with most time: index into profile.processes */
	uint64_t most_ns;               /* its time; in a region a thread's mean share */
	uint64_t mean_ns;               /* of all ranks */
	uint64_t most_thread_ns, mean_thread_ns; /* the same of all threads */
	/* by how much less the other ranks would wait in MPI if all had most_ns; their sum */
	uint64_t wait_ns;
};

/* A rank that came last to collective calls of MPI of one function, at one line. */
struct findings_late {
	struct findings_sleep waits; /* of the others for it; `call` can be NULL: not known */
	uint32_t process;            /* index into profile.processes */
};

/* Figures of the run that profile and metrics do not have. */
struct findings_run {
	/* ompprof's own time in events, a part of the runtime's overhead */
	uint64_t own_least_ns, own_most_ns;
	struct contention_crowd crowd; /* see contention_find */
};

struct findings {
	const struct profile *profile;
	const struct tree *tree;
	const struct name_tree *names;
	const struct metrics *metrics;
	struct findings_run run;
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
	const char **wait_names;
	struct findings_construct *constructs; /* longest wait first */
	size_t n_constructs;
	struct findings_cause *causes;
	size_t n_causes;
	struct findings_lock *locks; /* longest wait first */
	size_t n_locks;
	struct findings_lock_key *lock_keys; /* sorted by kind and wait id */
	struct findings_event *events;       /* most events first */
	size_t n_events;
	struct findings_event_thread *event_threads;
	struct findings_serial *serial; /* largest first */
	size_t n_serial;
	uint64_t serial_work_ns; /* the sum of work_ns over `serial` */
	/* by node of the named tree: its entry of `serial`, or UINT32_MAX */
	uint32_t *serial_of;
	struct findings_uneven *uneven; /* longest wait first */
	size_t n_uneven;
	struct findings_late *late; /* longest wait first */
	size_t n_late;
	struct findings_sleep *sleeps; /* longest first */
	size_t n_sleeps;
	uint64_t sleep_ns;      /* the sum of ns over `sleeps` of PROFILE_BLOCKED */
	uint64_t mpi_ns;        /* of PROFILE_MPI */
	uint32_t *region_nodes; /* what the members `nodes` of the regions point into */
	/* by node of `tree`: the region that it is or is in: index into `regions`; or UINT32_MAX */
	uint32_t *region_of;
};

/*
 * Returns the name of a variable, or NULL. The command uses symbols_variable() and
 * symbols_critical().
 */
typedef const char *findings_variable(
	void *data, const struct symbols_object *object, uint64_t addr);

/*
 * `tree` is the user view of `profile`, and `names` were made from it. All must outlive *figures.
 */
struct findings_input {
	const struct profile *profile;
	const struct tree *tree;
	struct name_tree *names; /* names of mutexes are added to its strings */
	const struct metrics *metrics;
	struct findings_run run;
	findings_variable *variable; /* finds the variable at an address; NULL: none is found */
	/* finds the variable of the critical section that a call enters; NULL: none is found */
	findings_variable *critical;
	void *data; /* for both functions */
};
/* Returns 0, or -1 with *diag set (out of memory). Release in either case. */
int findings_make(struct findings *figures, const struct findings_input *input, struct diag *diag);
void findings_release(struct findings *figures);

/* The named node of a node of the attributed tree; NAMES_NONE for UINT32_MAX. */
uint32_t findings_node(const struct findings *figures, uint32_t tree_node);

/* As findings_node; for a wait or the runtime's time the function or construct around it. */
uint32_t findings_code(const struct findings *figures, uint32_t tree_node);

/*
 * The label of that named node; for a wait or runtime overhead the label of the code around it.
 * NULL for UINT32_MAX.
 */
const struct name_label *findings_label(const struct findings *figures, uint32_t tree_node);

/*
 * Compares names, functions, files and lines. 0: the places read the same. The order has no
 * meaning.
 */
int findings_compare_places(const struct name_label *a, const struct name_label *b);

/* The line of a node of the attributed tree; "" and 0 for UINT32_MAX. */
struct name_place findings_place(const struct findings *figures, uint32_t tree_node);

/* The label of metrics_blame.node: a place, the lack of a CPU, or no call path. */
const struct name_label *findings_cause_label(const struct findings *figures, uint32_t node);

/*
 * The node of the attributed tree that a wait is shown at: the region whose team waits; for
 * devices the target construct. For a mutex, at a construct, and outside of regions it is the node
 * with most of the waiting. The root (0) for idleness, or if there is no such node.
 */
uint32_t findings_wait_node(const struct metrics_wait *wait);

/*
 * The place of that node. Its line is 0 if the wait has a construct of its own and this is not
 * known, as where a region's body ends with a jump into the runtime.
 */
struct name_place findings_wait_place(
	const struct findings *figures, const struct metrics_wait *wait);

/* The function that contains the construct of a wait, or the region whose team waits. */
const char *findings_wait_function(const struct findings_wait *wait);

/* The index of a mutex in findings.locks, or UINT32_MAX. */
uint32_t findings_find_lock(
	const struct findings *figures, enum profile_wait kind, uint64_t wait_id);

/* The thread time of a region or a run in all causes, given its cause_ns. */
uint64_t findings_sum_causes(const uint64_t cause_ns[METRICS_N_CAUSES]);

/*
 * The kind on screens: "closing barrier"; and in JSON, where several kinds share a word: "barrier".
 */
const char *findings_wait_name(enum profile_wait kind);
const char *findings_wait_word(enum profile_wait kind);
int findings_is_mutex(enum profile_wait kind);

/*
 * Writes the name of a mutex; `variable` is the variable at its wait id or of its critical section,
 * or NULL.
 * .gomp_critical_user_NAME (gcc) and .gomp_critical_user_NAME.var (clang) give "critical(NAME)".
 */
void findings_mutex_name(char *text, size_t text_bytes, enum profile_wait kind, uint64_t wait_id,
	const char *variable);

/* The longest wait in a call for a rank that came last, or NULL. */
const struct findings_late *findings_find_late(
	const struct findings *figures, const struct findings_sleep *sleep);

/* The sleep or call of MPI at a node of the attributed tree. 0: there is none with a name. */
int findings_sleep_at(struct findings_sleep *sleep, const struct findings *figures, uint32_t i);

/* Sets call and caller of a called function of the attributed tree. 0: it has no name. */
int findings_set_call(struct findings_sleep *sleep, const struct findings *figures, uint32_t node);

/* 0: the calls read the same. The order has no meaning. */
int findings_compare_calls(const struct findings_sleep *a, const struct findings_sleep *b);

/* --- parts of findings_make; each returns 0 or -1 --- */
int findings_add_tasks(struct findings *figures);
int findings_add_targets(struct findings *figures);
int findings_sort_locks(struct findings *figures); /* makes the index of findings_find_lock */
int findings_add_waits(struct findings *figures, const struct findings_input *input);
int findings_add_constructs(struct findings *figures); /* after the waits */
int findings_add_locks(struct findings *figures, const struct findings_input *input);
int findings_add_serial(struct findings *figures);
int findings_add_sleeps(struct findings *figures);
int findings_add_late(struct findings *figures);
int findings_add_uneven(struct findings *figures); /* after regions, serial functions, sleeps */
int findings_add_events(struct findings *figures);

#endif
