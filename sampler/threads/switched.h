/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the calling thread has kept its CPU since a moment, without a question to the kernel. The
 * C library registers an area of each thread for restartable sequences (rseq). When the kernel
 * returns to a thread that it had taken off its CPU, or whose signal it delivers, it clears the
 * pointer to the thread's critical section. So a thread sets this pointer to a section that it
 * never executes (switched_arm), and has kept its CPU for as long as the pointer stays.
 *
 * Kernels that clear the pointer only after an interrupt of user code, and C libraries without the
 * area, are noticed at the start. Then no thread is ever armed.
 */
#ifndef OMPPROF_SAMPLER_THREADS_SWITCHED_H
#define OMPPROF_SAMPLER_THREADS_SWITCHED_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/arch.h"

/* The start of struct rseq of <linux/rseq.h>, whose later fields depend on the kernel. */
struct switched_area {
	uint32_t cpu_id_start, cpu_id;
	uint64_t section;
};

/*
 * The distance from the thread pointer to the thread's area; 0: this way is of no use. Any thread.
 */
extern ptrdiff_t switched_offset __attribute__((visibility("hidden")));

/* The section that no thread executes; its content is in switched.c. Any thread. */
extern const uint64_t switched_section[4] __attribute__((visibility("hidden")));

/* Finds the area, and tries whether the kernel clears the pointer. Owning thread only. */
void switched_prepare(void);

/* The thread's area, if there is an offset. Owning thread only. */
static inline struct switched_area *switched_here(void)
{
	return (struct switched_area *)(arch_thread_pointer() + switched_offset);
}

/*
 * Whether the thread has kept its CPU since switched_arm. With an offset of 0 this reads the C
 * library's own data at the thread pointer, which is no such pointer. Owning thread only.
 */
static inline int switched_is_armed(void)
{
	return __atomic_load_n(&switched_here()->section, __ATOMIC_RELAXED) ==
	       (uint64_t)(uintptr_t)switched_section;
}

/*
 * From now on switched_is_armed tells whether the thread has kept its CPU. The program may be in no
 * critical section of its own, as it is in none while it calls a function. Owning thread only.
 */
static inline void switched_arm(void)
{
	if (switched_offset)
		__atomic_store_n(&switched_here()->section, (uint64_t)(uintptr_t)switched_section,
			__ATOMIC_RELAXED);
}

#endif
