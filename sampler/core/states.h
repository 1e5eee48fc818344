/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of a runtime's states: the states of the specification (OpenMP 5.1, 4.4.4), and the
 * runtime's own states. Any value that the specification does not define may be an own state.
 * ompt_enumerate_states (4.6.1) gives its name, and the name says its kind. The names of OMPT's
 * technical report are understood as well.
 *
 * Where the class of a sample would hide the state that the runtime gave, the sample carries a mark
 * (enum profile_state). Marks of own states are numbered in the order in which the states were
 * learnt, also across the runtimes of one process. So a mark has one meaning in a profile.
 */
#ifndef OMPPROF_SAMPLER_CORE_STATES_H
#define OMPPROF_SAMPLER_CORE_STATES_H

#include <omp-tools.h>
#include <stdint.h>

enum { STATES_MAX = 32, STATES_NAME_BYTES = 64 };

/* A state of the runtime's own. */
struct states_own {
	uint32_t value;    /* the value that ompt_get_state returns */
	uint32_t standard; /* the state of the specification that represents it */
	char name[STATES_NAME_BYTES];
};

/* The meaning of a value that ompt_get_state returns. */
struct states_meaning {
	uint32_t standard; /* a state of the specification, or a value without a name */
	uint8_t mark;      /* enum profile_state */
};

/*
 * Learns the states that the runtime has besides the specification's states. `enumerate` may be
 * NULL. States beyond STATES_MAX cannot be kept, and are treated like values without a name.
 * Owning thread only.
 */
void states_learn(ompt_enumerate_states_t enumerate);

/*
 * The meaning of a state. Bounded by STATES_MAX comparisons, none for a state of the specification.
 * Signal-safe.
 */
struct states_meaning states_meaning(uint32_t state);

/*
 * The state of the specification that a name means. The whole name is looked up first, with or
 * without "ompt_state_" or "omp_state_". Then the words in it decide: "wait" with "barrier", or
 * with words of tasks, targets or mutexes; "wait" with none of them, which is overhead; "idle",
 * "overhead", "reduction", "serial". All other names are work. Any thread.
 */
uint32_t states_of_name(const char *name);

/* The own state that was learnt at this index, or NULL if fewer states were learnt. Any thread. */
const struct states_own *states_own(uint32_t index);

#endif
