/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of options: each row is whole, help fits, and command lines are read as tables say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/shared/perf_event.h"
#include "src/commands/command.h"
#include "src/text/options.h"
#include "src/request/report_request.h"

static char *help_of(const struct option_table *table)
{
	char *text = NULL;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);

	assert_non_null(file);
	options_print_help(table, file);
	fclose(file);
	return text;
}

/* The table of each verb, after them ompprof's own, then NULL. */
static const struct option_table *table_at(size_t i)
{
	for (size_t at = 0; command_table[at]; at++) {
		if (at == i)
			return command_table[at]->options;
		if (!command_table[at + 1] && i == at + 1)
			return &command_options;
	}
	return NULL;
}

/* Bash's completion takes words as they are. */
static int is_plain_word(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-+./@%";

	return text[0] && text[0] != '-' && text[strspn(text, letters)] == '\0';
}

/* Whether the help of the option has the word, or what comes before all options. */
static int is_told(const struct option_table *table, const struct option_row *row, const char *word)
{
	char *text = table->print_more ? help_of(table) : NULL;
	int is = strstr(row->help, word) || (text && strstr(text, word));

	free(text);
	return is;
}

static void check_row(const struct option_table *table, const struct option_row *row)
{
	assert_true(row->help && row->help[0]);
	assert_true(row->help[strlen(row->help) - 1] != '\n');
	if (!row->name)
		return;
	assert_true(is_plain_word(row->name));
	assert_true((row->code > ' ' && row->code <= '~') || row->code >= 256);
	assert_true(row->code != OPTION_LONG || row->into.how);
	assert_true(row->kind || (!row->argument && !row->words));
	/* What can be offered is there, and help names it. */
	assert_int_equal(
		row->words || row->put_words, (row->kind & (ARGUMENT_WORD | ARGUMENT_LIST)) != 0);
	assert_true(!row->kind || row->argument || row->words);
	for (size_t i = 0; row->words && row->words[i]; i++) {
		assert_true(is_plain_word(row->words[i]));
		if (row->kind != ARGUMENT_WORD || !row->argument)
			continue;
		if (!is_told(table, row, row->words[i]))
			fail_msg("help of '%s --%s' lacks '%s'", table->verb, row->name,
				row->words[i]);
	}
}

static void check_twins(const struct option_table *table)
{
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct option_row *row = &table->rows[i];

		if (!row->name)
			continue;
		assert_string_not_equal(row->name, options_help_row.name);
		assert_int_not_equal(row->code, options_help_row.code);
		for (size_t other = 0; other < i; other++) {
			if (!table->rows[other].name)
				continue;
			assert_string_not_equal(row->name, table->rows[other].name);
			if (row->code != OPTION_LONG)
				assert_int_not_equal(row->code, table->rows[other].code);
		}
	}
}

static void test_tables(void **state)
{
	const struct option_table *table;

	for (size_t i = 0; (table = table_at(i)); i++) {
		assert_true(table->n_rows <= OPTIONS_MOST);
		assert_int_equal(table->usage[strlen(table->usage) - 1], '\n');
		assert_true(!table->notes || table->notes[strlen(table->notes) - 1] == '\n');
		for (size_t row = 0; row < table->n_rows; row++)
			check_row(table, &table->rows[row]);
		check_twins(table);
	}
	assert_true(table_at(0) != NULL && table_at(3) != NULL);
}

static void test_help_fits(void **state)
{
	const struct option_table *table;

	for (size_t i = 0; (table = table_at(i)); i++) {
		char *text = help_of(table), *rest = text;

		for (char *line = strtok_r(text, "\n", &rest); line;
			line = strtok_r(NULL, "\n", &rest)) {
			if (strlen(line) > OPTIONS_COLUMNS || line[strlen(line) - 1] == ' ')
				fail_msg("'%s': %s", table->verb, line);
		}
		free(text);
	}
}

