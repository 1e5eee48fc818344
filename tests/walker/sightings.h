/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers where walks were not exact, for truth.c: the kind, how often, and an example. */
#ifndef OMPPROF_TESTS_WALKER_SIGHTINGS_H
#define OMPPROF_TESTS_WALKER_SIGHTINGS_H

#include "tests/walker/judge.h"

#include <stdio.h>

/*
 * Notes a path that was not exact. Paths of the same kind with their fault at the same address are
 * counted together. Signal-safe, but waits for other threads that are in here.
 */
void sighting_note(const struct walk_path *path, const struct shadow_path *truth,
	const struct judgement *judgement, const char *variant);

/*
 * A line for each kind and place, `at VARIANT VERDICT CAUSE COUNT PLACE`; if it is unexplained or a
 * wrong guess, also frames of both paths around it.
 */
void sightings_print(FILE *out);

#endif
