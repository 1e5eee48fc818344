/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blame for waiting, as samples tell it: when a thread works while others wait, its work is what they
 * wait for. A sample that stands for a time T charges its path:
 *
 *   members of its own team that wait in a barrier, taskwait, taskgroup or for their turn in an ordered
 *     region: T times their number, shared by those of the team that do not wait. While a member is
 *     inside an ordered region, only it is charged for those who wait for their turn
 *   the team around it, of which one member has encountered the own team's region: likewise, shared also
 *     among those who work in the own team; and so on outwards
 *   threads that wait for a mutex which the sampled thread holds: T times their number. That tells where
 *     in the hold the time goes; how much there is to blame, the release has measured (mutex.h)
 *   idle threads: T times their number, shared by all OpenMP threads that work
 *
 * Each waiting thread is so charged once at any time, to whom it waits for, as long as somebody is
 * sampled working. The look is at BOARD_LOOK threads at most, of more at a random part, which then stands
 * for all: the cost of a sample is constant, and the expected charge is right.
 */
#ifndef OMPPROF_SAMPLER_CORE_BLAME_H
#define OMPPROF_SAMPLER_CORE_BLAME_H

#include <stdint.h>

#include "sampler/core/thread.h"

/*
 * Charges the path that ends in `node` for what others wait, in a sample that stands for time_ns of
 * work.
 * Signal-safe.
 */
void blame_sample(struct thread *thread, uint32_t node, uint64_t time_ns);

#endif
