/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of events (region_fast.h, mutex_fast.h) write only what a sample looks at first
 * and what other threads wait for. catch_up.c does the rest: before an event on the slow path, in a
 * sample once its class is known, and at the end of the thread.
 */
#ifndef OMPPROF_SAMPLER_CORE_CATCH_UP_H
#define OMPPROF_SAMPLER_CORE_CATCH_UP_H

struct thread;

/*
 * Before a sample: does all that the fast paths have deferred, and gives the tree the root of the
 * program's present phase. Signal-safe.
 */
void catch_up(struct thread *thread);

#endif
