/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a profile down to a part of the run, from one moment to another, before anything is made of it. Pure.
 *
 * What threads did then their timelines tell (profile.timelines): buckets outside become 0, and of one that the part
 * begins or ends in it gets the share of its length. Where run --trace has kept each sample and wait up to the part's
 * end, these tell it exactly, also at which nodes (profile.part.has_paths): a sample's time, and a wait's, belong to the
 * part as far as they lie in it, their numbers to the part that they end in. Without that no node has a figure.
 * So parts that follow each other add up to their whole, to the last ns.
 *
 * What is known of the whole run alone becomes 0: blame, executions of regions, their lengths and barriers, mutexes,
 * counted events, devices, phases, losses, the tool's own cost. Lives of threads, and the wall time, are lengths, as in
 * select_phase.h. A thread without a timeline has nothing in any part.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_TIME_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * Leaves what lies between the moments, which are ns since the profile's start, and fills profile.part. What ended right
 * at begin_ns is not in it, but at 0; an end at or behind the profile's is its end. Returns 0, or -1 when out of memory.
 */
int select_time(struct profile *profile, uint64_t begin_ns, uint64_t end_ns);

#endif
