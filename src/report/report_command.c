/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines that show another view of the same report; see report.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "profile/shared/folder.h"
#include "src/report/phases.h"
#include "src/report/report.h"

struct line {
	char *text;
	size_t bytes, used;
};

static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(line->text + line->used, line->bytes - line->used, format, arguments);
	va_end(arguments);
	line->used += n > 0 ? (size_t)n : 0;
	if (line->used >= line->bytes)
		line->used = line->bytes - 1;
}

static int has_control(const char *word)
{
	while (*word && (unsigned char)*word >= ' ' && *word != 127)
		word++;
	return *word != '\0';
}

/* Adds a word with control characters, which would act on the terminal, in quotes after a $. */
static void add_escaped(struct line *line, const char *word)
{
	add(line, " $'");
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c < ' ' || c == 127)
			add(line, "\\%03o", c);
		else
			add(line, "%s%c", c == '\'' || c == '\\' ? "\\" : "", c);
	}
	add(line, "'");
}

/* Adds a word for the shell, in quotes if it needs them. */
static void add_word(struct line *line, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+./@%:,=";

	if (word[0] && !word[strspn(word, plain)]) {
		add(line, " %s", word);
		return;
	}
	if (has_control(word)) {
		add_escaped(line, word);
		return;
	}
	add(line, " '");
	for (; *word; word++)
		add(line, "%.*s", *word == '\'' ? 4 : 1, *word == '\'' ? "'\\''" : word);
	add(line, "'");
}

static void add_terms(struct line *line, const struct filter *filter, enum filter_kind kind)
{
	const char *term;

	for (size_t i = 0; (term = filter_text(filter, kind, i)); i++) {
		add(line, " --%s", filter_word(kind));
		add_word(line, term);
	}
}

static void add_verb(struct line *line, const struct report *report, const char *verb)
{
	add(line, "ompprof %s", verb);
	if (report->given && strcmp(report->given, PROFILE_DEFAULT_FOLDER) != 0) {
		if (report->given[0] == '-')
			add(line, " -i");
		add_word(line, report->given);
	}
	if (report->sysroot) {
		add(line, " --sysroot");
		add_word(line, report->sysroot);
	}
	if (report->selection.has_rank)
		add(line, " --rank %u", report->selection.rank);
	if (report->selection.has_pid)
		add(line, " --process %u", report->selection.pid);
	if (phases_are_given(report->phases))
		add_terms(line, report->phases, FILTER_PHASE);
}

void report_command(char *text, size_t text_bytes, const struct report *report, const char *options)
{
	struct line line = { text, text_bytes, 0 };

	add_verb(&line, report, "report");
	for (unsigned kind = 1; report->filter && kind < FILTER_ALL; kind *= 2)
		add_terms(&line, report->filter, kind);
	add(&line, " %s", options);
}

void report_command_of(char *text, size_t text_bytes, const struct report *report, const char *verb,
	const char *operand)
{
	struct line line = { text, text_bytes, 0 };

	add_verb(&line, report, verb);
	if (operand)
		add_word(&line, operand);
}
