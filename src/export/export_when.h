/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times of stacks' figures, as far as the profile knows them, for formats that have to write
 * times.
 *
 *   trace      A sample has the time at which it was taken. A wait is spread evenly between its
 *              begin and end, in pieces.
 *   timeline   The time that the trace lacks, or all time without a trace. Each bucket gets as much
 *              of a state as the timeline says. It is not known which stack of that state had the
 *              time: the stacks take turns, each as often as its share.
 *   life       For threads without a timeline, and for states that the timeline lacks: spread
 *              evenly over the thread's life.
 *
 * In all cases the sum of a stack's moments is exactly its figure. Blame is assumed to be where its
 * thread worked. Events are placed as the samples: each sample of a stack has the same number of
 * events.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_WHEN_H
#define OMPPROF_SRC_EXPORT_EXPORT_WHEN_H

#include "src/export/export_threads.h"

/*
 * About how many moments the time of a thread's life gets, outside a trace or as one wait of the
 * trace. A node gets at least one.
 */
enum { EXPORT_WHEN_PARTS = 2000 };

enum export_known {
	EXPORT_BY_TRACE,
	EXPORT_BY_TIMELINE,
	EXPORT_BY_LIFE,
	EXPORT_N_KNOWN,
};

struct export_moment {
	/* from the run's start: of the sample, or the middle of the moment's time */
	uint64_t at_ns;
	uint64_t value;
	uint32_t node;
};

struct export_moments {
	struct export_moment *items; /* sorted by time */
	size_t n, capacity;
	/* the sum of the values whose time is known in each way */
	uint64_t known[EXPORT_N_KNOWN];
};

/*
 * Makes the moments of a metric for a thread's nodes (EXPORT_NONE: nodes without a thread). Returns
 * 0, or -1 when out of memory. The caller frees moments->items in either case.
 */
int export_when(const struct export_threads *threads, uint32_t thread, enum export_metric metric,
	struct export_moments *moments);

/* The timeline of a thread, or NULL; always NULL for EXPORT_NONE. */
const struct profile_timeline *export_timeline(const struct export *export, uint32_t thread);

/*
 * The begin and end of a thread's life, on the clock of the moments; of the run for EXPORT_NONE,
 * and of the selected part with --time.
 */
void export_life(
	const struct export *export, uint32_t thread, uint64_t *begin_ns, uint64_t *end_ns);

#endif
