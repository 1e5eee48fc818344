/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The quick way of a mutex that a thread gets without waiting, again and again. The three events of a
 * lock that nobody else wants come within 100 ns, of which the runtime takes half to announce them. So
 * nothing is done but to step a phase in the thread's struct:
 *
 *   none --mutex_acquire--> asked --mutex_acquired--> held --mutex_released--> none
 *
 * The thread is *armed* for one mutex, the one that it released last, if that was quick to get and to hold
 * for long (mutex.c). Of its acquisitions then about one in MUTEX_FAST_OF goes the full way, and is timed for all
 * since the one before; how many that are, varies evenly between 1 and twice as many, whatever the
 * program's own rhythm. A wait that is seen takes the arms away.
 *
 * It is not entered while another mutex is asked for: old runtimes announce a test of a lock that failed as a
 * wait, and only the next event in the full way takes that back.
 *
 * Whatever else happens first makes up for what the quick way has left out: another event, which finds
 * that the mutex was not got or that it is held, or a sample, to which the thread waits or holds as in the
 * full way. Other threads do not see that it asks: a quick wait of nobody's concern.
 *
 * Neither the phase of the tool nor the thread's epoch is looked at: all that is written is the thread's own
 * memory, of which a child made by fork has a copy.
 */
#ifndef OMPPROF_SAMPLER_CORE_MUTEX_FAST_H
#define OMPPROF_SAMPLER_CORE_MUTEX_FAST_H

#include <stdatomic.h>
#include <stdint.h>

#include "sampler/core/thread_self.h"
#include "sampler/core/thread.h"

enum { MUTEX_FAST_OF = 32 };

/* Values of profile_now.mutex_until that are no times. */
enum {
	MUTEX_WAITS = 0,
	MUTEX_HOLDS = 1,    /* since a moment that is not known, */
	MUTEX_HAS_HELD = 2, /* and not any more */
};

enum { MUTEX_FAST_NONE, MUTEX_FAST_ASKED, MUTEX_FAST_HELD };

/*
 * Arms the thread for the mutex that it has just released.
 * Owning thread only.
 */
void mutex_fast_arm(
	struct thread *thread, struct mutex_slot *slot, uint64_t wait_id, uint32_t ompt_kind);

/*
 * Takes the arms away; what they were used for is counted. Phase MUTEX_FAST_NONE.
 * Owning thread only.
 */
void mutex_fast_disarm(struct thread *thread);

/*
 * Another event comes: what was asked for was not got, what was got is held in the full way from now on.
 * Owning thread only.
 */
void mutex_fast_leave(struct thread *thread);

/*
 * A sample comes: what was asked for is asked for in the full way, likewise.
 * Signal-safe.
 */
void mutex_fast_meet(struct thread *thread);

/*
 * Adds to the mutexes that the thread holds the one that it asked for.
 * Signal-safe.
 */
void mutex_push_held(struct thread *thread, const struct held_mutex *asked, uint64_t now);

/*
 * Steps from one phase to the next with the handler kept out. Returns whether it did: whether the thread was
 * in that phase with this mutex.
 * Owning thread only.
 */
static inline int mutex_fast_step(
	struct thread *thread, uint64_t wait_id, uint32_t ompt_kind, uint8_t from, uint8_t to)
{
	struct mutex_fast *quick = &thread->quick;
	int is_step;

	thread->gate.in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	is_step = quick->wait_id == wait_id && quick->phase == from &&
		  quick->ompt_kind == ompt_kind && !thread->gate.is_pending &&
		  (from != MUTEX_FAST_NONE || (quick->left > 0 && !thread->mutexes.asked.kind));
	if (is_step) {
		quick->phase = to;
		quick->left -= from == MUTEX_FAST_NONE;
	}
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool--;
	return is_step;
}

/* The event of the mutex is dealt with. Owning thread only. */
static inline int mutex_fast_event(uint64_t wait_id, uint32_t ompt_kind, uint8_t from, uint8_t to)
{
	struct thread *thread = self_thread;

	return thread && mutex_fast_step(thread, wait_id, ompt_kind, from, to);
}

#endif
