/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces a profile to the part of the run between two moments. Pure.
 *
 * The timelines tell the time in the part. A bucket that the part begins or ends in counts by the
 * share of its length in the part. If a trace has each sample and wait up to the part's end, it
 * tells the time exactly, and also the nodes (profile.part.has_paths); otherwise no node has a
 * figure. The time of a sample or wait belongs to the part as far as it lies in it, its count to
 * the part in which it ends. So parts that follow each other add up to their whole, to the last ns,
 * if the trace tells all of them or none.
 *
 * All that is known only of the whole run becomes 0, such as blame, regions' executions and
 * barriers, mutexes, counted events, devices, phases, losses, the tool's own cost. Lives of threads
 * and the wall time become lengths, as in select_phase.h. A thread without a timeline has nothing
 * but its life in any part.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * Keeps the time between two moments, in ns since the profile's start, and fills profile.part. A
 * sample or wait that ended exactly at begin_ns is not in the part, unless begin_ns is 0. An end_ns
 * beyond the profile's end is its end. Returns 0, or -1 when out of memory.
 */
int select_time(struct profile *profile, uint64_t begin_ns, uint64_t end_ns);

/* Sets *traced_ns as profile.part.traced_ns. Returns 0, or -1 when out of memory. */
int select_traced(const struct profile *profile, uint64_t *traced_ns);

#endif
