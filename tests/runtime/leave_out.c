/* SPDX-License-Identifier: Apache-2.0 */
/* The part that is left out; see leave_out.h. */
#include "tests/runtime/leave_out.h"

#include <omp-tools.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/events.h"

struct named {
	const char *name;
	int number;
};

int leave_out(const char *name)
{
	const char *left_out = getenv("SCRIPTED_WITHOUT");

	return left_out && strcmp(left_out, name) == 0;
}

/* Whether the part that is left out is `prefix` and the name of this number. */
static int has_number(const char *prefix, const struct named *names, size_t n, int number)
{
	const char *left_out = getenv("SCRIPTED_WITHOUT");

	if (!left_out || strncmp(left_out, prefix, strlen(prefix)) != 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (names[i].number == number &&
			strcmp(names[i].name, left_out + strlen(prefix)) == 0)
			return 1;
	}
	return 0;
}

#define EVENT(event, ...) { #event, ompt_callback_##event },

static const struct named events[] = { EVENTS(EVENT, EVENT) };

enum { N_EVENTS = sizeof(events) / sizeof(events[0]) };

int leave_out_event(int event)
{
	return has_number("ompt_callback_", events, N_EVENTS, event);
}

int leave_out_record(int event)
{
	return has_number("ompt_record_", events, N_EVENTS, event);
}

int leave_out_state(int state)
{
#define STATE(state, number) { #state, number },
	/* Older headers do not list the last two. */
	static const struct named states[] = { FOREACH_OMPT_STATE(STATE) STATE(
		ompt_state_wait_barrier_implementation, ompt_state_wait_barrier_implementation)
			STATE(ompt_state_wait_barrier_teams, ompt_state_wait_barrier_teams) };

	return has_number("", states, sizeof(states) / sizeof(states[0]), state) ? LEAVE_OUT_NUMBER
										 : state;
}
