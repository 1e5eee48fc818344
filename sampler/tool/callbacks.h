/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT callbacks: they keep each thread's context current (its tasks, its regions, what it
 * waits for) for the handler of that thread, and capture creation paths. Each runs on the thread
 * that it speaks of, keeps the handler out while it works, and returns at once in a process that
 * did not start the tool (a child made by fork).
 */
#ifndef OMPPROF_SAMPLER_TOOL_CALLBACKS_H
#define OMPPROF_SAMPLER_TOOL_CALLBACKS_H

#include <omp-tools.h>

/*
 * Registers the callbacks that the runtime has. What is missing degrades the picture: the words
 * for it go to `missing` (of `bytes`), "" if nothing is.
 * Owning thread only.
 */
void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes);

#endif
