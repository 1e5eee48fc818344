/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the process uses of the kernel and of memory, for the header. A report sees from it whether
 * the program gives memory back to the kernel and takes it again.
 */
#ifndef OMPPROF_SAMPLER_TOOL_USAGE_H
#define OMPPROF_SAMPLER_TOOL_USAGE_H

/* Notes what the process has used before the profile begins. Owning thread only. */
void usage_begin(void);

/* Writes what it has used since then. Any thread. */
void usage_end(void);

#endif
