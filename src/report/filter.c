/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text of filters, and selects threads and states; see filter.h. */
#include "src/report/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/filter_internal.h"
#include "src/report/report.h"

/* Threads' numbers and lines with more digits are not read. */
enum { DIGITS_MOST = 9 };

const char *filter_word(enum filter_kind kind)
{
	return kind == FILTER_FOCUS    ? "focus"
	       : kind == FILTER_IGNORE ? "ignore"
	       : kind == FILTER_THREAD ? "thread"
	       : kind == FILTER_REGION ? "region"
	       : kind == FILTER_PHASE  ? "phase"
				       : "state";
}

/* `text` is a list of items with "," between; the functions look at its first item. */
static size_t item_length(const char *text)
{
	return strcspn(text, ",");
}

static int is_item(const char *text, const char *word)
{
	return strlen(word) == item_length(text) && strncmp(text, word, strlen(word)) == 0;
}

/*
 * Reads the number at the beginning of *text and moves *text behind it. Returns -1 if there is
 * none, or if it has too many digits.
 */
static int read_number(const char **text, uint32_t *number)
{
	const char *at = *text;

	for (*number = 0; *at >= '0' && *at <= '9'; at++) {
		if (at - *text == DIGITS_MOST)
			return -1;
		*number = *number * 10 + (uint32_t)(*at - '0');
	}
	if (at == *text)
		return -1;
	*text = at;
	return 0;
}

/* Reads "3" or "2-5". Returns -1 for any other text, also if the second number is smaller. */
static int read_range(const char *text, uint32_t *first, uint32_t *last)
{
	if (read_number(&text, first) != 0)
		return -1;
	*last = *first;
	if (*text == '-') {
		text++;
		if (read_number(&text, last) != 0 || *last < *first)
			return -1;
	}
	return *text == '\0' || *text == ',' ? 0 : -1;
}

static int is_thread_word(const char *text)
{
	static const char *const words[] = { "initial", "worker", "native", "first", "helper",
		"other" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_item(text, words[i]))
			return 1;
	return 0;
}

/* The list from its second item on, or NULL. */
static const char *next_item(const char *text)
{
	text += item_length(text);
	return *text ? text + 1 : NULL;
}

static int check_threads(const char *text)
{
	uint32_t first, last;

	for (; text; text = next_item(text))
		if (read_range(text, &first, &last) != 0 && !is_thread_word(text))
			return -1;
	return 0;
}

static int is_listed(const char *text, uint32_t index, const char *word)
{
	uint32_t first, last;

	for (; text; text = next_item(text)) {
		if (is_item(text, word))
			return 1;
		if (read_range(text, &first, &last) == 0 && first <= index && index <= last)
			return 1;
	}
	return 0;
}

/* The classes that the first item selects, by bit; 0 for an unknown word. */
static uint32_t read_state(const char *text)
{
	uint32_t waits = 0, found = 0;

	for (unsigned class = 0; class < PROFILE_N_CLASSES; class ++) {
		waits |= report_wait_word(class) ? 1u << class : 0;
		found |= is_item(text, report_class_word(class)) ? 1u << class : 0;
	}
	return is_item(text, "wait") ? waits : found;
}

static int read_states(const char *text, uint32_t *classes)
{
	for (; text; text = next_item(text)) {
		uint32_t state = read_state(text);

		if (!state)
			return -1;
		*classes |= state;
	}
	return 0;
}

/*
 * Reads a place such as "solve.c:142". Returns 0 if the text is no place, or if it has a character
 * of regular expressions other than "." and "+": it then is a pattern.
 */
static int read_place(struct filter_term *term)
{
	const char *colon = strrchr(term->text, ':'), *at = colon ? colon + 1 : NULL;

	if (!colon || colon == term->text ||
		strcspn(term->text, "*[]()|^$\\?{}") != strlen(term->text) ||
		read_number(&at, &term->line) != 0 || *at)
		return 0;
	term->file_bytes = (size_t)(colon - term->text);
	return 1;
}

