/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces a profile to selected phases, as if the program had paused the tool in the other phases.
 * Pure.
 *
 * Acquisitions and holds of mutexes, traces of devices, losses and most counts in the threads'
 * records are not known by phase and stay as in the whole run. The tool's own cost is removed,
 * since it belongs to more CPU time than is left. Timelines and traces are removed. Lives of
 * threads and the wall time become lengths: all begin at 0. A thread that did not live in a kept
 * phase has 1 ns left, as an end of 0 is a life that has not ended.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * keeps[0]: time in no phase; keeps[i + 1]: profile.phases[i], without the phases within it. The
 * figures of other nodes become 0. Returns 0, or -1 when out of memory.
 */
int select_phases(struct profile *profile, const uint8_t *keeps);

/* The time in no phase: whole_ns less in_phases_ns, at least 0. */
uint64_t select_outside(uint64_t whole_ns, uint64_t in_phases_ns);

/* The wall time of a profile, ns. */
uint64_t select_wall(const struct profile *profile);

/* Clear the figures of a node or region. The sizes of a region's teams stay. */
void select_clear_node(struct profile_tree_node *node);
void select_clear_region(struct profile_region_record *record);

#endif
