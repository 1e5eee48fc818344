/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a place, a construct and a cause in advice; see advice.h. */
#include <stdio.h>
#include <string.h>

#include "src/findings/advice.h"
#include "src/findings/names_lookup.h"

const char *advice_word(enum metrics_cause cause)
{
	static const char *const words[] = {
#define CAUSE(NAME, word, label, advice, ...) [METRICS_##NAME] = (advice),
#include "attribution/metrics/causes.def"
	};

	return words[cause];
}

/*
 * Finds "parallel" and "solve.c:142 #2]" in "[omp parallel @solve.c:142 #2]"; *place is "" without
 * "@". Returns 0 if the name is no construct's.
 */
static int split_construct(const char *name, size_t *word, size_t *n_word, const char **place)
{
	const char *at = strstr(name, " @");

	if (strncmp(name, "[omp ", 5) != 0)
		return 0;
	*word = 5;
	*n_word = at ? (size_t)(at - name) - 5 : strcspn(name + 5, "]");
	*place = at ? at + 2 : "";
	return 1;
}

void advice_place(char *text, size_t text_bytes, const struct name_label *label)
{
	size_t word, n_word;
	const char *place;

	if (split_construct(label->name, &word, &n_word, &place)) {
		snprintf(text, text_bytes, "%s", place);
		if (text[0])
			text[strlen(text) - 1] = '\0';
	} else if (label->line) {
		snprintf(text, text_bytes, "%s:%u", names_base(label->file), label->line);
	} else if (strncmp(label->name, "0x", 2) == 0 && label->module[0]) {
		snprintf(text, text_bytes, "%s+%s", names_base(label->module), label->name);
	} else {
		snprintf(text, text_bytes, "%s", label->name);
	}
}

void advice_construct(char *text, size_t text_bytes, const struct name_label *label)
{
	size_t word, n_word;
	const char *place;

	if (split_construct(label->name, &word, &n_word, &place))
		snprintf(text, text_bytes, "%.*s%s%s", (int)n_word, label->name + word,
			label->function[0] ? " in " : "", label->function);
	else
		snprintf(text, text_bytes, "%s", label->name);
}
