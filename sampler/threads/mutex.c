/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes; see mutex.h. Not for the signal handler. */
#include "sampler/threads/mutex.h"

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/threads/mutex_table.h"
#include "sampler/core/sample_follow.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"
#include "sampler/threads/wait.h"
#include "sampler/threads/wait_delay.h"

/*
 * A timed hold of a weight from 2 to TIMING_OF does not always look at who waits, but once in so
 * many times.
 */
enum { LOOKED_OF = 4 };

/*
 * Timed acquisitions in a row without a wait, after which a mutex may take the mutex fast path; and
 * the same for a mutex that several threads use.
 */
enum { CALM_ENOUGH = 8, CALM_ENOUGH_SHARED = 64 };

/* Acquisitions on the fast path that one timed acquisition represents at most. */
enum { MOST_OWED = 1000 };

/* Acquisitions without a wait, after which a thread may be armed for any mutex. */
enum { PACE_OF = 64 };

uint32_t mutex_kind(uint32_t ompt_kind)
{
	static const uint8_t kinds[] = {
		[ompt_mutex_lock] = PROFILE_LOCK,
		[ompt_mutex_test_lock] = PROFILE_LOCK,
		[ompt_mutex_nest_lock] = PROFILE_NEST_LOCK,
		[ompt_mutex_test_nest_lock] = PROFILE_NEST_LOCK,
		[ompt_mutex_critical] = PROFILE_CRITICAL,
		[ompt_mutex_atomic] = PROFILE_ATOMIC,
		[ompt_mutex_ordered] = PROFILE_ORDERED,
	};

	return ompt_kind < sizeof(kinds) ? kinds[ompt_kind] : PROFILE_NO_WAIT;
}

static int is_exclusive(uint32_t kind)
{
	return kind != PROFILE_ORDERED && kind != PROFILE_NO_WAIT;
}

/* The slot of a mutex that excludes other threads; mostly the slot that the thread used last. */
static struct mutex_slot *slot_of(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct mutex_slot *slot = thread->mutexes.recent;

	if (slot && slot->key == PROFILE_WAIT_KEY(kind, wait_id))
		return slot;
	return thread->mutexes.recent = mutex_slot(thread, kind, wait_id);
}

/* The timing of the acquisitions of a mutex; without a slot, of the waits of its kind. */
static struct event_timing *timing_of(struct thread *thread, const struct held_mutex *asked)
{
	return asked->slot ? &asked->slot->event_timing : &thread->waits.timings[asked->kind];
}

/*
 * How many acquisitions the acquisition that is asked for represents; 0: it is not timed. n_owed of
 * them are acquisitions that were deferred to it (struct mutex_slot); it is 0 before.
 */
static uint32_t weight_of(struct thread *thread, struct held_mutex *asked)
{
	struct mutex_slot *slot = asked->slot;
	int turn = slot ? mutex_fast_turn(thread, slot, asked->kind) : MUTEX_FAST_NO_TURN;
	uint32_t weight;

	if (!slot)
		return timing_weight(&thread->waits.timings[PROFILE_ORDERED]);
	if (turn == MUTEX_FAST_WARMS)
		return 0;
	/*
	 * The slot of all mutexes without a record (key 0) has no rate of its own: all are timed.
	 */
	weight = turn || !slot->key ? 1 : timing_weight(&slot->event_timing);
	if (weight) {
		asked->is_any = turn == MUTEX_FAST_ANY_TURN;
		asked->n_owed = (uint16_t)(slot->n_owed < MOST_OWED ? slot->n_owed : MOST_OWED);
		slot->n_owed -= asked->n_owed;
	}
	return weight + asked->n_owed;
}

/*
 * Whether the mutex has been waited for lately. Then all acquisitions read the clock when they ask,
 * and what is timed is chosen afterwards. A thread that does more before it asks comes later, so it
 * waits less, and finds the mutex free if threads alternate.
 */
static int is_waited_for(const struct mutex_slot *slot)
{
	return slot && slot->key && slot->n_calm < CALM_ENOUGH &&
	       slot->event_timing.n_quick >= TIMING_PATIENCE;
}

