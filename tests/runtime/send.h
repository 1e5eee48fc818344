/* SPDX-License-Identifier: Apache-2.0 */
/* Sends the events of a script to the tool; the runtime's part of a step. */
#ifndef OMPPROF_TESTS_RUNTIME_SEND_H
#define OMPPROF_TESTS_RUNTIME_SEND_H

#include <stdint.h>

#include "tests/runtime/stage.h"

/* Where the user's code called the runtime. */
struct send_place {
	uint64_t ra;    /* return address in the user's code */
	uint64_t frame; /* of the runtime function that it called */
};

/* Sends the event of the calling thread's step, and notes what it means for the thread's tasks. */
void send_event(const struct step *step, const struct send_place *here);

/* A frame pointer that the script names by enum step_frame, or an address. */
void *send_frame(uint64_t frame, const struct send_place *here);

#endif