static void test_every_event_is_one(void **state)
{
	const struct option_table *table = command_run.options;
	char name[32];
	uint64_t period;
	size_t n = 0;

	for (size_t i = 0; i < table->n_rows; i++) {
		if (table->rows[i].code != 'e')
			continue;
		for (; table->rows[i].words[n]; n++)
			assert_int_equal(perf_event_parse(table->rows[i].words[n], name,
						 sizeof(name), &period),
				0);
	}
	assert_true(n > 10);
}

/* What completion offers for -f and -s: each column of the views once, in order. */
static void test_columns(void **state)
{
	char *text = NULL, *rest, last[64] = "";
	size_t bytes, n = 0;
	FILE *file = open_memstream(&text, &bytes);

	assert_non_null(file);
	report_columns_put(file);
	fclose(file);
	for (char *key = strtok_r(text, " ", &rest); key; key = strtok_r(NULL, " ", &rest), n++) {
		size_t i = 0;

		assert_true(is_plain_word(key) && strcmp(last, key) < 0);
		while (view_list[i] && (!view_list[i]->columns || table_find(view_list[i]->columns,
									  key, strlen(key)) < 0))
			i++;
		assert_non_null(view_list[i]);
		snprintf(last, sizeof(last), "%s", key);
	}
	assert_true(n > 100);
	free(text);
}

/* What ompprof-json(5) says of an array: from its item to the next that is not within it. */
static char *section_of(const char *array)
{
	char path[4096], line[1024], item[64];
	char *text = NULL;
	size_t bytes;
	FILE *file, *copy = open_memstream(&text, &bytes);
	int depth = 0, is_in = 0;

	snprintf(path, sizeof(path), "%s/man/ompprof-json.5", getenv("srcdir"));
	snprintf(item, sizeof(item), ".It Va %s\n", array);
	file = fopen(path, "r");
	assert_true(file && copy);
	while (fgets(line, sizeof(line), file)) {
		depth += !strncmp(line, ".Bl", 3) - !strncmp(line, ".El", 3);
		if (depth <= 1 && !strncmp(line, ".It", 3))
			is_in = depth == 1 && strcmp(line, item) == 0;
		if (is_in)
			fputs(line, copy);
	}
	fclose(file);
	fclose(copy);
	return text;
}

static int has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if (at[-1] == ' ' && strchr(" ,:;\n", at[n]))
			return 1;
	return 0;
}

static void check_keys(const struct view *view)
{
	char *section = section_of(view->json);
	const char *at = view->members;

	while (*at) {
		size_t n = strcspn(at, " ");
		char key[TABLE_KEY_BYTES];

		if (*at != '*') {
			int column = table_find(view->columns, at, n);

			if (column < 0)
				fail_msg("'%s' has no column '%.*s'", view->name, (int)n, at);
			table_json_key(key, &view->columns[column]);
			if (!has_word(section, key))
				fail_msg("ompprof-json(5) lacks '%s' of '%s'", key, view->json);
		}
		at += n + strspn(at + n, " ");
	}
	free(section);
}

/* The manual has each key that a column gives to JSON, where it tells of the array. */
static void test_keys_of_json(void **state)
{
	size_t n = 0;

	for (size_t i = 0; view_list[i]; i++) {
		if (!view_list[i]->members)
			continue;
		check_keys(view_list[i]);
		n++;
	}
	assert_true(n >= 8);
}

/* A page of the manual. */
static char *read_page(const char *name)
{
	char path[4096], *text = NULL;
	size_t bytes = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/man/%s", getenv("srcdir"), name);
	file = fopen(path, "r");
	assert_true(file && getdelim(&text, &bytes, '\0', file) > 0);
	fclose(file);
	return text;
}

/* The manual of CSV refers to that of report for the words of causes. */
static int is_cause(const char *key)
{
	for (int i = 0; i < METRICS_N_CAUSES; i++)
		if (strcmp(report_cause_word(i), key) == 0)
			return 1;
	return 0;
}

