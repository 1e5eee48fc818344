/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blame for waiting, as samples estimate it: while a thread works and others wait, they wait for
 * its work. A sample that represents a time T charges its path for
 *
 *   members of its own team that wait in a barrier, taskwait, taskgroup or for their turn in an
 *     ordered region: T times their number, divided by the members that do not wait. While a member
 *     is inside an ordered region, only this member is charged for the threads that wait for a turn
 *   members of the team around it, one of which encountered the own team's region: the same,
 *     divided also by the working members of the own team; and so on outwards, for 4 teams at most
 *   threads that wait for a mutex which the sampled thread holds: T times their number. This says
 *     where in the hold the time goes; the release measures how much there is to blame (mutex.h)
 *   idle threads: T times their number, divided by all OpenMP threads that work
 *
 * While the thread was ready to run and had no CPU they waited for it all the same. This time is
 * charged in the same way, with PROFILE_BLAME_NO_CPU.
 *
 * At any time each of these waiting threads is charged once, to the threads for which it waits, as
 * long as some thread is sampled while it works. A sample looks at BOARD_LOOK threads at most. If
 * there are more, it looks at a random part of them, which represents all. So the cost of a sample
 * is constant, and the expected charge is right.
 */
#ifndef OMPPROF_SAMPLER_CORE_BLAME_H
#define OMPPROF_SAMPLER_CORE_BLAME_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * Charges the path that ends in `node` for the waiting of others, in a sample that represents
 * time_ns of work, after delay_ns without a CPU. Others waited for the CPU no longer than they have
 * waited at all. Signal-safe.
 */
void blame_sample(struct thread *thread, uint32_t node, uint64_t time_ns, uint64_t delay_ns);

/*
 * Charges the path that ends in `node` for the threads that waited while this thread slept from
 * `begin` to `end`, in ticks: as samples would have, if they came while a thread sleeps. A thread
 * that waited during a part of the sleep adds that part. Signal-safe.
 */
void blame_sleep(struct thread *thread, uint32_t node, uint64_t begin, uint64_t end);

#endif
