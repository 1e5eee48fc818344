/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays a case in a process of its own: goes through its steps and hands each to the thread that
 * does it.
 */
#ifndef OMPPROF_TESTS_RUNTIME_CONDUCT_H
#define OMPPROF_TESTS_RUNTIME_CONDUCT_H

#include "tests/runtime/compile.h"

/* The result of a case. */
struct outcome {
	struct stage *stage; /* as its threads left it */
	int status;          /* of its process, as a shell says it */
	char failure[512];   /* why it could not be played to its end, or "" */
	char folder[256];    /* of its profiles */
	char *said;          /* on stderr */
};

/*
 * Plays the case with the library at `library`, in a new folder within `scratch`. Release the
 * outcome with conduct_release.
 */
void conduct(
	struct outcome *outcome, const struct play *play, const char *library, const char *scratch);

/* Removes the folder, too. */
void conduct_release(struct outcome *outcome);

#endif
