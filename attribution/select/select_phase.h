/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a profile down to some phases of the program, before anything is made of it: what is left is what the
 * profile would be had the tool been paused in the others. Pure. What the file does not know by phase stays that of
 * the whole run: acquisitions and holds of mutexes (profile.locks; the waits for them are cut), and losses. The tool's
 * own cost is taken out: it was a part of more CPU time than is left. Lives of threads, and the wall time, are
 * lengths, no longer moments: all begin at 0. A thread that lived in nothing that is kept has 1 ns left, as 0 is a
 * life that goes on. When something was is not known of phases: timelines and traces are taken out.
 */
#ifndef OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H
#define OMPPROF_ATTRIBUTION_SELECT_SELECT_PHASE_H

#include <stdint.h>

#include "profile/reader/reader.h"

/*
 * keeps[0]: what is in no phase; keeps[i + 1]: profile.phases[i], without those within it. Figures of nodes that
 * are not kept become 0; the nodes stay. Returns 0, or -1 when out of memory.
 */
int select_phases(struct profile *profile, const uint8_t *keeps);

/* What is in no phase, of a wall time or a thread's life of whole_ns: all but what the phases have. */
uint64_t select_outside(uint64_t whole_ns, uint64_t in_phases_ns);

/* The wall time of a profile, ns. */
uint64_t select_wall(const struct profile *profile);

/* Take away the figures of what is not kept. Its place, and how large a region's teams are, are known of the whole run. */
void select_clear_node(struct profile_tree_node *node);
void select_clear_region(struct profile_region_record *record);

#endif
