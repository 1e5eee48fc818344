/* SPDX-License-Identifier: Apache-2.0 */
/* Reads command lines by tables of options; see options.h. */
#include "src/text/options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "src/text/message.h"
#include "src/text/nearest.h"
#include "src/text/status.h"

const struct option_row options_help_row = OPTION_FLAG('h', "help", "show this text");

struct getopt_tables {
	struct option options[OPTIONS_MOST + 2];
	char letters[2 + 2 * (OPTIONS_MOST + 1) + 1];
	size_t n_options, n_letters;
};

static void add_option(struct getopt_tables *tables, const struct option_row *row, int index)
{
	if (!row->name)
		return;
	tables->options[tables->n_options++] = (struct option){
		.name = row->name,
		.has_arg = row->kind ? required_argument : no_argument,
		.val = row->code == OPTION_LONG ? OPTION_LONG + 1 + index : row->code,
	};
	if (row->code > UCHAR_MAX)
		return;
	tables->letters[tables->n_letters++] = (char)row->code;
	if (row->kind)
		tables->letters[tables->n_letters++] = ':';
}

static void make_tables(struct getopt_tables *tables, const struct option_table *table)
{
	memset(tables, 0, sizeof(*tables));
	if (table->operands & ARGUMENT_COMMAND)
		tables->letters[tables->n_letters++] = '+';
	/* Keeps getopt_long from printing a message. */
	tables->letters[tables->n_letters++] = ':';
	for (size_t i = 0; i < table->n_rows && i < OPTIONS_MOST; i++)
		add_option(tables, &table->rows[i], (int)i);
	add_option(tables, &options_help_row, -1);
}

static int find_word(const struct option_row *row, const char *text)
{
	for (int i = 0; text && row->words && row->words[i]; i++) {
		if (strcmp(row->words[i], text) == 0)
			return i;
	}
	return -1;
}

/* "a, b or c" */
static void join_words(char *text, size_t bytes, const char *const *words)
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; words[i] && at < bytes; i++) {
		const char *before = i == 0 ? "" : words[i + 1] ? ", " : " or ";
		int n = snprintf(text + at, bytes - at, "%s%s", before, words[i]);

		at += n > 0 ? (size_t)n : 0;
	}
}

static const struct option_row *find_row(const struct option_table *table, int code)
{
	if (code > OPTION_LONG)
		return &table->rows[code - OPTION_LONG - 1];
	for (size_t i = 0; i < table->n_rows; i++) {
		if (table->rows[i].name && table->rows[i].code == code)
			return &table->rows[i];
	}
	return &options_help_row;
}

/* Says which option getopt_long refused, and which was probably meant. Returns STATUS_USAGE. */
static int refuse_option(const struct option_table *table, int code, char **argv)
{
	const char *typed = argv[optind - 1];
	char name[64] = "";
	struct nearest nearest;

	message_refuse_option(code, argv);
	if (code == '?' && !optopt && strncmp(typed, "--", 2) == 0)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
	nearest_init(&nearest, name);
	for (size_t i = 0; i < table->n_rows; i++)
		if (table->rows[i].name)
			nearest_try(&nearest, table->rows[i].name);
	nearest_hint(&nearest, "--");
	return message_try_help(table->verb);
}

static void refuse_word(const struct option_row *row, const char *text)
{
	struct nearest nearest;
	char words[1024];

	join_words(words, sizeof(words), row->words);
	message("option '--%s' takes %s, not '%s'", row->name, words, text);
	nearest_init(&nearest, text);
	for (size_t i = 0; row->words[i]; i++)
		nearest_try(&nearest, row->words[i]);
	nearest_hint(&nearest, "");
}

/* Returns 0, or -1 after a message. */
static int store(const struct option_row *row, const char *text, int word, void *data)
{
	void *at = (char *)data + row->into.offset;
	int value = row->into.how == STORE_WORD ? word : row->into.how == STORE_SET;

	switch (row->into.how) {
	case STORE_TEXT:
		memcpy(at, &text, sizeof(text));
		return 0;
	case STORE_NUMBER:
		return options_number(row->name, text, row->into.least, at);
	case STORE_PERCENT:
		return options_percent(row->name, text, at);
	default:
		memcpy(at, &value, sizeof(value));
		return 0;
	}
}

