/* SPDX-License-Identifier: Apache-2.0 */
/* Code that all clocks share; see clock.h. Part of the signal-safe core. */
#include "sampler/core/clock.h"

uint64_t clock_interval(struct thread_clock *clock, uint64_t period)
{
	uint64_t x = clock_random(&clock->random);

	return period / 2 + (period ? x % period : 0) + 1;
}

uint64_t clock_now_ns(clockid_t id)
{
	struct timespec now = { 0, 0 };

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

int clock_cpu_of(uint32_t tid, uint64_t *ns)
{
	/* The bits are the kernel's CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED (posix-timers.h). */
	clockid_t clock = (clockid_t)(~tid << 3 | 6);
	struct timespec cpu;

	if (clock_gettime(clock, &cpu) != 0)
		return -1;
	*ns = (uint64_t)cpu.tv_sec * 1000000000ULL + (uint64_t)cpu.tv_nsec;
	return 0;
}
