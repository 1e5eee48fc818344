/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the threads' time went into, for which cause, and who is to blame: from a profile and its
 * attributed tree to figures. Pure; every figure is tied to nodes of the tree. Names come later.
 *
 * The run's capacity is n CPU slots times its wall time; every thread-second of it is in exactly one
 * cause, so that the sum over enum metrics_cause of metrics.cause_ns is n_slots * wall_ns. Divided by
 * n_slots, a cause is the wall time that a program without it could win at best.
 *
 * The capacity is cut in this order (metrics_run.c). A part is the time in one region and in none
 * within it, or the serial code. Each step moves time between causes or scales it, without rest.
 *
 *        what is cut                            what it becomes
 *    1   a part's measured waits                their causes; at barriers as the arrivals say
 *    2   neither waited nor busy                OVERHEAD: fork and join of a team
 *    3   busy, and not sampled                  BLOCKED, if it is more than samples can err
 *    4   busy, and sampled                      USEFUL, MPI, OVERHEAD, as the samples say
 *    5   step 3 for all those parts together    BLOCKED, taken from the causes of step 4
 *        that have too few samples alone
 *    6   BLOCKED, beyond the time in which      OVERHEAD: the runtime waited, and the wait was not
 *        the threads had no CPU                 measured
 *    7   BLOCKED, while threads were ready      NOT_RUNNING
 *    8   an outermost region and all within     less than n_slots * its wall time: the rest is
 *        it                                     SHORT_TEAM; more: all their causes are scaled
 *    9   wall time in no region                 SERIAL, for all slots but the one that is busy
 *   10   the sum of all parts                   more than the capacity: SERIAL gives way, then all
 *                                               causes are scaled; less: the rest is OVERHEAD
 *   11   the causes of regions                  scaled as step 10 scaled those of the run
 *
 * Steps 1 to 4 are metrics_distribute_part; then come cut_spread, metrics_bound_parts, cut_off_cpu,
 * fit_regions, cut_measured, fit_run and fit_cause. The serial code is that of the thread that spent
 * most time in outermost regions. The wall time of an inner region is taken out of the outer one's
 * once, for the thread that encountered it.
 *
 * Without measured waits the causes are the classes of the samples; what nothing was sampled of is
 * NOT_RUNNING as far as the kernel counted that, or else BLOCKED.
 *
 * Native threads, which did not use OpenMP, have no part in the capacity: of them there is only what each
 * did with its life (metrics.threads).
 *
 * Samples of an event say nothing of time: with such a clock all that was not waited is USEFUL.
 */
#ifndef OMPPROF_ATTRIBUTION_METRICS_METRICS_H
#define OMPPROF_ATTRIBUTION_METRICS_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/tree.h"
#include "profile/reader/reader.h"

/* In the order of the table, which describes them. */
enum metrics_cause {
#define CAUSE(NAME, ...) METRICS_##NAME,
#include "attribution/metrics/causes.def"
	METRICS_N_CAUSES
};

enum { METRICS_N_LENGTHS = 128 };
_Static_assert(sizeof(((struct profile_region_record *)0)->lengths) ==
		       METRICS_N_LENGTHS * sizeof(uint32_t),
	"as in the file");

/* A parallel region at one place of the tree. Times summed over its threads unless they say wall. */
struct metrics_region {
	uint32_t node;  /* TREE_REGION node */
	uint32_t outer; /* index into metrics.regions of the region around it, UINT32_MAX none */
	uint64_t n;     /* executions */
	uint64_t wall_ns;
	uint64_t min_ns, max_ns; /* of one execution */
	uint32_t *lengths; /* executions by length, METRICS_N_LENGTHS of them: see metrics_quantile;
			      NULL: of none it is known, as there is no record */
	uint32_t min_team, max_team;
	uint64_t thread_ns;                  /* in the region */
	uint64_t cause_ns[METRICS_N_CAUSES]; /* SERIAL is 0; inner regions' are not in it. With
						those it is n_slots * wall_ns of an outermost
						region, less if the run's are scaled */
	uint64_t persistent_ns;              /* of IMBALANCE: what always the same threads wait */
	uint64_t n_barriers;                 /* whose arrivals were compared */
	uint32_t slowest;                    /* number of the thread that arrived last most often */
	uint64_t n_slowest;                  /* at so many of n_barriers; threads above 31 are
						not told apart */
	uint64_t n_tasks;                    /* explicit tasks created in it */
	uint64_t dependence_ns; /* what its team waited, with nothing to do, while tasks waited for
				   one that was executed */
};

