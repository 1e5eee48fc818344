/* SPDX-License-Identifier: Apache-2.0 */
/* Adds times and counts of a profile without overflow: in a damaged file they can be any number. */
#ifndef OMPPROF_ATTRIBUTION_TREE_ADD_SATURATED_H
#define OMPPROF_ATTRIBUTION_TREE_ADD_SATURATED_H

#include <stdint.h>

/* The sum, or 2^63 if it is larger. */
static inline uint64_t add_saturated(uint64_t a, uint64_t b)
{
	const uint64_t most = (uint64_t)1 << 63;

	return a < most && b < most - a ? a + b : most;
}

#endif
