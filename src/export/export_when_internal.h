/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of export_when have in common. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_WHEN_INTERNAL_H
#define OMPPROF_SRC_EXPORT_EXPORT_WHEN_INTERNAL_H

#include "src/export/export_when.h"

/* A node of the thread. */
struct when_node {
	uint32_t node;
	uint32_t n_traced;
	uint64_t traced; /* what the moments of the trace have of it, added up */
	uint64_t given;  /* of that, so far */
	uint64_t rest;   /* of its figure, that has no moment yet */
};

struct when {
	const struct export *export;
	enum export_metric metric;
	uint64_t begin_ns, end_ns;               /* of the thread's life */
	uint64_t total;                          /* of the metric in the thread */
	const struct profile_timeline *timeline; /* or NULL */
	uint64_t (*supply)[PROFILE_N_TIMES];     /* by bucket: what the trace leaves of it */
	struct when_node *nodes;                 /* those with a figure, up */
	size_t n_nodes;
	struct export_moments *out;
};

/* a * b / c, which has to fit. */
static inline uint64_t when_scale(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)((unsigned __int128)a * b / c);
}

/* Adds a moment. Returns 0, or -1 when out of memory. */
int when_add(
	struct when *when, uint32_t node, uint64_t at_ns, uint64_t value, enum export_known known);

/* Gives all that is left of the nodes its moments, by the timeline or over the life. Likewise. */
int when_spread(struct when *when);

#endif