/* Who made others wait: the code at `node`, run by `thread`. */
struct metrics_blame {
	uint32_t node;   /* of the tree */
	uint32_t thread; /* index into profile.threads */
	uint64_t ns;     /* of the waiting of all who waited for it */
};

/*
 * One thing that is waited for: a kind of barrier or task wait in one region, a mutex, or idleness.
 * The sum of causes[].ns and unblamed_ns is wait_ns.
 */
struct metrics_wait {
	uint8_t kind;     /* enum profile_wait; the IDLE_* are one, PROFILE_IDLE_BETWEEN */
	uint64_t wait_id; /* of a mutex, else 0 */
	uint32_t
		region; /* TREE_REGION node whose team waits, or UINT32_MAX; of a wait for a device the
			     TREE_TARGET node */
	uint32_t node; /* frame, region or task in which most of it was waited; the root for
			     idleness */
	uint64_t n;
	uint64_t wait_ns;
	uint64_t unblamed_ns;
	struct metrics_blame *causes; /* largest first */
	size_t n_causes;
};

struct metrics_thread {
	uint64_t useful_ns;
	uint64_t overhead_ns;
	uint64_t barrier_ns;
	uint64_t task_ns; /* taskwait, taskgroup, barriers while tasks were about */
	uint64_t lock_ns;
	uint64_t idle_ns;
	uint64_t not_running_ns;
	uint64_t blocked_ns;
	uint64_t mpi_ns;
	uint64_t device_ns;
	uint64_t total_ns; /* its life: the sum of those above */
	uint64_t blame_ns; /* of others' waiting that its code is charged with */
};

struct metrics_lock {
	uint64_t wait_id; /* 0: all that got no record */
	uint8_t kind;     /* enum profile_wait */
	uint64_t codeptr; /* where it was acquired after the longest wait */
	uint32_t n_threads;
	uint64_t n_acquired, n_contended;
	uint64_t wait_ns, max_wait_ns;
	uint64_t n_held, held_ns, max_held_ns; /* held_ns is scaled to n_acquired */
	uint64_t within_ns; /* wall time of the regions in which it was waited for; without any the
			       run's */
	uint32_t node;      /* frame, region or task in which it was waited for most, UINT32_MAX
			       none */
	uint32_t impl;      /* see profile_impl_name; 0 not known */
	uint32_t hints;     /* omp_sync_hint_t that it was asked for with */
};

struct metrics_task {
	uint32_t node; /* TREE_TASK node */
	uint64_t n_created, n_executed, n_stolen;
	uint64_t busy_ns, max_ns; /* executing */
	uint64_t starved_ns;      /* the TASK time of its region, shared among its tasks' sites in
				     proportion to what they created */
	uint32_t n_creators;      /* threads that created any */
	uint64_t n_cancelled;     /* beside n_executed */
	uint64_t n_detached;      /* of n_executed: their end was a later event, */
	uint64_t n_fulfilled;     /* which has come */
	uint64_t n_awaiting;      /* that could not begin before others had ended */
	uint64_t await_ns;        /* from their creation to that: no thread's time */
	uint64_t blocked_ns;      /* what others waited, with nothing to do, while tasks waited for
				     one of these that was executed */
};

/* Tasks of one site that waited for tasks of another one: those whose latest it was to end. */
struct metrics_await {
	uint32_t task;    /* TREE_TASK node */
	uint32_t awaited; /* likewise */
	uint64_t n;       /* tasks that waited */
	uint64_t wait_ns; /* from their creation to the other's end: no thread's time */
	uint64_t max_ns;
};

