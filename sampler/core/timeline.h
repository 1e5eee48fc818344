/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a thread did what (struct profile_timeline_segment): always, in constant memory, one segment a record of a
 * thread. A sample counts in the buckets of the time right before it, as long as what it stands for; a wait in those
 * from its begin to its end, evenly, less what of it went by elsewhere; one that stands for others like it, in those
 * before its end, as far back as they took. Only the thread itself adds, its handler, and its events while
 * the handler is kept out, and at the end who closes its record. Who reads the file may meet it while pairs
 * of buckets become one: layout.h says how it can tell.
 *
 * With --trace the same are also written down one by one, the first ones of the program as far as there is room.
 */
#ifndef OMPPROF_SAMPLER_CORE_TIMELINE_H
#define OMPPROF_SAMPLER_CORE_TIMELINE_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"

struct thread;

/* Of more threads' records than this, 32 MiB, the others get no timeline. */
enum { TIMELINE_MOST = 2048 };

/* The timeline of a thread: a part of struct thread. The handler adds to it, or a callback. */
struct thread_timeline {
	struct profile_timeline_segment *segment; /* NULL none */
	struct profile_segment *moments;          /* its trace is in; NULL none yet */
};

/* Any thread. */
static inline void thread_timeline_clear(struct thread_timeline *timeline)
{
	memset(timeline, 0, sizeof(*timeline));
}

/* The record of the thread, which is new, gets a timeline, or none without space. Owning thread only. */
void timeline_open(struct thread *thread);

/* What the thread adds to is the timeline of its record. Owning thread only. */
void timeline_find(struct thread *thread);

/* What was counted as opened, and the room of the trace, in a profile that begins. Owning thread only. */
void timeline_begin_all(uint64_t trace_bytes);

/* A sample of the thread that stands for time_ns and so many events has been added to a leaf. Signal-safe. */
void timeline_sample(struct thread *thread, uint32_t leaf, enum profile_class class,
	uint64_t time_ns, uint64_t events);

/*
 * A wait, or a time without a team, went on from one moment to another, and `ticks` count for it: fewer where tasks
 * were executed meanwhile, more where it stands for others. The leaf may be 0.
 * The thread must not be in an event, unless it is the calling one. Any thread.
 */
void timeline_wait(struct thread *thread, uint32_t wait, uint32_t leaf, uint64_t begin,
	uint64_t end, uint64_t ticks);

#endif
