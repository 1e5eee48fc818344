/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which executions of a region are timed. As with other events (event_timing.h), the shorter the
 * executions are, the fewer of them are timed. A timed execution makes its members read cache lines
 * that other threads have just written, and so does the execution after it. The mean length of the
 * region's latest executions decides:
 *
 *   mean below quick                one in 8, in 32, in 128, in 256; fewer, the more executions
 *                                   there have been
 *   mean below region_short         likewise, but at least one in 16
 *   mean below region_medium, and   the first 256 all, then one in 4, after 1024 one in 16,
 *   similar lengths                 after 8192 one in 64; with a trace all
 *   all others                      all, and the first TIMING_PATIENCE
 *
 * These thresholds are 4.8, 19.2 and 307 us (thresholds.h). A timed execution costs 1 us or less
 * where all executions are timed. It costs up to 7 us where the region's body has evicted all else
 * from the caches.
 *
 * The mean moves towards a longer execution by 1/64 of the difference, and towards a shorter
 * execution by 1/256. A kernel tick or a sample can make a short execution long. Such an execution
 * enters the mean with four times its share. Where most executions are quick, and a few, regularly,
 * take nearly all of the time, these few decide. When quick executions become long, all are timed
 * as soon as they have taken 64 times region_short, about a millisecond. When medium executions
 * become long, all are timed after 64 times the difference to region_medium. A second mean moves
 * towards a shorter execution by 1/64, and towards a longer execution by 1/256. If it is more than
 * half of the first mean, the lengths are similar.
 *
 * In each group of so many executions one is timed, at a drawn place in the group. It represents
 * the whole group: the size of the group is its weight. So the sums are right on average, however
 * the mean changes and whatever rhythm the lengths have. At the program's end the number of
 * executions that the timed executions represent is wrong by less than two weights, if there were
 * at least eight times as many executions. The waiting in these executions has a random error, as
 * far as it differs from one execution to the next. If half of the medium executions wait and half
 * do not, the error is some 6 % with 2,000 of them, 5 % with 20,000, and 3 % with 60,000.
 */
#ifndef OMPPROF_SAMPLER_CORE_REGION_TIMING_H
#define OMPPROF_SAMPLER_CORE_REGION_TIMING_H

#include <stdint.h>

#include "sampler/core/event_timing.h"

/*
 * The section for the code of the fast path (region_fast.h). All of it lies together, with likely
 * code first and without a jump. Where a region's body has evicted it from the caches, the program
 * waits for each cache line and each page of it.
 */
#define REGION_FAST_CODE __attribute__((section(".text.hot.turn")))
#define LIKELY(is_so)    __builtin_expect(!!(is_so), 1)

enum {
	REGION_TIMING_LOW_MOST = (1 << 24) - 1, /* ticks that fit into `low` */
	REGION_TIMING_SHORT_OF = 16,
	/* medium executions: up to this number all are timed, */
	REGION_TIMING_MEDIUM_ALL = 1 << 8,
	/* up to this number one in REGION_TIMING_MEDIUM_OF, */
	REGION_TIMING_MEDIUM_FEW = 1 << 10,
	REGION_TIMING_MEDIUM_OF = 4,
	/*
	 * up to this number one in REGION_TIMING_SHORT_OF, after it one in
	 * REGION_TIMING_MEDIUM_MOST_OF
	 */
	REGION_TIMING_MEDIUM_MANY = 1 << 13,
	REGION_TIMING_MEDIUM_MOST_OF = 64,
	REGION_TIMING_MOST_OF = 256,
	REGION_TIMING_UP = 6, /* shifts of the difference that a mean moves by */
	REGION_TIMING_DOWN = 8,
};

/* All zero: no execution has begun. Numbers may wrap. */
struct region_timing {
	uint32_t mean; /* ticks: the mean length; see above */
	uint32_t n;    /* executions that have begun */
	/* n right before the next timed execution begins, if not all are timed */
	uint32_t next;
	uint32_t of : 9;   /* one execution in so many is timed; 0: all are */
	uint32_t low : 23; /* the second mean length, in units of two ticks */
};

/*
 * Returns N: one in N executions is timed, if they are medium and of similar lengths; 0: all are
 * timed. Signal-safe.
 */
