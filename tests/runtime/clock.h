/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual time: in a case's process the clocks, timers and the tick counter of the tool are the
 * script's. clock.c defines the functions of the C library anew; the tool calls these, as the
 * program's symbols come first. ticks.h replaces the tick counter.
 */
#ifndef OMPPROF_TESTS_RUNTIME_CLOCK_H
#define OMPPROF_TESTS_RUNTIME_CLOCK_H

#include "tests/runtime/stage.h"

/* The tool calls this in the place of reading the tick counter. */
unsigned long scripted_ticks(void);

/* From here on, in this process and its children. */
void clock_make_virtual(void);

/*
 * Where time begins, and each thread's CPU clock. The latter is not 0, which the tool takes for a
 * clock that cannot be read.
 */
#define CLOCK_BEGIN_NS     1000000000000ULL
#define CLOCK_CPU_BEGIN_NS 1000

/* How long until the actor's timer is due: 0 if it is, UINT64_MAX if it never will be. */
uint64_t clock_until_due(const struct actor *actor);

/* All clocks advance, except CPU clocks of actors that have no CPU. */
void clock_advance(uint64_t ns);

#endif