/* The manual has the word of each view of --by, and each column that its CSV has. */
static void test_views_in_manual(void **state)
{
	char *report = read_page("ompprof-report.1"), *csv = read_page("ompprof-csv.5"), line[64];

	for (size_t i = 0; view_list[i]; i++) {
		const struct table_column *column = view_list[i]->columns;

		snprintf(line, sizeof(line), " %s ", view_list[i]->name + strlen("by "));
		if (!strncmp(view_list[i]->name, "by ", 3) && !strstr(report, line))
			fail_msg("ompprof-report(1) lacks '--%s'", view_list[i]->name);
		for (; column && column->key; column++)
			if (column->flags & TABLE_IN_CSV && !is_cause(column->key) &&
				!has_word(csv, column->key))
				fail_msg("ompprof-csv(5) lacks '%s' of '--%s'", column->key,
					view_list[i]->name);
	}
	free(report);
	free(csv);
}

static const char *const words[] = { "one", "two", NULL };
static const struct option_row rows[] = {
	OPTION_HEADING("First:"),
	OPTION_TAKES('f', "file", "PATH", ARGUMENT_FILE, NULL,
		"a file whose help is so long that it does not fit into a line of eighty columns"),
	OPTION_TAKES(300, "word", NULL, ARGUMENT_WORD, words, "one word\nor another"),
	OPTION_HEADING("Second:"),
	OPTION_TAKES(301, "a-long-name-for-a", "NUMBER", ARGUMENT_WORD | ARGUMENT_NUMBER, words,
		"a number, one or two"),
	OPTION_FLAG('q', "quiet", "say nothing"),
};
static const struct option_table plain = {
	.verb = "try",
	.usage = "Usage: ompprof try\n",
	.rows = rows,
	.n_rows = sizeof(rows) / sizeof(rows[0]),
	.n_operands = 1,
};

static void test_help_text(void **state)
{
	struct option_table table = plain;
	char *text;

	table.notes = "The end.\n";
	text = help_of(&table);
	assert_string_equal(text,
		"Usage: ompprof try\n"
		"\n"
		"First:\n"
		"  -f, --file PATH          a file whose help is so long that it does not fit\n"
		"                           into a line of eighty columns\n"
		"      --word one|two       one word\n"
		"                           or another\n"
		"\n"
		"Second:\n"
		"      --a-long-name-for-a NUMBER\n"
		"                           a number, one or two\n"
		"  -q, --quiet              say nothing\n"
		"  -h, --help               show this text\n"
		"\n"
		"The end.\n");
	free(text);
}

static char seen[256];

static int note(void *data, int code, const char *text, int word)
{
	size_t at = strlen(seen);

	assert_ptr_equal(data, seen);
	snprintf(seen + at, sizeof(seen) - at, "%d=%s/%d ", code, text ? text : "-", word);
	return text && strcmp(text, "bad") == 0 ? -1 : 0;
}

/* Reads a line of words; *operand becomes the first operand or NULL. */
static int read_line(const struct option_table *table, const char *line, const char **operand)
{
	static char copy[256];
	char verb[] = "try", *argv[16] = { verb }, **at = argv;
	int argc = 1, status;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	seen[0] = '\0';
	status = options_read(table, &argc, &at, note, seen);
	*operand = status == OPTIONS_GO_ON && argc > 0 ? at[0] : NULL;
	return status;
}

static void test_reading(void **state)
{
	struct option_table command = plain;
	const char *operand;

	assert_int_equal(read_line(&plain, "-q --word=two x -f a --a-long 7", &operand), -1);
	assert_string_equal(seen, "113=-/-1 300=two/1 102=a/-1 301=7/-1 ");
	assert_string_equal(operand, "x");
	assert_int_equal(read_line(&plain, "--a-long-name-for-a one", &operand), -1);
	assert_string_equal(seen, "301=one/0 ");
	assert_null(operand);
	assert_int_equal(read_line(&plain, "-- -q", &operand), -1);
	assert_string_equal(operand, "-q");

	command.operands = ARGUMENT_COMMAND;
	assert_int_equal(read_line(&command, "-q x -f a", &operand), -1);
	assert_string_equal(seen, "113=-/-1 ");
	assert_string_equal(operand, "x");
}

