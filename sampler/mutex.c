/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes; see mutex.h. Not for the signal handler. */
#include "sampler/mutex.h"

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/cct.h"
#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/mutex_table.h"
#include "sampler/team.h"
#include "sampler/tool.h"
#include "sampler/wait.h"

/* What getting a free mutex takes at most, about 400 ns; the first time its memory has to come. */
#define WAIT_LEAST_TICKS       1000
#define FIRST_WAIT_LEAST_TICKS 12000

static void count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

uint32_t mutex_kind(uint32_t ompt_kind)
{
	switch (ompt_kind) {
	case ompt_mutex_lock:
	case ompt_mutex_test_lock:
		return PROFILE_LOCK;
	case ompt_mutex_nest_lock:
	case ompt_mutex_test_nest_lock:
		return PROFILE_NEST_LOCK;
	case ompt_mutex_critical:
		return PROFILE_CRITICAL;
	case ompt_mutex_atomic:
		return PROFILE_ATOMIC;
	case ompt_mutex_ordered:
		return PROFILE_ORDERED;
	default:
		return PROFILE_NO_WAIT;
	}
}

static int is_exclusive(uint32_t kind)
{
	return kind != PROFILE_ORDERED && kind != PROFILE_NO_WAIT;
}

void mutex_ask(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct profile_now *published = &thread->record->now;
	struct mutex_slot *slot = is_exclusive(kind) ? mutex_slot(thread, kind, wait_id) : NULL;
	uint32_t weight = slot ? pace_weight(&slot->pace) : 1;
	uint64_t since = weight ? tool_ticks() : 0;

	thread->asked = (struct held_mutex){
		.wait_id = wait_id,
		.since = since,
		.kind = (uint8_t)kind,
		.weight = (uint8_t)weight,
		.slot = slot,
	};
	TEAM_WRITE(published->mutex, 0);
	if (published->mutex_leaf)
		TEAM_WRITE(published->mutex_leaf, 0);
	TEAM_WRITE(published->mutex_since, since);
	TEAM_WRITE(published->mutex_until, 0);
	TEAM_WRITE(published->mutex_kind, kind);
	__atomic_store_n(&published->mutex, wait_id, __ATOMIC_RELEASE);
	team_publish_wait(thread, kind, since);
}

/* Adds a wait of so many ticks to the record of the mutex. */
static void count_wait(struct profile_lock *record, uint32_t n, uint64_t ticks, uint64_t sum,
	const void *codeptr_ra)
{
	count(&record->n_contended, n);
	count(&record->wait, sum);
	if (ticks > record->max_wait) {
		record->max_wait = ticks;
		record->codeptr = (uint64_t)codeptr_ra;
	}
}

/* The wait is over, at `now`; if it was one, it counts. */
static void end_wait(struct thread *thread, const void *codeptr_ra, uint64_t now)
{
	struct held_mutex *asked = &thread->asked;
	uint64_t ticks = now - asked->since, sum = ticks;

	if (asked->slot)
		sum = pace_took(&asked->slot->pace, asked->weight, ticks, now);
	if (ticks < (asked->slot && asked->slot->record->n_acquired == 1 ? FIRST_WAIT_LEAST_TICKS
									 : WAIT_LEAST_TICKS))
		return;
	if (asked->slot)
		count_wait(asked->slot->record, asked->weight, ticks, sum, codeptr_ra);
	wait_add(thread,
		PROFILE_WAIT_KEY(asked->kind, asked->slot ? asked->slot->record->wait_id : 0),
		codeptr_ra, asked->weight, sum, ticks);
}

