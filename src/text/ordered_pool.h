/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on many items that several threads do at once and one thread takes in order: what is made does not
 * depend on how many threads there are, nor does what is taken, and little of it is in memory at a time. Used
 * by src/report/report_job_load.c. It knows nothing of what the items are.
 *
 * Items begin in order, and only so far ahead of the one that is taken next that what has begun and is not
 * taken yet is few items, and weighs no more than IN_ORDER_WEIGHT or is one item.
 */
#ifndef OMPPROF_SRC_TEXT_ORDERED_POOL_H
#define OMPPROF_SRC_TEXT_ORDERED_POOL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of files, as they are weighed by report_job_load.c. */
#define IN_ORDER_WEIGHT ((uint64_t)64 << 20)

/* More threads do not help one that takes what they make. */
#define IN_ORDER_MOST_THREADS 16

struct ordered_pool {
	size_t n;   /* items 0 .. n - 1 */
	void *data; /* for the functions */
	uint64_t (*weigh)(void *data, size_t item);
	/* What the item becomes; NULL: out of memory. Any thread, several at once. */
	void *(*make)(void *data, size_t item);
	/* Owns `made`, which is NULL if make said so. Returns 0, or another number that ends it all. */
	int (*take)(void *data, size_t item, void *made);
	/* Frees what will not be taken. */
	void (*drop)(void *made);
	unsigned n_threads; /* that make; 0: one for each CPU that this process may use */
};

/*
 * Makes and takes all items, the latter in the calling thread; with one thread, or if no other can be had,
 * the former, too. Returns 0, or what `take` returned.
 */
int ordered_pool_run(const struct ordered_pool *work);

#endif
