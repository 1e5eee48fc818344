/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the directive of an item from the source; see why_directive.h. */
#include "src/why/why_directive.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/text/text.h"

enum { MOST_LINES = 8 };

/* Whether the directive has the word, in small or capital letters. `word` has small letters. */
static int has_word(const char *directive, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = directive; *at; at++) {
		size_t k = 0;

		if (at > directive && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
			continue;
		while (k < n && tolower((unsigned char)at[k]) == word[k])
			k++;
		if (k == n && !isalnum((unsigned char)at[n]) && at[n] != '_')
			return 1;
	}
	return 0;
}

/* Whether a dynamic schedule has chunks of one iteration, as it has by default. */
static int has_least_chunk(const char *directive)
{
	const char *at = strcasestr(directive, "dynamic");

	at += at ? strlen("dynamic") : 0;
	if (!at)
		return 0;
	at += strspn(at, " ");
	if (*at == ',')
		at += 1 + strspn(at + 1, " ");
	return *at == ')' || (*at == '1' && at[1 + strspn(at + 1, " ")] == ')');
}

enum advice_remedy why_refine(enum advice_remedy remedy, const char *directive)
{
	int is_loop = has_word(directive, "for") || has_word(directive, "do") ||
		      has_word(directive, "loop");

	if (remedy != ADVICE_TRY_SPLIT && remedy != ADVICE_TRY_DYNAMIC)
		return remedy;
	if (is_loop)
		return !has_word(directive, "dynamic") ? ADVICE_TRY_DYNAMIC
		       : has_least_chunk(directive)    ? ADVICE_TRY_LONGEST
						       : ADVICE_TRY_CHUNK;
	/* OpenMP allows no `nowait` with `copyprivate`. */
	return has_word(directive, "single") && !has_word(directive, "copyprivate")
		       ? ADVICE_TRY_SINGLE
		       : remedy;
}

/* Cuts a sign that the directive goes on in the next line. Returns whether there was one. */
static int cut_continuation(char *text)
{
	size_t n = strlen(text);

	while (n > 0 && text[n - 1] == ' ')
		n--;
	if (n == 0 || (text[n - 1] != '\\' && text[n - 1] != '&'))
		return 0;
	while (n > 0 && (text[n - 1] == '\\' || text[n - 1] == '&' || text[n - 1] == ' '))
		n--;
	text[n] = '\0';
	return 1;
}

/* Cuts comments: in Fortran from a further "!" on, else as in C. */
static void cut_comments(char *text)
{
	char *at, *end;

	if (text[0] == '!') {
		text[1 + strcspn(text + 1, "!")] = '\0';
		return;
	}
	while ((at = strstr(text, "/*"))) {
		end = strstr(at + 2, "*/");
		*at = end ? ' ' : '\0';
		if (end)
			memmove(at + 1, end + 2, strlen(end + 2) + 1);
	}
	at = strstr(text, "//");
	if (at)
		*at = '\0';
}

/*
 * Reads a line without comments and the blanks around it. In further lines the sentinel of Fortran,
 * as "!$omp", is left out, too.
 */
static void read_line(
	char *text, size_t text_bytes, const struct source *source, uint32_t line, int is_first)
{
	char raw[SOURCE_LINE_BYTES], clean[SOURCE_LINE_BYTES];
	char *begin;

	source_text(raw, sizeof(raw), source, line, 1);
	text_clean(clean, sizeof(clean), raw);
	begin = clean + strspn(clean, " ");
	cut_comments(begin);
	for (size_t n = strlen(begin); n > 0 && begin[n - 1] == ' '; n--)
		begin[n - 1] = '\0';
	if (!is_first && begin[0] == '!')
		begin += strcspn(begin, " &") + strspn(begin + strcspn(begin, " &"), " &");
	snprintf(text, text_bytes, "%s", begin);
}

/*
 * The first line of the directive that `line` is a part of: gfortran names a region by the last
 * line of its directive.
 */
static uint32_t first_line(const struct source *source, uint32_t line)
{
	char text[WHY_DIRECTIVE_BYTES];

	for (uint32_t i = 1; i < MOST_LINES && line > 1; i++, line--) {
		read_line(text, sizeof(text), source, line - 1, 1);
		if (!has_word(text, "omp") || !cut_continuation(text))
			break;
	}
	return line;
}

void why_directive_at(
	char *directive, size_t directive_bytes, const struct source *source, uint32_t line)
{
	char text[WHY_DIRECTIVE_BYTES];
	size_t used = 0;
	int goes_on = 1;

	line = first_line(source, line);
	for (uint32_t i = 0; i < MOST_LINES && goes_on; i++) {
		read_line(text, sizeof(text), source, line + i, i == 0);
		if (i == 0 && !has_word(text, "omp"))
			return;
		goes_on = cut_continuation(text);
		used += (size_t)snprintf(
			directive + used, directive_bytes - used, "%s%s", i ? " " : "", text);
		if (used >= directive_bytes)
			return;
	}
}

void why_read_directive(struct why *why)
{
	const struct annotate_plan *plan = &why->listings[0].plan;

	if (why->advice.about == ADVICE_OF_SERIAL)
		return;
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].has_source &&
			strcmp(plan->sections[i].file, why->advice.file) == 0)
			why_directive_at(why->directive, sizeof(why->directive),
				&plan->sections[i].source, why->advice.line);
	why->advice.remedy = why_refine(why->advice.remedy, why->directive);
}
