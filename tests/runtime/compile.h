/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes settings, steps and expectations of a case's statements. Errors of a script are reported
 * here, with file and line: unknown words, missing words, a return without a call.
 */
#ifndef OMPPROF_TESTS_RUNTIME_COMPILE_H
#define OMPPROF_TESTS_RUNTIME_COMPILE_H

#include "tests/runtime/runtime.h"
#include "tests/runtime/script.h"
#include "tests/runtime/stage.h"

enum { COMPILE_MAX_SETTINGS = 32 };

/* A case, ready to be played. */
struct play {
	const struct script_case *of;
	int is_virtual;
	struct runtime_settings runtime;            /* but for the library */
	const char *settings[COMPILE_MAX_SETTINGS]; /* NAME=VALUE */
	unsigned n_settings;
	struct step *steps;
	size_t n_steps;
	const struct statement **expectations;
	size_t n_expectations;
	const char *actors[STAGE_MAX_ACTORS]; /* their names */
	int n_actors;
	const char *objects[STAGE_MAX_OBJECTS];
	int n_objects;
};

/* Ends the program, as script_fail does, if there is anything wrong. */
struct play *compile(const struct script_case *of);

/* The number of an actor or an object by name, or -1. */
int compile_find_actor(const struct play *play, const char *name);
int compile_find_object(const struct play *play, const char *name);

/* The number of a function of the user's, or -1. */
int compile_find_function(const char *name);

/* Whether a script can have this event. */
int compile_has_event(const char *name);

#endif
