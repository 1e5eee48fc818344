/* SPDX-License-Identifier: Apache-2.0 */
/* The case under way, for the files of conduct.h. Included by tests/runtime/conduct*.c only. */
#ifndef OMPPROF_TESTS_RUNTIME_CONDUCT_PARTS_H
#define OMPPROF_TESTS_RUNTIME_CONDUCT_PARTS_H

#include <sys/types.h>

#include "tests/runtime/conduct.h"

struct conductor {
	const struct play *play;
	struct outcome *outcome;
	const struct step *step;
	pid_t pid;
	int is_over; /* the process has ended */
};

/* Writes why the case failed, and at which step, unless it has failed before. */
void conduct_fail(struct conductor *conductor, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Plays all steps of the case in the process conductor->pid, until a step fails. At the end nothing
 * of the case runs.
 */
void conduct_steps(struct conductor *conductor);

#endif
