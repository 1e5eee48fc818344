/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rate of the tick counter at the tool's start; see thresholds.h. Not for the signal handler.
 */
#include "sampler/core/thresholds.h"

#include "sampler/core/tool.h"

enum { SPIN_NS = 70000, MOST_SPINS = 10000 };

/*
 * A rate outside of these bounds was measured wrong, or the clock cannot be read. The rate is then
 * ARCH_TICKS_PER_S, so nothing is timed less often than necessary.
 */
#define LEAST_PER_S 1000000ULL
#define MOST_PER_S  10000000000ULL

static uint64_t measure(void)
{
	uint64_t begin_ns = clock_now_ns(CLOCK_MONOTONIC), begin = tool_ticks();
	uint64_t ns = 0, ticks = 0;

	for (int i = 0; i < MOST_SPINS && ns < SPIN_NS; i++) {
		ns = clock_now_ns(CLOCK_MONOTONIC) - begin_ns;
		ticks = tool_ticks() - begin;
	}
	return ns ? (uint64_t)((double)ticks * 1e9 / (double)ns) : 0;
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c < high ? c : high;
}

/* The scheduler may disturb one measurement, but hardly two of three. */
static uint64_t find_rate(void)
{
	uint64_t rate = middle_of(measure(), measure(), measure());

	return rate < LEAST_PER_S || rate > MOST_PER_S ? ARCH_TICKS_PER_S : rate;
}

void thresholds_begin(void)
{
	thresholds_set(&tool.thresholds, TOOL_TICKS_PER_S ? TOOL_TICKS_PER_S : find_rate());
}
