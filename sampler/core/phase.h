/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases of the program, which the program names by omp_control_tool (control.h,
 * include/ompprof.h). At any moment the process is in one phase, the innermost that has begun and
 * not ended, or in none. All that a thread does belongs to the phase in which it does it. This is
 * also true for tasks that were created in another phase, and for regions that were begun there.
 *
 * In a thread's tree all nodes of a phase hang under a PHASE node right under the root. cct.root is
 * that node while the phase lasts, so contexts, paths, waits and blame of different phases are
 * separate without further work. A phase is known by its name, or by the program's number for it,
 * within the phase around it. The first PHASE_MOST - 1 phases have their own numbers; all further
 * phases share the last number, PHASE_OTHER.
 *
 *   phase_begin, phase_end   a thread changes the process' phase: the change and its moment go into
 *                            a ring of the latest PHASE_CHANGES; each thread gets a sign (has_news)
 *   phase_meet               a sample goes to the new phase's root, as soon as a thread is sampled
 *   phase_follow             at its next event that is not on the mutex fast path a thread leaves
 *                            the old phase for good: it drops all nodes that it has remembered
 *                            (memos, notes, own nodes of its tasks)
 *   phase_spread             a wait, a task or a time without a team that began before the thread's
 *                            phase is divided at its end among the phases that it passed through,
 *                            by the moments of the changes
 *
 * So only the sample period in which a change falls is added late. A wait or task that spans phases
 * is counted once, in the phase in which it ends, and a region's execution in the phase in which it
 * began. For the execution the encountering thread notes how much of its time was in other phases
 * (struct profile_region.elsewhere). If more than PHASE_CHANGES changes come meanwhile, the time
 * before them is in the earliest phase that is still known.
 *
 * If the program is killed, a thread that has had neither an event nor a sample since a change does
 * not know about the change. Its open waiting then belongs to the phase that it knows.
 */
#ifndef OMPPROF_SAMPLER_CORE_PHASE_H
#define OMPPROF_SAMPLER_CORE_PHASE_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum {
	PHASE_NONE = 0,
	PHASE_MOST = 64,          /* numbers of phases */
	PHASE_OTHER = PHASE_MOST, /* the last number, for all phases without their own */
	PHASE_MAX_DEPTH = 32,     /* phases within each other */
	PHASE_CHANGES = 64,       /* changes that are known; a power of two */
};

/* Number of changes of the phase so far. Signal-safe. */
uint32_t phase_n_changes(void);

/*
 * A phase begins. It is known by its number or, if the number is 0, by its name. The name may be
 * any pointer, also NULL, and is copied at once. Call with the lock of control.c held. Any thread.
 */
void phase_begin(int64_t id, const void *name);

/*
 * The innermost phase ends. Returns 0, or -1 (counted in the profile) if the program is in no
 * phase. Call with the lock of control.c held. Any thread.
 */
int phase_end(void);

/*
 * In a child made by fork: call phase_forget before the child's profile begins, and
 * phase_begin_again once the profile exists. The child is then in the phases of its parent.
 * Owning thread only.
 */
void phase_forget(void);
void phase_begin_again(void);

/*
 * The handler's part of phase_follow: makes the tree's root that of the current phase. Signal-safe.
 */
void phase_meet(struct thread *thread);

/*
 * Moves the thread's tree, and all that the thread remembers about it, to the current phase.
 * Owning thread only.
 */
void phase_follow(struct thread *thread);

/*
 * As phase_follow, when the thread or the profile ends, at the time `now`. The time of the thread's
 * life since the latest change goes to the current phase. The thread must neither be in an
 * event nor in its handler, unless it is the calling thread. Any thread.
 */
void phase_finish(struct thread *thread, uint64_t now);

/* Takes one phase's part of a time. */
typedef void phase_take(struct thread *thread, void *data, uint64_t ticks, int is_last);

/* Whether an interval that began at `begin` may be in more than one phase. Owning thread only. */
static inline int phase_is_spread(const struct thread *thread, uint64_t begin)
{
	return begin < thread->phase.since;
}

/* phase_spread for an interval that phase_is_spread. Owning thread only. */
void phase_spread_all(struct thread *thread, uint64_t begin, uint64_t end, uint64_t amount,
	phase_take *take, void *data);

/*
 * Divides `amount` ticks of an interval from `begin` to `end` among the phases of that time. Gives
 * each part to `take` while the tree's root is that of the part's phase. The last part has is_last
 * set, and is given even if it is 0. Whoever adds a time from one event to another calls it, or a
 * function of wait.h that takes a struct wait_span. Owning thread only.
 */
static inline void phase_spread(struct thread *thread, uint64_t begin, uint64_t end,
	uint64_t amount, phase_take *take, void *data)
{
	if (phase_is_spread(thread, begin))
		phase_spread_all(thread, begin, end, amount, take, data);
	else
		take(thread, data, amount, 1);
}

/*
 * The ticks between two moments that were in other phases than that of the first moment.
 * Any thread.
 */
uint64_t phase_find_elsewhere(uint64_t begin, uint64_t end);

/* As phase_find_elsewhere; 0 at once if the thread knows of no change. Owning thread only. */
static inline uint64_t phase_elsewhere(const struct thread *thread, uint64_t begin, uint64_t end)
{
	return phase_is_spread(thread, begin) ? phase_find_elsewhere(begin, end) : 0;
}

#endif
