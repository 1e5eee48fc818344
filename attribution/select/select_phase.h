/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces a profile to selected phases of the program, before anything is made of it. The result is
 * the profile of a run in which the tool was paused in the other phases. Pure.
 *
 * Acquisitions and holds of mutexes (profile.locks), and losses, are not known by phase and stay as
 * in the whole run. The waits for mutexes are reduced. The tool's own cost is removed, since it was
 * a part of more CPU time than is left. Lives of threads and the wall time become lengths: all
 * begin at 0. A thread that did not live in a kept phase has 1 ns left, as 0 is a life that has not
 * ended. The phase of a moment is not known, so timelines and traces are removed.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * keeps[0]: time in no phase; keeps[i + 1]: profile.phases[i], without the phases within it.
 * Figures of nodes that are not kept become 0; the nodes stay. Returns 0, or -1 when out of memory.
 */
int select_phases(struct profile *profile, const uint8_t *keeps);

/* The time in no phase, given a wall time or a thread's life of whole_ns and its time in phases. */
uint64_t select_outside(uint64_t whole_ns, uint64_t in_phases_ns);

/* The wall time of a profile, ns. */
uint64_t select_wall(const struct profile *profile);

/*
 * Clear the figures of a node or region that is not kept. The places, and the sizes of a region's
 * teams, are known for the whole run and stay.
 */
void select_clear_node(struct profile_tree_node *node);
void select_clear_region(struct profile_region_record *record);

#endif
