/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured waiting: the events of a wait are its begin and its end, whether the thread spins or
 * sleeps. Times are ticks.
 *
 *   event                          what it does here
 *   sync_region_wait begin         wait_begin: the current task waits from now on
 *   task_schedule                  wait_suspend and wait_resume: what goes by while another task runs is
 *                                  that task's
 *   sync_region_wait end           wait_end: the sum goes to the tree
 *   implicit_task begin and end    the thread's time in the region; between them a worker is idle
 *   parallel_end                   ends, for all of the team, the closing barrier
 *
 * Runtimes deliver a worker's end of the closing barrier, and of its implicit task, only when the next
 * region begins. So both are cut at the end of the region, which its primary thread notes (struct
 * region.ends); what follows is idle time.
 *
 * A wait belongs to the path of the code that waits. A walk takes longer than a short wait: waits at one
 * place (kind, mutex, return address, context) add up until they are worth a walk, about 20 us, and then
 * all of them go to the path that the latest one has. Longer ones go to their own, and none is lost: what
 * has not been put into the tree when the thread ends goes to the path of those before. A closing barrier
 * needs no walk: it has no path but the region.
 *
 * The sum over a thread of what is put into the tree is, but for what is counted as lost, the sum of
 * its waits.
 */
#ifndef OMPPROF_SAMPLER_WAIT_H
#define OMPPROF_SAMPLER_WAIT_H

#include <stdint.h>

#include "sampler/thread.h"

/*
 * A wait of this enum profile_wait begins, or ends, for the thread's current task.
 * Owning thread only.
 */
void wait_begin(struct thread *thread, struct task *task, uint32_t wait, uint64_t now);
void wait_end(struct thread *thread, struct task *task, const void *codeptr_ra, uint64_t now);

/*
 * Adds a wait that took so many ticks to the current path. `key` as PROFILE_WAIT_KEY makes it.
 * Owning thread only.
 */
void wait_add(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t ticks);

/*
 * The current task is put aside, for another one to run, and is taken up again.
 * Owning thread only.
 */
void wait_suspend(struct thread *thread, uint64_t now);
void wait_resume(struct thread *thread, uint64_t now);

/*
 * The node that stands for a context under the thread's root; 0 without space.
 * Owning thread only.
 */
uint32_t wait_own_node(struct thread *thread, uint32_t context);

/*
 * An implicit task has begun: it is on top of the thread's tasks.
 * Owning thread only.
 */
void wait_enter_team(struct thread *thread, uint64_t now);

/*
 * The task, which is about to be taken off the thread's tasks, has ended; `is_done`: for good.
 * Owning thread only.
 */
void wait_task_ended(struct thread *thread, struct task *task, int is_done, uint64_t now);

/*
 * A worker is without tasks: it is idle since its last region ended, or now.
 * Owning thread only.
 */
void wait_become_idle(struct thread *thread, uint64_t since);

/*
 * When the execution of the region that the task belongs to ended: at most `now`, which is the answer
 * while it lasts. 0: not known any more.
 * Owning thread only.
 */
uint64_t wait_end_of_region(const struct task *task, uint64_t now);

/*
 * Ends all that is open at the end of the thread or of the profile. The thread must not be in an event:
 * it is the calling one, or it waits for ever.
 * Any thread.
 */
void wait_finish(struct thread *thread, uint64_t now);

#endif
