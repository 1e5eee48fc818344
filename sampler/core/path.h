/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a walked path to nodes of the thread's calling-context tree: under which context it hangs,
 * how far it has to be walked, and its insertion. Shared by samples and creation paths.
 *
 * Most of a path is that of the walk before, at the same place in its store, and so are the nodes of its
 * frames: thread->note holds them by place. Invariant:
 *
 *   For every place p >= n_unknown of the store, at[p] is zero, or at[p].node is the node that insertion
 *   of the frame at p with at[p].flags under the node at[p].parent finds.
 *
 * It holds of an empty note, and after a walk, whether or not anything is inserted then: a walk leaves
 * the store from the first kept frame on as it was (that is, from frame + n - n_kept; walk.h), and
 * n_unknown rises to that. If it has kept none, it may also have written the one place behind the path's
 * end, to say that the frames further out, which it remembers, do not follow: one place more. Dropping inner frames of the path, as captures do, moves none. An insertion
 * lowers n_unknown to the path's first place, with zeros up to where it was, and then adds frame by frame
 * what it finds; where there is no space, zero. It takes a node from the note if parent and flags are what
 * they have to be: what else the node depends on is the frame's address and how it was found, which are
 * those of the same frame, and the generation of its module. A kept frame is in the same object as it was:
 * the walker has seen that this is still there. (A module that could not be recorded is not tried again
 * for a frame that stays.)
 *
 * note->run says for which places the latest insertion is known to go the same way again: those from
 * n_unknown on whose flags are the same, as the runtime's frames begin and end at the same places, if it
 * began at the same place under the same node. at[] has not changed there, so that each node is the next
 * one's parent, and the innermost of them is where an insertion can begin.
 *
 * A node is never removed or changed, and a thread's note goes with its struct: a later thread, or a
 * child made by fork, whose file has other nodes, begins with an empty one.
 */
#ifndef OMPPROF_SAMPLER_CORE_PATH_H
#define OMPPROF_SAMPLER_CORE_PATH_H

#include <omp-tools.h>
#include <stddef.h>

#include "sampler/core/frames.h"
#include "sampler/core/thread.h"

/*
 * Where the thread's current task stands in the tree. Taken once for a sample: a region can end at
 * any moment, and all that is said of one sample has to agree.
 */
struct path_place {
	struct frames_context frames;
	uint32_t context; /* node id of the current region or task; 0: the thread's own root */
	int has_team;     /* the task belongs to a parallel region that has not ended */
};

/* A pointer into this thread's stack, or 0: ancestors can lie on another thread's. Signal-safe. */
static inline uint64_t path_on_stack(const struct thread *thread, uint64_t pointer)
{
	return pointer >= thread->stack.lo && pointer < thread->stack.hi ? pointer : 0;
}

/* Whether the region that the task is of has ended. Signal-safe. */
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

/* The current task, if it has a context: an end of its own on the stack; NULL where the stack is all the same. Bounded.
   Signal-safe. */
static inline const struct task *path_task(const struct thread *thread)
{
	uint32_t n = thread->tasks.n < THREAD_MAX_TASKS ? thread->tasks.n : THREAD_MAX_TASKS;
	const struct task *task = n ? &thread->tasks.at[n - 1] : NULL;

	return task && task->context && !path_is_over(task) ? task : NULL;
}

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

/*
 * Whether one of the frames that were inserted last was found by a guess.
 * Signal-safe.
 */
int path_is_guessed(const struct thread *thread);

#endif
