/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of MPI as measured waits. Where the library is preloaded, wrap_mpi.c stands in front of the
 * functions of profile/shared/mpi_calls.def, and calls mpi_begin before and mpi_end after each.
 *
 * A call is a wait of PROFILE_MPI of the thread's current task, from its begin to its end, whether
 * the library spins or sleeps: a WAIT leaf under the path of the call and a frame of the called
 * function. Samples in it have the class PROFILE_WAIT_MPI. They blame the call for threads that
 * wait meanwhile, and so does sleep in it (blocking.h).
 *
 * MPI calls its own functions, and its functions for Fortran call those for C. So a call within a
 * call is part of the outer call. The outer call is known to be over, as after a longjmp, if the
 * next call's frame is not below its frame on the stack.
 *
 * Only threads with a task are timed: OpenMP's threads, after the runtime has started.
 */
#ifndef OMPPROF_SAMPLER_THREADS_MPI_WAIT_H
#define OMPPROF_SAMPLER_THREADS_MPI_WAIT_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * The program calls `function` of MPI; `frame` is an address in the frame of the caller of this.
 * Returns whether the call is timed; mpi_end then follows. Keeps errno. Any thread.
 */
int mpi_begin(uint64_t function, uint64_t frame);

/* A timed call, which returns to the address `caller`, has ended. Keeps errno. Any thread. */
void mpi_end(const void *caller);

/* Whether the current task is in a timed call. Owning thread only. */
static inline int mpi_is_in(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);

	return task && task->wait == PROFILE_MPI;
}

#endif
