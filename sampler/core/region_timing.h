/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which executions of a region are timed, as event_timing.h says it of other events: one in so many as its executions are short.
 * One that is timed makes its members read lines that others have just written, and so does the one after it. What
 * decides is the mean length of its latest executions:
 *
 *   mean below quick                one in 8, in 32, in 128, in 256, the rarer the more there have been
 *   mean below region_short         likewise, but one in 16 at least
 *   mean below region_medium, and   the first 256 all, then one in 4, after 1024 one in 16, after 8192 one in
 *   lengths that are much alike     64; with a trace all
 *   all others                      all, and the first TIMING_PATIENCE
 *
 * These are 4.8, 19.2 and 307 us (thresholds.h). One that is timed takes 1 us or less where all are, but as much as 7 where
 * its body has put all else out of the caches.
 *
 * The mean follows a longer one by 1/64 of the difference, a shorter one by 1/256. A tick of the kernel, or a sample, makes an
 * execution slow that is not: it counts for its part, four times. Where most executions are quick, and a few, regularly,
 * take nearly all of the time, it is these that decide. And what was quick and becomes long is all timed as soon as it has
 * taken 64 times region_short, about a millisecond, what was medium after 64 times the difference to
 * region_medium. A second mean follows a shorter one by 1/64, a longer one by 1/256: where it is more than half of the
 * first, lengths are much alike.
 *
 * Of each so many one is timed, at a place that is drawn, and stands for so many (its weight): so the sums are right on
 * average whatever becomes of the mean, and whatever rhythm the lengths have. How many they stand for is at the program's
 * end off by less than two weights, where there were eight times as many or more. What was waited in them is off by chance,
 * as far as it differs from one to the next: where half of 2,000 medium executions wait and half do not, by some 6 %, of 20,000
 * by 5, of 60,000 by 3.
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_TIMING_H
#define OMPPROF_SAMPLER_CORE_REGION_TIMING_H

#include <stdint.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/region_fast_code.h"

enum {
	REGION_TIMING_LOW_MOST = (1 << 24) - 1, /* ticks that fit into `low` */
	REGION_TIMING_SHORT_OF = 16,
	REGION_TIMING_MEDIUM_ALL = 1 << 8,
	REGION_TIMING_MEDIUM_FEW = 1 << 10, /* executions up to which one in so many is timed: */
	REGION_TIMING_MEDIUM_OF = 4,
	REGION_TIMING_MEDIUM_MANY = 1 << 13, /* up to which REGION_TIMING_SHORT_OF, then: */
	REGION_TIMING_MEDIUM_MOST_OF = 64,
	REGION_TIMING_MOST_OF = 256,
	REGION_TIMING_UP = 6, /* shifts of what the mean follows */
	REGION_TIMING_DOWN = 8,
};

/* All zero: none has begun. Numbers may wrap. */
struct region_timing {
	uint32_t mean;     /* ticks */
	uint32_t n;        /* executions that began */
	uint32_t next;     /* n right before the next one that is timed begins, if not all are */
	uint32_t of : 9;   /* of so many one is timed; 0: all are */
	uint32_t low : 23; /* the second mean, in two ticks */
};

/* Of how many executions one is timed where they are medium and much alike; 0: all are. Signal-safe. */
static inline uint32_t region_timing_of_medium(uint32_t n)
{
	return n < REGION_TIMING_MEDIUM_ALL    ? 0
	       : n < REGION_TIMING_MEDIUM_FEW  ? REGION_TIMING_MEDIUM_OF
	       : n < REGION_TIMING_MEDIUM_MANY ? REGION_TIMING_SHORT_OF
					       : REGION_TIMING_MEDIUM_MOST_OF;
}

