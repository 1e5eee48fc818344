/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts' text; see script.h. */
#include "tests/runtime/script.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 16, MAX_INCLUDES = 8 };

/* A line of a file as it is written. */
struct line {
	const char *file;
	int number;
	char *text;
};

struct lines {
	struct line *line;
	size_t n;
};

struct macro {
	char *name;
	char *parameter[MAX_PARAMETERS];
	int n_parameters;
	size_t begin, end; /* of lines: the body */
};

struct reader {
	struct lines lines;
	struct macro *macros;
	size_t n_macros;
	struct script *script;
};

/* Names that stand for texts in a line. */
struct binding {
	const char *name;
	const char *text;
	long number; /* if is_number: ${NAME+K} */
	int is_number;
};

struct bindings {
	struct binding binding[MAX_PARAMETERS + SCRIPT_MAX_DEPTH];
	int n;
	int depth;
};

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

static void __attribute__((format(printf, 2, 3), noreturn))
fail_at(const struct line *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(at->file, at->number, format, args);
	exit(99);
}

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

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
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
		fail_at(&line, "cannot read '%s': %s", path, strerror(errno));
	while (getline(&text, &bytes, file) >= 0) {
		line.number++;
		line.text = strdup(trim(text));
		if (begins(line.text, "include")) {
			snprintf(other, sizeof(other), "%.*s%s",
				slash ? (int)(slash + 1 - name) : 0, name, trim(line.text + 7));
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
	fail_at(&reader->lines.line[at], "no 'end'");
}

static void append(char *out, size_t *n, const char *text, size_t bytes, const struct line *at)
{
	if (*n + bytes >= 4096)
		fail_at(at, "too long");
	memcpy(out + *n, text, bytes);
	*n += bytes;
}

/* What `$NAME` or `${NAME+K}` at *text stands for; moves *text behind it. */
static void substitute(const struct bindings *bindings, const char **text, char *out, size_t *n,
	const struct line *at)
{
	int is_braced = (*text)[1] == '{';
	const char *name = *text + 1 + is_braced, *end = name;
	const struct binding *found = NULL;
	char number[32];
	long plus = 0;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	for (int i = bindings->n; i-- > 0 && !found;) {
		const struct binding *binding = &bindings->binding[i];

		if (strlen(binding->name) == (size_t)(end - name) &&
			strncmp(binding->name, name, (size_t)(end - name)) == 0)
			found = binding;
	}
	if (!found)
		fail_at(at, "'$%.*s' stands for nothing", (int)(end - name), name);
	if (is_braced && *end != '}')
		plus = strtol(end, (char **)&end, 10);
	if (is_braced && *end++ != '}')
		fail_at(at, "no '}'");
	if (plus && !found->is_number)
		fail_at(at, "'%s' is no number", found->name);
	snprintf(number, sizeof(number), "%ld", found->number + plus);
	append(out, n, found->is_number ? number : found->text,
		strlen(found->is_number ? number : found->text), at);
	*text = end;
}

/* A line's text with all names replaced, and without its comment. */
static char *expand(const struct line *line, const struct bindings *bindings)
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
	return strdup(trim(out));
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

/* Splits the text into words. */
static void split(struct statement *statement, const struct line *line)
{
	char *copy = strdup(statement->text), *word[SCRIPT_MAX_WORDS + 1];
	const char *rest[SCRIPT_MAX_WORDS + 1];
	int n = 0;

	for (char *at = copy; *at;) {
		char end = ' ';

		if (n == SCRIPT_MAX_WORDS)
			fail_at(line, "too many words");
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
		fail_at(line, "macros within macros without an end");
	if (call->n_words - 1 > macro->n_parameters)
		fail_at(line, "too many words for the macro '%s'", macro->name);
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
	struct statement head = { .text = expand(line, bindings) };
	struct bindings inner = *bindings;
	struct binding *index = &inner.binding[inner.n];
	char *rest;
	long n;

	split(&head, line);
	n = head.n_words > 1 ? strtol(head.word[1], &rest, 0) : -1;
	if (n < 0 || *rest || head.n_words > 3 || ++inner.depth >= SCRIPT_MAX_DEPTH)
		fail_at(line, "'repeat NUMBER [NAME]'");
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

	statement.text = expand(line, bindings);
	split(&statement, line);
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
			fail_at(line, "not here");
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
	struct statement head = { .text = expand(line, &none) };
	struct macro macro = { .begin = at + 1, .end = end_of(reader, at) };

	split(&head, line);
	if (head.n_words < 3 || head.n_words - 2 > MAX_PARAMETERS)
		fail_at(line, "'macro NAME PARAMETER...'");
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
	char *name = trim(line->text + 4);

	if (!*name)
		fail_at(line, "a case has a name");
	for (size_t i = 0; i < script->n_cases; i++) {
		if (strcmp(script->cases[i].name, name) == 0)
			fail_at(line, "there is a case '%s' already", name);
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
				fail_at(line, "not within a case");
			play_lines(&reader, i, last + 1, &none);
			i = last;
		}
	}
	return reader.script;
}
