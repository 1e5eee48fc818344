/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own team. LLVM's runtime executes tasks of `target nowait` on threads that it has
 * for these tasks alone ("hidden helpers"). To a tool the helpers are the team of a parallel
 * region. A thread that the runtime has created encounters this region, in the runtime's own code,
 * when the first such task is created. The region ends with the program.
 *
 * The region is not the program's, and neither are its threads. So the region is not in the
 * profile, and a helper that executes no task neither waits nor is idle in the usual sense. The
 * tasks that it executes are the program's, with their contexts.
 *
 * Regions of the program can begin in the runtime's code, too (flang's regions with an if clause),
 * on a thread whose creator nobody has seen. There the thread's stack has frames of the program.
 * Where the runtime is a part of the executable, helpers are not recognised, and are workers like
 * others.
 */
#ifndef OMPPROF_SAMPLER_THREADS_HIDDEN_HELPER_H
#define OMPPROF_SAMPLER_THREADS_HIDDEN_HELPER_H

#include <omp-tools.h>

#include "sampler/core/thread.h"

/* Whether the region that the thread encounters is the region of helpers. Owning thread only. */
int hidden_helper_is_region(
	struct thread *thread, const ompt_frame_t *frame, int flags, const void *codeptr_ra);

/* The thread is a helper from here on. Owning thread only. */
void hidden_helper_become(struct thread *thread);

/* The helper's implicit task begins, in which it waits for tasks. Owning thread only. */
void hidden_helper_begin(struct thread *thread, const ompt_data_t *task_data);

/*
 * Whether the address is in the runtime's own code. Always false for a runtime that is a part of
 * the executable: its code cannot be told from the program's. Any thread.
 */
int hidden_helper_is_runtime_code(const void *address);

#endif
