/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT callbacks that ompprof asks for by default for constructs of the host, for tools that
 * ignore them. ompprof also asks for callbacks of threads, commands, target regions and devices;
 * tests/bench/events.sh compares.
 */
#ifndef OMPPROF_BENCH_EVENTS_H
#define OMPPROF_BENCH_EVENTS_H

#include <omp-tools.h>

static void events_nothing(void)
{
}

/* Asks for them all with a callback that returns at once. */
static inline void events_ignore(ompt_set_callback_t set)
{
#define EVENTS_IF_CONSTRUCTS(name) set(ompt_callback_##name, events_nothing);
#define EVENTS_IF_COMMANDS(name)
#define EVENTS_IF_DEVICES(name)
#define EVENTS_IF_NOTHING(name)
#define EVENTS_IF_THREADS(name)
#define COUNTED(NAME, number, name, use, ...) EVENTS_IF_##use(name)
#define CALLBACK(number, name, use)           EVENTS_IF_##use(name)
#include "profile/shared/events.def"
}

#endif