/*
 * Notes which mutex the thread requests. Acquisitions that were deferred to an open request are
 * deferred again.
 */
static struct held_mutex *request(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct held_mutex *asked = &thread->mutexes.requested;

	if (asked->kind && asked->slot)
		asked->slot->n_owed += asked->n_owed;
	asked->slot = is_exclusive(kind) ? slot_of(thread, kind, wait_id) : NULL;
	asked->n_owed = 0;
	asked->is_any = 0;
	asked->signals = thread->record->n_signals;
	asked->wait_id = wait_id;
	asked->kind = (uint8_t)kind;
	return asked;
}

static void publish_request(struct thread *thread, const struct held_mutex *asked)
{
	board_publish_mutex(&thread->record->now, asked->wait_id, asked->kind, asked->since);
	board_publish_wait(thread, asked->kind, asked->since);
}

void mutex_ask(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct held_mutex *asked = request(thread, kind, wait_id);
	int is_late = is_waited_for(asked->slot);

	asked->weight = is_late ? 0 : (uint16_t)weight_of(thread, asked);
	asked->since = asked->weight || is_late ? tool_time() : 0;
	publish_request(thread, asked);
}

void mutex_ask_again(struct thread *thread, uint32_t kind, uint64_t wait_id, uint64_t since)
{
	struct held_mutex *asked = request(thread, kind, wait_id);

	asked->weight = 1;
	asked->since = since;
	publish_request(thread, asked);
}

void mutex_note_impl(struct thread *thread, uint32_t impl, uint32_t hints)
{
	struct profile_lock *record =
		thread->mutexes.requested.slot ? thread->mutexes.requested.slot->record : NULL;

	/* The record that several mutexes share has no implementation and no hints. */
	if (!record || !record->wait_id)
		return;
	if (impl && record->impl != impl)
		record->impl = impl;
	if (hints & ~record->hints)
		record->hints |= hints;
}

static void count_wait(struct profile_lock *record, uint32_t n, uint64_t ticks, uint64_t sum,
	const void *codeptr_ra)
{
	writer_count(&record->n_contended, n);
	writer_count(&record->wait, sum);
	if (ticks > record->max_wait) {
		record->max_wait = ticks;
		record->codeptr = (uint64_t)codeptr_ra;
	}
}

/*
 * The least ticks of an acquisition that had to wait. After acquisitions on the fast path, the code
 * of the slow path has to be fetched, and after a long time the mutex, too. If no other thread is
 * known to use the mutex, a thread that was not seen may hold it nevertheless. An interruption can
 * be long as well, but from run_delay on it is known whether the thread had a CPU.
 */
static uint64_t wait_least(struct thread *thread, const struct held_mutex *asked)
{
	const struct thresholds *thresholds = &tool.thresholds;
	const struct mutex_slot *slot = asked->slot;

	if (slot && slot->key && !mutex_is_shared(slot->key))
		return thresholds->run_delay;
	if (slot && slot->record->n_acquired - slot->record->n_estimated == 1)
		return thresholds->first_wait_least;
	if (asked->is_any || !thread->mutexes.free ||
		timing_between(timing_of(thread, asked)->last, asked->since) >
			(uint64_t)thresholds->cold * asked->weight)
		return thresholds->cold_wait_least;
	return 2 * (uint64_t)thread->mutexes.free +
	       (asked->n_owed ? thresholds->slow_free_most : thresholds->free_most);
}

/* Whether another thread has asked for the mutex lately. */
static int is_asked_by_others(const struct thread *thread, uint64_t wait_id)
{
	uint32_t n_listed = board_n_listed();

	for (uint32_t i = 0; i < n_listed; i++) {
		const struct profile_now *other = board_at(i);

		if (other && other != &thread->record->now && BOARD_READ(other->mutex) == wait_id)
			return 1;
	}
	return 0;
}

/*
 * The ticks that the thread waited for the mutex, given the ticks of its acquisition: the time
 * beyond that of a free mutex. While threads share a mutex, a free one takes about twice the least
 * time. 0 if that is too little to be a wait. A long acquisition that represents others may be an
 * interruption. It is no wait, either, if no other thread has asked for the mutex lately.
 */