/* Refused: they are no part of POSIX's extended expressions, and matching could take any time. */
static int has_back_reference(const char *pattern)
{
	while ((pattern = strchr(pattern, '\\')) && pattern[1]) {
		if (pattern[1] >= '1' && pattern[1] <= '9')
			return 1;
		pattern += 2;
	}
	return 0;
}

/*
 * Returns the text behind a bracket expression, whose "[" `at` points to. A "]" directly after the
 * "[" does not end it.
 */
static const char *skip_bracket(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	if (*at == ']')
		at++;
	while (*at && *at != ']') {
		char kind = *at++;
		char end[] = { *at, ']', '\0' };
		const char *found =
			kind == '[' && *at && strchr(".:=", *at) ? strstr(at + 1, end) : NULL;

		at = found ? found + 2 : at;
	}
	return *at ? at + 1 : at;
}

/*
 * Whether a ")" closes nothing. regcomp would take it for a letter, but in the search that
 * compile_search makes it would end the group.
 */
static int has_stray_parenthesis(const char *at)
{
	size_t n_open = 0;

	while (*at) {
		if (*at == '[') {
			at = skip_bracket(at);
			continue;
		}
		if (*at == ')' && n_open-- == 0)
			return 1;
		n_open += *at == '(';
		at += *at == '\\' && at[1] ? 2 : 1;
	}
	return 0;
}

/*
 * Compiles "^.*(PATTERN)", which matches where PATTERN is found, but makes regexec try once and not
 * from each byte of the text. Returns regcomp's answer.
 */
static int compile_search(regex_t *regex, const char *pattern)
{
	size_t bytes = strlen(pattern) + sizeof("^.*()");
	char *search = malloc(bytes);
	int code = REG_ESPACE;

	if (search) {
		snprintf(search, bytes, "^.*(%s)", pattern);
		code = regcomp(regex, search, REG_EXTENDED | REG_NOSUB);
	}
	free(search);
	return code;
}

static int compile(struct filter_term *term, struct diag *diag)
{
	char reason[256];
	int code = regcomp(&term->regex, term->text, REG_EXTENDED | REG_NOSUB);

	if (code == 0 && has_back_reference(term->text)) {
		regfree(&term->regex);
		return diag_set(diag, "option '--%s' takes no back-references, as in '%s'",
			filter_word(term->kind), term->text);
	}
	if (code == 0) {
		regfree(&term->regex);
		code = has_stray_parenthesis(term->text) ? REG_ERPAREN
							 : compile_search(&term->regex, term->text);
	}
	if (code == 0) {
		term->has_regex = 1;
		return 0;
	}
	regerror(code, &term->regex, reason, sizeof(reason));
	if (reason[0] >= 'A' && reason[0] <= 'Z')
		reason[0] = (char)(reason[0] - 'A' + 'a');
	return diag_set(diag, "option '--%s' wants an extended regular expression, not '%s': %s",
		filter_word(term->kind), term->text, reason);
}

static int read_pattern(struct filter_term *term, struct diag *diag)
{
	if (!term->text[0])
		return diag_set(
			diag, "option '--%s' wants a pattern, not ''", filter_word(term->kind));
	if (term->kind & (FILTER_REGION | FILTER_PHASE))
		term->is_none = strcmp(term->text, "none") == 0;
	if (term->is_none || (term->kind == FILTER_REGION && read_place(term)))
		return 0;
	return compile(term, diag);
}

static int read_term(struct filter *filter, struct filter_term *term, struct diag *diag)
{
	if (term->kind == FILTER_THREAD)
		return check_threads(term->text) == 0
			       ? 0
			       : diag_set(diag,
					 "option '--thread' wants numbers and ranges as '1,3-5' or "
					 "'initial', 'worker', 'native', 'first', 'helper' or "
					 "'other', not '%s'",
					 term->text);
	if (term->kind == FILTER_STATE)
		return read_states(term->text, &filter->classes) == 0
			       ? 0
			       : diag_set(diag,
					 "option '--state' wants 'work', 'wait', 'overhead' or "
					 "kinds of "
					 "waits as 'barrier,lock', not '%s'",
					 term->text);
	return read_pattern(term, diag);
}

