/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of the processor and of the kernel (`--counters`), read at each sample. Each thread has
 * at most two groups of perf events: hardware counters, and software counters, which always count.
 * A group counts as a whole or not at all, so ratios of its counters are right. The handler reads a
 * group by one call. The advance of each counter since the thread's previous sample is added to a
 * COUNTS node beside the sample's leaf, like the time. So the sum over all nodes is what was
 * counted from the thread's begin to its latest sample.
 *
 * The kernel lets the groups of several users take turns. A thread's advance is then enlarged by
 * the time for which the group was open, divided by the time for which it counted. If it did not
 * count at all, nothing is added, and the next sample has the advance of both intervals.
 *
 * A sample never fails because of its counters: where they cannot be read or stored, that is
 * counted (profile_thread_more.n_uncounted), and the next sample has the advance. A thread whose
 * descriptors the program has closed is not read again.
 */
#ifndef OMPPROF_PROFILE_CORE_COUNTERS_H
#define OMPPROF_PROFILE_CORE_COUNTERS_H

#include <stdint.h>

#include "profile/core/cct.h"
#include "profile/shared/layout.h"
#include "profile/shared/perf_event.h"

enum { COUNTERS_OPEN, COUNTERS_RAN, COUNTERS_FIRST };
enum { COUNTERS_MOST_VALUES = COUNTERS_FIRST + PROFILE_MOST_COUNTERS };

/* A group of one thread. Zeroed: it has no counters. cb opens it; handler and cb read it. */
struct counters_group {
	uint32_t n; /* counters; 0: none is open. Stored last */
	int fd[PROFILE_MOST_COUNTERS];
	uint8_t number[PROFILE_MOST_COUNTERS]; /* of each counter in the run's list */
	uint64_t id;                           /* the kernel's, of fd[0], which leads the group */
	/* COUNTERS_OPEN and COUNTERS_RAN in ns, then the counters: the latest reading, */
	uint64_t last[COUNTERS_MOST_VALUES];
	/* and the advance before a pause, for the next sample */
	uint64_t kept[COUNTERS_MOST_VALUES];
};

enum { COUNTERS_SOFTWARE, COUNTERS_HARDWARE, COUNTERS_N_GROUPS };

/* The counters of one thread, which has this tree and this part of its record. */
struct thread_counters {
	struct cct *cct;
	struct profile_thread_more *more;
	struct counters_group group[COUNTERS_N_GROUPS];
};

/*
 * Chooses the counters of all threads from `list`: what the calling thread can open. Fills
 * *chosen. `list` must stay. Owning thread only.
 */
void counters_choose(const struct perf_event_list *list, struct profile_counters *chosen);

/* Opens the calling thread's counters; if it cannot, its record has the reason. Signal-safe. */
void counters_start(
	struct thread_counters *counters, struct cct *cct, struct profile_thread_more *more);

/* Adds the advance to the sample in the SAMPLES node `leaf`. Signal-safe. */
void counters_sample(struct thread_counters *counters, uint32_t leaf, enum profile_class class);

/* A pause begins: keeps the advance for the next sample. Signal-safe. */
void counters_keep(struct thread_counters *counters);

/* Drops the advance since the latest reading: it was in a pause. Signal-safe. */
void counters_drop(struct thread_counters *counters);

/* Closes the thread's counters. Any thread. */
void counters_stop(struct thread_counters *counters);

#endif
