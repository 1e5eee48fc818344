/* SPDX-License-Identifier: Apache-2.0 */
/* Names of values of OMPT and of the profile, as scripts write them: without a common begin. */
#ifndef OMPPROF_TESTS_RUNTIME_WORDS_H
#define OMPPROF_TESTS_RUNTIME_WORDS_H

#include <stdint.h>

struct word {
	const char *name;
	uint64_t value;
};

struct word_list {
	const char *name;
	const struct word *words;
};

/* The list of this name, or NULL: "sync_region", "state", ... */
const struct word_list *words_find(const char *name);

/*
 * The value of a word: a name of the list, several joined by commas (their bits together), or a
 * number. Returns 0, or -1 if it is none.
 */
int words_value(const struct word_list *list, const char *text, uint64_t *value);

/*
 * A number, decimal or 0x..., with a unit of time (result in ns) or of bytes behind it, or none.
 * Returns 0, or -1.
 */
int words_number(const char *text, uint64_t *value);

#endif
