/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a mutex that a thread gets without waiting, again and again. The three events of
 * an uncontended lock come within 100 ns, half of which the runtime takes to announce them. So the
 * fast path only steps a phase in the thread's struct:
 *
 *   none --mutex_acquire--> asked --mutex_acquired--> held --mutex_released--> none
 *
 * A thread is *armed* for at most one mutex, once it has released a mutex that was quick to get and
 * briefly held many times in a row (mutex.c). Then about one in MUTEX_FAST_OF of its acquisitions
 * takes the slow path. It is timed, and represents all acquisitions since the previous timed one.
 * Their number varies evenly from 1 to 2 * MUTEX_FAST_OF - 1, whatever the program's own rhythm.
 * A wait that a timed acquisition or hold sees keeps the thread from being armed again for a while.
 *
 * A program can use many mutexes, each of them rarely: a table of locks. If their events cost more
 * than the budget (settings.h), and none has waited lately, the thread is armed for *any* mutex of
 * their kind. About one in MUTEX_ANY_OF acquisitions is then timed. All acquisitions since the
 * previous timed one count as its mutex', although they were of others. The acquisition before it
 * takes the slow path, too, so that the code is fetched by then, and is not timed. Acquisitions are
 * chosen by their number, never by the mutex: so the figures of each mutex are right on average,
 * and their sums are as exact as for one mutex. profile_lock.n_estimated says how many acquisitions
 * were counted so. A thread that is armed so takes the slow path for a mutex within a mutex.
 *
 * The fast path is not entered while the thread asks for another mutex. Old runtimes announce a
 * failed test of a lock as a wait, and only the next event on the slow path takes this back.
 *
 * Any other event, unless it is only counted, and any sample, first does what the fast path has
 * deferred. Another event finds that the mutex was not acquired, or that it is held. In a sample
 * the thread waits for the mutex, or holds it, as on the slow path. Other threads do not see that
 * the thread asks: nobody else is concerned by such a quick wait.
 *
 * Neither the tool's state nor the thread's epoch is checked. Only the thread's own memory is
 * written, and a child made by fork has its own copy of it.
 *
 * The last functions here say whether a thread tests a lock in a loop, instead (mutex.h).
 */
#ifndef OMPPROF_SAMPLER_CORE_MUTEX_FAST_H
#define OMPPROF_SAMPLER_CORE_MUTEX_FAST_H

#include <stdatomic.h>
#include <stdint.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread.h"

enum { MUTEX_FAST_OF = 32, MUTEX_ANY_OF = 128 };

enum { MUTEX_FAST_NONE, MUTEX_FAST_ASKED, MUTEX_FAST_HELD };

/*
 * Arms the thread for the mutex that it has just released, or, without a slot, for any mutex of its
 * kind. Owning thread only.
 */
void mutex_fast_arm(struct thread *thread, struct mutex_slot *slot, const struct held_mutex *held,
	uint32_t ompt_kind);

/*
 * Disarms the thread; its acquisitions on the fast path are counted. Call in phase MUTEX_FAST_NONE.
 * Owning thread only.
 */
void mutex_fast_disarm(struct thread *thread);

/*
 * The turn that an acquisition is: none, one of its own mutex, or one of any mutex.
 * MUTEX_FAST_WARMS: none, but the next acquisition is one.
 */
enum { MUTEX_FAST_NO_TURN, MUTEX_FAST_OWN_TURN, MUTEX_FAST_ANY_TURN, MUTEX_FAST_WARMS };

/*
 * The turn of an acquisition of this mutex, of a kind of enum profile_wait. At its own or at any
 * mutex' turn it is to be timed, and the thread is disarmed; acquisitions of any mutex are then
 * counted at this one. Owning thread only.
 */
int mutex_fast_turn(struct thread *thread, struct mutex_slot *slot, uint32_t kind);

/*
 * Another event comes, in a phase other than MUTEX_FAST_NONE. A mutex that was asked for was not
 * acquired. A mutex that was acquired is held on the slow path from now on. Owning thread only.
 */
void mutex_fast_leave(struct thread *thread);

/*
 * A sample comes, in a phase other than MUTEX_FAST_NONE. A mutex that was asked for is asked for on
 * the slow path from now on; a mutex that was acquired is held there. Signal-safe.
 */
void mutex_fast_meet(struct thread *thread);

/*
 * Adds the mutex that the thread asked for to the mutexes that it holds, since `now`; 0: the hold
 * is not timed. A mutex beyond THREAD_MAX_HELD is only counted. Signal-safe.
 */
void mutex_push_held(struct thread *thread, const struct held_mutex *asked, uint64_t now);

/*
 * Whether an acquisition may be on the fast path. A mutex within a mutex may not if the thread is
 * armed for any: all of these take the slow path, so that none is represented twice.
 * Owning thread only.
 */
static inline int mutex_fast_may_begin(const struct thread *thread)
{
	return thread->quick.left > 0 && !thread->mutexes.requested.kind &&
	       !(thread->quick.is_any && thread->mutexes.n_held);
}

/*
 * Steps from one phase to the next, with the handler kept out. Returns whether the thread was in
 * phase `from` with this mutex, and so made the step. Owning thread only.
 */
static inline int mutex_fast_step(
	struct thread *thread, uint64_t wait_id, uint32_t ompt_kind, uint8_t from, uint8_t to)
{
	struct mutex_fast *quick = &thread->quick;
	int is_step;

	if (thread->gate.in_tool)
		return 0;
	thread->gate.in_tool = 1;
	atomic_signal_fence(memory_order_seq_cst);
	is_step = (quick->wait_id == wait_id || (quick->is_any && from == MUTEX_FAST_NONE)) &&
		  quick->phase == from && quick->ompt_kind == ompt_kind &&
		  !thread->gate.is_pending &&
		  (from != MUTEX_FAST_NONE || mutex_fast_may_begin(thread));
	if (is_step) {
		quick->phase = to;
		quick->wait_id = wait_id;
		quick->left -= from == MUTEX_FAST_NONE;
	}
	atomic_signal_fence(memory_order_seq_cst);
	thread->gate.in_tool = 0;
	return is_step;
}

/* Handles the event of a mutex on the fast path. Returns whether it did. Owning thread only. */
static inline int mutex_fast_event(uint64_t wait_id, uint32_t ompt_kind, uint8_t from, uint8_t to)
{
	struct thread *thread = self_thread;

	return thread && mutex_fast_step(thread, wait_id, ompt_kind, from, to);
}

/* Tries without a gap, after which a sample between two tries is in the wait. */
enum { MUTEX_SPIN_LEAST = 4 };

/*
 * Whether so many ticks after a try are too many for a loop of tries. A sample takes its time, too.
 * Signal-safe.
 */
static inline int mutex_spin_is_gap(const struct thread *thread, uint64_t ticks)
{
	return ticks > (thread->record->n_signals == thread->mutexes.spin.signals
				       ? tool.thresholds.quick
				       : tool.thresholds.disturbed);
}

/* Whether the thread, in a sample, tests the mutex that it asks for in a loop. Signal-safe. */
static inline int mutex_is_spinning(const struct thread *thread)
{
	const struct mutex_spin *spin = &thread->mutexes.spin;

	return thread->mutexes.requested.kind && spin->n_quick >= MUTEX_SPIN_LEAST &&
	       spin->callbacks == thread->record->n_callbacks &&
	       timing_between(spin->tried, tool_time()) <= tool.thresholds.disturbed;
}

#endif
