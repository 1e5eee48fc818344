/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the timeline takes for a wait and for a sample, without and with --trace: ticks of the
 * time-stamp counter for a call, the median of many rounds, with the thread's lines in the cache. A
 * stand-in (timeline_stage.h) replaces the writer of the file. The sample's read of the clock is
 * not included. `make bench-timeline` runs it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"
#include "tests/unit/sampler/timeline_stage.h"

enum { ROUNDS = 400, CALLS = 1000, TICKS_PER_MS = 2500000 };

static void begin(int is_traced)
{
	timeline_stage_begin(TIMELINE_STAGE_SEGMENTS, TICKS_PER_MS * 1000ULL, 1, 1,
		is_traced ? (TIMELINE_STAGE_SEGMENTS - 2) * PROFILE_SEGMENT_BYTES : 0);
}

static int compare(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Waits, or samples, that follow each other and take so many ticks each. */
static double measure(int is_sample, uint64_t ticks, int is_traced)
{
	static uint64_t rounds[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t now = 1, from;

		begin(is_traced);
		from = __builtin_ia32_rdtsc();
		for (int k = 0; k < CALLS; k++) {
			now += ticks;
			tool.stands_ticks = now;
			if (is_sample)
				timeline_sample(
					&timeline_stage.thread, 7, PROFILE_WORK, ticks * 2 / 5, 0);
			else
				timeline_wait(&timeline_stage.thread, PROFILE_LOCK, 7, now - ticks,
					now, ticks);
		}
		rounds[i] = __builtin_ia32_rdtsc() - from;
	}
	qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
	return (double)rounds[ROUNDS / 2] / CALLS;
}

int main(void)
{
	static const struct {
		const char *name;
		int is_sample;
		uint64_t ticks;
	} rows[] = { { "wait of 1 us", 0, TICKS_PER_MS / 1000 },
		{ "wait of 10 ms", 0, 10 * TICKS_PER_MS },
		{ "sample of 0.2 ms", 1, TICKS_PER_MS / 5 },
		{ "sample of 10 ms", 1, 10 * TICKS_PER_MS } };

	printf("%-20s %8s %8s   (ticks a call)\n", "", "timeline", "--trace");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%-20s %8.0f %8.0f\n", rows[i].name,
			measure(rows[i].is_sample, rows[i].ticks, 0),
			measure(rows[i].is_sample, rows[i].ticks, 1));
	return 0;
}