static void test_places(void **state)
{
	struct places {
		int sets, clears;
		const char *text;
		int word;
		uint32_t number, permyriad;
	} places = { .clears = 1 };
	const struct option_row stored[] = {
		OPTION_SETS(OPTION_LONG, "set", INTO_SET(struct places, sets), "help"),
		OPTION_SETS('c', "clear", INTO_CLEAR(struct places, clears), "help"),
		OPTION_KEEPS(OPTION_LONG, "text", "T", ARGUMENT_TEXT, NULL,
			INTO_TEXT(struct places, text), "help"),
		OPTION_KEEPS(OPTION_LONG, "word", NULL, ARGUMENT_WORD, words,
			INTO_WORD(struct places, word), "help"),
		OPTION_KEEPS('n', "number", "N", ARGUMENT_NUMBER, NULL,
			INTO_NUMBER(struct places, number), "help"),
		OPTION_KEEPS(OPTION_LONG, "percent", "P", ARGUMENT_NUMBER, NULL,
			INTO_PERCENT(struct places, permyriad), "help"),
	};
	const struct option_table table = { .verb = "try", .rows = stored, .n_rows = 6 };
	char *all[] = { (char[]){ "try" }, (char[]){ "--set" }, (char[]){ "-c" },
		(char[]){ "--text=a" }, (char[]){ "--word=two" }, (char[]){ "-n7" },
		(char[]){ "--percent=0.5" }, NULL };
	char *low[] = { (char[]){ "try" }, (char[]){ "-n0" }, NULL }, **at = all;
	int argc = 7;

	assert_int_equal(options_read(&table, &argc, &at, NULL, &places), OPTIONS_GO_ON);
	assert_true(places.sets && !places.clears && places.word == 1);
	assert_string_equal(places.text, "a");
	assert_int_equal(places.number, 7);
	assert_int_equal(places.permyriad, 50);
	argc = 2;
	at = low;
	assert_int_equal(options_read(&table, &argc, &at, NULL, &places), STATUS_USAGE);
}

static void test_refusals(void **state)
{
	static const char *const lines[] = { "--word three", "--word", "-z", "--no-such", "x y",
		"-f bad", "--qu=1", "--word=", "-f" };
	const char *operand;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(read_line(&plain, lines[i], &operand), STATUS_USAGE);
}

static void test_numbers(void **state)
{
	uint32_t number = 7;

	assert_int_equal(options_number("n", "12", 1, &number), 0);
	assert_int_equal(number, 12);
	assert_int_equal(options_number("n", "0", 1, &number), -1);
	assert_int_equal(options_number("n", "", 0, &number), -1);
	assert_int_equal(options_number("n", "4294967297", 0, &number), -1);
	assert_int_equal(options_number("n", "-1", 0, &number), -1);
	assert_int_equal(number, 12);
	assert_int_equal(options_percent("p", "0.5", &number), 0);
	assert_int_equal(number, 50);
	assert_int_equal(options_percent("p", "100", &number), 0);
	assert_int_equal(number, 10000);
	assert_int_equal(options_percent("p", "100.01", &number), -1);
	assert_int_equal(options_percent("p", ".5", &number), -1);
	assert_int_equal(options_percent("p", "1.234", &number), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_help_fits),
		cmocka_unit_test(test_every_event_is_one),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_keys_of_json),
		cmocka_unit_test(test_views_in_manual),
		cmocka_unit_test(test_help_text),
		cmocka_unit_test(test_reading),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
