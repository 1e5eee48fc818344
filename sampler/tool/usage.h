/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process' time in the kernel, its page faults and its memory, for the header. A report sees
 * from them whether the program gives memory back to the kernel and takes it again.
 */
#ifndef OMPPROF_SAMPLER_TOOL_USAGE_H
#define OMPPROF_SAMPLER_TOOL_USAGE_H

/* Notes the use before the profile begins. Owning thread only. */
void usage_begin(void);

/* Writes the use since then. Any thread. */
void usage_end(void);

#endif
