/* SPDX-License-Identifier: Apache-2.0 */
/* The types and functions that the files of metrics.h share. */
#ifndef OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H
#define OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/add_saturated.h"
#include "attribution/tree/scale_blame.h"

#define METRICS_NONE UINT32_MAX

/*
 * A part of the threads' time that is divided into causes by itself: the time in a region and in no
 * region within it, the serial code, or the life of a thread.
 */
struct metrics_part {
	uint64_t whole_ns; /* the time to be divided */
	uint64_t busy_ns;  /* the part of it in which no thread waited; the samples divide it */
	/* measured waits at barriers, divided in the ratio of the next three */
	uint64_t barrier_ns;
	uint64_t imbalance_ns;
	uint64_t release_ns;
	uint64_t starved_ns;
	uint64_t waited_ns[METRICS_N_CAUSES]; /* the other measured waits */
	uint64_t reduction_ns;                /* the part of them in which samples are overhead */
	/* ns, without measured waits; 0 with samples of an event */
	uint64_t sampled[METRICS_N_CAUSES];
	uint64_t executed_ns; /* of a thread: time in tasks, without waits */
	uint64_t off_ns; /* the part of cause_ns[METRICS_BLOCKED] that the CPU clock did not see */
	uint64_t cause_ns[METRICS_N_CAUSES]; /* the result; the sum is whole_ns */
};

/* Further figures of a struct metrics_region while it is made. */
struct metrics_work_region {
	struct metrics_part part;
	uint64_t team_wall_ns;
	uint64_t inner_ns; /* wall time of the regions directly within it */
	/* a hidden helper thread of the runtime encountered it, in a task */
	int is_helpers;
	/* index of the outermost region around it, or its own index */
	uint32_t top;
	struct scale_blame_shares shares; /* of an outermost region: the shares of its capacity */
};

/* The figures under way. */
struct metrics_work {
	struct metrics *metrics;
	const struct profile *profile;
	const struct tree *tree;
	/*
	 * by tree node: index of the innermost region around it or the node itself, or METRICS_NONE
	 */
	uint32_t *region_of;
	uint8_t *is_mpi;                     /* by tree node: whether it is in the MPI library */
	struct metrics_work_region *regions; /* one for each of metrics.regions */
	struct metrics_part *threads;        /* one for each of metrics.threads */
	/* one for each of metrics.phases; NULL without phases */
	struct metrics_part *phases;
	struct metrics_part serial;
	/*
	 * of threads that are neither native nor hidden helpers: time without a CPU or without a
	 * clock
	 */
	uint64_t off_ns;
	/* the thread whose time outside regions is the serial code */
	uint32_t serial_thread;
	struct metrics_blame *scratch; /* room for the entries of any pool */
};

/* The cause of a measured wait and of a sample's class. */
enum metrics_cause metrics_cause_of_wait(uint8_t wait);
enum metrics_cause metrics_cause_of_class(uint8_t class);

static inline int metrics_is_barrier(uint8_t wait)
{
	return tree_wait_class(wait) == PROFILE_WAIT_BARRIER;
}

/*
 * The frame, region, task or root that a leaf for waits or overhead belongs to; for other nodes the
 * node itself.
 */
uint32_t metrics_holder(const struct tree *tree, uint32_t node);

/*
 * Divides total into parts[0 .. n) in the ratio of the weights, exactly. parts[rest] gets all if
 * all weights are 0.
 */
void metrics_distribute(
	uint64_t total, const uint64_t *weights, uint64_t *parts, size_t n, size_t rest);

/*
 * Whether the samples leave more of the busy time open than 5 % and than the samples can err: some
 * periods, and three times the root of their number.
 */
int metrics_is_off_cpu(const struct profile *profile, uint64_t busy_ns, uint64_t sampled_ns);

/* The samples' time of a part, without samples in measured waits, in ns. */
uint64_t metrics_sampled_of(const struct metrics_part *part);

/* Moves off_ns of a divided part from its busy causes to METRICS_BLOCKED. */
void metrics_take_off_cpu(struct metrics_part *part, uint64_t off_ns);

/*
 * Leaves no more than most_ns off the CPU in a part that was divided. The rest becomes the
 * runtime's overhead.
 */
void metrics_bound_off_cpu(struct metrics_part *part, uint64_t most_ns);

/* Part `i` of the parts that share an amount, or NULL if it has no share. */
typedef struct metrics_part *metrics_part_at(struct metrics_work *work, size_t i);

/*
 * How parts share an amount: the weight of a part, and the function that gives the part its share.
 */
struct metrics_sharing {
	uint64_t (*weight)(const struct metrics_part *part);
	void (*take)(struct metrics_part *part, uint64_t share_ns);
};

/*
 * Shares `total` among n parts, but no more than the sum of their weights. The sum of the shares is
 * exact.
 */
void metrics_share_parts(struct metrics_work *work, size_t n, metrics_part_at *at, uint64_t total,
	const struct metrics_sharing *sharing);

/* The time off the CPU of a part that was divided. */
uint64_t metrics_off_of(const struct metrics_part *part);

/*
 * The n parts, which were divided, are all of the threads' time. By the threads' CPU time they were
 * off the CPU for work->off_ns at most. The time off the CPU beyond it becomes the runtime's
 * overhead, since not all waits of the runtime were measured.
 */
void metrics_bound_parts(struct metrics_work *work, size_t n, metrics_part_at *at);

/* A divided part as the figures of a thread. */
struct metrics_thread metrics_sum_part(const struct metrics_part *part);

/*
 * Each function makes some of the figures and returns 0, or -1 when out of memory. They are called
 * in this order. metrics_distribute_part fills part->cause_ns.
 */
int metrics_find_regions(struct metrics_work *work);
int metrics_add_up(struct metrics_work *work); /* fills the parts except whole and busy */
void metrics_distribute_part(struct metrics_part *part, const struct profile *profile);
void metrics_distribute_threads(struct metrics_work *work);
void metrics_distribute_run(struct metrics_work *work);
int metrics_begin_phases(struct metrics_work *work);
int metrics_distribute_phases(struct metrics_work *work);
int metrics_find_persistent(struct metrics_work *work);
int metrics_make_tasks(struct metrics_work *work);
int metrics_make_targets(struct metrics_work *work);
int metrics_make_locks(struct metrics_work *work);
int metrics_make_waits(struct metrics_work *work);
int metrics_make_events(struct metrics_work *work);

/* The frame, region or task where most of a pool was waited. */
uint32_t metrics_most_waited(const struct metrics_work *work, const struct scale_blame_pool *pool);

#endif
