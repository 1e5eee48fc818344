/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases of the program, as it names them by omp_control_tool (control.h, include/ompprof.h): at any moment
 * the process is in one, the innermost that has begun and not ended, or in none. What each thread does counts
 * for the phase in which it does it, also tasks that were created, and regions that were begun, in another.
 *
 * In a thread's tree all that belongs to a phase hangs under a PHASE node right under the root: cct.root is that
 * node while the phase lasts, so contexts, paths, waits and blame are apart by phase without further ado.
 * A phase is known by its name within the one around it, up to PHASE_MOST of them; others are PHASE_OTHER.
 *
 *   phase_begin, phase_end   a thread changes the process' phase: the change is one more in a ring of the latest
 *                            PHASE_CHANGES, with its moment, and each thread gets a sign (has_news)
 *   phase_meet               a sample goes to the new phase's root, as soon as a thread is sampled
 *   phase_follow             at its next event a thread leaves the old phase for good: what it has remembered of
 *                            nodes (memos, notes, own nodes of its tasks) is dropped
 *   phase_spread             what began before the thread's phase, a wait, a task, a time without a team, is shared
 *                            at its end among the phases that it went by in, by the moments of the changes
 *
 * So nothing is lost or late but the sample period in which a change falls. What spans phases is counted once, in
 * the phase in which it ends. Of a region's execution the encountering thread notes what of it went by in other
 * phases than that in which it began (struct profile_region.elsewhere).
 *
 * A thread that has neither event nor sample after a change does not know of it at the profile's end: what
 * it waits for then counts for the phase that it knows.
 */
#ifndef OMPPROF_SAMPLER_CORE_PHASE_H
#define OMPPROF_SAMPLER_CORE_PHASE_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum {
	PHASE_NONE = 0,
	PHASE_MOST = 64,          /* numbers of phases, */
	PHASE_OTHER = PHASE_MOST, /* of which the last is for all that have no own one */
	PHASE_MAX_DEPTH = 32,     /* phases within each other */
	PHASE_CHANGES = 64,       /* that are known; a power of two */
};

/* Changes of the phase so far. Signal-safe. */
uint32_t phase_n_changes(void);

/*
 * A phase begins: by its number, or if that is 0 by its name, which may be any pointer, also NULL, and is copied at
 * once. Call with the lock of control.c held.
 * Any thread.
 */
void phase_begin(int64_t id, const void *name);

/*
 * The innermost phase ends. Returns 0, or -1 if there is none. Call likewise.
 * Any thread.
 */
int phase_end(void);

/*
 * In a child made by fork, before its profile begins, and once that is there: the child is in the phases that its
 * parent was in.
 * Owning thread only.
 */
void phase_forget(void);
void phase_begin_again(void);

/* What the handler does of phase_follow: the tree's root is the current phase's. Signal-safe. */
void phase_meet(struct thread *thread);

/* The thread's tree and all that it remembers of it go over to the current phase. Owning thread only. */
void phase_follow(struct thread *thread);

/*
 * Likewise, at the end of the thread or of the profile, which is now: the time of its life since then is its phase's.
 * The thread must neither be in an event nor in its handler, unless it is the calling one.
 * Any thread.
 */
void phase_finish(struct thread *thread, uint64_t now);

/* Takes its part of something. */
typedef void phase_take(struct thread *thread, void *data, uint64_t ticks, int is_last);

/*
 * Shares `amount` ticks of something that went on from `begin` to `end` among the phases of that time: gives
 * each part to `take`, with the tree's root that of its phase, the last one with is_last, even if it is 0.
 * Owning thread only.
 */
void phase_spread(struct thread *thread, uint64_t begin, uint64_t end, uint64_t amount,
	phase_take *take, void *data);

/* Whether something that began then may have gone by in more than one phase. Owning thread only. */
static inline int phase_is_spread(const struct thread *thread, uint64_t begin)
{
	return begin < thread->phase.since;
}

/* The ticks between two moments that went by in other phases than that of the first. Any thread. */
uint64_t phase_elsewhere(uint64_t begin, uint64_t end);

#endif
