/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the figures of stacks were, for formats that have to say so: as far as the profile knows.
 *
 *   trace      a sample is where it was taken; a wait lies evenly between its begin and end, in pieces
 *   timeline   what the trace lacks, or all of it without one: each bucket gets as much of a state as it has; which of the
 *              stacks in that state had it is not known: they take turns, each as often as it has a share of them
 *   life       of threads without a timeline: evenly over the thread's life
 *
 * However much is known, the sum of a stack's moments is its figure, exactly. Blame is taken to be where its thread
 * worked. Events are those of the run's samples, each sample of a stack alike.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_WHEN_H
#define OMPPROF_SRC_EXPORT_EXPORT_WHEN_H

#include "src/export/export_threads.h"

/* What is not in a trace is cut into about so many parts a thread: a stack has its share of them, and one at least. */
enum { EXPORT_WHEN_PARTS = 2000 };

enum export_known {
	EXPORT_BY_TRACE,
	EXPORT_BY_TIMELINE,
	EXPORT_BY_LIFE,
	EXPORT_N_KNOWN,
};

/* A part of a node's figure. */
struct export_moment {
	uint64_t
		at_ns; /* from the run's start: the middle of the time that it stands for, or when the sample was taken */
	uint64_t value;
	uint32_t node;
};

struct export_moments {
	struct export_moment *items; /* by time */
	size_t n, capacity;
	uint64_t known[EXPORT_N_KNOWN]; /* how much of the sum of all values is known how */
};

/*
 * The parts of a metric of a thread's nodes (EXPORT_NONE: of nodes without a thread). Returns 0, or -1 when out of memory.
 * The caller frees moments->items in either case.
 */
int export_when(const struct export_threads *threads, uint32_t thread, enum export_metric metric,
	struct export_moments *moments);

/* The timeline of a thread (EXPORT_NONE: of none), or NULL: it has none. */
const struct profile_timeline *export_timeline(const struct export *export, uint32_t thread);

/* When a thread's life began and ended, on the clock of the moments. */
void export_life(
	const struct export *export, uint32_t thread, uint64_t *begin_ns, uint64_t *end_ns);

#endif