/* Likewise, of any; all are where the mean is `all_from` ticks or more. Signal-safe. */
static inline uint32_t region_timing_of(const struct region_timing *event_timing, uint32_t all_from)
{
	uint32_t n = event_timing->n, of;

	if (n < TIMING_PATIENCE || event_timing->mean >= all_from)
		return 0;
	if (event_timing->mean >= tool.thresholds.region_short)
		return event_timing->mean < 4 * event_timing->low ? region_timing_of_medium(n) : 0;
	of = n < 1 << 10 ? 8 : n < 1 << 13 ? 32 : n < 1 << 17 ? 128 : REGION_TIMING_MOST_OF;
	return event_timing->mean < tool.thresholds.quick || of < REGION_TIMING_SHORT_OF
		       ? of
		       : REGION_TIMING_SHORT_OF;
}

/* The first number from n on that is drawn, where of each `of`, a power of 2, one is: in two rounds at most. Signal-safe. */
static inline uint32_t region_timing_draw(uint32_t n, uint32_t of)
{
	uint32_t at, mixed;

	for (uint32_t first = n & ~(of - 1);; first += of) {
		mixed = first * 0x9e3779b9u;
		mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
		at = first + ((mixed ^ mixed >> 13) & (of - 1));
		if (at - n < 2 * of)
			return at;
	}
}

/* Whether the next one is timed. Owning thread only. */
static inline int region_timing_is_chosen(const struct region_timing *event_timing)
{
	return !event_timing->of || event_timing->n == event_timing->next;
}

/* The next one begins. Returns how many it stands for: 0, it is not timed. Owning thread only. */
static inline uint16_t region_timing_begin(struct region_timing *event_timing)
{
	int is_chosen = region_timing_is_chosen(event_timing);

	event_timing->n++;
	if (!event_timing->of || !is_chosen)
		return (uint16_t)is_chosen;
	event_timing->next = region_timing_draw(event_timing->n, event_timing->of);
	return (uint16_t)event_timing->of;
}

/* The one that has begun, and is timed, may be the last before such that are not. Owning thread only. */
static inline int region_timing_is_near(const struct region_timing *event_timing, uint32_t all_from)
{
	return event_timing->n >= TIMING_PATIENCE && event_timing->mean < all_from + all_from / 4;
}

/* What follows a difference up and down by these shifts. Signal-safe. */
static inline uint32_t region_timing_follow(uint32_t mean, uint32_t ticks, int up, int down)
{
	return ticks > mean ? mean + ((ticks - mean) >> up) : mean - ((mean - ticks) >> down);
}

/*
 * One has ended, which took so many ticks. What takes no time went by in a pause, and says nothing. All are timed where the
 * mean is `all_from` ticks or more: region_medium, with a trace region_short.
 * Signal-safe.
 */
static inline void region_timing_took(
	struct region_timing *event_timing, uint64_t ticks, uint32_t all_from)
{
	uint32_t counts =
		ticks < tool.thresholds.region_most ? (uint32_t)ticks : tool.thresholds.region_most;
	uint32_t low = counts < REGION_TIMING_LOW_MOST ? counts : REGION_TIMING_LOW_MOST, of;

	if (!ticks)
		return;
	if (!LIKELY(event_timing->n == 0 || event_timing->n > TIMING_PATIENCE)) {
		event_timing->mean =
			(uint32_t)(((uint64_t)event_timing->mean * (event_timing->n - 1) + counts) /
				   event_timing->n);
		low = event_timing->mean < REGION_TIMING_LOW_MOST ? event_timing->mean
								  : REGION_TIMING_LOW_MOST;
		event_timing->low = low / 2;
	} else {
		event_timing->mean = region_timing_follow(
			event_timing->mean, counts, REGION_TIMING_UP, REGION_TIMING_DOWN);
		event_timing->low = region_timing_follow(
			event_timing->low, low / 2, REGION_TIMING_DOWN, REGION_TIMING_UP);
	}
	of = region_timing_of(event_timing, all_from);
	if (LIKELY(of == event_timing->of))
		return;
	event_timing->of = of;
	if (of)
		event_timing->next = region_timing_draw(event_timing->n, of);
}

#endif
