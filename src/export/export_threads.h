/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An export by thread: the nodes of each thread, and its moments of the trace, if the program ran
 * with a trace. One pass makes all lists, so that formats which write thread after thread do not
 * slow down with many threads.
 */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_THREADS_H
#define OMPPROF_SRC_EXPORT_EXPORT_THREADS_H

#include "src/export/export.h"

struct export_threads {
	const struct export *export;
	uint32_t n; /* profile.n_threads; number n is for nodes of no thread */
	/* by thread: where its nodes begin in `node`; a last entry marks the end */
	size_t *first_node;
	uint32_t *node;       /* thread after thread, ascending */
	size_t *first_moment; /* as first_node, in `moment` */
	uint32_t *moment;     /* indices into profile.moments, sorted by their ends */
};

/* Returns 0, or -1 when out of memory. Release in either case. */
int export_threads_init(struct export_threads *threads, const struct export *export);
void export_threads_release(struct export_threads *threads);

/* The index of a thread in these lists; EXPORT_NONE has the last. */
static inline uint32_t export_thread_number(const struct export_threads *threads, uint32_t thread)
{
	return thread == EXPORT_NONE ? threads->n : thread;
}

/*
 * Returns the node to which a moment's time belongs, and its class; EXPORT_NONE: not known, or no
 * node has time of the class. The node may have no time: a sample in a measured wait, or a filter
 * leaves the time out.
 */
uint32_t export_moment_node(const struct export *export, const struct profile_moment_record *moment,
	enum profile_class *class);

#endif
