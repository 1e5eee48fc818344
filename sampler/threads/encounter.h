/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which struct region keeps the executions of a construct that a thread encounters. The thread has
 * a struct for each of the latest constructs, by their creation paths. A struct knows the path as
 * words of the stack (path_cache.h). If these are the same, the construct is encountered as before,
 * and its node and its record are known. So constructs that take turns cost as little as a
 * construct that follows itself.
 */
#ifndef OMPPROF_SAMPLER_THREADS_ENCOUNTER_H
#define OMPPROF_SAMPLER_THREADS_ENCOUNTER_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/region.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/threads/construct.h"

/* Whether the i-th struct's region is open; regions.n counts the region that begins. Any thread. */
static inline int encounter_is_open(const struct thread_regions *regions, uint32_t i)
{
	for (uint32_t level = 0; level + 1 < regions->n; level++) {
		if (regions->open[level] == i)
			return 1;
	}
	return 0;
}

/*
 * Whether the construct is that of the i-th struct, encountered with the same flags by the same
 * path, and the struct's region is not open. If so, sets base_cfa. Owning thread only.
 */
static inline int encounter_is_again(struct thread *thread, uint32_t i, const ompt_frame_t *frame,
	int flags, uint64_t codeptr_ra)
{
	struct region *region = &thread->regions.at[i];
	uint64_t base_cfa;

	if (region->own.flags != flags || region->team.epoch != tool.epoch ||
		!construct_fits(thread, &region->path, codeptr_ra, frame) ||
		encounter_is_open(&thread->regions, i))
		return 0;
	base_cfa = (uint64_t)frame->enter_frame.ptr + region->path.user_cfa;
	if (region->team.base_cfa != base_cfa)
		region->team.base_cfa = base_cfa;
	return 1;
}

/*
 * The thread encounters a construct: begins an execution of its region. Returns the value for
 * parallel_data; 0, and counts the loss, if too many regions are open or there is no
 * memory. Owning thread only.
 */
uint64_t encounter_begin(
	struct thread *thread, const ompt_frame_t *frame, int flags, uint64_t codeptr_ra);

/* The latest region that the thread has encountered and that is open, or NULL. Any thread. */
static inline struct region *encounter_open(struct thread *thread)
{
	struct thread_regions *regions = &thread->regions;

	return regions->at && regions->n > 0 && regions->n <= THREAD_MAX_REGIONS
		       ? &regions->at[regions->open[regions->n - 1]]
		       : NULL;
}

#endif
