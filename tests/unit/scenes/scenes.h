/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Made-up runs for the tests of what is shown: each is a profile file in memory, the same at every
 * call, of programs that do not exist; and a table of symbols for these programs.
 */
#ifndef OMPPROF_TESTS_UNIT_SCENES_SCENES_H
#define OMPPROF_TESTS_UNIT_SCENES_SCENES_H

#include "src/symbols/symbols.h"
#include "tests/unit/scenes/build_profile.h"

/*
 * Builds the scene of that name; the list is in scene_build (scenes.c). Returns 0, or -1 if there
 * is no such scene.
 */
int scene_build(struct build *build, const char *name);

/* A names_lookup over the scenes' symbols. */
void scene_lookup(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at);

/*
 * Adds what `run --counters` would have added: one of the names was refused, and others used the
 * processor's counters meanwhile.
 */
void scene_add_counters(struct build *build);

#endif