/* Operations of one kind on a device. */
struct metrics_ops {
	uint64_t n;
	uint64_t amount; /* bytes; of KERNEL teams that were asked for */
	uint64_t time_ns,
		max_ns; /* of those whose begin and end the runtime tells; 0: it tells of none */
};

enum metrics_op {
	METRICS_OP_TO, /* in the order of enum profile_event */
	METRICS_OP_FROM,
	METRICS_OP_ALLOC,
	METRICS_OP_DELETE,
	METRICS_OP_ASSOCIATE,
	METRICS_OP_DISASSOCIATE,
	METRICS_OP_OTHER,
	METRICS_OP_MAP, /* items */
	METRICS_OP_KERNEL,
	METRICS_N_OPS,
};

/* What a device itself recorded, by the order of enum profile_event from DEVICE_KERNEL on. */
enum metrics_traced {
	METRICS_TRACED_KERNEL,
	METRICS_TRACED_TO,
	METRICS_TRACED_FROM,
	METRICS_TRACED_DATA,
	METRICS_TRACED_NATIVE,
	METRICS_TRACED_QUEUE, /* from submit to begin; no amount */
	METRICS_N_TRACED,
};

/* A target construct at one place of the tree, and what the host's events tell of one device in it. */
struct metrics_target {
	uint32_t node;            /* TREE_TARGET node */
	int32_t device;           /* its number, or PROFILE_NO_DEVICE */
	struct metrics_ops whole; /* executions that ended; no amount */
	struct metrics_ops ops[METRICS_N_OPS];
	/* What the host waited for it; of several devices at one place all is the last one's. */
	uint64_t data_wait_ns, kernel_wait_ns;
	struct metrics_ops traced[METRICS_N_TRACED]; /* on the device; none if it is not traced */
};

/* A device as a whole. */
struct metrics_device {
	int32_t number;
	uint64_t n_initialized, n_finalized;
	uint64_t n_loaded, n_unloaded; /* pieces of code */
	uint64_t loaded_bytes;
	/* Of its trace, also what is of no known target construct; all 0 without one. */
	uint32_t flags; /* enum profile_device_flags */
	uint32_t n_procs;
	uint64_t traced_ns, busy_ns;
	uint64_t n_records;
	uint64_t lost[PROFILE_TRACE_N_LOSSES];
	struct metrics_ops traced[METRICS_N_TRACED];
	char type[64];
};

/* Events of one kind (of `--events`) that one thread counted at one place of the tree. */
struct metrics_event {
	uint32_t node;     /* frame, region or task */
	uint32_t thread;   /* index into profile.threads */
	uint32_t event;    /* enum profile_event */
	uint64_t detail;   /* what tells events of the kind apart */
	uint64_t n;        /* exact, of the place: see sampler/threads/count.h */
	uint64_t n_looked; /* of these: those whose call path was looked at */
	uint64_t amount;   /* by kind: iterations, sections, dependences */
};

/* What the threads of OpenMP did in a phase of the program, in it and in none within it. */
struct metrics_phase {
	uint64_t n; /* times that it was begun */
	uint64_t wall_ns;
	uint64_t capacity_ns;      /* of the slots in that time */
	struct metrics_thread sum; /* NOT_RUNNING is part of blocked_ns; total_ns is their lives */
};

struct metrics {
	uint32_t n_slots; /* the largest team, or 1 */
	uint64_t wall_ns;
	/* Of several processes together (merge.h), else 0: */
	uint32_t n_processes;
	uint32_t most_slots;  /* of one of them */
	uint64_t walls_ns;    /* the sum of their wall times */
	uint64_t capacity_ns; /* the sum of what each has: its slots times its wall time */
	uint64_t serial_ns;   /* wall time outside regions */
	uint64_t cause_ns[METRICS_N_CAUSES];
	uint64_t serial_cause_ns[METRICS_N_CAUSES]; /* of it what is in no region */
	struct metrics_region *regions;             /* most lost first */
	size_t n_regions;
	struct metrics_wait *waits; /* longest first */
	size_t n_waits;
	struct metrics_thread *threads; /* by index into profile.threads */
	size_t n_threads;
	struct metrics_lock *locks; /* longest wait first */
	size_t n_locks;
	struct metrics_task *tasks; /* most created first */
	size_t n_tasks;
	struct metrics_target *targets; /* longest first */
	size_t n_targets;
	struct metrics_device *devices; /* by number */
	size_t n_devices;
	struct metrics_await *awaits; /* longest first */
	size_t n_awaits;
	struct metrics_event *events; /* by node, kind, detail and thread, each once */
	size_t n_events;
	struct metrics_phase *phases; /* [0]: in none; then by index into profile.phases + 1 */
	size_t n_phases;              /* 0 without phases */
	int has_waits;                /* waits were measured; else they are what samples say */
	uint64_t ticks_per_s;
	struct metrics_blame *blame; /* what waits[].causes point into */
};

