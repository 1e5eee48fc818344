/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of metrics.h share. */
#ifndef OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H
#define OMPPROF_ATTRIBUTION_METRICS_METRICS_INTERNAL_H

#include "attribution/metrics/metrics.h"
#include "attribution/tree/scale_blame.h"

#define METRICS_NONE UINT32_MAX

/*
 * A part of the threads' time that is cut into causes by itself: that in a region and in none within
 * it, the serial code, the life of a thread.
 */
struct metrics_part {
	uint64_t whole_ns;     /* what is cut */
	uint64_t busy_ns;      /* of it, when no thread waited: as the samples say */
	uint64_t barrier_ns;   /* measured waits at barriers, */
	uint64_t imbalance_ns; /* which are to be cut in the ratio of these three */
	uint64_t release_ns;
	uint64_t starved_ns;
	uint64_t waited_ns[METRICS_N_CAUSES]; /* the other measured waits */
	uint64_t reduction_ns;                /* of them, in which samples are overhead */
	uint64_t sampled[METRICS_N_CAUSES];   /* ns, without measured waits; 0 of events */
	uint64_t executed_ns;                 /* of a thread: in tasks, without waits */
	uint64_t off_ns; /* of cause_ns[METRICS_BLOCKED]: what the CPU clock did not see */
	uint64_t cause_ns[METRICS_N_CAUSES]; /* the result; the sum is whole_ns */
};

/* Beside a struct metrics_region while it is made. */
struct metrics_work_region {
	struct metrics_part part;
	uint64_t team_wall_ns;
	uint64_t inner_ns;                /* wall time of the regions right within it */
	int is_helpers;                   /* a helper of the runtime encountered it, in a task */
	uint32_t top;                     /* index of the outermost region around it, or its own */
	struct scale_blame_shares shares; /* of an outermost region: of its capacity */
};

/* What is under way. */
struct metrics_work {
	struct metrics *metrics;
	const struct profile *profile;
	const struct tree *tree;
	uint32_t *region_of; /* by tree node: index of the innermost region, itself included, or
				METRICS_NONE */
	uint8_t *is_mpi;     /* by tree node: in MPI */
	struct metrics_work_region *regions; /* beside metrics.regions */
	struct metrics_part *threads;        /* beside metrics.threads */
	struct metrics_part *phases;         /* beside metrics.phases; NULL without any */
	struct metrics_part serial;
	uint64_t off_ns; /* of threads, neither native nor helpers: without a CPU or a clock */
	uint32_t serial_thread;        /* whose time outside regions is the serial code */
	struct metrics_blame *scratch; /* room for the entries of any pool */
};

/* The cause of a measured wait and of a sample's class. */
enum metrics_cause metrics_cause_of_wait(uint8_t wait);
enum metrics_cause metrics_cause_of_class(uint8_t class);

static inline int metrics_is_barrier(uint8_t wait)
{
	return tree_wait_class(wait) == PROFILE_WAIT_BARRIER;
}

/* The frame, region, task or root that a leaf for waits or overhead belongs to; otherwise the node. */
uint32_t metrics_holder(const struct tree *tree, uint32_t node);

/* Cuts total into parts[0 .. n) as weights say, exactly; all to parts[rest] if they are all 0. */
void metrics_distribute(
	uint64_t total, const uint64_t *weights, uint64_t *parts, size_t n, size_t rest);

/*
 * Whether the samples leave a part of the busy time open that is more than 5 % and more than they can
 * err: some periods, and three times the root of their number.
 */
int metrics_is_off_cpu(const struct profile *profile, uint64_t busy_ns, uint64_t sampled_ns);

/* The samples' time of a part, without that in measured waits, ns. */
uint64_t metrics_sampled_of(const struct metrics_part *part);

/* Moves so much of what a part that was cut did busily to what no CPU did. */
void metrics_take_off_cpu(struct metrics_part *part, uint64_t off_ns);

/* Leaves no more than so long off the CPU of a part that was cut. The runtime gets the rest. */
void metrics_bound_off_cpu(struct metrics_part *part, uint64_t most_ns);

/* Part `i` of those that share an amount, or NULL if it has no share. */
typedef struct metrics_part *metrics_part_at(struct metrics_work *work, size_t i);

/* How a part shares an amount: in proportion to its weight, and what its share does to it. */
struct metrics_sharing {
	uint64_t (*weight)(const struct metrics_part *part);
	void (*take)(struct metrics_part *part, uint64_t share_ns);
};

/* Shares `total` among n parts, but no more than the sum of their weights. The shares are exact. */
void metrics_share_parts(struct metrics_work *work, size_t n, metrics_part_at *at, uint64_t total,
	const struct metrics_sharing *sharing);

/* The time off the CPU of a part that was cut. */
uint64_t metrics_off_of(const struct metrics_part *part);

/*
 * The n parts that were cut are all that the threads did. By the threads' CPU time they were off the CPU for
 * work->off_ns at most. The rest of what the parts have as such is the runtime's, whose waiting was not all measured.
 */
void metrics_bound_parts(struct metrics_work *work, size_t n, metrics_part_at *at);

/* What a part that was cut comes to, in a thread's terms. */
struct metrics_thread metrics_sum_part(const struct metrics_part *part);

/*
 * Each makes a part of the figures and returns 0, or -1 when out of memory; they are called in this
 * order. metrics_distribute_part fills part->cause_ns.
 */
int metrics_find_regions(struct metrics_work *work);
int metrics_add_up(struct metrics_work *work); /* fills the parts but for whole and busy */
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

/* The frame, region or task where most of a pool was waited for. */
uint32_t metrics_most_waited(const struct metrics_work *work, const struct scale_blame_pool *pool);

#endif
