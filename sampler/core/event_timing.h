/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of the events that are timed, for events of one kind. Reading the clock takes 20 ns,
 * and more in some virtual machines: as long as an uncontended lock. So all events are timed only
 * as long as they take long. Once TIMING_PATIENCE events in a row have been quick, one in TIMING_OF
 * is timed, and represents TIMING_OF events (its weight). Executions of a region are chosen by a
 * rule of their own (region_timing.h). In a timed execution that represents others, all tasks and
 * waits of sync regions are timed, except barriers that follow each other quickly (wait.h).
 *
 * An event is chosen by its number, at multiples of the golden ratio. So the choice is even, also
 * among events that come at equal intervals, whatever the program's own rhythm. The past decides,
 * never the event itself: so the weighted sums are right on average. A slow event ends the choice.
 * The next TIMING_AGAIN events are all timed. If one of them is slow again, all are timed until
 * TIMING_PATIENCE in a row have been quick. The kernel's tick, or a sample, can make a quick event
 * slow.
 *
 * If a slow event among quick events represents others, their sum can be more than the time since
 * the previous timed event. Then the excess is kept for later events: for holds of a mutex in
 * struct mutex_slot, for waits and tasks in struct weight_carry. Nothing is cut off, so rare long
 * events count in full on average.
 */
#ifndef OMPPROF_SAMPLER_CORE_EVENT_TIMING_H
#define OMPPROF_SAMPLER_CORE_EVENT_TIMING_H

#include <stdint.h>

#include "sampler/core/tool.h"

enum { TIMING_PATIENCE = 64, TIMING_AGAIN = 4, TIMING_OF = 16 };

struct event_timing {
	uint32_t n_quick; /* quick events in a row */
	uint32_t n;       /* events that came while not all were timed */
	uint64_t last;    /* ticks: end of the latest timed event */
};

/* The ticks from one moment to another; 0 if the counters of two CPUs disagree. Any thread. */
static inline uint64_t timing_between(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

/* Whether the n-th of quick events is timed, if one in `of` is. Any thread. */
static inline int timing_is_one_in(uint32_t n, uint32_t of)
{
	return n * 0x9e3779b9u < UINT32_MAX / of;
}

/* Whether the n-th of quick events is timed, if one in TIMING_OF is. Any thread. */
static inline int timing_is_chosen(uint32_t n)
{
	return timing_is_one_in(n, TIMING_OF);
}

/* How many events the next event represents; 0: it is not timed. Owning thread only. */
static inline uint32_t timing_weight(struct event_timing *event_timing)
{
	if (event_timing->n_quick < TIMING_PATIENCE)
		return 1;
	return timing_is_chosen(event_timing->n++) ? TIMING_OF : 0;
}

/*
 * As timing_weight, for a task within a task, from which it is subtracted. It is chosen as if by
 * chance: at even distances the tasks right after a timed task would never be timed.
 * Owning thread only.
 */
static inline uint32_t timing_weight_by_chance(struct event_timing *event_timing)
{
	uint32_t mixed;

	if (event_timing->n_quick < TIMING_PATIENCE)
		return 1;
	mixed = event_timing->n++ * 0x9e3779b9u;
	mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
	mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
	return (mixed ^ mixed >> 16) < UINT32_MAX / TIMING_OF ? TIMING_OF : 0;
}

/* As timing_weight, for an event in an execution of this weight. Owning thread only. */
static inline uint32_t timing_weight_within(struct event_timing *event_timing, uint32_t weight)
{
	return weight > 1 ? 1 : weight ? timing_weight(event_timing) : 0;
}

/* Counts an event that took so many ticks as quick or slow. Owning thread only. */
static inline void timing_judge(struct event_timing *event_timing, uint64_t ticks)
{
	/* An event without ticks went by in a pause, and says nothing. */
	if (ticks >= tool.thresholds.quick)
		event_timing->n_quick = event_timing->n_quick < TIMING_PATIENCE
						? 0
						: TIMING_PATIENCE - TIMING_AGAIN;
	else if (ticks && event_timing->n_quick < TIMING_PATIENCE)
		event_timing->n_quick++;
}

/*
 * A timed event, or its last part, has ended at `now` and took `ticks`. Returns the ticks that are
 * added for the events that it represents: no more than have passed since the previous timed event.
 * The excess is kept in *kept for the next timed event. Owning thread only.
 */
static inline uint64_t timing_took(struct event_timing *event_timing, uint64_t *kept,
	uint32_t weight, uint64_t ticks, uint64_t now)
{
	uint64_t sum = ticks * weight + *kept, most = timing_between(event_timing->last, now);

	timing_judge(event_timing, ticks);
	if (most < ticks)
		most = ticks;
	*kept = sum > most ? sum - most : 0;
	event_timing->last = now;
	return sum - *kept;
}

/*
 * A timed wait or task has ended at `now` and took `ticks`. These events are quick only if they
 * also follow each other quickly, as the time since the previous timed event says. Otherwise it
 * costs little to time all, and no rare long wait represents others. Owning thread only.
 */
static inline void timing_came(
	struct event_timing *event_timing, uint32_t weight, uint64_t ticks, uint64_t now)
{
	uint64_t gap = timing_between(event_timing->last, now);

	if (weight > 1)
		gap /= weight;
	timing_judge(event_timing, gap > ticks ? gap : ticks);
	event_timing->last = now;
}

/*
 * The carry of the waits at one place, or of a task's executions. A timed wait counts with its
 * weight. If it is a rare long wait among short waits, this can be more ticks than have passed
 * since the previous timed wait. The excess is kept for the waits that follow. So no wait brings
 * more ticks than have passed since the previous one ended or, if that is longer ago, since it
 * began itself. Kept ticks are lost only if the place is forgotten or no wait follows.
 */
struct weight_carry {
	uint64_t last;  /* ticks: end of the latest timed wait or execution; 0 none */
	uint64_t ticks; /* ticks kept */
};

/*
 * A wait or execution that began at `begun` and ended at `now` represents `ticks`. Returns the
 * ticks that are added now. If it represents itself alone, they are no fewer than its own.
 * Owning thread only.
 */
static inline uint64_t timing_pay(
	struct weight_carry *due, uint64_t ticks, uint64_t begun, uint64_t now)
{
	/* Waits can be nested. */
	uint64_t since = due->last && due->last < begun ? due->last : begun;
	uint64_t most = timing_between(since, now);

	due->last = now;
	due->ticks += ticks;
	ticks = due->ticks < most ? due->ticks : most;
	due->ticks -= ticks;
	return ticks;
}

/*
 * For an event that was not timed but is known to have taken long: others are likely to take long,
 * too. All events are timed from now on, until TIMING_PATIENCE in a row have been quick.
 * Owning thread only.
 */
static inline void timing_was_slow(struct event_timing *event_timing)
{
	event_timing->n_quick = 0;
}

#endif
