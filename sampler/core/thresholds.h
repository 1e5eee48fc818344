/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lengths of time that decide which events are timed, walked or counted. The source has them in
 * nanoseconds. The code compares them with ticks of the machine's counter (tool_ticks), whose rate
 * differs between machines. So they are converted once, when the tool starts (thresholds_begin).
 * The rate is measured there by the counter and the system's clock, for a fifth of a millisecond:
 * not all processors report it, and fewer virtual machines do. An error of a thousandth does not
 * matter, as none of these lengths is exact. The profile has its own rate, measured over the whole
 * run (tool_calibrate).
 */
#ifndef OMPPROF_SAMPLER_CORE_THRESHOLDS_H
#define OMPPROF_SAMPLER_CORE_THRESHOLDS_H

#include <stdint.h>

/* All thresholds (thresholds.def), in ticks. */
struct thresholds {
#define THRESHOLD(name, ns) uint32_t name;
#include "sampler/core/thresholds.def"
#undef THRESHOLD
};

/*
 * `ns` nanoseconds in ticks, but at least 2: a length that is measured by a counter can be a tick
 * too long. Slow counters have ticks of 40 ns. Any thread.
 */
static inline uint32_t thresholds_ticks(uint64_t ns, uint64_t ticks_per_s)
{
	uint64_t ticks = ns * ticks_per_s / 1000000000;

	return ticks > 2 ? (uint32_t)ticks : 2;
}

/*
 * Sets all thresholds for a counter with this many ticks per second: 1 MHz to 10 GHz.
 * Owning thread only.
 */
static inline void thresholds_set(struct thresholds *thresholds, uint64_t ticks_per_s)
{
#define THRESHOLD(name, ns) thresholds->name = thresholds_ticks(ns, ticks_per_s);
#include "sampler/core/thresholds.def"
#undef THRESHOLD
}

/* Measures the rate of the counter, and sets all thresholds in `tool`. Owning thread only. */
void thresholds_begin(void);

#endif
