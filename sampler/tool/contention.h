/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who else wants the CPUs, what limits the process, and how much of the kernel and of memory it
 * uses: what the kernel tells at the profile's start and at its end goes into the header. So
 * reports can say why threads had no CPU, and that a program takes memory again and again.
 */
#ifndef OMPPROF_SAMPLER_TOOL_CONTENTION_H
#define OMPPROF_SAMPLER_TOOL_CONTENTION_H

/* Fills the header's part that is known at the start. Owning thread only. */
void contention_begin(void);

/* Adds what is known only at the end. Any thread. */
void contention_end(void);

#endif
