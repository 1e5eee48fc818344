/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States that a runtime has beyond the specification's. OpenMP 5.1, 4.4.4.26 lets an implementation
 * define its own; ompt_enumerate_states (4.4.3.1) names them. Their names say what kind they are.
 */
#ifndef OMPPROF_SAMPLER_STATES_H
#define OMPPROF_SAMPLER_STATES_H

#include <omp-tools.h>
#include <stdint.h>

/*
 * Learns the runtime's own states; `enumerate` may be NULL.
 * Owning thread only.
 */
void states_learn(ompt_enumerate_states_t enumerate);

/*
 * The state of the specification that stands for `state`: itself, or for a learnt one that of its
 * kind. Bounded by STATES_MAX comparisons, none for runtimes without states of their own.
 * Signal-safe.
 */
uint32_t states_standard(uint32_t state);

/*
 * The state of the specification whose kind a name speaks of: "..wait_barrier.." a barrier, other
 * "..wait_.." a mutex unless they name tasks or targets, "..idle..", "..overhead..", else work.
 * Any thread.
 */
uint32_t states_of_name(const char *name);

enum { STATES_MAX = 16 };

#endif