static inline uint32_t region_timing_of_medium(uint32_t n)
{
	return n < REGION_TIMING_MEDIUM_ALL    ? 0
	       : n < REGION_TIMING_MEDIUM_FEW  ? REGION_TIMING_MEDIUM_OF
	       : n < REGION_TIMING_MEDIUM_MANY ? REGION_TIMING_SHORT_OF
					       : REGION_TIMING_MEDIUM_MOST_OF;
}

/*
 * As region_timing_of_medium(), for any executions. All are timed if the mean is at least
 * `all_from` ticks. Signal-safe.
 */
static inline uint32_t region_timing_of(const struct region_timing *timing, uint32_t all_from)
{
	uint32_t n = timing->n, of;

	if (n < TIMING_PATIENCE || timing->mean >= all_from)
		return 0;
	if (timing->mean >= tool.thresholds.region_short)
		return timing->mean < 4 * timing->low ? region_timing_of_medium(n) : 0;
	of = n < 1 << 10 ? 8 : n < 1 << 13 ? 32 : n < 1 << 17 ? 128 : REGION_TIMING_MOST_OF;
	return timing->mean < tool.thresholds.quick || of < REGION_TIMING_SHORT_OF
		       ? of
		       : REGION_TIMING_SHORT_OF;
}

/*
 * Returns the first drawn number from n on. In each group of `of` numbers, a power of 2, one number
 * is drawn. Takes at most two rounds. Signal-safe.
 */
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

/* Whether the next execution is timed. Owning thread only. */
static inline int region_timing_is_chosen(const struct region_timing *timing)
{
	return !timing->of || timing->n == timing->next;
}

/*
 * The next execution begins. Returns how many executions it represents, or 0 if it is not timed.
 * Owning thread only.
 */
static inline uint16_t region_timing_begin(struct region_timing *timing)
{
	int is_chosen = region_timing_is_chosen(timing);

	timing->n++;
	if (!timing->of || !is_chosen)
		return (uint16_t)is_chosen;
	timing->next = region_timing_draw(timing->n, timing->of);
	return (uint16_t)timing->of;
}

/*
 * Whether the timed execution that has begun may be the last before executions that are not timed.
 * Owning thread only.
 */
static inline int region_timing_is_near(const struct region_timing *timing, uint32_t all_from)
{
	return timing->n >= TIMING_PATIENCE && timing->mean < all_from + all_from / 4;
}

/* Moves a mean towards `ticks`, by the difference shifted by `up` or by `down`. Signal-safe. */
static inline uint32_t region_timing_follow(uint32_t mean, uint32_t ticks, int up, int down)
{
	return ticks > mean ? mean + ((ticks - mean) >> up) : mean - ((mean - ticks) >> down);
}

/*
 * An execution has ended that took this many ticks. An execution of 0 ticks was within a pause and
 * is ignored. All executions are timed if the mean is at least `all_from` ticks: region_medium, or
 * with a trace region_short. Signal-safe.
 */
static inline void region_timing_took(
	struct region_timing *timing, uint64_t ticks, uint32_t all_from)
{
	uint32_t counts =
		ticks < tool.thresholds.region_most ? (uint32_t)ticks : tool.thresholds.region_most;
	uint32_t low = counts < REGION_TIMING_LOW_MOST ? counts : REGION_TIMING_LOW_MOST, of;

	if (!ticks)
		return;
	if (!LIKELY(timing->n == 0 || timing->n > TIMING_PATIENCE)) {
		timing->mean =
			(uint32_t)(((uint64_t)timing->mean * (timing->n - 1) + counts) / timing->n);
		low = timing->mean < REGION_TIMING_LOW_MOST ? timing->mean : REGION_TIMING_LOW_MOST;
		timing->low = low / 2;
	} else {
		timing->mean = region_timing_follow(
			timing->mean, counts, REGION_TIMING_UP, REGION_TIMING_DOWN);
		timing->low = region_timing_follow(
			timing->low, low / 2, REGION_TIMING_DOWN, REGION_TIMING_UP);
	}
	of = region_timing_of(timing, all_from);
	if (LIKELY(of == timing->of))
		return;
	timing->of = of;
	if (of)
		timing->next = region_timing_draw(timing->n, of);
}

#endif
