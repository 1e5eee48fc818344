/* SPDX-License-Identifier: Apache-2.0 */
/* The program's phases of a profile, in order of their numbers. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

static int read_phase(struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	struct profile_phase_record *record = &profile->phases[profile->n_phases++];
	struct profile_phase phase;
	uint64_t ticks;

	memcpy(&phase, bytes, sizeof(phase));
	ticks = phase.ticks;
	if (phase.open_since > profile->header.start_ticks && phase.open_since < work->last_ticks)
		ticks += work->last_ticks - phase.open_since;
	*record = (struct profile_phase_record){
		.number = phase.number,
		.outer = phase.outer, /* a number in the file until link_outer */
		.flags = phase.flags,
		.n = phase.n,
		.own_ns = reader_ns(profile, ticks),
		.id = phase.id,
	};
	memcpy(record->name, phase.name, sizeof(record->name));
	record->name[sizeof(record->name) - 1] = '\0';
	return 1;
}

/* Drops phases without a number, further phases of the same number, and phases beyond the bound. */
static void drop_bad_phases(struct profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_phases; i++) {
		const struct profile_phase_record *phase = &profile->phases[i];

		if (phase->number && n < PROFILE_MOST_PHASES &&
			(n == 0 || profile->phases[n - 1].number != phase->number))
			profile->phases[n++] = *phase;
		else
			profile->n_dropped++;
	}
	profile->n_phases = n;
}

static void link_outer(struct profile *profile)
{
	for (size_t i = 0; i < profile->n_phases; i++) {
		struct profile_phase_record *phase = &profile->phases[i];
		size_t outer = reader_find_phase(profile, phase->outer);

		phase->outer = phase->outer && outer < i ? (uint32_t)outer : READER_NONE;
	}
}

size_t reader_find_phase(const struct profile *profile, uint64_t number)
{
	uint32_t key = number <= UINT32_MAX ? (uint32_t)number : 0;
	const struct profile_phase_record *found = bsearch(
		&key, profile->phases, profile->n_phases, sizeof(*found), reader_compare_u32);

	return found ? (size_t)(found - profile->phases) : profile->n_phases;
}

int reader_read_phases(struct profile *profile, struct reader_work *work)
{
	profile->phases =
		reader_alloc(work->input, PROFILE_SEGMENT_PHASES, sizeof(*profile->phases), 0);
	if (!profile->phases)
		return -1;
	reader_each(profile, work, PROFILE_SEGMENT_PHASES, read_phase);
	qsort(profile->phases, profile->n_phases, sizeof(*profile->phases), reader_compare_u32);
	drop_bad_phases(profile);
	link_outer(profile);
	return 0;
}
