/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual time: in a case's process the clocks, timers and the tick counter of the tool are the script's. The functions of the C
 * library are defined anew (clock.c), and find their way into the tool as the program's symbols come first; the tick counter
 * is what ticks.h makes of it.
 */
#ifndef OMPPROF_TESTS_RUNTIME_CLOCK_H
#define OMPPROF_TESTS_RUNTIME_CLOCK_H

#include "tests/runtime/stage.h"

/* What the tool reads in the place of the tick counter. */
unsigned long scripted_ticks(void);

/* From here on, in this process and its children. */
void clock_make_virtual(void);

/* Where it begins, and each thread's CPU clock: one that says 0 is taken for one that cannot be read. */
#define CLOCK_BEGIN_NS     1000000000000ULL
#define CLOCK_CPU_BEGIN_NS 1000

/* Whether the actor's timer is due; how long until it is, UINT64_MAX never. */
uint64_t clock_until_due(const struct actor *actor);

/* All clocks go on. */
void clock_advance(uint64_t ns);

#endif
