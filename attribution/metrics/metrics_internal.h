/* SPDX-License-Identifier: Apache-2.0 */
/* The types and functions that the files of metrics.h share. */
#ifndef OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H
#define OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/add_saturated.h"
#include "attribution/tree/scale_blame.h"

#define METRICS_NONE UINT32_MAX

/*
 * A part of the threads' time that is divided into causes by itself: a region without the regions
 * within it, the serial code, the life of a thread, or a phase.
 */
struct metrics_part {
	uint64_t whole_ns; /* the time to be divided */
	uint64_t busy_ns;  /* the part in which no thread waited; the samples divide it */
	/* of a region: measured waits at barriers, divided in the ratio of the next three */
	uint64_t barrier_ns;
	uint64_t imbalance_ns;
	uint64_t release_ns;
	uint64_t starved_ns;
	uint64_t waited_ns[METRICS_N_CAUSES]; /* the other measured waits */
	uint64_t reduction_ns; /* the part of waited_ns in which samples are overhead */
	/* the parts of barrier_ns, waited_ns and busy_ns in which threads had no CPU */
	uint64_t barrier_delay_ns;
	uint64_t waited_delay_ns[METRICS_N_CAUSES];
	uint64_t busy_delay_ns;
	/*
	 * of a region or the serial code: the parts of barrier_ns and waited_ns in which threads
	 * waited for a thread without a CPU
	 */
	uint64_t barrier_held_ns;
	uint64_t waited_held_ns[METRICS_N_CAUSES];
	/*
	 * time of samples, without samples in measured waits other than reductions; 0 if the clock
	 * is an event. metrics_distribute_part adds samples of mutexes beyond the measured waits
	 */
	uint64_t sampled[METRICS_N_CAUSES];
	/* the part of busy_delay_ns for which a divided part has no time: it was in another part */
	uint64_t misplaced_ns;
	uint64_t mutex_sampled_ns; /* time of samples in measured waits for mutexes */
	uint64_t executed_ns;      /* a thread's time in tasks, without waits */
	uint64_t off_ns; /* the part of cause_ns[BLOCKED] in which a CPU clock stood still */
	/* the result; metrics_distribute_part makes it add up to whole_ns */
	uint64_t cause_ns[METRICS_N_CAUSES];
};

/* The figures of a struct metrics_region that are needed only while it is made. */
struct metrics_work_region {
	struct metrics_part part;
	uint64_t team_wall_ns;
	uint64_t inner_ns; /* wall time of the regions directly within it */
	/* a hidden helper encountered it, in a task */
	int is_helpers;
	/* the outermost region around it, or itself: index into metrics.regions */
	uint32_t top;
	struct scale_blame_shares shares; /* of an outermost region: shares of its capacity */
};

/* The figures under way. */
struct metrics_work {
	struct metrics *metrics;
	const struct profile *profile;
	const struct tree *tree;
	/* by tree node: the innermost region around it, or itself; METRICS_NONE: none */
	uint32_t *region_of;
	uint8_t *is_mpi;                     /* by tree node: whether it is in MPI */
	struct metrics_work_region *regions; /* one for each of metrics.regions */
	struct metrics_part *threads;        /* one for each of metrics.threads */
	/* one for each of metrics.phases; NULL without phases */
	struct metrics_part *phases;
	struct metrics_part serial;
	/* the most time that OpenMP's threads, without hidden helpers, can have been off the CPU */
	uint64_t off_ns;
	uint64_t idle_delay_ns; /* time in which these threads were idle and had no CPU */
	uint64_t *held_ns;      /* of each of profile.nodes that is a WAIT: the part held up */
	/* time of these threads without a CPU of which no node tells where it was */
	uint64_t unplaced_ns;
	/*
	 * the thread with most wall time in outermost regions. Its time outside regions, and that
	 * of the process' first and the initial threads, is the serial code (metrics_is_serial)
	 */
	uint32_t serial_thread;
	int has_several;               /* there are such other threads */
	uint64_t outside_ns;           /* the time of the serial code's threads outside regions */
	uint64_t most_serial_ns;       /* serial_thread's wall time in no region */
	struct metrics_blame *scratch; /* room for an entry for each of profile.nodes */
};

/* Whether the thread's time outside regions is the serial code. */
int metrics_is_serial(const struct metrics_work *work, size_t thread);

