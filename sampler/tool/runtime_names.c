/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's own names; see runtime_names.h. Not for the signal handler. */
#include "sampler/tool/runtime_names.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "sampler/core/states.h"
#include "sampler/core/tool.h"

enum {
	MAX_IMPLS = 32,
	/* an enumeration that does not end is not followed further */
	MAX_ENUMERATED = 256,
};

struct impl {
	int number;
	char name[STATES_NAME_BYTES];
};

static struct {
	struct impl impl[MAX_IMPLS];
	uint32_t n_impls;
	/* Written to the profile of this epoch: */
	uint32_t epoch;
	uint32_t n_states_written, n_impls_written;
} words;

/* The runtime that came last decides on the name of a number. */
static void learn_impl(int number, const char *name)
{
	struct impl impl = { .number = number };
	uint32_t i = words.n_impls;

	strncpy(impl.name, name, sizeof(impl.name) - 1);
	while (i > 0 && words.impl[i - 1].number != number)
		i--;
	if (words.n_impls < MAX_IMPLS && !(i > 0 && strcmp(words.impl[i - 1].name, impl.name) == 0))
		words.impl[words.n_impls++] = impl;
}

static void learn_impls(ompt_enumerate_mutex_impls_t enumerate)
{
	int number = 0, next; /* ompt_mutex_impl_none begins the enumeration */
	const char *name;

	for (int i = 0; enumerate && i < MAX_ENUMERATED; i++) {
		name = NULL;
		if (!enumerate(number, &next, &name))
			return;
		number = next;
		if (name)
			learn_impl(number, name);
	}
}

void runtime_names_learn(ompt_function_lookup_t lookup)
{
	states_learn((ompt_enumerate_states_t)lookup("ompt_enumerate_states"));
	learn_impls((ompt_enumerate_mutex_impls_t)lookup("ompt_enumerate_mutex_impls"));
}

static void describe_state(uint32_t index)
{
	static const struct own_state in_team = { .has_team = 1 };
	const struct states_own *own = states_own(index);
	char text[STATES_NAME_BYTES + 64];

	snprintf(text, sizeof(text), "%u 0x%x %u %s", PROFILE_STATE_OWN + index, own->value,
		(unsigned)classify(own->standard, &in_team), own->name);
	writer_text("state", text);
}

static void describe_impl(const struct impl *impl)
{
	char text[STATES_NAME_BYTES + 32];

	snprintf(text, sizeof(text), "%d %s", impl->number, impl->name);
	writer_text("impl", text);
}

void runtime_names_describe(void)
{
	if (words.epoch != tool.epoch) {
		words.epoch = tool.epoch;
		words.n_states_written = words.n_impls_written = 0;
	}
	while (states_own(words.n_states_written))
		describe_state(words.n_states_written++);
	while (words.n_impls_written < words.n_impls)
		describe_impl(&words.impl[words.n_impls_written++]);
}
