/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a walked path into nodes of the thread's calling-context tree: under which context the path
 * hangs, how far out it has to be walked, and its insertion. Samples and creation paths share this
 * code.
 *
 * Most of a path is the same as in the walk before, at the same place in the walker's store. The
 * nodes of its frames are then also the same. thread->note holds the nodes by place. Invariant:
 *
 *   For every place p >= n_unknown of the store, at[p] is zero, or at[p].node is the node that
 *   insertion of the frame at p with at[p].flags under the node at[p].parent finds.
 *
 * The invariant holds for an empty note. It also holds after a walk, whether or not anything is
 * inserted afterwards. A walk leaves the store as it was from the first kept frame on, that is from
 * frame + n - n_kept (walk.h), and n_unknown rises to that place. A walk that has kept no frame may
 * also have written the next place, right behind the path's end. It says there that the frames
 * further out, which the store remembers, do not follow. n_unknown then rises by one more place.
 * Captures drop inner frames of the path, which moves no frame.
 *
 * An insertion lowers n_unknown to the path's first place and writes zeros up to where n_unknown
 * was. Then it adds, frame by frame, the nodes that it finds, or zero where there is no space. It
 * takes a node from the note if parent and flags are as they have to be. The node also depends on
 * the frame's address and on how the frame was found, and these are unchanged for the same frame.
 * Last, the node depends on the generation of the frame's module. A kept frame is in the same
 * object as before: the walker has seen that this object is still there. (A module that could not
 * be recorded is not tried again for a frame that stays.)
 *
 * note->run says for which places an insertion is known to find the same nodes as the latest
 * insertion. The insertion has to begin at the same place under the same node, and the runtime's
 * frames have to begin and end at the same places. Then these are the places from n_unknown on
 * whose flags are the same. at[] has not changed there, so each node is the parent of the next
 * inner node. An insertion can begin at the innermost of these nodes.
 *
 * A node is never removed, and its parent and key never change. A later thread that gets the struct
 * begins with an empty note. So does a child made by fork, whose file has other nodes.
 */
#ifndef OMPPROF_SAMPLER_CORE_PATH_H
#define OMPPROF_SAMPLER_CORE_PATH_H

#include <omp-tools.h>
#include <stddef.h>

#include "sampler/core/frames.h"
#include "sampler/core/thread.h"

/*
 * Where the thread's current task is in the tree. It is asked once for a sample: a region can end
 * at any moment, and all statements about one sample have to agree.
 */
struct path_place {
	struct frames_context frames;
	uint32_t context; /* node id of the current region or task; 0: the thread's own root */
	int has_team;     /* the task belongs to a parallel region that has not ended */
};

/*
 * The pointer if it is into this thread's stack, else 0: it can be into another thread's stack.
 * Signal-safe.
 */
static inline uint64_t path_on_stack(const struct thread *thread, uint64_t pointer)
{
	return pointer >= thread->stack.lo && pointer < thread->stack.hi ? pointer : 0;
}

/* Whether the region that the task belongs to has ended. Signal-safe. */
static inline int path_is_over(const struct task *task)
{
	return task->region &&
	       __atomic_load_n(&task->region->generation, __ATOMIC_RELAXED) != task->generation;
}

/* How the task came onto this thread's stack. Signal-safe. */
static inline enum frames_task path_kind_of(const struct task *task)
{
	if (task->base_cfa)
		return FRAMES_ON_STACK;
	return task->is_implicit ? FRAMES_WORKER : FRAMES_DEFERRED;
}

/*
 * The current task, if it has a context and its region has not ended. Otherwise NULL: the whole
 * stack is then the thread's own (FRAMES_ALL). Bounded. Signal-safe.
 */
static inline const struct task *path_task(const struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);
	const struct task *task = n ? &thread->tasks.at[n - 1] : NULL;

	return task && task->context && !path_is_over(task) ? task : NULL;
}

/*
 * Fills *place for the thread's current task from the thread's own state and the task's frame
 * pointers. These come from `frame`, or from the runtime if `frame` is NULL. Signal-safe.
 */
void path_find_place(struct thread *thread, const ompt_frame_t *frame, struct path_place *place);

/* Returns the node under which the place's frames hang, or 0 without space. Signal-safe. */
uint32_t path_root(struct thread *thread, const struct path_place *place);

/* Walks from `start` into thread->path, as far out as `place` needs. Signal-safe. */
void path_walk(struct thread *thread, struct path_place *place, const struct walk_registers *start,
	const struct walk_bounds *bounds);

/*
 * Inserts the frames of thread->path that belong to `place` into the thread's tree. Returns the
 * innermost frame's node. If no frame belongs to the context, returns the context's own node, or
 * the TRUNCATED node below it if the path was cut short. 0 without space. Signal-safe.
 */
uint32_t path_insert(struct thread *thread, const struct path_place *place);

/* Whether a frame of the latest insertion was found by a guess. Signal-safe. */
int path_is_guessed(const struct thread *thread);

#endif
