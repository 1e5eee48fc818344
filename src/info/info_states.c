/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info: states beside the classes, and implementations of mutexes; see info.h. */
#include <stdio.h>

#include "src/info/info.h"
#include "src/text/text.h"

enum { N_MARKS = UINT8_MAX + 1 };

/* The samples in states that have the same mark. */
struct marked {
	uint64_t n, time_ns;
	uint8_t class; /* class of the last of them in the file */
};

static const char *const standard_names[PROFILE_STATE_N_STANDARD] = {
	[PROFILE_STATE_UNKNOWN] = "a state that nobody names",
	[PROFILE_STATE_UNDEFINED] = "undefined",
	[PROFILE_STATE_REDUCTION] = "work_reduction",
	[PROFILE_STATE_BARRIER_TEAMS] = "wait_barrier_teams",
	[PROFILE_STATE_MUTEX] = "wait_mutex",
	[PROFILE_STATE_TARGET_MAP] = "wait_target_map",
	[PROFILE_STATE_TARGET_UPDATE] = "wait_target_update",
};

static void add_up(struct marked *marked, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind != PROFILE_NODE_SAMPLES || !node->flags)
			continue;
		marked[node->flags].n += node->n;
		marked[node->flags].time_ns += node->time_ns;
		marked[node->flags].class = (uint8_t)node->addr;
	}
}

/* The runtime's own state with this mark, or NULL. */
static const struct profile_own_state *own_state(const struct profile *profile, size_t mark)
{
	for (size_t i = 0; i < profile->runtime.n_states; i++) {
		if (profile->runtime.states[i].mark == mark)
			return &profile->runtime.states[i];
	}
	return NULL;
}

/* A state that has a name or samples. */
struct state {
	const char *name;
	int is_own;
	uint32_t value; /* if is_own */
	struct marked marked;
};

/* Describes the state with this mark. Returns whether it has a name of the runtime's or samples. */
static int describe(struct state *state, const struct profile *profile, const struct marked *marked,
	size_t mark)
{
	const struct profile_own_state *own = own_state(profile, mark);

	*state = (struct state){ .name = standard_names[PROFILE_STATE_UNKNOWN],
		.is_own = own != NULL,
		.marked = marked[mark] };
	if (own) {
		state->name = own->name;
		state->value = own->value;
		if (!state->marked.n)
			state->marked.class = own->class;
	} else if (mark < PROFILE_STATE_N_STANDARD) {
		state->name = standard_names[mark];
	}
	return own || state->marked.n;
}

static void print_state(const struct state *state, int is_first)
{
	char count[TEXT_NUMBER_BYTES], seconds[TEXT_NUMBER_BYTES], clean[256], value[16] = "-";

	if (is_first)
		printf("\nStates beside the classes\n%10s %9s  %-10s %-8s %s\n", "samples", "s",
			"class", "value", "state");
	if (state->is_own)
		snprintf(value, sizeof(value), "0x%x", state->value);
	text_clean(clean, sizeof(clean), state->name);
	printf("%10s %9s  %-10s %-8s %.36s\n", text_count(count, state->marked.n),
		text_seconds(seconds, state->marked.time_ns),
		report_class_word(state->marked.class), value, clean);
}

void info_print_states(const struct info *info)
{
	struct marked marked[N_MARKS] = { { 0 } };
	struct state state;
	int is_first = 1;

	add_up(marked, info->profile);
	for (size_t mark = 1; mark < N_MARKS; mark++) {
		if (!describe(&state, info->profile, marked, mark))
			continue;
		print_state(&state, is_first);
		is_first = 0;
	}
}

static void put_states(struct json *json, const struct profile *profile)
{
	struct marked marked[N_MARKS] = { { 0 } };
	struct state state;

	add_up(marked, profile);
	json_array(json, "states");
	for (size_t mark = 1; mark < N_MARKS; mark++) {
		if (!describe(&state, profile, marked, mark))
			continue;
		json_row(json);
		json_string(json, "name", state.name);
		json_known(json, state.is_own, "value", state.value);
		json_bool(json, "own", state.is_own);
		json_string(json, "class", report_class_word(state.marked.class));
		json_numbers(json, "samples time_s", state.marked.n, state.marked.time_ns);
		json_end_object(json);
	}
	json_end_array(json);
}

void info_put_states(struct json *json, const struct profile *profile)
{
	put_states(json, profile);
	json_array(json, "mutex_impls");
	for (size_t i = 0; i < profile->runtime.n_impls; i++) {
		json_object(json, NULL);
		json_number(json, "number", profile->runtime.impls[i].number);
		json_string(json, "name", profile->runtime.impls[i].name);
		json_end_object(json);
	}
	json_end_array(json);
}
