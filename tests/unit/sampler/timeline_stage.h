/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread with a timeline and nothing else around it: the clock stands where it is put, and the writer of the file is a
 * stand-in, whose segments are memory. For tests/unit/sampler/timeline_write.c and bench/timeline.c.
 */
#ifndef OMPPROF_TESTS_UNIT_SAMPLER_TIMELINE_STAGE_H
#define OMPPROF_TESTS_UNIT_SAMPLER_TIMELINE_STAGE_H

#include "profile/shared/layout.h"
#include "sampler/core/thread.h"

enum { TIMELINE_STAGE_SEGMENTS = 64 };

struct timeline_stage {
	struct profile_header header;
	struct profile_thread record;
	struct thread thread;
	uint32_t n_segments; /* of the file so far; the first is the header's */
	uint32_t n_most;     /* that it has room for */
};

extern struct timeline_stage timeline_stage;

/*
 * Begins anew, with an empty file that has room for n_most segments, at most TIMELINE_STAGE_SEGMENTS: the profile has begun at
 * `start` and it is `now`, in ticks, of which a second has so many. The thread's timeline is open; with trace_bytes it
 * keeps a trace.
 */
void timeline_stage_begin(
	uint32_t n_most, uint64_t ticks_per_s, uint64_t start, uint64_t now, uint64_t trace_bytes);

#endif
