/* SPDX-License-Identifier: Apache-2.0 */
/* The lookup of the scripted runtime, and its entry points (OpenMP 5.1, 4.6) not in objects.h. */
#ifndef OMPPROF_TESTS_RUNTIME_ENTRY_POINTS_H
#define OMPPROF_TESTS_RUNTIME_ENTRY_POINTS_H

#include <omp-tools.h>

/* The callback that the tool has set for an event, if the runtime sends that; else NULL. */
ompt_callback_t entry_points_callback(int event);

/* Whether the tool has asked for its end by ompt_finalize_tool; asked once. */
int entry_points_wants_end(void);

/* Forgets what the tool has set: a start anew. */
void entry_points_clear(void);

/* The lookup that the tool's initialize is given. */
ompt_interface_fn_t entry_points_lookup(const char *name);

#endif