/* The cause of a measured wait and of a sample's class. */
enum metrics_cause metrics_cause_of_wait(uint8_t wait);
enum metrics_cause metrics_cause_of_class(uint8_t class);

/* a - b, or 0 if b is more. */
static inline uint64_t metrics_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static inline int metrics_is_barrier(uint8_t wait)
{
	return tree_wait_class(wait) == PROFILE_WAIT_BARRIER;
}

/* Entries are struct metrics_blame: amounts of the same node and thread are added up. */
extern const struct metrics_kind metrics_blames;

/* How many entries all pools have; they follow each other. */
static inline size_t metrics_n_entries(const struct blame_scale *scale)
{
	const struct scale_blame_pool *last;

	if (!scale->n_pools)
		return 0;
	last = &scale->pools[scale->n_pools - 1];
	return last->first + last->n_entries;
}

/* The node that a TREE_WAIT or TREE_RUNTIME leaf belongs to: its parent. Any other node: itself. */
uint32_t metrics_holder(const struct tree *tree, uint32_t node);

/*
 * Divides total into parts[0 .. n) in the ratio of the weights, exactly; what is left, which is all
 * if the weights are 0, goes to parts[rest].
 */
void metrics_distribute(
	uint64_t total, const uint64_t *weights, uint64_t *parts, size_t n, size_t rest);

/*
 * Whether samples leave more of the busy time open than 5 % and than n samples can err: 4 periods,
 * and 3 * sqrt(n) periods beyond them. Always 0 unless the clock counts CPU time.
 */
int metrics_is_off_cpu(const struct profile *profile, uint64_t busy_ns, uint64_t sampled_ns);

/* The time of a part's samples, without samples in measured waits. */
uint64_t metrics_sampled_of(const struct metrics_part *part);

/* Moves off_ns of a divided part from the causes that its samples tell to METRICS_BLOCKED. */
void metrics_take_off_cpu(struct metrics_part *part, uint64_t off_ns);

/* Leaves a divided part no more than most_ns off the CPU; the rest becomes overhead. */
void metrics_bound_off_cpu(struct metrics_part *part, uint64_t most_ns);

/* Part `i` of parts that share an amount; NULL: it gets nothing. */
typedef struct metrics_part *metrics_part_at(struct metrics_work *work, size_t i);

/* How parts share an amount: the weight of a part, and what takes its share. */
struct metrics_sharing {
	uint64_t (*weight)(const struct metrics_part *part);
	void (*take)(struct metrics_part *part, uint64_t share_ns);
};

/*
 * Shares `total`, or the sum of the weights if that is less, in the ratio of the weights, exactly.
 */
void metrics_share_parts(struct metrics_work *work, size_t n, metrics_part_at *at, uint64_t total,
	const struct metrics_sharing *sharing);

/* The time off the CPU of a divided part. */
uint64_t metrics_off_of(const struct metrics_part *part);

/*
 * For n divided parts, which are all of the threads' time: their time off the CPU beyond
 * work->off_ns, which the threads' CPU time allows, becomes overhead: the runtime waited, and the
 * wait was not measured.
 */
void metrics_bound_parts(struct metrics_work *work, size_t n, metrics_part_at *at);

/* A divided part as figures of a thread. */
struct metrics_thread metrics_sum_part(const struct metrics_part *part);

/* The steps; metrics_make.c has their order. An int is 0, or -1 when out of memory. */
int metrics_find_regions(struct metrics_work *work);
/* fills the parts with what nodes tell: samples, waits and time in tasks */
int metrics_add_up(struct metrics_work *work);
void metrics_distribute_part(struct metrics_part *part, const struct profile *profile);
void metrics_distribute_threads(struct metrics_work *work);
void metrics_distribute_run(struct metrics_work *work);
int metrics_begin_phases(struct metrics_work *work);
int metrics_distribute_phases(struct metrics_work *work);
void metrics_find_persistent(struct metrics_work *work);
int metrics_make_tasks(struct metrics_work *work);
int metrics_make_targets(struct metrics_work *work);
int metrics_make_locks(struct metrics_work *work);
int metrics_make_waits(struct metrics_work *work);
int metrics_make_events(struct metrics_work *work);

/* Adds what counters counted to the threads and regions. */
void metrics_add_counts(struct metrics_work *work);

/* The frame or construct where most of a pool was waited; METRICS_NONE if the pool has no waits. */
uint32_t metrics_most_waited(const struct metrics_work *work, const struct scale_blame_pool *pool);

#endif
