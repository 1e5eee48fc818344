/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces a profile to a part of the run, from one moment to another, before anything is made of
 * it. Pure.
 *
 * The threads' timelines (profile.timelines) tell the time in the part. Buckets outside the part
 * become 0; a bucket that the part begins or ends in gets the share of its length. If run --trace
 * has kept each sample and wait up to the part's end, the trace tells the time exactly, and also
 * the nodes (profile.part.has_paths). The time of a sample or wait then belongs to the part as far
 * as it lies in the part. Its count belongs to the part in which it ends. Without the trace no node
 * has a figure. So parts that follow each other add up to their whole, to the last ns.
 *
 * All that is known only of the whole run becomes 0: blame, executions of regions, their lengths
 * and barriers, mutexes, counted events, devices, phases, losses, the tool's own cost. Lives of
 * threads and the wall time become lengths, as in select_phase.h. A thread without a timeline has
 * nothing in any part.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * Keeps the time between the two moments, which are ns since the profile's start, and fills
 * profile.part. A sample or wait that ended exactly at begin_ns is not in the part, unless begin_ns
 * is 0. An end_ns at or beyond the profile's end means its end. Returns 0, or -1 when out of
 * memory.
 */
int select_time(struct profile *profile, uint64_t begin_ns, uint64_t end_ns);

#endif
