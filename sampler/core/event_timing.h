/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of many like events are timed. To read the clock takes 20 ns and more in some virtual machines: as
 * long as a lock that nobody else wants. So events are timed one and all as long as they take long; of those that
 * have been quick TIMING_PATIENCE times in a row only one in TIMING_OF, which then stands for so many (its weight).
 * Executions of a region have a event_timing of their own (region_timing.h); what is in one that stands for others is all timed.
 * It is chosen by number, at multiples of the golden ratio: evenly many of any that come at equal
 * intervals, whatever the program's own rhythm. What decides is the past, never the event itself, so the
 * weighted sums are right on average. A slow one ends it: the next TIMING_AGAIN ones are all timed, and if one of them is
 * slow again, as many as it takes for TIMING_PATIENCE quick ones in a row. A tick of the kernel, or a sample, makes one
 * slow that is not.
 *
 * The events that one stands for have happened since the one before that was timed: their sum cannot
 * be more than the time since. That bounds what a single slow one among quick ones can do. (Of waits at one place it is
 * the time since the last that was timed there: struct weight_carry.)
 */
#ifndef OMPPROF_SAMPLER_CORE_EVENT_TIMING_H
#define OMPPROF_SAMPLER_CORE_EVENT_TIMING_H

#include <stdint.h>

#include "sampler/core/tool.h"

enum { TIMING_PATIENCE = 64, TIMING_AGAIN = 4, TIMING_OF = 16 };

struct event_timing {
	uint32_t n_quick; /* in a row */
	uint32_t n;       /* events since they are not all timed any more */
	uint64_t last;    /* ticks: when the latest one that was timed ended */
};

/* The ticks from one moment to another; none if the counters of two CPUs disagree. Any thread. */
static inline uint64_t timing_between(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

/* Whether the n-th of quick events is timed, where one in `of` is. Any thread. */
static inline int timing_is_one_in(uint32_t n, uint32_t of)
{
	return n * 0x9e3779b9u < UINT32_MAX / of;
}

/* Likewise, of most kinds. Any thread. */
static inline int timing_is_chosen(uint32_t n)
{
	return timing_is_one_in(n, TIMING_OF);
}

/* How many events the next one stands for: 0, it is not timed. Owning thread only. */
static inline uint32_t timing_weight(struct event_timing *event_timing)
{
	if (event_timing->n_quick < TIMING_PATIENCE)
		return 1;
	return timing_is_chosen(event_timing->n++) ? TIMING_OF : 0;
}

/* Likewise, of an event in an execution of that weight. Owning thread only. */
static inline uint32_t timing_weight_within(struct event_timing *event_timing, uint32_t weight)
{
	return weight > 1 ? 1 : weight ? timing_weight(event_timing) : 0;
}

/*
 * The first part of an event that was timed has ended at `now` and took so many ticks. Returns those of all
 * that it stands for: since the event before that was timed. timing_took follows at the event's end.
 * Owning thread only.
 */
static inline uint64_t timing_took_first(
	struct event_timing *event_timing, uint32_t weight, uint64_t ticks, uint64_t now)
{
	uint64_t sum = ticks * weight, most = timing_between(event_timing->last, now);

	/* What takes no time went by in a pause, and says nothing. */
	if (ticks >= tool.thresholds.quick)
		event_timing->n_quick = event_timing->n_quick < TIMING_PATIENCE
						? 0
						: TIMING_PATIENCE - TIMING_AGAIN;
	else if (ticks && event_timing->n_quick < TIMING_PATIENCE)
		event_timing->n_quick++;
	return weight > 1 && sum > most ? most : sum;
}

/*
 * An event that was timed has ended at `now` and took so many ticks, or its last part did. Returns those of
 * all that it stands for.
 * Owning thread only.
 */
static inline uint64_t timing_took(
	struct event_timing *event_timing, uint32_t weight, uint64_t ticks, uint64_t now)
{
	uint64_t sum = timing_took_first(event_timing, weight, ticks, now);

	event_timing->last = now;
	return sum;
}

/*
 * What the waits at one place, or a task's executions, come to. One that stands for many others has more ticks than there were since the one
 * before, if it was one of few long ones among short ones: what is too much is kept for those that follow. So none
 * brings more than the time that went by since the one before, or its own, and what is kept is lost only where the place is forgotten, or none follow.
 */
struct weight_carry {
	uint64_t last;  /* ticks: when the latest one that was timed ended; 0 none */
	uint64_t ticks; /* that are kept */
};

/*
 * One that began at `begun` and ended at `now` stands for so many ticks. Returns how many there are now: those of one that
 * stands for itself alone, at least.
 * Owning thread only.
 */
static inline uint64_t timing_pay(
	struct weight_carry *due, uint64_t ticks, uint64_t begun, uint64_t now)
{
	/* Waits can be within each other. */
	uint64_t since = due->last && due->last < begun ? due->last : begun;
	uint64_t most = timing_between(since, now);

	due->last = now;
	due->ticks += ticks;
	ticks = due->ticks < most ? due->ticks : most;
	due->ticks -= ticks;
	return ticks;
}

/* An event that was not timed took long, as something else shows: others are likely to. Owning thread only. */
static inline void timing_was_slow(struct event_timing *event_timing)
{
	event_timing->n_quick = 0;
}

#endif
