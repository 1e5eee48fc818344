/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own team. LLVM's runtime executes tasks of `target nowait` on threads that it has for that alone
 * ("hidden helpers"). To a tool they are the team of a parallel region, which a thread that the runtime has created
 * encounters when the first such task comes, in the runtime's own code, and which ends with the program.
 *
 * That region is none of the program's, and its threads are none: the region is not in the profile, and while a helper
 * executes no task it neither waits nor is idle as others understand it. What it executes is the program's, in the
 * contexts of the tasks. Regions of the program's can begin in the runtime's code, too (flang's with an if clause), on a
 * thread of which nobody has seen who created it: its stack tells, on which the program is. Where the runtime is
 * a part of the executable its code does not tell, and helpers are workers like others.
 */
#ifndef OMPPROF_SAMPLER_THREADS_HIDDEN_HELPER_H
#define OMPPROF_SAMPLER_THREADS_HIDDEN_HELPER_H

#include <omp-tools.h>

#include "sampler/core/thread.h"

/* Whether the region that the thread encounters is that of helpers. Owning thread only. */
int hidden_helper_is_region(
	struct thread *thread, const ompt_frame_t *frame, int flags, const void *codeptr_ra);

/* The thread is a helper from here on. Owning thread only. */
void hidden_helper_become(struct thread *thread);

/* Its implicit task begins, in which it waits for tasks. Owning thread only. */
void hidden_helper_begin(struct thread *thread, const ompt_data_t *task_data);

/*
 * Whether the address is in the runtime's own code. Of a runtime that is a part of the executable nothing is: code does
 * not tell it from the program.
 * Any thread.
 */
int hidden_helper_is_runtime_code(const void *address);

#endif
