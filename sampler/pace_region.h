/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which executions of a region are timed, as pace.h says it of other events: one in so many as its executions are short,
 * each of which then stands for so many (its weight). One that is timed makes its members read lines that others have
 * just written, and so does the one after it: it costs some hundred ns. So what is decided by is the mean length of the
 * latest executions, of which each counts for no more than PACE_REGION_MOST, so that a tick of the kernel, a sample, or
 * a CPU that the machine has taken away for some us is no reason to time what comes next:
 *
 *   mean below PACE_QUICK_TICKS         about 5 us    one in 128, after PACE_REGION_MANY executions one in 250
 *   mean below PACE_REGION_SHORT        18 us         one in 16
 *   above, and the first PACE_PATIENCE ones           all
 *
 * After one of PACE_REGION_LONG or more the next few are all timed; if there is such a one among these, some 25.
 */
#ifndef OMPPROF_SAMPLER_PACE_REGION_H
#define OMPPROF_SAMPLER_PACE_REGION_H

#include <stdint.h>

#include "sampler/pace.h"

enum {
	PACE_REGION_SHORT = 4 * PACE_QUICK_TICKS,
	PACE_REGION_MOST = 8 * PACE_QUICK_TICKS,
	PACE_REGION_LONG = 16 * PACE_QUICK_TICKS,
	/* The mean after a long one, from which four quick ones lead to below PACE_REGION_SHORT. */
	PACE_REGION_AGAIN = PACE_REGION_SHORT + PACE_QUICK_TICKS / 3,
	PACE_REGION_MANY = 1 << 17,
	PACE_REGION_MANY_OF = 250,
	PACE_REGION_QUICK_OF = 128,
	PACE_REGION_SHORT_OF = 16,
	PACE_REGION_SHIFT = 5, /* the mean is of some 32 executions */
};

/* All zero: none has ended. */
struct pace_region {
	uint32_t below; /* ticks that the mean is below PACE_REGION_MOST */
	uint32_t n;     /* that began */
};

/* The mean length in ticks. Owning thread only. */
static inline uint32_t pace_region_mean(const struct pace_region *pace)
{
	return PACE_REGION_MOST - pace->below;
}

/* Of how many executions one is timed. Owning thread only. */
static inline uint32_t pace_region_of(const struct pace_region *pace)
{
	uint32_t mean = pace_region_mean(pace);

	if (pace->n < PACE_PATIENCE)
		return 1;
	if (mean < PACE_QUICK_TICKS)
		return pace->n < PACE_REGION_MANY ? PACE_REGION_QUICK_OF : PACE_REGION_MANY_OF;
	return mean < PACE_REGION_SHORT ? PACE_REGION_SHORT_OF : 1;
}

/* How many executions the next one stands for: 0, it is not timed. Owning thread only. */
static inline uint32_t pace_region_weight(const struct pace_region *pace)
{
	uint32_t of = pace_region_of(pace);

	return of == 1 || pace_is_one_in(pace->n, of) ? of : 0;
}

/* One that is timed may be the last before such that are not. Owning thread only. */
static inline int pace_region_is_near(const struct pace_region *pace)
{
	return pace->n >= PACE_PATIENCE &&
	       pace_region_mean(pace) < PACE_REGION_SHORT + PACE_QUICK_TICKS;
}

/* One has ended, which took so many ticks. What takes no time went by in a pause, and says nothing. Signal-safe. */
static inline void pace_region_took(struct pace_region *pace, uint64_t ticks)
{
	uint32_t mean = pace_region_mean(pace), counts;

	if (!ticks)
		return;
	if (ticks >= PACE_REGION_LONG) {
		mean = mean < PACE_REGION_SHORT ? PACE_REGION_AGAIN : PACE_REGION_MOST;
	} else {
		counts = ticks < PACE_REGION_MOST ? (uint32_t)ticks : PACE_REGION_MOST;
		mean = mean - (mean >> PACE_REGION_SHIFT) + (counts >> PACE_REGION_SHIFT);
	}
	pace->below = mean < PACE_REGION_MOST ? PACE_REGION_MOST - mean : 0;
}

#endif
