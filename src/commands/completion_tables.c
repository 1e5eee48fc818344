/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the options for bash's completion, as two functions of bash, and the list of verbs. They
 * are made of the same tables as the command. The program runs when ompprof is built;
 * completion.bash goes before its output.
 */
#include <limits.h>
#include <stdio.h>

#include "src/commands/command.h"

/* The letters by which completion.bash knows what an argument can be. */
static void print_kind(unsigned kind)
{
	static const struct {
		unsigned kind;
		char letter;
	} letters[] = {
		{ ARGUMENT_WORD, 'w' },
		{ ARGUMENT_LIST, 'l' },
		{ ARGUMENT_FILE, 'f' },
		{ ARGUMENT_FOLDER, 'd' },
		{ ARGUMENT_NUMBER | ARGUMENT_TEXT, 't' },
		{ ARGUMENT_COMMAND, 'c' },
		{ ARGUMENT_VERB, 'v' },
	};

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (kind & letters[i].kind)
			putchar(letters[i].letter);
	}
}

static void print_names(const struct option_row *row, const char *separator)
{
	if (!row->name)
		return;
	if (row->code <= UCHAR_MAX)
		printf("-%c%s", row->code, separator);
	printf("--%s", row->name);
}

static const char *name_of(const struct option_table *table)
{
	return table->verb ? table->verb : "";
}

static void print_options(const struct option_table *table)
{
	printf("\t'%s') options='", name_of(table));
	for (size_t i = 0; i < table->n_rows; i++) {
		print_names(&table->rows[i], " ");
		if (table->rows[i].name)
			putchar(' ');
	}
	print_names(&options_help_row, " ");
	puts("' ;;");
}

static void print_argument(const struct option_table *table, const struct option_row *row)
{
	char separator[64];

	if (!row->kind)
		return;
	snprintf(separator, sizeof(separator), "' | '%s ", name_of(table));
	printf("\t'%s ", name_of(table));
	print_names(row, separator);
	fputs("') kind=", stdout);
	print_kind(row->kind);
	if (row->words || row->put_words)
		fputs(" words='", stdout);
	for (size_t i = 0; row->words && row->words[i]; i++)
		printf("%s%s", i == 0 ? "" : " ", row->words[i]);
	if (row->put_words)
		row->put_words(stdout);
	puts(row->words || row->put_words ? "' ;;" : " ;;");
}

static void print_arguments(const struct option_table *table)
{
	for (size_t i = 0; i < table->n_rows; i++)
		print_argument(table, &table->rows[i]);
	if (!table->operands)
		return;
	printf("\t'%s ') kind=", name_of(table));
	print_kind(table->operands);
	puts(" ;;");
}

int main(void)
{
	puts("\n# _ompprof_options VERB: sets options.\n"
	     "_ompprof_options() {\n\tcase $1 in");
	print_options(&command_options);
	for (size_t i = 0; command_table[i]; i++)
		print_options(command_table[i]->options);
	puts("\tesac\n}\n\n"
	     "# _ompprof_argument VERB OPTION: sets kind, to '' if it takes none, and words; "
	     "without\n"
	     "# OPTION of what stands after the options.\n"
	     "_ompprof_argument() {\n\tkind='' words=''\n\tcase \"$1 $2\" in");
	print_arguments(&command_options);
	for (size_t i = 0; command_table[i]; i++)
		print_arguments(command_table[i]->options);
	fputs("\tesac\n}\n\n_ompprof_verbs='", stdout);
	for (size_t i = 0; command_table[i]; i++)
		printf("%s%s", i == 0 ? "" : " ", command_table[i]->name);
	puts("'");
	return ferror(stdout) || fclose(stdout) != 0;
}
