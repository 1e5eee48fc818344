/* SPDX-License-Identifier: Apache-2.0 */
/* Adds times and counts of a profile, which can be any numbers, without overflow. */
#ifndef OMPPROF_ATTRIBUTION_TREE_ADD_SATURATED_H
#define OMPPROF_ATTRIBUTION_TREE_ADD_SATURATED_H

#include <stdint.h>

/* The sum, or 2^63 if it is larger: so the product of two sums fits in 128 bits. */
static inline uint64_t add_saturated(uint64_t a, uint64_t b)
{
	const uint64_t most = (uint64_t)1 << 63;

	return a < most && b < most - a ? a + b : most;
}

#endif
