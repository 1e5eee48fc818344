/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime's own states; see states.h. Part of the signal-safe core. */
#include "sampler/states.h"

#include <stddef.h>
#include <string.h>

/* Written before the runtime's first thread is sampled. */
static struct {
	uint32_t n;
	struct {
		uint32_t own;
		uint32_t standard;
	} state[STATES_MAX];
} states;

enum {
	/* The specification reserves the values below for itself. */
	FIRST_OWN_STATE = 0x200,
	/* A runtime whose enumeration does not end is not followed further. */
	MAX_ENUMERATED = 256,
};

uint32_t states_of_name(const char *name)
{
	static const struct {
		const char *part;
		uint32_t standard;
	} parts[] = {
		{ "wait_barrier", ompt_state_wait_barrier_implementation },
		{ "wait_taskwait", ompt_state_wait_taskwait },
		{ "wait_taskgroup", ompt_state_wait_taskgroup },
		{ "wait_target", ompt_state_wait_target },
		{ "wait_critical", ompt_state_wait_critical },
		{ "wait_atomic", ompt_state_wait_atomic },
		{ "wait_ordered", ompt_state_wait_ordered },
		{ "wait_", ompt_state_wait_mutex },
		{ "idle", ompt_state_idle },
		{ "overhead", ompt_state_overhead },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strstr(name, parts[i].part))
			return parts[i].standard;
	}
	return ompt_state_work_parallel;
}

void states_learn(ompt_enumerate_states_t enumerate)
{
	int state = ompt_state_undefined, next;
	const char *name;

	states.n = 0;
	for (int i = 0; enumerate && i < MAX_ENUMERATED; i++) {
		if (!enumerate(state, &next, &name))
			return;
		state = next;
		if (state < FIRST_OWN_STATE || states.n == STATES_MAX || !name)
			continue;
		states.state[states.n].own = (uint32_t)state;
		states.state[states.n].standard = states_of_name(name);
		states.n++;
	}
}

uint32_t states_standard(uint32_t state)
{
	for (uint32_t i = 0; i < states.n; i++) {
		if (states.state[i].own == state)
			return states.state[i].standard;
	}
	return state;
}
