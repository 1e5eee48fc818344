/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of several processes, by their names; see merge.h. */
#include <string.h>

#include "attribution/merge/merge_internal.h"

#define NONE UINT32_MAX

/* Of phases without a name the number counts; those for which there was none left are one. */
static int is_same(const struct profile_phase_record *a, const struct profile_phase_record *b)
{
	uint32_t told_apart = PROFILE_PHASE_OTHER | PROFILE_PHASE_NUMBERED;

	return a->outer == b->outer && (a->flags & told_apart) == (b->flags & told_apart) &&
	       strcmp(a->name, b->name) == 0;
}

static size_t find(const struct merge_list *phases, const struct profile_phase_record *phase)
{
	const struct profile_phase_record *known = phases->items;
	size_t i = 0;

	while (i < phases->n && !is_same(&known[i], phase))
		i++;
	return i;
}

int merge_phases_add(struct merge_list *phases, const struct profile *profile, uint32_t *place)
{
	place[0] = 0;
	for (size_t i = 0; i < profile->n_phases; i++) {
		struct profile_phase_record phase = profile->phases[i], *known;
		size_t at;

		if (phase.outer != NONE)
			phase.outer = place[phase.outer + 1] ? place[phase.outer + 1] - 1 : NONE;
		at = find(phases, &phase);
		/* Beyond what one process has they are not told apart. */
		if (at == phases->n && at == PROFILE_MOST_PHASES) {
			place[i + 1] = 0;
			continue;
		}
		place[i + 1] = (uint32_t)at + 1;
		if (at == phases->n) {
			phase.number = (uint32_t)at + 1;
			if (merge_append(phases, &phase, sizeof(phase)) != 0)
				return -1;
			continue;
		}
		known = (struct profile_phase_record *)phases->items + at;
		known->n += phase.n;
		known->own_ns += phase.own_ns;
		known->flags |= phase.flags;
	}
	return 0;
}
