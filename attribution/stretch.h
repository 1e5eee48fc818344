/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much time a thread's CPU time stands for. A thread that works while others wait for it may be off
 * the CPU, by the scheduler or asleep; the CPU clock takes no samples then, though the others wait on.
 * What its samples say of others' waiting is stretched by its time without waiting over its CPU time, in
 * the region where it is. Used by settle.c. Pure.
 */
#ifndef OMPPROF_ATTRIBUTION_STRETCH_H
#define OMPPROF_ATTRIBUTION_STRETCH_H

#include "attribution/tree.h"

/* A thread in a region and in none within it, or outside any region. */
struct stretch_row {
	uint32_t thread; /* index into profile.threads */
	uint32_t region; /* TREE_REGION node, or UINT32_MAX */
	double busy_ns;  /* its time there, less measured waits */
	double cpu_ns;   /* of samples that are no waits */
	uint64_t n;      /* such samples */
};

struct stretch {
	struct stretch_row *rows;    /* in order of thread and region */
	struct stretch_row *threads; /* by thread: the sums of its rows */
	size_t n_rows;
};

/*
 * Fills *stretch; region[] is by node of the tree the innermost region, itself included. With another
 * clock than the CPU's it stays empty. Returns 0, or -1 when out of memory. Release with
 * stretch_release in either case.
 */
int stretch_make(struct stretch *stretch, const struct profile *profile, const struct tree *tree,
	const uint32_t *region);

/*
 * At least 1. With fewer than 10 samples of the thread in the region it is that of the thread's whole
 * life, and 1 with fewer than 10 in all.
 */
double stretch_of(const struct stretch *stretch, uint32_t thread, uint32_t region);

void stretch_release(struct stretch *stretch);

#endif
