/* SPDX-License-Identifier: Apache-2.0 */
/* Code that all clocks share; see clock.h. Part of the signal-safe core. */
#include "sampler/core/clock.h"

uint64_t clock_interval(struct thread_clock *clock, uint64_t period)
{
	uint64_t x = clock->random;

	/* xorshift64: Marsaglia, "Xorshift RNGs", 2003; the state is never 0. */
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	clock->random = x;
	return period / 2 + (period ? x % period : 0) + 1;
}

uint64_t clock_now_ns(clockid_t id)
{
	struct timespec now = { 0, 0 };

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}
