/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section for the code of the fast path (region_fast.h). All of it lies together, with likely
 * code first and without a jump. Where a region's body has evicted it from the caches, the program
 * waits for each cache line and each page of it.
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_FAST_CODE_H
#define OMPPROF_SAMPLER_CORE_REGION_FAST_CODE_H

#define REGION_FAST_CODE __attribute__((section(".text.hot.turn")))
#define LIKELY(is_so)    __builtin_expect(!!(is_so), 1)

#endif
