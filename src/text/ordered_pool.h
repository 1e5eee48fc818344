/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on many items: several threads make them at once and one thread takes them in order. The
 * results, and the order in which they are taken, do not depend on the number of threads. Only few
 * of the results are in memory at a time. Used by src/report/report_job_load.c. The pool knows
 * nothing about the items.
 *
 * Items begin in order. An item begins only while few items have begun and not been taken yet. The
 * weight of these items together is at most IN_ORDER_WEIGHT, except for a single item, which may
 * weigh more.
 */
#ifndef OMPPROF_SRC_TEXT_ORDERED_POOL_H
#define OMPPROF_SRC_TEXT_ORDERED_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of files: report_job_load.c weighs items so. */
#define IN_ORDER_WEIGHT ((uint64_t)64 << 20)

/* More threads do not help a single thread that takes the results. */
#define IN_ORDER_MOST_THREADS 16

struct ordered_pool {
	size_t n;   /* items 0 .. n - 1 */
	void *data; /* passed to the functions */
	uint64_t (*weigh)(void *data, size_t item);
	/* Makes the result of an item; NULL: out of memory. Several threads call it at once. */
	void *(*make)(void *data, size_t item);
	/*
	 * Takes and owns a result, which is NULL if make() returned that. Returns 0, or what ends
	 * all work.
	 */
	int (*take)(void *data, size_t item, void *made);
	/* Frees a result that is not taken. */
	void (*drop)(void *made);
	/* threads that make items; 0: as many as count_cpus() */
	unsigned n_threads;
};

/* The number of CPUs that this process may use, at least 1. */
unsigned count_cpus(void);

/*
 * Makes and takes all items. The calling thread takes them; it also makes them if n_threads is 1 or
 * no thread can be created. Returns 0, or what `take` returned.
 */
int ordered_pool_run(const struct ordered_pool *work);

#endif
