/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of constructs: a REGION or TASK node under the path that created it, or what takes its place where
 * the runtime created a construct on its own, or the user wants less. The node of an explicit task that is
 * encountered again by the same path in the same context is found without a search.
 */
#ifndef OMPPROF_SAMPLER_CONSTRUCT_H
#define OMPPROF_SAMPLER_CONSTRUCT_H

#include <stdint.h>

#include "sampler/capture.h"
#include "sampler/thread.h"

/*
 * The node of a region that was captured, which counts; 0 if it could not be made. One that the runtime began
 * on its own, for a team of a league, belongs to what it was begun in (*is_within).
 * Owning thread only.
 */
uint32_t construct_region(struct thread *thread, const struct creation *creation,
	uint8_t node_flags, uint8_t *is_within);

/*
 * Captures where an explicit task is created, as far as the settings ask for it, into *creation, whose ip is
 * set. Returns the task's node, which counts; 0 if it could not be made.
 * Owning thread only.
 */
uint32_t construct_task(struct thread *thread, struct creation *creation, int flags,
	const ompt_frame_t *frame, const struct walk_registers *here);

/*
 * Counts a region or task that is without its creation path.
 * Owning thread only.
 */
void construct_lose(struct thread *thread);

/*
 * Likewise, on a thread that is not known.
 * Any thread.
 */
void construct_lose_of_none(void);

#endif
