/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a profile and its attributed tree to figures: the causes that took the threads' time, and
 * the code that is to blame. Pure; every figure belongs to nodes of the tree. Names are added
 * later.
 *
 * The capacity of one process is n CPU slots times its wall time; merge.h tells of several. Every
 * thread-second of it is in exactly one cause, so that the sum over enum metrics_cause of
 * metrics.cause_ns is n_slots * wall_ns. Divided by n_slots, a cause is the wall time that a
 * program without it could win at best.
 *
 * The capacity is divided in the order below (metrics_run.c). A part is the time in one region and
 * in no region within it, or the serial code. Each step moves time between causes or scales it,
 * without rest.
 *
 *        what is divided                        what it becomes
 *    1   a part's measured waits                their causes; at barriers as the arrivals say;
 *                                               NOT_RUNNING as far as the thread had no CPU there;
 *                                               HELD_UP as far as it waited for such a thread
 *    2   neither waited nor busy                OVERHEAD: fork and join of a team
 *        busy, and without a CPU                NOT_RUNNING
 *    3   busy, and not sampled                  BLOCKED, if it is more than samples can err
 *    4   busy, and sampled                      USEFUL, MPI, OVERHEAD, or waits of a kind that is
 *                                               not measured, as the samples say
 *    5   step 3 for the sum of all parts        BLOCKED, taken from the causes of step 4
 *        that have too few samples alone
 *    6   BLOCKED, beyond the time in which      OVERHEAD: the runtime waited, and the wait was not
 *        the threads had no CPU                 measured
 *    7   BLOCKED, while threads were ready at   NOT_RUNNING
 *        unknown places
 *    8   an outermost region and all within     less than n_slots * its wall time: the rest is
 *        it                                     SHORT_TEAM; more: all their causes are scaled
 *    9   wall time in no region                 SERIAL, for all slots but the busy slot;
 *                                               NOT_RUNNING as far as idle threads had no CPU;
 *                                               HELD_UP, MPI or BLOCKED as far as the thread of
 *                                               the serial code had no CPU, was in MPI, or slept
 *   10   the sum of all parts                   more than the capacity: SERIAL gives way, then all
 *                                               causes are scaled; less: the rest is OVERHEAD
 *   11   the causes of regions                  scaled as step 10 scaled the causes of the run
 *
 * Steps 1 to 4 are metrics_distribute_part; then follow cut_spread, metrics_bound_parts,
 * cut_off_cpu, fit_regions, add_serial, fit_run and fit_cause. The serial code is the serial code
 * of the thread that spent most time in outermost regions. The wall time of an inner region is
 * subtracted once from the thread time of the outer region, for the thread that encountered the
 * inner region.
 *
 * Without measured waits the causes are the classes of the samples. Time without any sample is
 * NOT_RUNNING as far as the kernel counted such time, and BLOCKED otherwise.
 *
 * Native threads, which did not use OpenMP, have no part in the capacity; metrics.threads has the
 * time of their lives. Hidden helpers have a part only in regions that they encounter.
 *
 * Samples of an event tell nothing about time: with such a clock all busy time is USEFUL, and
 * without measured waits the whole capacity.
 */
#ifndef OMPPROF_ATTRIBUTION_METRICS_METRICS_H
#define OMPPROF_ATTRIBUTION_METRICS_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/add_saturated.h"
#include "attribution/tree/tree.h"
#include "profile/reader/reader.h"

/* The causes, in the order of causes.def, which describes them. */
enum metrics_cause {
#define CAUSE(NAME, ...) METRICS_##NAME,
#include "attribution/metrics/causes.def"
	METRICS_N_CAUSES
};

enum { METRICS_N_LENGTHS = 128 };

/* The node of blame for the lack of a CPU. */
#define METRICS_NO_CPU UINT32_MAX

_Static_assert(sizeof(((struct profile_region_record *)0)->lengths) ==
		       METRICS_N_LENGTHS * sizeof(uint32_t),
	"as in the file");

/* The advance of counters up to some samples, and the time that these samples represent. */
struct metrics_counts {
	uint64_t counters[PROFILE_MOST_COUNTERS]; /* by number in the run's list */
	uint64_t ns;
};

