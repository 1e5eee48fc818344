/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT callbacks. They keep each thread's context current for the thread's handler (its tasks,
 * its regions, its wait), and capture creation paths. Each callback runs on the thread that it is
 * about, keeps the handler out while it works, and returns at once in a process that did not start
 * the tool (a child made by fork).
 */
#ifndef OMPPROF_SAMPLER_TOOL_CALLBACKS_H
#define OMPPROF_SAMPLER_TOOL_CALLBACKS_H

#include <omp-tools.h>

/*
 * Registers the callbacks that the runtime has. A missing callback makes the profile coarser:
 * `missing` (of `bytes`) gets the names, "" if none is missing. Owning thread only.
 */
void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes);

#endif
