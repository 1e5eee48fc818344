/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool ends before the program uses prctl to take the time-stamp counter or system calls away
 * from one of its threads. lockdown.c defines prctl; the constructor prepares it, and no other code
 * calls this module.
 */
#ifndef OMPPROF_SAMPLER_TOOL_LOCKDOWN_H
#define OMPPROF_SAMPLER_TOOL_LOCKDOWN_H

/*
 * Finds the prctl that this module's prctl stands in front of; until then this module's prctl makes
 * the system call. Any thread.
 */
void lockdown_prepare(void);

#endif
