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
 *   all others                      all, and the first PACE_PATIENCE
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
	PACE_REGION_LOW_MOST = (1 << 24) - 1, /* ticks that fit into `low` */
	PACE_REGION_SHORT_OF = 16,
	PACE_REGION_MEDIUM_ALL = 1 << 8,
	PACE_REGION_MEDIUM_FEW = 1 << 10, /* executions up to which one in so many is timed: */
	PACE_REGION_MEDIUM_OF = 4,
	PACE_REGION_MEDIUM_MANY = 1 << 13, /* up to which PACE_REGION_SHORT_OF, then: */
	PACE_REGION_MEDIUM_MOST_OF = 64,
	PACE_REGION_MOST_OF = 256,
	PACE_REGION_UP = 6, /* shifts of what the mean follows */
	PACE_REGION_DOWN = 8,
};

/* All zero: none has begun. Numbers may wrap. */
struct pace_region {
	uint32_t mean;     /* ticks */
	uint32_t n;        /* executions that began */
	uint32_t next;     /* n right before the next one that is timed begins, if not all are */
	uint32_t of : 9;   /* of so many one is timed; 0: all are */
	uint32_t low : 23; /* the second mean, in two ticks */
};

/* Of how many executions one is timed where they are medium and much alike; 0: all are. Signal-safe. */
static inline uint32_t pace_region_of_medium(uint32_t n)
{
	return n < PACE_REGION_MEDIUM_ALL    ? 0
	       : n < PACE_REGION_MEDIUM_FEW  ? PACE_REGION_MEDIUM_OF
	       : n < PACE_REGION_MEDIUM_MANY ? PACE_REGION_SHORT_OF
					     : PACE_REGION_MEDIUM_MOST_OF;
}

/* Likewise, of any; all are where the mean is `all_from` ticks or more. Signal-safe. */
static inline uint32_t pace_region_of(const struct pace_region *pace, uint32_t all_from)
{
	uint32_t n = pace->n, of;

	if (n < PACE_PATIENCE || pace->mean >= all_from)
		return 0;
	if (pace->mean >= tool.thresholds.region_short)
		return pace->mean < 4 * pace->low ? pace_region_of_medium(n) : 0;
	of = n < 1 << 10 ? 8 : n < 1 << 13 ? 32 : n < 1 << 17 ? 128 : PACE_REGION_MOST_OF;
	return pace->mean < tool.thresholds.quick || of < PACE_REGION_SHORT_OF
		       ? of
		       : PACE_REGION_SHORT_OF;
}

/* The first number from n on that is drawn, where of each `of`, a power of 2, one is: in two rounds at most. Signal-safe. */
static inline uint32_t pace_region_draw(uint32_t n, uint32_t of)
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
static inline int pace_region_is_chosen(const struct pace_region *pace)
{
	return !pace->of || pace->n == pace->next;
}

/* The next one begins. Returns how many it stands for: 0, it is not timed. Owning thread only. */
static inline uint16_t pace_region_begin(struct pace_region *pace)
{
	int is_chosen = pace_region_is_chosen(pace);

	pace->n++;
	if (!pace->of || !is_chosen)
		return (uint16_t)is_chosen;
	pace->next = pace_region_draw(pace->n, pace->of);
	return (uint16_t)pace->of;
}

/* The one that has begun, and is timed, may be the last before such that are not. Owning thread only. */
static inline int pace_region_is_near(const struct pace_region *pace, uint32_t all_from)
{
	return pace->n >= PACE_PATIENCE && pace->mean < all_from + all_from / 4;
}

/* What follows a difference up and down by these shifts. Signal-safe. */
static inline uint32_t pace_region_follow(uint32_t mean, uint32_t ticks, int up, int down)
{
	return ticks > mean ? mean + ((ticks - mean) >> up) : mean - ((mean - ticks) >> down);
}

/*
 * One has ended, which took so many ticks. What takes no time went by in a pause, and says nothing. All are timed where the
 * mean is `all_from` ticks or more: region_medium, with a trace region_short.
 * Signal-safe.
 */
static inline void pace_region_took(struct pace_region *pace, uint64_t ticks, uint32_t all_from)
{
	uint32_t counts =
		ticks < tool.thresholds.region_most ? (uint32_t)ticks : tool.thresholds.region_most;
	uint32_t low = counts < PACE_REGION_LOW_MOST ? counts : PACE_REGION_LOW_MOST, of;

	if (!ticks)
		return;
	if (!TURN_LIKELY(pace->n == 0 || pace->n > PACE_PATIENCE)) {
		pace->mean = (uint32_t)(((uint64_t)pace->mean * (pace->n - 1) + counts) / pace->n);
		low = pace->mean < PACE_REGION_LOW_MOST ? pace->mean : PACE_REGION_LOW_MOST;
		pace->low = low / 2;
	} else {
		pace->mean =
			pace_region_follow(pace->mean, counts, PACE_REGION_UP, PACE_REGION_DOWN);
		pace->low =
			pace_region_follow(pace->low, low / 2, PACE_REGION_DOWN, PACE_REGION_UP);
	}
	of = pace_region_of(pace, all_from);
	if (TURN_LIKELY(of == pace->of))
		return;
	pace->of = of;
	if (of)
		pace->next = pace_region_draw(pace->n, of);
}

#endif
