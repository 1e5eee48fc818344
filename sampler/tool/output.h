/* SPDX-License-Identifier: Apache-2.0 */
/* The profile's folder and file, and the description of the run in the file. */
#ifndef OMPPROF_SAMPLER_TOOL_OUTPUT_H
#define OMPPROF_SAMPLER_TOOL_OUTPUT_H

#include <stddef.h>

#include "sampler/core/settings.h"

/*
 * Makes the output folder if it does not exist, and in it the file HOST-PID.ompprof, or with an MPI
 * rank HOST-PID-rankN.ompprof. A second program in the same process (exec) gets HOST-PID-2.ompprof.
 * Returns 0, or -1 after a message (say). Owning thread only.
 */
int output_open(const struct settings *settings);

/*
 * Writes command line, environment (the variables that layout.h lists), folder and executable into
 * the profile, and the executable's path also to exe. Owning thread only.
 */
void output_describe(char *exe, size_t bytes);

/* The file's path, "" before output_open and if it failed. Any thread. */
const char *output_path(void);

#endif
