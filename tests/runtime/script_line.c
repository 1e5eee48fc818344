/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a script: replaces names, splits words, reports errors. See script_parts.h. */
#include "tests/runtime/script_parts.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(const char *file, int line, const char *format, va_list args)
{
	fflush(stdout);
	fprintf(stderr, "%s:%d: ", file, line);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	printf("Bail out! %s:%d: a script is wrong\n", file, line);
	exit(99);
}

void script_fail(const struct statement *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(at->file, at->line, format, args);
	exit(99);
}

void script_fail_at(const struct line *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(at->file, at->number, format, args);
	exit(99);
}

char *script_trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

static void append(char *out, size_t *n, const char *text, size_t bytes, const struct line *at)
{
	if (*n + bytes >= 4096)
		script_fail_at(at, "too long");
	memcpy(out + *n, text, bytes);
	*n += bytes;
}

/* Appends the text of `$NAME`, `${NAME+K}` or `${K-NAME}` at *text, and moves *text behind it. */
static void substitute(const struct bindings *bindings, const char **text, char *out, size_t *n,
	const struct line *at)
{
	int is_braced = (*text)[1] == '{';
	const char *name = *text + 1 + is_braced, *end = name;
	const struct binding *found = NULL;
	char number[32];
	long plus = 0, sign = 1;

	if (is_braced && isdigit((unsigned char)*name)) {
		plus = strtol(name, (char **)&name, 10);
		sign = *name++ == '-' ? -1 : 1;
		end = name;
	}
	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	for (int i = bindings->n; i-- > 0 && !found;) {
		const struct binding *binding = &bindings->binding[i];

		if (strlen(binding->name) == (size_t)(end - name) &&
			strncmp(binding->name, name, (size_t)(end - name)) == 0)
			found = binding;
	}
	if (!found)
		script_fail_at(at, "'$%.*s' stands for nothing", (int)(end - name), name);
	if (is_braced && *end != '}')
		plus = strtol(end, (char **)&end, 10);
	if (is_braced && *end++ != '}')
		script_fail_at(at, "no '}'");
	if (plus && !found->is_number)
		script_fail_at(at, "'%s' is no number", found->name);
	snprintf(number, sizeof(number), "%ld", sign * found->number + plus);
	append(out, n, found->is_number ? number : found->text,
		strlen(found->is_number ? number : found->text), at);
	*text = end;
}

char *script_expand(const struct line *line, const struct bindings *bindings)
{
	char out[4096];
	int is_quoted = 0;
	size_t n = 0;

	for (const char *text = line->text; *text;) {
		is_quoted ^= *text == '"' || *text == '\'';
		if (*text == '#' && !is_quoted)
			break;
		if (*text == '$' && (isalpha((unsigned char)text[1]) || text[1] == '{'))
			substitute(bindings, &text, out, &n, line);
		else
			append(out, &n, text++, 1, line);
	}
	out[n] = '\0';
	return strdup(script_trim(out));
}

/* A copy of n pointers and of NULL after them. */
static void *keep(const void *pointers, int n)
{
	size_t bytes = (size_t)n * sizeof(void *);
	void **kept = malloc(bytes + sizeof(void *));

	if (!kept)
		exit(99);
	memcpy(kept, pointers, bytes);
	kept[n] = NULL;
	return kept;
}

/* The text without the quotes around the whole of it. */
static char *unquote(char *word)
{
	size_t n = strlen(word);

	if (n < 2 || word[0] != '"' || word[n - 1] != '"')
		return word;
	word[n - 1] = '\0';
	return word + 1;
}

void script_split(struct statement *statement, const struct line *line)
{
	char *copy = strdup(statement->text), *word[SCRIPT_MAX_WORDS + 1];
	const char *rest[SCRIPT_MAX_WORDS + 1];
	int n = 0;

	for (char *at = copy; *at;) {
		char end = ' ';

		if (n == SCRIPT_MAX_WORDS)
			script_fail_at(line, "too many words");
		rest[n] = statement->text + (at - copy);
		word[n++] = at;
		for (; *at && !(end == ' ' && isspace((unsigned char)*at)); at++) {
			if (*at == '"')
				end = end == ' ' ? '"' : ' ';
		}
		while (isspace((unsigned char)*at))
			*at++ = '\0';
	}
	for (int i = 0; i < n; i++)
		word[i] = unquote(word[i]);
	statement->n_words = n;
	statement->word = keep(word, n);
	statement->rest = keep(rest, n);
	statement->rest[n] = statement->text + strlen(statement->text);
}
