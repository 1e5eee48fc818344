/* SPDX-License-Identifier: Apache-2.0 */
/* The word that was probably meant; see nearest.h. */
#include "src/text/nearest.h"

#include <string.h>

#include "src/text/message.h"

/* Longer texts are near to no word. */
enum { LETTERS_MOST = NEAREST_BYTES - 1 };

void nearest_init(struct nearest *nearest, const char *typed)
{
	*nearest = (struct nearest){ .typed = typed, .distance = strlen(typed) / 3 + 1 };
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The edits that make one text of the other. Row i has the distances of the first i letters. */
static size_t find_distance(const char *from, size_t n_from, const char *to, size_t n_to)
{
	size_t rows[3][LETTERS_MOST + 1];

	for (size_t k = 0; k <= n_to; k++)
		rows[0][k] = k;
	for (size_t i = 1; i <= n_from; i++) {
		size_t *row = rows[i % 3];
		const size_t *before = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t k = 1; k <= n_to; k++) {
			size_t other = before[k - 1] + (from[i - 1] != to[k - 1]);

			row[k] = least(other, least(before[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && from[i - 1] == to[k - 2] && from[i - 2] == to[k - 1])
				row[k] = least(row[k], second[k - 2] + 1);
		}
	}
	return rows[n_from % 3][n_to];
}

void nearest_try(struct nearest *nearest, const char *word)
{
	size_t n_typed = strlen(nearest->typed), n_word = strlen(word), distance;

	/* The lengths alone can differ too much. */
	if (n_typed > LETTERS_MOST || n_word > LETTERS_MOST ||
		n_typed >= n_word + nearest->distance || n_word >= n_typed + nearest->distance)
		return;
	distance = find_distance(nearest->typed, n_typed, word, n_word);
	if (distance >= nearest->distance)
		return;
	nearest->distance = distance;
	strcpy(nearest->word, word);
}

int nearest_diag(const struct nearest *nearest, struct diag *diag)
{
	if (nearest->word[0])
		diag_hint(diag, "did you mean '%s'?", nearest->word);
	return nearest->word[0] != '\0';
}

void nearest_hint(const struct nearest *nearest, const char *before)
{
	if (nearest->word[0])
		message("hint: did you mean '%s%s'?", before, nearest->word);
}