void mutex_got(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra)
{
	struct profile_now *published = &thread->record->now;
	struct held_mutex *asked = &thread->asked;
	uint64_t now;

	if (asked->kind != kind || asked->wait_id != wait_id)
		*asked = (struct held_mutex){
			.wait_id = wait_id,
			.kind = (uint8_t)kind,
			.slot = is_exclusive(kind) ? mutex_slot(thread, kind, wait_id) : NULL,
		};
	/* A sample has found it waiting: no matter how likely the timing was, this wait was seen. */
	if (asked->since && !asked->weight)
		asked->weight = 1;
	now = asked->since ? tool_ticks() : 0;
	TEAM_WRITE(published->mutex_until, now ? now : 1);
	if (asked->slot) {
		count(&asked->slot->record->n_acquired, 1);
		if (!asked->slot->record->codeptr)
			asked->slot->record->codeptr = (uint64_t)codeptr_ra;
	}
	if (now)
		end_wait(thread, codeptr_ra, now);
	if (thread->n_held++ < THREAD_MAX_HELD) {
		struct held_mutex *held = &thread->held[thread->n_held - 1];

		*held = *asked;
		held->since = now;
		held->callbacks = thread->record->n_callbacks;
		held->signals = thread->record->n_signals;
		TEAM_WRITE(published->held, published->held | 1ULL << kind);
	}
	team_end_mutex(thread);
}

/* The time between `begin` and `end` in which the owner of the lines waited for the mutex. */
static uint64_t overlap(
	const struct profile_now *other, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint64_t since, until;

	if (__atomic_load_n(&other->mutex, __ATOMIC_ACQUIRE) != wait_id)
		return 0;
	since = TEAM_READ(other->mutex_since);
	until = TEAM_READ(other->mutex_until);
	/* One that is not timed waits for the whole hold, or has got the mutex and does not say when. */
	if (until && until < end)
		end = until;
	if (since > begin)
		begin = since;
	return end > begin ? end - begin : 0;
}

/* What the threads waited for the mutex while the calling one held it. */
static uint64_t sum_waits(
	const struct thread *thread, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint32_t n_listed = team_n_listed();
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n_listed; i++) {
		const struct profile_now *other = team_at(i);

		if (other && other != &thread->record->now)
			sum += overlap(other, wait_id, begin, end);
	}
	return sum;
}

static void blame(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t ticks)
{
	uint32_t id = capture_here(thread, (uint64_t)codeptr_ra);
	struct profile_node *node;

	id = id ? cct_child(&thread->cct, id, PROFILE_NODE_BLAME, 0, key) : 0;
	if (!id)
		return;
	node = writer_node(id);
	__atomic_store_n(&node->n, node->n + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&node->blame_ns, node->blame_ns + ticks, __ATOMIC_RELAXED);
}

/* Takes the mutex out of those that the thread holds; kind 0 if it is not among them. */
static struct held_mutex take_held(struct thread *thread, uint64_t wait_id)
{
	uint32_t n = thread->n_held < THREAD_MAX_HELD ? thread->n_held : THREAD_MAX_HELD, at = n;
	struct held_mutex held = { .kind = PROFILE_NO_WAIT };
	uint64_t kinds = 0;

	if (n == 1 && thread->held[0].wait_id == wait_id) { /* most often */
		thread->n_held--;
		TEAM_WRITE(thread->record->now.held, 0);
		return thread->held[0];
	}
	while (at > 0 && thread->held[at - 1].wait_id != wait_id)
		at--;
	if (thread->n_held > 0)
		thread->n_held--;
	if (at == 0)
		return held;
	held = thread->held[at - 1];
	memmove(&thread->held[at - 1], &thread->held[at], (n - at) * sizeof(held));
	for (uint32_t i = 0; i + 1 < n; i++)
		kinds |= 1ULL << thread->held[i].kind;
	TEAM_WRITE(thread->record->now.held, kinds);
	return held;
}

void mutex_released(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra)
{
	struct held_mutex held = take_held(thread, wait_id);
	uint64_t now, ticks, sum;

	if (held.kind != kind || !held.slot)
		return;
	if (!held.since) {
		if (thread->record->n_signals != held.signals ||
			thread->record->n_callbacks - held.callbacks > 1)
			pace_was_slow(&held.slot->pace);
		return;
	}
	now = tool_ticks();
	ticks = now - held.since;
	sum = pace_took(&held.slot->pace, held.weight, ticks, now);
	count(&held.slot->record->n_held, held.weight);
	count(&held.slot->record->held, sum);
	if (ticks > held.slot->record->max_held)
		held.slot->record->max_held = ticks;
	sum = team_n_listed() > 1 ? sum_waits(thread, wait_id, held.since, now) : 0;
	if (sum)
		blame(thread, PROFILE_WAIT_KEY(kind, held.slot->record->wait_id), codeptr_ra,
			sum * held.weight);
}
