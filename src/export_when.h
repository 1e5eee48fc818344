/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the time of a stack was, for formats that have to say so. A profile without a trace knows how much time each
 * stack has, and not when: the time of a stack is cut into equal parts, and these are spread evenly over its thread's
 * life. The sums are exact; the order of two stacks of a thread says nothing.
 */
#ifndef OMPPROF_EXPORT_WHEN_H
#define OMPPROF_EXPORT_WHEN_H

#include "src/export.h"

/* A thread's time is cut into about so many parts: a stack has that share of them, and one at least. */
enum { EXPORT_WHEN_PARTS = 2000 };

/* A part of a node's figure. */
struct export_moment {
	uint64_t at_ns; /* from the run's start: the middle of the time that it stands for */
	uint64_t value;
	uint32_t node;
};

/*
 * The parts of export->metric of a thread's nodes (EXPORT_NONE: of nodes without a thread), by time. Returns 0, or
 * -1 when out of memory. The caller frees *moments.
 */
int export_when(const struct export *export, uint32_t thread, struct export_moment **moments,
	size_t *n_moments);

/* When a thread's life began and ended, from the run's start. */
void export_life(
	const struct export *export, uint32_t thread, uint64_t *begin_ns, uint64_t *end_ns);

#endif
