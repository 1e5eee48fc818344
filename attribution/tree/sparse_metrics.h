/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of many nodes in little memory. A node has few of the figures that there are, most have none: only
 * those that are not 0 are kept, 8 bytes each and 8 more for a node that has any. Who has the nodes keeps a
 * number for each, which leads to its figures; 0: it has none. Knows nothing of trees.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_SPARSE_METRICS_H
#define OMPPROF_ATTRIBUTION_TREE_SPARSE_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/*
 * Exclusive figures of a node. Waits that the profile measured count in time_ns as they were measured,
 * whether the threads spun or slept; the time of samples that were taken in them is kept apart.
 */
struct tree_metrics {
	uint64_t samples;
	uint64_t time_ns[PROFILE_N_CLASSES]; /* thread time by enum profile_class */
	uint64_t sampled_ns;                 /* of samples in waits that are measured */
	uint64_t events;
	uint64_t n_executions;                   /* regions begun, tasks created */
	uint64_t n_waits;                        /* that were measured */
	uint64_t wait_ns[PROFILE_N_WAITS];       /* measured waiting by enum profile_wait; all but
						    REDUCTION is in time_ns as well */
	uint64_t blame_wait_ns[PROFILE_N_WAITS]; /* what others waited because of this; idleness is
						    PROFILE_IDLE_BETWEEN */
	uint64_t blame_ns;                       /* the sum of these */
};

enum { SPARSE_METRICS_MOST = sizeof(struct tree_metrics) / sizeof(uint64_t) };

/* Begins zeroed. Its parts are for sparse_metrics.c alone. */
struct sparse {
	uint64_t *
		words; /* of each node which figures it has, bit by bit in the order of the struct, and then
			    these; [0] is not used */
	size_t n_words, capacity;
	uint32_t free[SPARSE_METRICS_MOST +
		      1]; /* by how many figures: the first place that nobody has any more;
					    there the next one stands */
};

void sparse_metrics_release(struct sparse *store);

/* What a node has. */
struct tree_metrics sparse_metrics_get(const struct sparse *store, uint32_t at);

/* Adds to what the node *at has. Returns 0 or -1 (out of memory; then nothing is added). */
int sparse_metrics_add(struct sparse *store, uint32_t *at, const struct tree_metrics *more);

/* Likewise what a node has in a store, which may be the same one. */
int sparse_metrics_join(
	struct sparse *store, uint32_t *at, const struct sparse *from, uint32_t from_at);

/* Gives the node these figures in place of its own. As sparse_metrics_add. */
int sparse_metrics_set(struct sparse *store, uint32_t *at, const struct tree_metrics *metrics);

#endif