int filter_add(struct filter *filter, enum filter_kind kind, const char *text, struct diag *diag)
{
	struct filter_term *terms =
		realloc(filter->terms, (filter->n_terms + 1) * sizeof(*filter->terms));
	struct filter_term *term;

	if (!terms)
		return diag_set(
			diag, "cannot read option '--%s': out of memory", filter_word(kind));
	filter->terms = terms;
	term = &terms[filter->n_terms++];
	*term = (struct filter_term){ .kind = kind, .text = text };
	filter->given |= kind;
	return read_term(filter, term, diag);
}

void filter_release(struct filter *filter)
{
	for (size_t i = 0; i < filter->n_terms; i++)
		if (filter->terms[i].has_regex)
			regfree(&filter->terms[i].regex);
	free(filter->terms);
	*filter = (struct filter){ 0 };
}

const char *filter_text(const struct filter *filter, enum filter_kind kind, size_t i)
{
	for (size_t k = 0; k < filter->n_terms; k++)
		if (filter->terms[k].kind == kind && i-- == 0)
			return filter->terms[k].text;
	return NULL;
}

void filter_describe(char *text, size_t text_bytes, const struct filter *filter)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned kind = 1; kind < FILTER_ALL; kind *= 2) {
		const char *quote = kind & (FILTER_THREAD | FILTER_STATE) ? "" : "'", *given;

		for (size_t i = 0; (given = filter_text(filter, kind, i)) && used < text_bytes; i++)
			used += (size_t)snprintf(text + used, text_bytes - used, "%s--%s %s%s%s",
				used ? " " : "", filter_word(kind), quote, given, quote);
	}
}

int filter_select(const struct filter *filter, const struct profile *profile,
	struct tree_selection *selection)
{
	*selection = (struct tree_selection){ NULL, UINT32_MAX };
	if (!filter || !(filter->given & (FILTER_THREAD | FILTER_STATE)))
		return 0;
	if (filter->given & FILTER_STATE)
		selection->classes = filter->classes;
	if (!(filter->given & FILTER_THREAD))
		return 1;
	selection->threads = calloc(profile->n_threads + 1, sizeof(*selection->threads));
	if (!selection->threads)
		return -1;
	for (size_t i = 0; i < profile->n_threads; i++)
		selection->threads[i] = (uint8_t)filter_has_thread(filter, profile, i);
	return 1;
}

int filter_has_thread(const struct filter *filter, const struct profile *profile, size_t thread)
{
	const char *word = names_thread_word(profile, thread), *text;

	for (size_t i = 0; (text = filter_text(filter, FILTER_THREAD, i)); i++)
		if (is_listed(text, profile->threads[thread].index, word))
			return 1;
	return 0;
}

/*
 * Returns the list from the first number or range that no thread has, or NULL. Threads count from
 * 1.
 */
static const char *find_missing(const char *text, const struct profile *profile)
{
	uint32_t first, last;

	for (; text; text = next_item(text)) {
		int is_found = 0;

		if (read_range(text, &first, &last) != 0)
			continue;
		for (size_t i = 0; i < profile->n_threads && first && !is_found; i++)
			is_found = first <= profile->threads[i].index &&
				   profile->threads[i].index <= last;
		if (!is_found)
			return text;
	}
	return NULL;
}

int filter_find_threads(const struct filter *filter, const struct profile *profile, char *missing)
{
	const char *text, *item = NULL;
	int is_found = 0;

	for (size_t i = 0; !item && (text = filter_text(filter, FILTER_THREAD, i)); i++)
		item = find_missing(text, profile);
	for (size_t i = 0; !item && !is_found && i < profile->n_threads; i++)
		is_found = filter_has_thread(filter, profile, i);
	if (!item && is_found)
		return 0;
	if (!item)
		item = filter_text(filter, FILTER_THREAD, 0);
	snprintf(missing, FILTER_ITEM_BYTES, "%.*s", (int)item_length(item), item);
	return -1;
}
