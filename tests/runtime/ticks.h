/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included before every file of a library that is built for virtual time: its tick counter is the
 * script's, with 1e9 ticks a second.
 */
#ifndef OMPPROF_TESTS_RUNTIME_TICKS_H
#define OMPPROF_TESTS_RUNTIME_TICKS_H

__attribute__((visibility("default"))) unsigned long scripted_ticks(void);

#define TOOL_TICKS scripted_ticks

/* The tool derives its limits from this, as if a nanosecond had 2.5 ticks. Scripts expect that. */
#define TOOL_TICKS_PER_S 2500000000ULL

#endif
