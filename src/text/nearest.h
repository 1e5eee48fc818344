/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Did you mean": the word that a person most likely wanted to type. The caller gives it all words
 * that could have been meant.
 */
#ifndef OMPPROF_SRC_TEXT_NEAREST_H
#define OMPPROF_SRC_TEXT_NEAREST_H

#include <stddef.h>

#include "profile/shared/diag.h"

enum { NEAREST_BYTES = 64 };

struct nearest {
	const char *typed;
	char word[NEAREST_BYTES]; /* the nearest word so far; "": no word is near */
	size_t distance; /* its distance; without a word the first distance that is too large */
};

void nearest_init(struct nearest *nearest, const char *typed);

/*
 * Compares the typed text with a word. A letter that is wrong, missing, or too much, and two
 * letters that are swapped, are one difference each. A word is near if it differs in a third of the
 * typed letters at most. The first of words that are equally near is kept.
 */
void nearest_try(struct nearest *nearest, const char *word);

/*
 * Sets the hint of *diag to "did you mean 'WORD'?". Returns 0 if no word is near. To be called
 * after diag_set(), which removes hints.
 */
int nearest_diag(const struct nearest *nearest, struct diag *diag);

/* Prints "hint: did you mean 'WORD'?", with `before` in front of the word, if a word is near. */
void nearest_hint(const struct nearest *nearest, const char *before);

#endif
