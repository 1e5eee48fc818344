/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records the atomic operations that a function does on shared memory. A file that includes this
 * header before the product's headers gets the product's own inline functions, so a case checks the
 * orders that the product uses. Operations that are not atomic are of one thread, and not recorded.
 */
#ifndef OMPPROF_TESTS_LITMUS_RECORD_H
#define OMPPROF_TESTS_LITMUS_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum litmus_kind { LITMUS_LOAD, LITMUS_STORE, LITMUS_ADD, LITMUS_SWAP, LITMUS_FENCE };

/* One operation. Returns the value that was read: from memory, or as the explorer says. */
uint64_t litmus_do(enum litmus_kind kind, const volatile void *at, size_t bytes, uint64_t value,
	uint64_t expected, int order);

#define __atomic_load_n(at, order)                                                                 \
	((__typeof__(*(at)))litmus_do(LITMUS_LOAD, at, sizeof(*(at)), 0, 0, order))
#define __atomic_store_n(at, value, order)                                                         \
	((void)litmus_do(LITMUS_STORE, at, sizeof(*(at)), (uint64_t)(value), 0, order))
#define __atomic_fetch_add(at, value, order)                                                       \
	litmus_do(LITMUS_ADD, at, sizeof(*(at)), (uint64_t)(value), 0, order)
#define __atomic_fetch_sub(at, value, order)                                                       \
	litmus_do(LITMUS_ADD, at, sizeof(*(at)), -(uint64_t)(value), 0, order)
#define __atomic_compare_exchange_n(at, expected, value, weak, order, failure)                     \
	(litmus_do(LITMUS_SWAP, at, sizeof(*(at)), (uint64_t)(value), (uint64_t) * (expected),     \
		 order) == (uint64_t) * (expected))
#define __atomic_thread_fence(order) ((void)litmus_do(LITMUS_FENCE, NULL, 0, 0, 0, order))

#endif
