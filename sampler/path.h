/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a walked path to nodes of the thread's calling-context tree: under which context it hangs,
 * how far it has to be walked, and its insertion. Shared by samples and creation paths.
 *
 * Most of a path is that of the walk before, and so are the nodes of its frames: thread->note holds
 * them. Its frames are counted from the outermost, as the walker keeps outermost frames. Invariant:
 *
 *   For basis.first <= k < n, node[k] is the node that insertion under basis.top, by marks whose parts
 *   begin at basis.outer and basis.inner, finds for frame k of the path last walked; and frames
 *   0 .. n - 1 are those of the path last walked.
 *
 * It holds of an empty note, and after a walk, which leaves frames 0 .. n_kept - 1 as they were and
 * lowers n to that, whether or not anything is inserted then. Dropping inner frames of the path, as
 * captures do, renumbers none. It holds after an insertion:
 *
 *   - Frame k's key is made of its address, its kind, its module and its flags. A frame that was kept has
 *     the same address, and the walker has seen that its object is still there, so that the module is
 *     what it was (0, if it could not be recorded then). Its flags follow from how it was found, which
 *     it keeps, and from basis.outer, inner and is_outlined. Where outer or is_outlined has changed,
 *     frames before both the old and the new outer are the runtime's as before; where inner has changed,
 *     frames before both are not affected. Only such frames are taken from the note.
 *   - Its node is found under that of frame k - 1, or under basis.top for k = basis.first. Nothing is
 *     taken from the note if top or first have changed.
 *   - From the first frame that is not taken on, frames are inserted and noted, up to one for which
 *     there is no space.
 *
 * A node is never removed or changed, and a thread's note goes with its struct: a later thread, or a
 * child made by fork, whose file has other nodes, begins with an empty one.
 */
#ifndef OMPPROF_SAMPLER_PATH_H
#define OMPPROF_SAMPLER_PATH_H

#include <omp-tools.h>

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
 * Fills *place for the thread's current task from the thread's own state and the task's frame pointers:
 * those of `frame`, or with NULL what the runtime says when asked.
 * Signal-safe.
 */
void path_find_place(struct thread *thread, const ompt_frame_t *frame, struct path_place *place);

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
