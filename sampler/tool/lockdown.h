/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool ends before the program takes the time-stamp counter or system calls away from one of its threads by
 * prctl. lockdown.c defines prctl; the constructor prepares it, and nobody else calls this module.
 */
#ifndef OMPPROF_SAMPLER_TOOL_LOCKDOWN_H
#define OMPPROF_SAMPLER_TOOL_LOCKDOWN_H

/*
 * Finds the prctl that this module's stands in front of; until then that makes the system call.
 * Any thread.
 */
void lockdown_prepare(void);

#endif
