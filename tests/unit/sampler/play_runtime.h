/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stand-in for a runtime, for what several threads do at once: it loads the tool as a runtime would, and sends it the
 * events of a test. (Where threads may take turns, tests are scripts: tests/runtime.) Each test runs in a child of its own,
 * which ends with 0 when all was right; what the tool made of the events is read from its profile.
 */
#ifndef OMPPROF_TESTS_UNIT_SAMPLER_PLAY_RUNTIME_H
#define OMPPROF_TESTS_UNIT_SAMPLER_PLAY_RUNTIME_H

#include <omp-tools.h>
#include <stdint.h>

#include "profile/reader/reader.h"

/* Calls a callback of the tool: EVENT(thread_begin, type, data). */
#define EVENT(name, ...)                                                                           \
	((ompt_callback_##name##_t)play_callbacks[ompt_callback_##name])(__VA_ARGS__)

typedef ompt_callback_sync_region_t ompt_callback_sync_region_wait_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_acquired_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_released_t;

/* Long enough that the part after the last sample, which can be some 30 ms on a busy machine, leaves
   more than half. */
enum { COMPUTE_MS = 400 };

extern ompt_callback_t play_callbacks[64];
extern __thread uint32_t play_state; /* what ompt_get_state answers */
extern uint32_t play_turn;           /* of the threads of a test */
extern ompt_data_t nothing;
extern const ompt_frame_t no_frame;

/* Computes for `ms` of this thread's CPU time. */
void play_compute(int ms);

/* Runs `child` in a process of its own, on the initial thread of a tool that has started, and reads its
   profile. */
void play_profile_of(int (*child)(void), struct profile *profile);

/* Threads of a test take turns. */
void play_wait_for_turn(int turn);
void play_set_turn(int turn);

/* The nanoseconds of the WAIT nodes of a kind, or of the BLAME nodes that no sample made. */
uint64_t play_sum_of_waits(const struct profile *profile, enum profile_wait wait, int is_blame);

/* Of a group of tests: the folder of the profiles. */
int play_set_up(void **state);
int play_tear_down(void **state);

#endif
