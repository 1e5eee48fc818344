/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an OpenMP runtime calls things of its own: states beside the specification's (states.h) and implementations of
 * mutexes. Asked for once, when the runtime starts the tool, and put into the profile as text. Used by ompt.c and tool.c.
 */
#ifndef OMPPROF_SAMPLER_TOOL_RUNTIME_NAMES_H
#define OMPPROF_SAMPLER_TOOL_RUNTIME_NAMES_H

#include <omp-tools.h>

/*
 * Asks the runtime for its names.
 * Owning thread only.
 */
void runtime_names_learn(ompt_function_lookup_t lookup);

/*
 * Writes the names that the profile does not have yet: keys `state` and `impl` of the RUN text (layout.h).
 * Owning thread only.
 */
void runtime_names_describe(void);

#endif
