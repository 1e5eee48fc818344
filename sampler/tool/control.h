/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands that the program gives the tool by omp_control_tool (OpenMP 5.1, 3.14 and 4.5.2.29).
 * In a pause measured time stands still (tool_time, tool_now_ns). A wait, region or hold with a
 * pause in it counts as if the pause had taken no time; a wait, region or hold within a pause
 * counts nothing. Samples are dropped when they come. Clocks continue, as stopping and starting the
 * clocks of all threads takes more time than the samples of a pause. Contexts are kept up to date,
 * so that after a start in a region or task they are right.
 *
 * All commands but FLUSH hold for all threads from the moment at which the calling thread gives
 * them. But up to 2 * MUTEX_FAST_OF acquisitions of a mutex by another thread on the mutex fast
 * path still count.
 */
#ifndef OMPPROF_SAMPLER_TOOL_CONTROL_H
#define OMPPROF_SAMPLER_TOOL_CONTROL_H

#include <stdint.h>

/* The commands of the specification (omp_control_tool_t) and of ompprof.h. */
enum control_command {
	CONTROL_START = 1,
	CONTROL_PAUSE = 2,
	/* writes what the calling thread and the devices have buffered, and the file to its disk */
	CONTROL_FLUSH = 3,
	CONTROL_END = 4, /* completes the profile, for good */
	/* modifier: the phase's number, or 0 and its name as the argument */
	CONTROL_PHASE_BEGIN = 64,
	CONTROL_PHASE_END = 65,
};

/* omp_control_tool_result_t. */
enum control_result { CONTROL_SUCCESS = 0, CONTROL_IGNORED = 1 };

/* The callback. Owning thread only. */
int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra);

/*
 * Ends the tool for good, as the program is about to take away what the tool needs (lockdown.c).
 * Any thread.
 */
void control_lock_down(void);

/*
 * Finds the function that the prctl of lockdown.c stands in front of; until then that makes the
 * system call. Any thread.
 */
void lockdown_prepare(void);

/*
 * In a child made by fork: frees the lock, which a thread of the parent may have held.
 * Owning thread only.
 */
void control_forget(void);

#endif