static uint64_t waited(struct thread *thread, const struct held_mutex *asked, uint64_t ticks)
{
	const struct thresholds *thresholds = &tool.thresholds;
	uint32_t *least = &thread->mutexes.free;
	uint64_t usual;

	if (ticks && ticks < (*least ? *least : thresholds->free_at_first))
		*least = (uint32_t)ticks;
	usual = *least + (*least < thresholds->free_most ? *least : thresholds->free_most);
	if (ticks <= usual || ticks < wait_least(thread, asked) ||
		(asked->weight > 1 && asked->slot && ticks >= thresholds->quick &&
			!is_asked_by_others(thread, asked->wait_id)))
		return 0;
	return ticks - usual;
}

/* A wait was seen: for a while all of the thread's acquisitions are seen. */
static void forget_pace(struct thread *thread)
{
	thread->mutexes.pace = (struct mutex_pace){ 0 };
}

/* The wait is over, at `now`; it is added if it was long enough to be a wait. */
static void end_wait(struct thread *thread, const void *codeptr_ra, uint64_t now)
{
	struct held_mutex *asked = &thread->mutexes.requested;
	uint64_t taken = timing_between(asked->since, now), sum, key;
	uint64_t ticks = waited(thread, asked, taken);
	uint64_t delay_ns;
	uint32_t leaf = 0;

	/* A timed event is a wait and the hold after it. */
	timing_judge(timing_of(thread, asked), taken);
	if (!asked->slot)
		thread->waits.timings[asked->kind].last = now;
	if (!ticks) {
		thread->mutexes.pace.n_calm++;
		if (asked->slot)
			asked->slot->n_calm++;
		return;
	}
	forget_pace(thread);
	key = PROFILE_WAIT_KEY(asked->kind, asked->slot ? asked->slot->record->wait_id : 0);
	sum = ticks * asked->weight;
	/* With is_any the acquisitions that it represents were of other mutexes, at other times. */
	if (!asked->is_any)
		sum = wait_carry(thread, key, codeptr_ra, asked->since, now, sum);
	if (asked->slot) {
		asked->slot->n_calm = 0;
		count_wait(asked->slot->record, asked->weight, ticks, sum, codeptr_ra);
	}
	leaf = wait_add(thread, key, codeptr_ra, asked->weight,
		&(struct wait_span){ asked->since, now, sum, ticks });
	delay_ns = run_delay_is_due(thread, now) ? wait_delay_look(thread) : 0;
	timeline_wait(thread, asked->kind, leaf, asked->since, now,
		clock_less(sum, wait_delay_ticks(delay_ns, ticks)));
	wait_delay_end(thread, leaf, ticks, delay_ns);
}

/*
 * The thread got a mutex without a reported request, or by a test: it did not wait. The hold may be
 * timed.
 */
static void ask_late(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct held_mutex *asked = &thread->mutexes.requested;

	*asked = (struct held_mutex){
		.wait_id = wait_id,
		.kind = (uint8_t)kind,
		.slot = is_exclusive(kind) ? slot_of(thread, kind, wait_id) : NULL,
	};
	asked->weight = (uint16_t)weight_of(thread, asked);
	BOARD_WRITE(thread->record->now.mutex, 0);
}

/* Chooses whether the acquisition is timed. If a sample has met its wait, it is, with weight 1. */
static void choose_late(struct thread *thread, struct held_mutex *asked)
{
	if (thread->record->n_signals != asked->signals)
		asked->weight = 1;
	else
		asked->weight = (uint16_t)weight_of(thread, asked);
}

