/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the timeline takes of a wait and of a sample, and with --trace: ticks of the time-stamp counter a call, the median of
 * many rounds, with the thread's lines in the cache. The writer of the file is a stand-in; that a sample reads the
 * clock is not in it. `make bench-timeline` runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/writer.h"
#include "sampler/timeline.h"
#include "sampler/tool.h"

enum { ROUNDS = 400, CALLS = 1000, N_SEGMENTS = 64, TICKS_PER_MS = 2500000 };

struct tool tool;

static _Alignas(64) unsigned char segments[N_SEGMENTS][PROFILE_SEGMENT_BYTES];
static uint32_t n_segments;
static struct profile_header header;
static struct profile_thread record;
static struct thread thread;

struct profile_header *writer_header(void)
{
	return &header;
}

void *writer_at(uint64_t offset)
{
	return (unsigned char *)segments + offset;
}

struct profile_segment *writer_segment(
	enum profile_segment_kind kind, uint32_t record_bytes, uint32_t owner, uint32_t *segment)
{
	struct profile_segment *claimed;

	if (n_segments == N_SEGMENTS)
		return NULL;
	claimed = (struct profile_segment *)segments[ *segment = n_segments++];
	memset(claimed, 0, PROFILE_SEGMENT_BYTES);
	*claimed = (struct profile_segment){
		.kind = kind, .record_bytes = record_bytes, .owner = owner
	};
	return claimed;
}

static void begin(int is_traced)
{
	n_segments = 1;
	record = (struct profile_thread){ .index = 1 };
	memset(&thread, 0, sizeof(thread));
	thread.record = &record;
	header.ticks_per_s = TICKS_PER_MS * 1000ULL;
	tool.start_ticks = tool.stands_ticks = 1;
	timeline_begin_all(is_traced ? (N_SEGMENTS - 2) * PROFILE_SEGMENT_BYTES : 0);
	timeline_open(&thread);
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
				timeline_sample(&thread, 7, PROFILE_WORK, ticks * 2 / 5, 0);
			else
				timeline_wait(&thread, PROFILE_LOCK, 7, now - ticks, now, ticks);
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