/*
 * A parallel region at one place of the tree. Times are sums over its threads, except wall_ns,
 * min_ns and max_ns.
 */
struct metrics_region {
	uint32_t node; /* TREE_REGION node */
	/* of the region around it: index into metrics.regions; UINT32_MAX: none */
	uint32_t outer;
	uint64_t n; /* executions */
	uint64_t wall_ns;
	uint64_t min_ns, max_ns; /* of an execution */
	/* METRICS_N_LENGTHS buckets: see metrics_quantile; NULL: no execution has a record */
	uint32_t *lengths;
	uint32_t min_team, max_team;
	uint64_t thread_ns; /* its threads' time in the region */
	/*
	 * without time in regions within it; SERIAL is 0. The sum over an outermost region and all
	 * regions within it is n_slots * its wall_ns; less if the run's causes are scaled, or if
	 * waits were not measured
	 */
	uint64_t cause_ns[METRICS_N_CAUSES];
	/* part of IMBALANCE: waiting beyond that of the member that waited least */
	uint64_t persistent_ns;
	uint64_t n_barriers; /* barriers that the compared arrivals represent */
	/* number of the thread that was the last to arrive most often */
	uint32_t slowest;
	/* at how many of n_barriers it was the last; threads above 31 are not told apart */
	uint64_t n_slowest;
	uint64_t n_tasks; /* explicit tasks created in it */
	/* waiting of its team while a task was executed that other tasks waited for */
	uint64_t dependence_ns;
	/* waits for tasks, and deferred tasks on top of waits, that only samples tell */
	uint64_t unseen_ns;
	struct metrics_counts work; /* its useful work, without regions within it */
};

/* Code that made others wait: the code at `node`, executed by `thread`. */
struct metrics_blame {
	uint32_t node;      /* of the tree; METRICS_NO_CPU: the thread had no CPU */
	uint32_t thread;    /* index into profile.threads */
	uint64_t ns;        /* of the waiting of all threads that waited for it */
	uint64_t asleep_ns; /* the part of ns while it slept in a call */
};

/*
 * A pool of waiting: a kind of barrier or task wait at one construct of a region, a mutex, the
 * devices of a target construct, or idleness. wait_ns is the sum of causes[].ns and unblamed_ns.
 */
struct metrics_wait {
	uint8_t kind;        /* enum profile_wait; all IDLE_* are PROFILE_IDLE_BETWEEN */
	uint8_t has_site;    /* a team waits in the call at `node`, not anywhere in the region */
	uint8_t has_regions; /* threads waited for the mutex in more than the region of `node` */
	uint64_t wait_id;    /* of a mutex, else 0 */
	/* whose team waits: TREE_REGION node; for devices as in scale_blame.h; else UINT32_MAX */
	uint32_t region;
	/* the wait, in a frame or construct, with most of it; the root for idleness */
	uint32_t node;
	uint64_t n;
	uint64_t wait_ns;
	uint64_t unseen_ns; /* the part of wait_ns that samples tell, or as much as it may err */
	uint64_t unblamed_ns;
	struct metrics_blame *causes; /* largest first */
	size_t n_causes;
};

/* The time of a thread by what it did. All members are uint64_t: see metrics_thread_add. */
struct metrics_thread {
	uint64_t useful_ns;
	uint64_t overhead_ns;
	uint64_t barrier_ns;
	uint64_t task_ns; /* taskwait, taskgroup, barriers as far as their waits are starvation */
	uint64_t lock_ns;
	uint64_t idle_ns;
	uint64_t not_running_ns;
	uint64_t blocked_ns;
	uint64_t mpi_ns;
	uint64_t device_ns;
	uint64_t total_ns; /* its life: the sum of the times above */
	uint64_t blame_ns; /* waiting of others that its code is blamed for */
	/* as metrics_region.unseen_ns */
	uint64_t unseen_ns;
	/* its samples, and the part that is useful work */
	struct metrics_counts sampled, work;
};

