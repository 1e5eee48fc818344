/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenMP runtime's names for its own things: states beside the specification's (states.h) and
 * implementations of mutexes. The runtime is asked once, when it starts the tool.
 */
#ifndef OMPPROF_SAMPLER_TOOL_RUNTIME_NAMES_H
#define OMPPROF_SAMPLER_TOOL_RUNTIME_NAMES_H

#include <omp-tools.h>

/* Asks the runtime for its names. Owning thread only. */
void runtime_names_learn(ompt_function_lookup_t lookup);

/*
 * Writes the names that the profile does not have yet: keys `state` and `impl` of the RUN text
 * (layout.h). Owning thread only.
 */
void runtime_names_describe(void);

#endif
