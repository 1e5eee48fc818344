/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An export by thread: the nodes of each, and what the trace has of each, if the program ran with one. One pass over
 * all of them makes the lists, so that formats which write a thread after the other take no longer for many threads.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_THREADS_H
#define OMPPROF_SRC_EXPORT_EXPORT_THREADS_H

#include "src/export/export.h"

struct export_threads {
	const struct export *export;
	uint32_t n;           /* profile.n_threads; number n stands for nodes of no thread */
	size_t *first_node;   /* by thread: in `node`; one more is the end */
	uint32_t *node;       /* thread after thread, up */
	size_t *first_moment; /* likewise in `moment` */
	uint32_t *moment;     /* indices into profile.moments, by their ends */
};

/* Returns 0, or -1 when out of memory. Release in either case. */
int export_threads_init(struct export_threads *threads, const struct export *export);
void export_threads_release(struct export_threads *threads);

/* The number of a thread (EXPORT_NONE: of none) in these lists. */
static inline uint32_t export_thread_number(const struct export_threads *threads, uint32_t thread)
{
	return thread == EXPORT_NONE ? threads->n : thread;
}

/*
 * The node that has the time of a moment, and the class that it counts as there; EXPORT_NONE: not known. What a node
 * has no time of (samples in waits that are measured, which filters left out) is found all the same.
 */
uint32_t export_moment_node(const struct export *export, const struct profile_moment_record *moment,
	enum profile_class *class);

#endif
