/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quick ways of events (region_fast.h, mutex_fast.h) write only what a sample looks at first and what other threads wait
 * for. catch_up.c does the rest: before an event in the full way, in a sample once its class is known, and at the end of
 * the thread.
 */
#ifndef OMPPROF_SAMPLER_CORE_CATCH_UP_H
#define OMPPROF_SAMPLER_CORE_CATCH_UP_H

struct thread;

/* Makes up for all that the quick ways have left out, and follows the program's phase. For a sample. Signal-safe. */
void catch_up(struct thread *thread);

#endif
