/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the C library in which a thread sleeps: reads, sleeps, poll, mutexes of pthreads. Where
 * the library is preloaded, wrap_blocking.c stands in front of these functions and calls
 * blocking_look before and blocking_add after each.
 *
 * A short call has to cost next to nothing. So nothing is timed as long as the thread keeps its CPU
 * (switched.h). Only after a call that lost the CPU the thread reads its clocks. It has slept for
 * the time since the latest reading, less its CPU time and its waiting for a CPU. As it had the CPU
 * from that reading to the begin of the call, all that sleep is in the call. If the thread had lost
 * the CPU before the call, the clocks are read at the begin.
 *
 * The sleep is a WAIT leaf of PROFILE_BLOCKED under the path of the call and a frame of the called
 * function, and the path is blamed for the threads that waited meanwhile. No state says that a call
 * has begun. So a call may end by cancellation or longjmp, and calls may be nested, also in signal
 * handlers of the program: each sleep counts once, in the innermost call.
 *
 * Not seen are system calls that the program makes without the C library, calls within the C
 * library (stdio's own reads), and page faults. Calls of the OpenMP runtime and of the tool do not
 * count. With a wall clock nothing is done here, as samples then tell where a thread sleeps.
 */
#ifndef OMPPROF_SAMPLER_THREADS_BLOCKING_H
#define OMPPROF_SAMPLER_THREADS_BLOCKING_H

#include "sampler/core/thread_self.h"
#include "sampler/threads/switched.h"

/*
 * Before a call, unless switched_is_armed: makes it known whether the call will lose the CPU. Keeps
 * errno. Any thread.
 */
void blocking_look(void);

/*
 * After a call of `function` that returns to the address `caller`, unless switched_is_armed: adds
 * the sleep in the call to the profile. Keeps errno. Any thread.
 */
void blocking_add(uint64_t function, uint64_t caller);

#endif
