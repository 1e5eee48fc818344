/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code of the quick way (region_fast.h) lies: all of it together, and what is likely first, without a jump. Where a region's
   body has put it out of the caches, the program waits for each line of it, and for each page. */
#ifndef OMPPROF_SAMPLER_CORE_REGION_FAST_CODE_H
#define OMPPROF_SAMPLER_CORE_REGION_FAST_CODE_H

#define REGION_FAST_CODE __attribute__((section(".text.hot.turn")))
#define LIKELY(is_so)    __builtin_expect(!!(is_so), 1)

#endif
