/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a runtime's states mean: those of the specification (OpenMP 5.1, 4.4.4.26), and those of the runtime's own.
 * Any value that the specification does not give may be one: ompt_enumerate_states (4.4.3.1) gives it a name, and
 * the name says what kind it is. The names of OMPT's technical report are understood as well.
 *
 * Where the class of a sample would hide the state that the runtime gave, the sample carries a mark (enum
 * profile_state). Marks of the runtime's own states count up in the order in which they were learnt, also across
 * runtimes of one process, so that a mark has one meaning in a profile.
 */
#ifndef OMPPROF_SAMPLER_CORE_STATES_H
#define OMPPROF_SAMPLER_CORE_STATES_H

#include <omp-tools.h>
#include <stdint.h>

enum { STATES_MAX = 32, STATES_NAME_BYTES = 64 };

/* A state of the runtime's own. */
struct states_own {
	uint32_t value;    /* what ompt_get_state answers */
	uint32_t standard; /* the state of the specification that stands for it */
	char name[STATES_NAME_BYTES];
};

/* What the answer of ompt_get_state means. */
struct states_meaning {
	uint32_t standard; /* a state of the specification, or what nobody has named */
	uint8_t mark;      /* enum profile_state */
};

/*
 * Learns the states that the runtime has beside the specification's; `enumerate` may be NULL. Those that it cannot
 * keep, beyond STATES_MAX, are taken for states that nobody has named.
 * Owning thread only.
 */
void states_learn(ompt_enumerate_states_t enumerate);

/*
 * The meaning of a state. Bounded by STATES_MAX comparisons, none for a state of the specification.
 * Signal-safe.
 */
struct states_meaning states_meaning(uint32_t state);

/*
 * The state of the specification that a name speaks of. First by the name itself, with or without "ompt_state_" or
 * "omp_state_"; then by its words: "wait" with "barrier", with words of tasks, targets or mutexes, or with
 * none of them, which is overhead; "idle", "overhead", "reduction", "serial". All others are work.
 * Any thread.
 */
uint32_t states_of_name(const char *name);

/* The index-th of the states of a runtime's own that were learnt; NULL if there are not so many. Any thread. */
const struct states_own *states_own(uint32_t index);

#endif
