/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of export_when. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_WHEN_INTERNAL_H
#define OMPPROF_SRC_EXPORT_EXPORT_WHEN_INTERNAL_H

#include "src/export/export_when.h"

struct when_node {
	uint32_t node;
	uint32_t n_traced;
	uint64_t traced; /* sum of its moments in the trace */
	uint64_t given;  /* the part of `traced` that has been added to the output */
	uint64_t rest;   /* part of its figure that has no moment yet */
};

struct when {
	const struct export *export;
	enum export_metric metric;
	uint64_t begin_ns, end_ns;               /* of the thread's life */
	uint64_t total;                          /* of the metric in all nodes of the thread */
	const struct profile_timeline *timeline; /* or NULL */
	uint64_t (*supply)[PROFILE_N_TIMES];     /* by bucket: the time that the trace leaves */
	struct when_node *nodes;                 /* nodes with a figure, ascending */
	size_t n_nodes;
	struct export_moments *out;
};

/* a * b / c; the result has to fit. */
static inline uint64_t when_scale(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)((unsigned __int128)a * b / c);
}

int when_add(
	struct when *when, uint32_t node, uint64_t at_ns, uint64_t value, enum export_known known);

/*
 * Adds moments for what the trace does not explain, by the timeline or over the thread's life.
 * Returns 0, or -1 when out of memory.
 */
int when_spread(struct when *when);

#endif
