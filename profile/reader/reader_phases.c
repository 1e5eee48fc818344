/* SPDX-License-Identifier: Apache-2.0 */
/* The program's phases of a profile, in order of their numbers. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

static int compare_phases(const void *a, const void *b)
{
	const struct profile_phase_record *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

static void read_phase(struct profile *profile, const unsigned char *bytes,
	const struct reader_work *work, struct profile_phase_record *record)
{
	struct profile_phase phase;
	uint64_t ticks;

	memcpy(&phase, bytes, sizeof(phase));
	ticks = phase.ticks;
	if (phase.open_since > profile->header.start_ticks && phase.open_since < work->last_ticks)
		ticks += work->last_ticks - phase.open_since;
	*record = (struct profile_phase_record){
		.number = phase.number,
		.outer = phase.outer, /* still a number */
		.flags = phase.flags,
		.n = phase.n,
		.own_ns = profile->has_ticks ? reader_ns(profile, ticks) : 0,
		.id = phase.id,
	};
	memcpy(record->name, phase.name, sizeof(record->name));
	record->name[sizeof(record->name) - 1] = '\0';
}

/* If phases have the same number, the first is kept. */
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
	size_t low = 0, high = profile->n_phases;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (profile->phases[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < profile->n_phases && profile->phases[low].number == number ? low
										: profile->n_phases;
}

int reader_read_phases(
	struct profile *profile, const struct reader_input *input, const struct reader_work *work)
{
	struct reader_records records;
	size_t n = 0, unused = 0;

	for (uint32_t i = 1; i < input->n_segments; i++) {
		if (reader_records(input, i, PROFILE_SEGMENT_PHASES, PROFILE_PHASE_BYTES, &records,
			    &unused))
			n += records.n;
	}
	profile->phases = calloc(n + 1, sizeof(*profile->phases));
	if (!profile->phases)
		return -1;
	for (uint32_t i = 1; i < input->n_segments; i++) {
		if (!reader_records(input, i, PROFILE_SEGMENT_PHASES, PROFILE_PHASE_BYTES, &records,
			    &profile->n_dropped))
			continue;
		for (size_t j = 0; j < records.n; j++)
			read_phase(profile, records.first + j * records.bytes, work,
				&profile->phases[profile->n_phases++]);
	}
	qsort(profile->phases, profile->n_phases, sizeof(*profile->phases), compare_phases);
	drop_bad_phases(profile);
	link_outer(profile);
	return 0;
}
