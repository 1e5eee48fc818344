/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the text of --help from a table of options; see options.h. */
#include <limits.h>
#include <string.h>

#include "src/text/options.h"

/* The column in which the help of an option begins. */
enum { HELP_COLUMN = 27 };

/*
 * How many bytes of `text` fit into `width` columns: up to a blank or the end of a line. A word
 * that is too long is taken whole.
 */
static size_t fit(const char *text, size_t width)
{
	size_t end = strcspn(text, "\n"), last = 0;

	if (end <= width)
		return end;
	for (size_t i = 0; i <= width; i++) {
		if (text[i] == ' ')
			last = i;
	}
	return last ? last : strcspn(text, " \n");
}

/* Prints the help of an option. The beginning of its first line has been printed already. */
static void print_wrapped(const char *text, FILE *file)
{
	while (*text) {
		size_t n = fit(text, OPTIONS_COLUMNS - HELP_COLUMN);

		fprintf(file, "%.*s\n", (int)n, text);
		text += n;
		if (*text)
			text++;
		if (*text)
			fprintf(file, "%*s", HELP_COLUMN, "");
	}
}

/* "DIR", or "text|json" */
static int print_argument(const struct option_row *row, FILE *file)
{
	int n = 0;

	if (!row->kind)
		return 0;
	if (row->argument)
		return fprintf(file, " %s", row->argument);
	for (size_t i = 0; row->words[i]; i++)
		n += fprintf(file, "%c%s", i == 0 ? ' ' : '|', row->words[i]);
	return n;
}

static void print_row(const struct option_row *row, FILE *file)
{
	int n;

	if (row->code <= UCHAR_MAX)
		n = fprintf(file, "  -%c, --%s", row->code, row->name);
	else
		n = fprintf(file, "      --%s", row->name);
	n += print_argument(row, file);
	if (n > HELP_COLUMN - 1) {
		fputc('\n', file);
		n = 0;
	}
	fprintf(file, "%*s", HELP_COLUMN - n, "");
	print_wrapped(row->help, file);
}

void options_print_help(const struct option_table *table, FILE *file)
{
	fprintf(file, "%s\n", table->usage);
	if (table->print_more) {
		table->print_more(file);
		fputc('\n', file);
	}
	for (size_t i = 0; i < table->n_rows; i++) {
		if (table->rows[i].name)
			print_row(&table->rows[i], file);
		else
			fprintf(file, "%s%s\n", i == 0 ? "" : "\n", table->rows[i].help);
	}
	print_row(&options_help_row, file);
	if (table->notes)
		fprintf(file, "\n%s", table->notes);
}
