/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time at which a thread did what (struct profile_timeline_segment). It is recorded without an
 * option, in constant memory, with one segment for each record of a thread up to TIMELINE_MOST. A
 * sample counts in the buckets right before it, over as much time as it represents. A wait counts
 * evenly in the buckets from its begin to its end, less its time in other tasks. A wait that
 * represents similar waits counts in the buckets before its end, as far back as all of them took.
 * The thread's handler adds to the timeline, and so do its events while the handler is kept out. At
 * the end the thread that closes its record adds to it. A reader of the file may see it while pairs
 * of buckets are being merged; layout.h says how the reader recognizes this.
 *
 * With --trace the same samples and waits are also written one by one, beginning with the program's
 * first, as long as there is room.
 */
#ifndef OMPPROF_SAMPLER_CORE_TIMELINE_H
#define OMPPROF_SAMPLER_CORE_TIMELINE_H

#include <stdint.h>

#include "profile/shared/layout.h"

struct thread;

/* The number of timelines, 32 MiB in all. Further records of threads get no timeline. */
enum { TIMELINE_MOST = 2048 };

/* The timeline of a thread: a part of struct thread. The handler or a callback adds to it. */
struct thread_timeline {
	struct profile_timeline_segment *segment; /* NULL: none */
	struct profile_segment *moments;          /* the segment with its trace; NULL: none yet */
};

/*
 * Gives the thread's record, which is new, a timeline, or none without space. Owning thread only.
 */
void timeline_open(struct thread *thread);

/* Makes the thread add to the timeline of its record. Owning thread only. */
void timeline_find(struct thread *thread);

/*
 * A profile begins: resets the count of timelines, and sets the room for the trace.
 * Owning thread only.
 */
void timeline_begin_all(uint64_t trace_bytes);

/*
 * Adds a sample that represents time_ns and so many events, and that is already in a leaf of the
 * tree. Signal-safe.
 */
void timeline_sample(struct thread *thread, uint32_t leaf, enum profile_class class,
	uint64_t time_ns, uint64_t events);

/*
 * Adds a wait, or a time without a team, from `begin` to `end`, that counts as `ticks`. These are
 * fewer if tasks were executed meanwhile, and more if the wait represents others. The leaf may be
 * 0. The thread must not be in an event, unless it is the calling thread. Any thread.
 */
void timeline_wait(struct thread *thread, uint32_t wait, uint32_t leaf, uint64_t begin,
	uint64_t end, uint64_t ticks);

#endif
