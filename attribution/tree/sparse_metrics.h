/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of many nodes in little memory. Most nodes have no figures, and the rest has few. Only
 * figures that are not 0 are kept: 8 bytes for each, and 8 more for each node that has any. The
 * owner of the nodes keeps a number for each node, which leads to its figures; 0: the node has
 * none. Knows nothing of trees.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_SPARSE_METRICS_H
#define OMPPROF_ATTRIBUTION_TREE_SPARSE_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/*
 * Exclusive figures of a node. Measured waits add their measured time to time_ns, whether the
 * threads spun or slept. The time of samples in measured waits is kept apart.
 */
struct tree_metrics {
	uint64_t samples;
	uint64_t time_ns[PROFILE_N_CLASSES]; /* thread time by enum profile_class */
	uint64_t sampled_ns;                 /* of samples in measured waits */
	uint64_t events;
	uint64_t n_executions; /* regions and target constructs begun, tasks created */
	uint64_t n_waits;      /* measured waits */
	/* measured waiting by enum profile_wait; all except REDUCTION is in time_ns as well */
	uint64_t wait_ns[PROFILE_N_WAITS];
	uint64_t mpi_no_cpu_ns; /* in timed calls of MPI without a CPU; part of no other figure */
	/* waiting of others because of this node; idle time is all at PROFILE_IDLE_BETWEEN */
	uint64_t blame_wait_ns[PROFILE_N_WAITS];
	uint64_t blame_ns;                        /* the sum of blame_wait_ns */
	uint64_t counters[PROFILE_MOST_COUNTERS]; /* by number in the run's list (--counters) */
};

enum { SPARSE_METRICS_MOST = sizeof(struct tree_metrics) / sizeof(uint64_t) };

/* Begins zeroed. Its members are for sparse_metrics.c alone. */
struct sparse {
	/* a node's entry: a bit for each figure it has, then its figures; [0] is unused */
	uint64_t *words;
	size_t n_words, capacity;
	uint32_t free[SPARSE_METRICS_MOST +
		      1]; /* by number of figures: the first free place, which has the next */
};

void sparse_metrics_release(struct sparse *store);

/* The figures of the node whose number is `at`; all are 0 for number 0. */
struct tree_metrics sparse_metrics_get(const struct sparse *store, uint32_t at);

/*
 * Adds to the figures of a node; *at is its number, which can change. Returns 0, or -1 when out of
 * memory; then nothing is added.
 */
int sparse_metrics_add(struct sparse *store, uint32_t *at, const struct tree_metrics *more);

/*
 * Adds the figures of a node of `from`, which may be the same store. Returns as sparse_metrics_add.
 */
int sparse_metrics_join(
	struct sparse *store, uint32_t *at, const struct sparse *from, uint32_t from_at);

/* Replaces the figures of the node. Returns as sparse_metrics_add. */
int sparse_metrics_set(struct sparse *store, uint32_t *at, const struct tree_metrics *metrics);

#endif
