/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts' files, their cases, macros and repetitions; see script.h. */
#include "tests/runtime/script.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/script_parts.h"

enum { MAX_INCLUDES = 8 };

struct lines {
	struct line *line;
	size_t n;
};

struct macro {
	char *name;
	char *parameter[SCRIPT_MAX_PARAMETERS];
	int n_parameters;
	size_t begin, end; /* of lines: the body */
};

struct reader {
	struct lines lines;
	struct macro *macros;
	size_t n_macros;
	struct script *script;
};

static void *grow(void *array, size_t n, size_t bytes)
{
	/* Doubled at powers of two. */
	if (n & (n - 1))
		return array;
	array = realloc(array, (n ? 2 * n : 1) * bytes);
	if (!array)
		exit(99);
	return array;
}

/* The first word of `text` is `word`. */
static int begins(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) == 0 && (text[n] == '\0' || isspace((unsigned char)text[n]));
}

/* Appends the lines of a file; an `include` in it is another file of the same folder. */
static void read_lines(struct reader *reader, const char *path, int depth)
{
	FILE *file = depth < MAX_INCLUDES ? fopen(path, "r") : NULL;
	const char *name = strdup(path), *slash = strrchr(name, '/');
	char *text = NULL, other[4096];
	size_t bytes = 0;
	struct line line = { .file = slash ? slash + 1 : name };

	if (!file)
		script_fail_at(&line, "cannot read '%s': %s", path, strerror(errno));
	while (getline(&text, &bytes, file) >= 0) {
		line.number++;
		line.text = strdup(script_trim(text));
		if (begins(line.text, "include")) {
			snprintf(other, sizeof(other), "%.*s%s",
				slash ? (int)(slash + 1 - name) : 0, name,
				script_trim(line.text + 7));
			read_lines(reader, other, depth + 1);
			continue;
		}
		reader->lines.line =
			grow(reader->lines.line, reader->lines.n, sizeof(*reader->lines.line));
		reader->lines.line[reader->lines.n++] = line;
	}
	free(text);
	fclose(file);
}

static int is_block(const char *text)
{
	return begins(text, "macro") || begins(text, "repeat");
}

/* The line of the `end` of the block at line `at`. */
static size_t end_of(const struct reader *reader, size_t at)
{
	int depth = 0;

	for (size_t i = at; i < reader->lines.n; i++) {
		const char *text = reader->lines.line[i].text;

		depth += is_block(text);
		if (begins(text, "end") && text[3] == '\0' && --depth == 0)
			return i;
	}
	script_fail_at(&reader->lines.line[at], "no 'end'");
}

static const struct macro *find_macro(const struct reader *reader, const char *name)
{
	for (size_t i = reader->n_macros; name && i-- > 0;) {
		if (strcmp(reader->macros[i].name, name) == 0)
			return &reader->macros[i];
	}
	return NULL;
}

static void add_statement(struct reader *reader, const struct statement *statement)
{
	struct script_case *current = &reader->script->cases[reader->script->n_cases - 1];

	current->statements =
		grow(current->statements, current->n_statements, sizeof(*current->statements));
	current->statements[current->n_statements++] = *statement;
}

static void play_lines(
	struct reader *reader, size_t begin, size_t end, const struct bindings *bindings);

static void call_macro(struct reader *reader, const struct macro *macro,
	const struct statement *call, int depth, const struct line *line)
{
	struct bindings bindings = { .depth = depth + 1 };

	if (depth >= SCRIPT_MAX_DEPTH)
		script_fail_at(line, "macros within macros without an end");
	if (call->n_words - 1 > macro->n_parameters)
		script_fail_at(line, "too many words for the macro '%s'", macro->name);
	for (int i = 0; i < macro->n_parameters; i++) {
		int word = i ? i + 1 : 0;

		bindings.binding[bindings.n++] = (struct binding){
			.name = macro->parameter[i],
			.text = word < call->n_words ? call->word[word] : "",
		};
	}
	play_lines(reader, macro->begin, macro->end, &bindings);
}

