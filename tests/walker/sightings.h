/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers where walks were not exact, for truth.c: what was seen, how often, and an example. */
#ifndef OMPPROF_TESTS_WALKER_SIGHTINGS_H
#define OMPPROF_TESTS_WALKER_SIGHTINGS_H

#include "tests/walker/judge.h"

#include <stdio.h>

/*
 * One list that was not exact. Those of the same kind at the same frame count together.
 * Signal-safe, but waits for other threads that are in here.
 */
void sighting_note(const struct walk_path *path, const struct shadow_path *truth,
	const struct judgement *judgement, const char *variant);

/* A line for each kind and place: `at KIND ...`, and for those unexplained
 * and wrong guesses both lists around it. */
void sightings_print(FILE *out);

#endif