void mutex_got(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra)
{
	struct held_mutex *asked = &thread->mutexes.requested;
	int is_unasked = asked->kind != kind || asked->wait_id != wait_id;
	uint64_t now = 0;

	if (is_unasked)
		ask_late(thread, kind, wait_id);
	else if (!asked->slot && is_exclusive(kind)) /* a sample met it on the fast path */
		asked->slot = slot_of(thread, kind, wait_id);
	if (asked->slot) {
		tool_count(&asked->slot->record->n_acquired);
		if (!asked->slot->record->codeptr)
			asked->slot->record->codeptr = (uint64_t)codeptr_ra;
	}
	if (asked->since && !asked->weight)
		choose_late(thread, asked);
	if (asked->weight) {
		now = tool_time();
		if (!is_unasked)
			end_wait(thread, codeptr_ra, now);
	}
	BOARD_WRITE(thread->record->now.mutex_until, now ? now : MUTEX_HOLDS);
	/* To add a wait takes as long as a short hold. */
	if (now && asked->slot && asked->slot->n_calm == 0)
		now = tool_time();
	mutex_push_held(thread, asked, now);
	board_end_mutex(thread);
}

void mutex_end_turn(struct thread *thread, const void *codeptr_ra)
{
	struct held_mutex *asked = &thread->mutexes.requested;

	if (asked->since && !asked->weight)
		choose_late(thread, asked);
	if (asked->kind == PROFILE_ORDERED && asked->weight)
		end_wait(thread, codeptr_ra, tool_time());
	board_end_mutex(thread);
}

/* The ticks between `begin` and `end` in which the owner of `other` waited for the mutex. */
static uint64_t overlap(
	const struct profile_now *other, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint64_t since, until;

	if (!board_asks(other, wait_id, &since, &until))
		return 0;
	/*
	 * A thread that was not timed, and has the mutex now, is taken to have got it at the
	 * release.
	 */
	if (until > MUTEX_HOLDS && until < end)
		end = until;
	if (since > begin)
		begin = since;
	return end > begin ? end - begin : 0;
}

/* The ticks that all threads waited for the mutex while the calling thread held it. */
static uint64_t sum_waits(
	const struct thread *thread, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint32_t n_listed = board_n_listed();
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n_listed; i++) {
		const struct profile_now *other = board_at(i);

		if (other && other != &thread->record->now)
			sum += overlap(other, wait_id, begin, end);
	}
	return sum;
}

static void blame(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t ticks)
{
	uint32_t node = capture_here(thread, (uint64_t)codeptr_ra);

	if (node)
		cct_add_blame(&thread->cct, node, 0, key, ticks);
}

static void drop_held(struct thread *thread, uint32_t at, uint32_t n)
{
	uint64_t kinds = 0;

	memmove(&thread->mutexes.held[at], &thread->mutexes.held[at + 1],
		(n - at - 1) * sizeof(*thread->mutexes.held));
	for (uint32_t i = 0; i + 1 < n; i++)
		kinds |= 1ULL << thread->mutexes.held[i].kind;
	BOARD_WRITE(thread->record->now.held, kinds);
}

/* Adds a hold that was timed and ends now, unless it was all in a pause. */
static void count_hold(const struct held_mutex *held, uint64_t now)
{
	struct profile_lock *record = held->slot->record;
	uint64_t ticks = timing_between(held->since, now);
	uint64_t sum =
		timing_took(&held->slot->event_timing, &held->slot->kept, held->weight, ticks, now);

	if (!ticks && tool_is_paused())
		return;
	writer_count(&record->n_held, held->weight);
	writer_count(&record->held, sum);
	if (ticks > record->max_held)
		record->max_held = ticks;
}

/* Adds a hold that was timed, and blames it for the waits of others during it. */
static void end_hold(struct thread *thread, const struct held_mutex *held, const void *codeptr_ra)
{
	const struct profile_lock *record = held->slot->record;
	uint64_t now = tool_time(), ticks = timing_between(held->since, now);
	uint64_t waited, weight = held->weight;

	count_hold(held, now);
	if (!ticks)
		return;
	/*
	 * The waits during this hold represent the waits during all holds that it represents. Not
	 * every hold that represents others looks at them.
	 */
	if (held->weight > 1 && held->weight <= TIMING_OF) {
		if (thread->mutexes.n_looks++ % LOOKED_OF != 0)
			return;
		weight *= LOOKED_OF;
	}
	waited = board_n_listed() > 1 ? sum_waits(thread, held->wait_id, held->since, now) : 0;
	if (waited) {
		held->slot->n_calm = 0;
		forget_pace(thread);
	}
	if (waited)
		blame(thread, PROFILE_WAIT_KEY(held->kind, record->wait_id), codeptr_ra,
			waited * weight);
}

