/* SPDX-License-Identifier: Apache-2.0 */
/* Applies --phase; see phases.h. */
#include "src/report/phases.h"

#include <stdio.h>
#include <string.h>

#include "attribution/select/select_phase.h"
#include "src/text/name_list.h"
#include "src/text/nearest.h"

enum { PATH_BYTES = 4096 };

#define NONE UINT32_MAX

static const char *name_of(const struct profile_phase_record *phase)
{
	return phase->flags & PROFILE_PHASE_OTHER ? "(other)" : phase->name;
}

/* Writes from the end of the text, the innermost name first; names without room are left out. */
void phases_name(char *text, size_t text_bytes, const struct profile *profile, size_t i)
{
	size_t at = text_bytes - 1;

	text[at] = '\0';
	for (uint32_t phase = (uint32_t)i; phase != NONE; phase = profile->phases[phase].outer) {
		const char *name = name_of(&profile->phases[phase]);
		size_t bytes = strlen(name), rest = text_bytes - 1 - at;

		if (at < bytes + (rest != 0))
			break;
		if (rest)
			text[--at] = '/';
		at -= bytes;
		memcpy(text + at, name, bytes);
	}
	memmove(text, text + at, text_bytes - at);
}

int phases_are_given(const struct filter *given)
{
	return given && given->given & FILTER_PHASE;
}

static int matches(const struct filter *given, const struct profile *profile, size_t i)
{
	char path[PATH_BYTES];

	phases_name(path, sizeof(path), profile, i);
	return filter_match_text(given, FILTER_PHASE, name_of(&profile->phases[i])) ||
	       filter_match_text(given, FILTER_PHASE, path);
}

/*
 * keeps[0] is for time in no phase, and keeps[i + 1] for phase i. In the list a phase comes after
 * the phase around it.
 */
static void choose(const struct filter *given, const struct profile *profile, uint8_t *keeps)
{
	keeps[0] = (uint8_t)filter_has_none(given);
	for (size_t i = 0; i < profile->n_phases; i++) {
		uint32_t outer = profile->phases[i].outer;

		keeps[i + 1] = (uint8_t)((outer != NONE && keeps[outer + 1]) ||
					 matches(given, profile, i));
	}
}

int phases_check(const struct filter *given, const struct profile *profile, struct diag *diag)
{
	struct name_list list = { "", 0 };
	struct nearest nearest;

	if (!phases_are_given(given) || filter_has_none(given))
		return 0;
	for (size_t i = 0; i < profile->n_phases; i++)
		if (matches(given, profile, i))
			return 0;
	if (!profile->n_phases)
		return diag_set(diag, "option '--phase' cuts nothing: the program named no phases");
	nearest_init(&nearest, filter_text(given, FILTER_PHASE, 0));
	for (size_t i = 0; i < profile->n_phases; i++) {
		char name[PATH_BYTES];

		phases_name(name, sizeof(name), profile, i);
		name_list_add(&list, "'%s'", name);
		nearest_try(&nearest, name);
	}
	diag_set(diag, "no phase matches '%s' (phases: %s)", nearest.typed, list.text);
	nearest_diag(&nearest, diag);
	return -1;
}

int phases_cut(const struct filter *given, struct profile *profile, struct diag *diag)
{
	uint8_t keeps[PROFILE_MOST_PHASES + 1];

	if (!phases_are_given(given))
		return 0;
	choose(given, profile, keeps);
	if (select_phases(profile, keeps) == 0)
		return 0;
	return diag_set(diag, "cannot cut the profile by its phases: out of memory");
}
