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
 * Where the thread's current task stands in the tree. Taken once for a sample: a region can end at
 * any moment, and all that is said of one sample has to agree.
 */
struct path_place {
	struct frames_context frames;
	uint32_t context; /* node id of the current region or task; 0: the thread's own root */
	int has_team;     /* the task belongs to a parallel region that has not ended */
};

/*
 * Fills *place for the thread's current task from the thread's own state and the runtime's frame
 * pointers.
 * Signal-safe.
 */
void path_find_place(struct thread *thread, struct path_place *place);

/*
 * The node under which the place's frames hang. 0 without space.
 * Signal-safe.
 */
uint32_t path_root(struct thread *thread, const struct path_place *place);

/*
 * Walks from `start` into thread->path, as far out as `place` needs.
 * Signal-safe.
 */
void path_walk(struct thread *thread, struct path_place *place, const struct walk_registers *start,
	const struct walk_bounds *bounds);

/*
 * Inserts the frames of thread->path that belong to `place` into the thread's tree. Returns the
 * innermost frame's node, the context's own if no frame belongs to it, or 0 without space.
 * Signal-safe.
 */
uint32_t path_insert(struct thread *thread, const struct path_place *place);

#endif
