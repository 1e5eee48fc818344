/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a walked path to nodes of the thread's calling-context tree: under which context it hangs,
 * how far it has to be walked, and its insertion. Shared by samples and creation paths.
 */
#ifndef OMPPROF_SAMPLER_PATH_H
#define OMPPROF_SAMPLER_PATH_H

#include "sampler/frames.h"
#include "sampler/thread.h"

/*
 * Fills *context for the thread's current task from the thread's own state and the runtime's frame
 * pointers.
 * Signal-safe.
 */
void path_context(struct thread *thread, struct frames_context *context);

/*
 * The node under which the current task's frames hang: a CONTEXT node for its region or task, or
 * the thread's root. 0 without space.
 * Signal-safe.
 */
uint32_t path_root(struct thread *thread);

/*
 * Inserts the frames of thread->path that `context` owns under `root`. Returns the innermost
 * frame's node, `root` if no frame is owned, or 0 without space.
 * Signal-safe.
 */
uint32_t path_insert(struct thread *thread, const struct frames_context *context,
	uint32_t root);

/*
 * Whether the thread's current task belongs to a parallel region that has not ended.
 * Signal-safe.
 */
int path_has_team(struct thread *thread);

#endif
