/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The case that is judged, for the files of expect.h. Included by tests/runtime/expect*.c only.
 */
#ifndef OMPPROF_TESTS_RUNTIME_EXPECT_PARTS_H
#define OMPPROF_TESTS_RUNTIME_EXPECT_PARTS_H

#include "profile/reader/reader.h"
#include "tests/runtime/expect.h"

enum { MAX_PROFILES = 64 };

struct judge {
	const struct play *play;
	const struct outcome *outcome;
	const char *report; /* the command */
	FILE *out;
	struct profile profiles[MAX_PROFILES];
	char *paths[MAX_PROFILES];
	size_t n_profiles;
	int actor; /* whose process the expectations are about */
	int n_failures;
	int is_broken; /* the profile is not to be judged by what holds always */
	char *said;    /* what has not been expected yet, line by line */
};

/* Counts a failure and prints it; `at` is the expectation that is not met, or NULL. */
void expect_complain(struct judge *judge, const struct statement *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Judges one `expect` of at least two words; ends the program if it makes no sense. */
void expect_judge_one(struct judge *judge, const struct statement *at);

#endif