static void repeat(struct reader *reader, size_t at, size_t end, const struct bindings *bindings)
{
	const struct line *line = &reader->lines.line[at];
	struct statement head = { .text = script_expand(line, bindings) };
	struct bindings inner = *bindings;
	struct binding *index = &inner.binding[inner.n];
	char *rest;
	long n;

	script_split(&head, line);
	n = head.n_words > 1 ? strtol(head.word[1], &rest, 0) : -1;
	if (n < 0 || *rest || head.n_words > 3 || ++inner.depth >= SCRIPT_MAX_DEPTH)
		script_fail_at(line, "'repeat NUMBER [NAME]'");
	*index = (struct binding){
		.name = head.n_words > 2 ? head.word[2] : "",
		.is_number = 1,
	};
	inner.n++;
	for (; index->number < n; index->number++)
		play_lines(reader, at + 1, end, &inner);
}

static void play_line(
	struct reader *reader, const struct line *line, const struct bindings *bindings)
{
	struct statement statement = { .file = line->file, .line = line->number };
	const struct macro *macro;

	statement.text = script_expand(line, bindings);
	script_split(&statement, line);
	if (statement.n_words == 0)
		return;
	macro = find_macro(reader, statement.n_words > 1 ? statement.word[1] : NULL);
	if (macro)
		call_macro(reader, macro, &statement, bindings->depth, line);
	else
		add_statement(reader, &statement);
}

static void play_lines(
	struct reader *reader, size_t begin, size_t end, const struct bindings *bindings)
{
	for (size_t i = begin; i < end; i++) {
		const struct line *line = &reader->lines.line[i];

		if (begins(line->text, "macro") || begins(line->text, "case"))
			script_fail_at(line, "not here");
		if (begins(line->text, "repeat")) {
			size_t last = end_of(reader, i);

			repeat(reader, i, last, bindings);
			i = last;
		} else {
			play_line(reader, line, bindings);
		}
	}
}

/* The macro at line `at`; returns the line of its end. */
static size_t define(struct reader *reader, size_t at)
{
	struct bindings none = { 0 };
	const struct line *line = &reader->lines.line[at];
	struct statement head = { .text = script_expand(line, &none) };
	struct macro macro = { .begin = at + 1, .end = end_of(reader, at) };

	script_split(&head, line);
	if (head.n_words < 3 || head.n_words - 2 > SCRIPT_MAX_PARAMETERS)
		script_fail_at(line, "'macro NAME PARAMETER...'");
	macro.name = head.word[1];
	for (int i = 2; i < head.n_words; i++)
		macro.parameter[macro.n_parameters++] = head.word[i];
	reader->macros = grow(reader->macros, reader->n_macros, sizeof(macro));
	reader->macros[reader->n_macros++] = macro;
	return macro.end;
}

static void begin_case(struct reader *reader, const struct line *line)
{
	struct script *script = reader->script;
	char *name = script_trim(line->text + 4);

	if (!*name)
		script_fail_at(line, "a case has a name");
	for (size_t i = 0; i < script->n_cases; i++) {
		if (strcmp(script->cases[i].name, name) == 0)
			script_fail_at(line, "there is a case '%s' already", name);
	}
	script->cases = grow(script->cases, script->n_cases, sizeof(*script->cases));
	script->cases[script->n_cases++] =
		(struct script_case){ .name = name, .file = line->file, .line = line->number };
}

struct script *script_read(const char *path, const char *prelude)
{
	struct reader reader = { .script = calloc(1, sizeof(*reader.script)) };
	struct bindings none = { 0 };

	read_lines(&reader, prelude, 0);
	read_lines(&reader, path, 0);
	for (size_t i = 0; i < reader.lines.n; i++) {
		const struct line *line = &reader.lines.line[i];
		size_t last = begins(line->text, "repeat") ? end_of(&reader, i) : i;

		if (begins(line->text, "macro")) {
			i = define(&reader, i);
		} else if (begins(line->text, "case")) {
			begin_case(&reader, line);
		} else if (line->text[0] && line->text[0] != '#') {
			if (reader.script->n_cases == 0)
				script_fail_at(line, "not within a case");
			play_lines(&reader, i, last + 1, &none);
			i = last;
		}
	}
	return reader.script;
}