struct metrics_lock {
	uint64_t wait_id; /* 0: all mutexes without a record */
	uint8_t kind;     /* enum profile_wait */
	uint64_t codeptr; /* where it was acquired after the longest wait */
	uint32_t n_threads;
	uint64_t n_acquired, n_contended;
	uint64_t n_estimated; /* the part of n_acquired that is right on average only */
	uint64_t wait_ns, max_wait_ns;
	uint64_t most_ns; /* in merged figures: the largest wait_ns of the mutexes added up */
	uint64_t n_held, held_ns, max_held_ns; /* held_ns is scaled to n_acquired */
	/*
	 * wall time of the regions in which threads waited for it; of the run if there are none;
	 * at least held_ns
	 */
	uint64_t within_ns;
	/* frame or construct in which threads waited for it most; UINT32_MAX: none */
	uint32_t node;
	uint32_t impl;  /* see profile_impl_name; 0: not known */
	uint32_t hints; /* bits of all omp_sync_hint_t that the runtime reported for it */
};

struct metrics_task {
	uint32_t node; /* TREE_TASK node */
	uint64_t n_created, n_executed, n_stolen;
	uint64_t busy_ns, max_ns; /* of their execution */
	uint64_t unseen_ns;       /* part of busy_ns: samples tell it */
	/* its share of its region's TASK time, by the number of tasks created; 0 in no region */
	uint64_t starved_ns;
	/* threads that created such tasks; of several places or processes the most of one */
	uint32_t n_creators;
	uint64_t n_cancelled; /* not in n_executed */
	uint64_t n_detached;  /* part of n_executed: detached tasks, which end with a later event */
	uint64_t n_fulfilled; /* detached tasks whose event has come */
	uint64_t n_awaiting;  /* tasks that could not begin before other tasks had ended */
	uint64_t await_ns;    /* from their creation until they could begin: no thread's time */
	/* waiting of others while such a task was executed and other tasks waited for it */
	uint64_t blocked_ns;
};

/* Tasks of one site that waited for tasks of another or the same: for the task that ended last. */
struct metrics_await {
	uint32_t task;    /* TREE_TASK node */
	uint32_t awaited; /* TREE_TASK node */
	uint64_t n;       /* tasks that waited */
	uint64_t wait_ns; /* from their creation to the end of the awaited task: no thread's time */
	uint64_t max_ns;
};

