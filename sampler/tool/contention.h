/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who else wants the CPUs, and what limits the process: what the kernel tells at the profile's
 * start and at its end goes into the header, so that reports can say why threads had no CPU.
 */
#ifndef OMPPROF_SAMPLER_TOOL_CONTENTION_H
#define OMPPROF_SAMPLER_TOOL_CONTENTION_H

/* Fills the header's part that is known at the start. Owning thread only. */
void contention_begin(void);

/* Adds what is known only at the end. Any thread. */
void contention_end(void);

#endif
