/* SPDX-License-Identifier: Apache-2.0 */
/* Queries over the nodes and records of a case's profile, in the words of its script. */
#ifndef OMPPROF_TESTS_RUNTIME_EVIDENCE_H
#define OMPPROF_TESTS_RUNTIME_EVIDENCE_H

#include <stdint.h>
#include <stdio.h>

#include "profile/reader/reader.h"
#include "tests/runtime/compile.h"
#include "tests/runtime/conduct.h"

struct evidence {
	const struct play *play;
	const struct outcome *outcome;
	const struct profile *profile; /* of the process that the queries are about */
};

/* words[0] is KIND.FIELD, the others up to n_words are KEY=VALUE. */
struct query {
	const struct statement *at;
	char **words;
	int n_words;
};

/*
 * The sum of the figure over all records that fit. Any word that is not known ends the program, as
 * script_fail does.
 */
uint64_t evidence_sum(const struct evidence *evidence, const struct query *query);

/* Whether the query's figure is a time, for messages. */
int evidence_is_time(const struct query *query);

/* Prints the tree of the profile. */
void evidence_print(const struct evidence *evidence, FILE *out);

#endif