/* Operations of one kind on a device. */
struct metrics_ops {
	uint64_t n;
	uint64_t amount; /* bytes; of MAP the items, of KERNEL the requested teams */
	/* of the operations whose begin and end the runtime reports */
	uint64_t time_ns, max_ns;
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

/* The records of devices, in the order of enum profile_event from DEVICE_KERNEL on. */
enum metrics_traced {
	METRICS_TRACED_KERNEL,
	METRICS_TRACED_TO,
	METRICS_TRACED_FROM,
	METRICS_TRACED_DATA,
	METRICS_TRACED_NATIVE,
	METRICS_TRACED_QUEUE, /* from submit to begin; no amount */
	METRICS_N_TRACED,
};

/* The figures of one device in a target construct at one place; but for `traced`, by the host. */
struct metrics_target {
	uint32_t node;            /* TREE_TARGET node */
	int32_t device;           /* its number, or PROFILE_NO_DEVICE */
	struct metrics_ops whole; /* executions that ended; no amount */
	struct metrics_ops ops[METRICS_N_OPS];
	/* waiting of the host; of several devices at one place the last has all of it */
	uint64_t data_wait_ns, kernel_wait_ns;
	/* what the device recorded; all 0 if it is not traced */
	struct metrics_ops traced[METRICS_N_TRACED];
};

/* A device as a whole. */
struct metrics_device {
	int32_t number;
	uint64_t n_initialized, n_finalized;
	uint64_t n_loaded, n_unloaded; /* pieces of device code */
	uint64_t loaded_bytes;
	/* from its trace, with records of unknown target constructs: */
	uint32_t flags; /* enum profile_device_flags */
	uint32_t n_procs;
	uint64_t traced_ns, busy_ns;
	uint64_t n_records;
	uint64_t lost[PROFILE_TRACE_N_LOSSES];
	struct metrics_ops traced[METRICS_N_TRACED];
	char type[64];
};

/* Events of one kind that `--events` asked for, counted by one thread at one place of the tree. */
struct metrics_event {
	uint32_t node;   /* the node around them, mostly a frame or construct */
	uint32_t thread; /* index into profile.threads */
	uint32_t event;  /* enum profile_event */
	uint64_t detail; /* what tells events of the kind apart */
	/* exact in the sum over all call paths of a place; see sampler/threads/count.h */
	uint64_t n;
	uint64_t n_looked; /* part of n: events whose call path was walked */
	uint64_t amount;   /* by kind: iterations, sections, units of work, dependences */
};

/*
 * Time of one of several processes at a place. Useful work is at the TREE_REGION node of its
 * region, without regions within it, or at its own node in no region. Sleep has its own node.
 */
struct metrics_share {
	uint32_t node;    /* 0: the whole process */
	uint32_t process; /* index into profile.processes */
	uint64_t work_ns, samples;
	uint64_t asleep_ns; /* in timed calls that block */
	uint64_t mpi_ns;    /* of the whole process: in timed calls of MPI, also without a CPU */
};

/* A rank that came last to collective calls of MPI at one place. */
struct metrics_late {
	uint32_t node;    /* the called function in a rank that waited; 0: not known */
	uint32_t process; /* index into profile.processes */
	uint64_t n;       /* calls to which it came last */
	uint64_t wait_ns; /* of all others, until it came */
};

/*
 * Who waited for whom in collective calls on MPI_COMM_WORLD. For one process only mpi_ns is known.
 */
struct metrics_ranks {
	uint64_t mpi_ns;      /* time in calls of MPI, of all processes, also without a CPU */
	uint64_t n_begun;     /* calls of a rank, the most of all ranks */
	uint64_t n_compared;  /* calls that all ranks of a host have kept; the sum over hosts */
	uint64_t compared_ns; /* the ranks' time in them: part of mpi_ns */
	uint64_t blamed_ns;   /* the sum of wait_ns over `late`: no more than mpi_ns */
	struct metrics_late *late; /* longest wait first */
	size_t n_late;
};

/* The time of the OpenMP threads in a phase and in no phase within it. */
struct metrics_phase {
	uint64_t n; /* how often it was begun */
	uint64_t wall_ns;
	uint64_t capacity_ns; /* of all slots */
	/*
	 * time without a CPU at unknown places counts as blocked_ns, except for a merged process
	 * without phases; total_ns is the threads' lives
	 */
	struct metrics_thread sum;
};

struct metrics {
	/*
	 * the largest team, at least 1; without measured waits also no less than the OpenMP
	 * threads; of several processes the most at one time
	 */
	uint32_t n_slots;
	uint32_t n_cpus; /* of the machines, also what a process may not use; 0: not known */
	uint64_t wall_ns;
	/* For several processes (merge.h); else 0: */
	uint32_t n_processes;
	uint32_t most_slots;  /* the most slots of a process */
	uint64_t walls_ns;    /* the sum of their wall times */
	uint64_t capacity_ns; /* the sum over the processes of their slots times their wall time */
	/* wall time in no region; of several processes the sum */
	uint64_t serial_ns;
	uint64_t cause_ns[METRICS_N_CAUSES];
	uint64_t serial_cause_ns[METRICS_N_CAUSES]; /* the part that is in no region */
	/* part of serial_cause_ns[METRICS_BLOCKED]: slots that were idle while the code slept */
	uint64_t idle_blocked_ns;
	struct metrics_region *regions; /* largest loss first */
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
	struct metrics_event *events; /* sorted by node, kind, detail and thread */
	size_t n_events;
	/* sorted by node and process; none of one process, or if there are too many (merge.h) */
	struct metrics_share *shares;
	size_t n_shares;
	struct metrics_ranks ranks;   /* of several processes */
	struct metrics_phase *phases; /* [0]: in no phase; [i + 1]: in profile.phases[i] */
	size_t n_phases;              /* 0 without phases */
	int has_waits;                /* waits were measured; else the samples tell them */
	uint64_t unseen_ns;           /* the part of waits for tasks that samples tell */
	uint64_t ticks_per_s;
	struct metrics_blame *blame; /* the array that waits[].causes point into */
};

/*
 * Computes the figures. `tree` must be the user view of `profile`, without by_thread. Returns 0, or
 * -1 with *diag set (out of memory). Release with metrics_release.
 */
int metrics_make(struct metrics *metrics, const struct profile *profile, const struct tree *tree,
	struct diag *diag);

/* Frees what *metrics owns; a zeroed struct is allowed. */
void metrics_release(struct metrics *metrics);

/* The time of all slots: the sum of the causes. */
uint64_t metrics_capacity(const struct metrics *metrics);

/* The wall time for a part of the slots' time: the same fraction of the run's. */
uint64_t metrics_gain(const struct metrics *metrics, uint64_t thread_ns);

/* The wall time if all was useful work. The machine's CPUs need a time for it in any case. */
uint64_t metrics_ideal(const struct metrics *metrics);

/* As metrics_gain, but no more than what makes the run ideal. */
uint64_t metrics_most_gain(const struct metrics *metrics, uint64_t thread_ns);

/* 10^9 times the number that metrics_gain divides by, for callers that keep fractions. */
uint64_t metrics_slots(const struct metrics *metrics);

/* Adds the figures of `from` to `to`. */
void metrics_counts_add(struct metrics_counts *to, const struct metrics_counts *from);

/* Adds without overflow: the sum stays at its bound. */
static inline void metrics_add(uint64_t *sum, uint64_t more)
{
	*sum = add_saturated(*sum, more);
}

/* Raises a maximum if `other` is larger. */
static inline void metrics_raise(uint64_t *most, uint64_t other)
{
	if (other > *most)
		*most = other;
}

/* The order of two numbers, for comparison functions of qsort. */
static inline int metrics_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Scales a sum of wall times of processes to the run's wall time; one process' stays as it is. */
uint64_t metrics_wall(const struct metrics *metrics, uint64_t walls_ns);

/*
 * Adds `from` to the executions by length *to, unless it is NULL. If *to is NULL it then becomes an
 * array, which the caller frees. Returns 0, or -1 when out of memory.
 */
int metrics_lengths_add(uint32_t **to, const uint32_t *from);

/* Add the figures of another place, or of another process. `lengths` of a region is not added. */
void metrics_region_add(struct metrics_region *to, const struct metrics_region *from);
void metrics_task_add(struct metrics_task *to, const struct metrics_task *from);
void metrics_await_add(struct metrics_await *to, const struct metrics_await *from);
void metrics_target_add(struct metrics_target *to, const struct metrics_target *from);
void metrics_thread_add(struct metrics_thread *to, const struct metrics_thread *from);

/* The copies to and from the device together. */
struct metrics_ops metrics_target_transfers(const struct metrics_target *target);

uint64_t metrics_target_wait(const struct metrics_target *target);

/* For qsort: the task site with the most tasks comes first. */
int metrics_by_created(const void *left, const void *right);

/* How entries of one kind of figures are added up and sorted. */
struct metrics_kind {
	size_t bytes;
	int (*by_key)(const void *, const void *); /* 0: figures of the same thing */
	void (*add)(void *to, const void *from);
	int (*by_rank)(const void *, const void *); /* the order in struct metrics */
};
extern const struct metrics_kind metrics_tasks, metrics_awaits, metrics_targets, metrics_devices,
	metrics_events, metrics_shares;

/*
 * By node: 1 for the frames of the MPI library, and for all nodes within them. NULL when out of
 * memory.
 */
uint8_t *metrics_find_mpi(const struct tree *tree, const struct profile *profile);

/* Sorts n entries by key, and adds the entries with the same key up. Returns how many are left. */
size_t metrics_fold(void *entries, size_t n, const struct metrics_kind *kind);

/* Whether samples tell how much of a thread's time has this cause; else events tell it. */
int metrics_is_sampled(enum metrics_cause cause);

/* The part of a region's capacity that is not useful work. */
uint64_t metrics_lost(const struct metrics_region *region);

/*
 * The middle and the width of bucket `b` of metrics_region.lengths, and the bucket of a length; all
 * in ticks.
 */
double metrics_bucket_middle(unsigned b);
double metrics_bucket_width(unsigned b);
unsigned metrics_bucket(double ticks);

/*
 * The length in ns that `permille` of a region's executions did not exceed; accurate to 12 %.
 * min_ns if no execution has a record.
 */
uint64_t metrics_quantile(
	const struct metrics *metrics, const struct metrics_region *region, unsigned permille);

#endif
