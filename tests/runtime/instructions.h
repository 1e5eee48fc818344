/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine instructions of an event, one by one: so the thread's signal can meet it before any of them. It is the
 * processor that stops after each (its trap flag), by a SIGTRAP.
 */
#ifndef OMPPROF_TESTS_RUNTIME_INSTRUCTIONS_H
#define OMPPROF_TESTS_RUNTIME_INSTRUCTIONS_H

#include <omp-tools.h>

/* The calling thread's event comes, by this callback; if the script wants a signal before one of its instructions, it is
   sent there. */
void instructions_begin(ompt_callback_t callback);

/* It is over: a signal that has not come, as there are not so many instructions, comes now. */
void instructions_end(void);

#endif