/*
 * Computes the figures; `tree` must be the user view of `profile`, without by_thread, with its blame_scale. Returns 0,
 * or -1 with *diag set (out of memory). Release with metrics_release.
 */
int metrics_make(struct metrics *metrics, const struct profile *profile, const struct tree *tree,
	struct diag *diag);

/* Frees what *metrics owns; harmless on a zeroed struct. */
void metrics_release(struct metrics *metrics);

/* What all the slots had together: the sum of the causes. */
uint64_t metrics_capacity(const struct metrics *metrics);

/*
 * The wall time that this much of the slots' time comes to: the same part of the wall time as it is of the
 * capacity.
 */
uint64_t metrics_gain(const struct metrics *metrics, uint64_t thread_ns);

/* What divides the slots' time into wall time, in units of 1/10^9: metrics_gain with the fractions. */
uint64_t metrics_slots(const struct metrics *metrics);

/* Wall times summed over processes as a part of the run's wall time. */
uint64_t metrics_wall(const struct metrics *metrics, uint64_t walls_ns);

/*
 * Adds executions by length. `to` may be that of a region that has none yet; then it gets room, which the caller frees.
 * Returns 0, or -1 when out of memory.
 */
int metrics_lengths_add(uint32_t **to, const uint32_t *from);

/* Adds what is known of a region, a task site and so on at another place; of a region all but `lengths`. */
void metrics_region_add(struct metrics_region *to, const struct metrics_region *from);
void metrics_task_add(struct metrics_task *to, const struct metrics_task *from);
void metrics_await_add(struct metrics_await *to, const struct metrics_await *from);
void metrics_target_add(struct metrics_target *to, const struct metrics_target *from);
void metrics_device_add(struct metrics_device *to, const struct metrics_device *from);

/* Of both transfers, and of all operations on data. */
struct metrics_ops metrics_target_transfers(const struct metrics_target *target);

/* What the host waited at it. */
uint64_t metrics_target_wait(const struct metrics_target *target);

/*
 * Orders for qsort. Of awaits: by their two sites; what was waited longest first. Of task sites: the most tasks first. Of
 * target constructs: by place and device; the longest first. Of devices: by number.
 */
int metrics_by_sites(const void *left, const void *right);
int metrics_by_wait(const void *left, const void *right);
int metrics_by_created(const void *left, const void *right);
int metrics_by_target(const void *left, const void *right);
int metrics_by_time(const void *left, const void *right);
int metrics_by_device(const void *left, const void *right);

/* Whether samples say how much of a thread's time has this cause; otherwise events do. */
int metrics_is_sampled(enum metrics_cause cause);

/* What of a region's capacity is not useful work. */
uint64_t metrics_lost(const struct metrics_region *region);

/* Sorts events and makes one of those that are the same thread's at the same place. Returns how many are left. */
size_t metrics_events_fold(struct metrics_event *events, size_t n);

/* The middle of bucket `b` of metrics_region.lengths, and the bucket of a length; in ticks. */
double metrics_bucket_middle(unsigned b);
unsigned metrics_bucket(double ticks);

/* Whether an object is the MPI library; what is done there and in what it calls is METRICS_MPI. */
int metrics_is_mpi(const struct profile_module *module);

/* The length that `permille` of a region's executions did not exceed, ns; within 12 %. */
uint64_t metrics_quantile(
	const struct metrics *metrics, const struct metrics_region *region, unsigned permille);

#endif
