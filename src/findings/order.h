/* SPDX-License-Identifier: Apache-2.0 */
/* How two items are ordered by several of their numbers, for functions that qsort calls. */
#ifndef OMPPROF_SRC_FINDINGS_ORDER_H
#define OMPPROF_SRC_FINDINGS_ORDER_H

#include <stddef.h>
#include <stdint.h>

static inline int order_pairs(const uint64_t (*pairs)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pairs[i][0] != pairs[i][1])
			return pairs[i][0] < pairs[i][1] ? -1 : 1;
	return 0;
}

/*
 * ORDER({ a->x, b->x }, { b->y, a->y }): by x, smallest first, and if both x are equal by y,
 * largest first. Negative if a comes before b, 0 if all pairs are equal.
 */
#define ORDER(...)                                                                                 \
	order_pairs((const uint64_t[][2]){ __VA_ARGS__ },                                          \
		sizeof((const uint64_t[][2]){ __VA_ARGS__ }) / sizeof(uint64_t[2]))

/* Interned strings are equal if their addresses are. Their order has no meaning. */
#define ORDER_STRINGS(a, b)                                                                        \
	{                                                                                          \
		(uintptr_t)(a), (uintptr_t)(b)                                                     \
	}

#endif
