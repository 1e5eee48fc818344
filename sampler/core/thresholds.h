/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lengths of time that decide what is timed, walked or counted. The source has them in nanoseconds; the code compares
 * them with ticks of the machine's counter (tool_ticks), whose rate is another on each machine. They are converted
 * once, when the tool starts (thresholds_begin). The rate is measured there, by the counter and the system's clock
 * over a fifth of a millisecond: not all processors tell it, and fewer virtual machines. A thousandth more or less does
 * not matter, as none of these lengths is exact; the profile has its own rate, from the whole run (tool_calibrate).
 */
#ifndef OMPPROF_SAMPLER_CORE_THRESHOLDS_H
#define OMPPROF_SAMPLER_CORE_THRESHOLDS_H

#include <stdint.h>

/* All of them (thresholds.def), in ticks. */
struct thresholds {
#define THRESHOLD(name, ns) uint32_t name;
#include "sampler/core/thresholds.def"
#undef THRESHOLD
};

/* Sets all for a counter with so many ticks a second: 1 MHz to 10 GHz. Owning thread only. */
static inline void thresholds_set(struct thresholds *thresholds, uint64_t ticks_per_s)
{
#define THRESHOLD(name, ns) thresholds->name = (uint32_t)((ns)*ticks_per_s / 1000000000);
#include "sampler/core/thresholds.def"
#undef THRESHOLD
}

/* Measures the rate of the counter, and sets them all in `tool`. Owning thread only. */
void thresholds_begin(void);

#endif