/* Stores an option or gives it to `apply`. Returns 0, or -1 after a message. */
static int take(const struct option_row *row, const char *text, option_apply *apply, void *data)
{
	int word = find_word(row, text);

	if (row->kind == ARGUMENT_WORD && word < 0) {
		refuse_word(row, text);
		return -1;
	}
	return row->into.how ? store(row, text, word, data)
			     : apply(data, row->code, row->kind ? text : NULL, word);
}

/* Arguments of options that become operands. */
struct inputs {
	char *texts[OPTIONS_MOST_OPERANDS];
	int n;
};

/* Returns 0, or -1 after a message. */
static int add_input(struct inputs *inputs, const struct option_row *row, char *text)
{
	if (inputs->n == OPTIONS_MOST_OPERANDS) {
		message("option '--%s' can be given %d times at most", row->name,
			OPTIONS_MOST_OPERANDS);
		return -1;
	}
	inputs->texts[inputs->n++] = text;
	return 0;
}

/* Each of these options has left at least one place free in front of the operands. */
static void put_inputs(const struct inputs *inputs, int *argc, char ***argv)
{
	*argc += inputs->n;
	*argv -= inputs->n;
	for (int i = 0; i < inputs->n; i++)
		(*argv)[i] = inputs->texts[i];
}

/* Refuses operands beyond the allowed number. Returns OPTIONS_GO_ON or an exit status. */
static int check_operands(const struct option_table *table, int argc, char **argv)
{
	if (table->operands & ARGUMENT_COMMAND || argc <= table->n_operands)
		return OPTIONS_GO_ON;
	message("unexpected argument '%s'", argv[table->n_operands]);
	return message_try_help(table->verb);
}

int options_read(
	const struct option_table *table, int *argc, char ***argv, option_apply *apply, void *data)
{
	struct getopt_tables tables;
	struct inputs inputs = { .n = 0 };
	int code;

	make_tables(&tables, table);
	optind = 0;
	while ((code = getopt_long(*argc, *argv, tables.letters, tables.options, NULL)) != -1) {
		const struct option_row *row = find_row(table, code);

		if (code == '?' || code == ':')
			return refuse_option(table, code, *argv);
		if (code == options_help_row.code) {
			options_print_help(table, stdout);
			return message_finish_stdout(STATUS_OK);
		}
		if (row->kind & ARGUMENT_OPERAND ? add_input(&inputs, row, optarg)
						 : take(row, optarg, apply, data))
			return message_try_help(table->verb);
	}
	*argc -= optind;
	*argv += optind;
	put_inputs(&inputs, argc, argv);
	return check_operands(table, *argc, *argv);
}

int options_number(const char *name, const char *text, uint32_t least, uint32_t *number)
{
	uint32_t value = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && value < 100000000; at++)
		value = value * 10 + (uint32_t)(*at - '0');
	if (*at || at == text || value < least) {
		message("option '--%s' wants a whole number from %u on, not '%s'", name, least,
			text);
		return -1;
	}
	*number = value;
	return 0;
}

/* Reads the number by hand, because strtod() depends on the locale. */
int options_percent(const char *name, const char *text, uint32_t *permyriad)
{
	uint32_t value = 0, n_digits = 0, decimals = 0;
	const char *at = text;

	for (; *at >= '0' && *at <= '9' && n_digits < 4; at++, n_digits++)
		value = value * 10 + (uint32_t)(*at - '0');
	if (*at == '.' && n_digits > 0)
		for (at++; *at >= '0' && *at <= '9' && decimals < 2; at++, decimals++)
			value = value * 10 + (uint32_t)(*at - '0');
	for (; decimals < 2; decimals++)
		value *= 10;
	if (*at || n_digits == 0 || value > 10000) {
		message("option '--%s' wants a percentage from 0 to 100, not '%s'", name, text);
		return -1;
	}
	*permyriad = value;
	return 0;
}