static int may_be_quick(const struct thread *thread, const struct mutex_slot *slot)
{
	return slot->key && slot->event_timing.n_quick >= TIMING_PATIENCE &&
	       slot->n_calm >= CALM_ENOUGH && !tool_is_paused() &&
	       !(thread->quick.slot == slot && thread->quick.left) &&
	       (slot->n_calm >= CALM_ENOUGH_SHARED || !mutex_is_shared(slot->key));
}

/*
 * A hold has ended. Whether the thread's acquisitions cost more than the budget, and none has
 * waited for a while.
 */
static int is_over_budget(struct thread *thread, const struct held_mutex *held)
{
	struct mutex_pace *pace = &thread->mutexes.pace;
	uint64_t begin = pace->since, cost;

	if (!tool.settings.mutex_budget || tool_is_paused())
		return 0;
	pace->n += 1 + held->n_owed;
	if (begin && (pace->n < PACE_OF || pace->n_calm < PACE_OF))
		return pace->is_on;
	cost = (uint64_t)pace->n * tool.thresholds.mutex_slow * 100;
	pace->since = tool_time();
	pace->is_on =
		begin && timing_between(begin, pace->since) * tool.settings.mutex_budget < cost;
	pace->n = 0;
	return pace->is_on;
}

static uint32_t n_entries(const struct thread *thread)
{
	return thread->mutexes.n_held < THREAD_MAX_HELD ? thread->mutexes.n_held : THREAD_MAX_HELD;
}

void mutex_finish(struct thread *thread, uint64_t now)
{
	uint32_t n = n_entries(thread);

	for (uint32_t i = 0; i < n && !__atomic_load_n(&tool.holds_are_unknown, __ATOMIC_RELAXED);
		i++) {
		if (thread->mutexes.held[i].slot && thread->mutexes.held[i].since)
			count_hold(&thread->mutexes.held[i], now);
	}
	thread->mutexes.n_held = 0;
	open_intervals_forget_mutex(thread);
}

void mutex_released(
	struct thread *thread, uint32_t ompt_kind, uint64_t wait_id, const void *codeptr_ra)
{
	uint32_t n = n_entries(thread), at = n;
	const struct held_mutex *held;
	struct held_mutex dropped;

	while (at > 0 && thread->mutexes.held[at - 1].wait_id != wait_id)
		at--;
	if (thread->mutexes.n_held > 0)
		thread->mutexes.n_held--;
	if (at == 0) {
		/*
		 * No acquisition of it is known. Written only once: other threads read the fields
		 * beside it.
		 */
		if (!__atomic_load_n(&tool.holds_are_unknown, __ATOMIC_RELAXED))
			__atomic_store_n(&tool.holds_are_unknown, 1, __ATOMIC_RELAXED);
		return;
	}
	held = &thread->mutexes.held[at - 1];
	open_intervals_forget_mutex(thread);
	if (thread->record->now.mutex_until == MUTEX_HOLDS)
		BOARD_WRITE(thread->record->now.mutex_until, MUTEX_HAS_HELD);
	/* A single hold stays in its place meanwhile: to copy what was just written is slow. */
	if (n == 1) {
		BOARD_WRITE(thread->record->now.held, 0);
	} else {
		dropped = *held;
		held = &dropped;
		drop_held(thread, at - 1, n);
	}
	if (held->kind != mutex_kind(ompt_kind) || !held->slot)
		return;
	if (held->since)
		end_hold(thread, held, codeptr_ra);
	else if (thread->record->n_signals != held->signals ||
		 thread->record->n_callbacks - held->callbacks > 1)
		timing_was_slow(&held->slot->event_timing);
	if (n != 1 || thread->quick.is_any)
		return;
	if (is_over_budget(thread, held))
		mutex_fast_arm(thread, NULL, held, ompt_kind);
	else if (may_be_quick(thread, held->slot))
		mutex_fast_arm(thread, held->slot, held, ompt_kind);
}
