/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes the machine instructions of an event one by one, so that the thread's signal can come
 * before any of them. The processor's trap flag stops after each, by a SIGTRAP. A processor without
 * this flag executes the event as usual, and the signal comes after it.
 */
#ifndef OMPPROF_TESTS_RUNTIME_INSTRUCTIONS_H
#define OMPPROF_TESTS_RUNTIME_INSTRUCTIONS_H

#include <omp-tools.h>

/*
 * Call before the calling thread's event, which is sent to this callback. If the script wants a
 * signal before one of its instructions, it is sent there.
 */
void instructions_begin(ompt_callback_t callback);

/* Call after the event. If it had fewer instructions, the signal is sent now. */
void instructions_end(void);

#endif
