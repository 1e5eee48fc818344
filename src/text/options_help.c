/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the text of --help from a table of options; see options.h. */
#include <limits.h>
#include <string.h>

#include "src/text/options.h"
#include "src/text/text.h"

/* The column in which the help of an option begins. */
enum { HELP_COLUMN = 27 };

/* Prints the help of an option. The beginning of its first line has been printed already. */
static void print_wrapped(const char *text, FILE *file)
{
	static const struct text_lines lines = { OPTIONS_COLUMNS, HELP_COLUMN, HELP_COLUMN };

	for (;;) {
		size_t n = strcspn(text, "\n");
		char part[1024];

		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		text_put(file, part, lines);
		if (!text[n])
			return;
		text += n + 1;
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
