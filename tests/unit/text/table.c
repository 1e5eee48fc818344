/* SPDX-License-Identifier: Apache-2.0 */
/* The table layer on its own: made-up rows, printed as text and as CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "src/text/text.h"
#include "src/text/table.h"

enum { COUNT, SHARE, SECONDS, CHANGE, WORD, NAME, PLACE };

static const struct table_column columns[] = {
	[COUNT] = { "count", "n", TABLE_COUNT, TABLE_IN_BOTH, 0, 0 },
	[SHARE] = { "count%", "n%", TABLE_SHARE, TABLE_IN_CSV, 2, 0 },
	[SECONDS] = { "time", "time s", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 1, 0 },
	[CHANGE] = { "change", "change s", TABLE_CHANGE, TABLE_IN_CSV, 0, 0 },
	[WORD] = { "word", "word", TABLE_WORD, 0, 0, 0 },
	[NAME] = { "name", "name", TABLE_NAME, TABLE_IN_BOTH, 0, 0 },
	[PLACE] = { "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0, 0 },
	{ .key = NULL },
};

struct item {
	const char *name, *after, *place;
	uint64_t count, ns;
	int64_t change_ns;
	size_t parent; /* + 1; 0: none */
	uint64_t identity;
	uint64_t estimated; /* part of `count` */
};

struct items {
	const struct item *list;
	size_t n;
	uint64_t sum;
};

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct items *items = data;
	const struct item *item = &items->list[index];

	if (index == items->n) {
		table_set(row, COUNT, items->sum);
		table_set_text(row, NAME, "total");
		return;
	}
	table_set(row, COUNT, item->count);
	table_set_part(row, SHARE, item->count, items->sum);
	table_set(row, SECONDS, item->ns);
	table_set(row, CHANGE, (uint64_t)item->change_ns);
	table_set_name(row, NAME, "", item->name, item->after ? item->after : "");
	if (item->place)
		table_set_text(row, PLACE, item->place);
	table_set_estimated(row, SHARE, item->estimated, item->count, 1 << SECONDS);
	row->parent = item->parent ? item->parent - 1 : TABLE_NO_ROW;
	row->weight = item->count;
	row->identity = item->identity;
}

static struct table make_table(struct items *items, const struct item *list, size_t n)
{
	*items = (struct items){ .list = list, .n = n };
	for (size_t i = 0; i < n; i++)
		items->sum += list[i].parent ? 0 : list[i].count;
	return (struct table){
		.columns = columns,
		.what = "item",
		.together = "count",
		.whole = items->sum,
		.n_rows = n,
		.fill = fill,
		.data = items,
		.has_total = 1,
	};
}

/* What is printed, in `width` columns; to be freed. */
static char *print(const struct table *table, const struct table_options *options, int width)
{
	struct terminal terminal;
	char *text = NULL;
	size_t size = 0;

	terminal_plain(&terminal, open_memstream(&text, &size));
	terminal.width = width;
	assert_int_equal(table_print(table, options, &terminal), 0);
	fclose(terminal.out);
	return text;
}

static void shows(const struct table *table, const struct table_options *options, int width,
	const char *expected)
{
	char *text = print(table, options, width);

	assert_string_equal(text, expected);
	free(text);
}

#define N(list) (sizeof(list) / sizeof((list)[0]))

static const struct table_options all = TABLE_OPTIONS_DEFAULT;

static void test_layout(void **state)
{
	static const struct item list[] = {
		{ .name = "one", .place = "a.c:1", .count = 5 },
		{ .name = "a name that is long", .place = "directory.c:20", .count = 100 },
	};
	struct items items;
	struct table table = make_table(&items, list, N(list));

	shows(&table, &all, 60,
		"  n  name\n"
		"  5  one                                               a.c:1\n"
		"100  a name that is long                      directory.c:20\n"
		"105  total\n");
	table.order = "count";
	table.title = "what";
	shows(&table, &all, 30,
		"  n  what\n"
		"100  a name that is long\n"
		"  5  one                 a.c:1\n"
		"105  total\n");
}

/* Columns with nothing in them, and those that have no room. */
static void test_columns(void **state)
{
	static const struct item list[] = {
		{ .name = "seventeen columns", .count = 1, .ns = 1500000000 }
	};
	static const struct table_options chosen = { "name,n,count%", NULL, TABLE_DEFAULT,
		TABLE_DEFAULT, TABLE_DEFAULT, 0 };
	struct items items;
	struct table table = make_table(&items, list, N(list));

	shows(&table, &all, 60,
		"n time s  name\n"
		"1   1.50  seventeen columns\n"
		"1         total\n");
	shows(&table, &all, 24,
		"n  name\n"
		"1  seventeen columns\n"
		"1  total\n"
		"(no room for ..; see -f)\n");
	shows(&table, &chosen, 60,
		"name              n    n%\n"
		"seventeen columns 1 100.0\n"
		"total             1\n");
}

/* One percent is no reason for a mark, and programs get none. */
static void test_estimates(void **state)
{
	static const struct item list[] = {
		{ .name = "a", .count = 100, .ns = 1500000000, .estimated = 2 },
		{ .name = "b", .count = 100, .ns = 2000000000, .estimated = 1 },
	};
	struct table_options options = TABLE_OPTIONS_DEFAULT;
	struct items items;
	struct table table = make_table(&items, list, N(list));

	shows(&table, &options, 60,
		"  n time s  name\n"
		"100  ~1.50  a\n"
		"100   2.00  b\n"
		"200         total\n");
	options.is_csv = 1;
	options.fields = "name,time,count%";
	shows(&table, &options, 60,
		"name,time_s,count_share\r\n"
		"a,1.5,0.02\r\n"
		"b,2.0,0.01\r\n");
}

static void test_find(void **state)
{
	struct table_options options = TABLE_OPTIONS_DEFAULT;
	struct diag diag;

	assert_int_equal(table_find(columns, "time s", 6), SECONDS);
	assert_int_equal(table_find(columns, "count%", 6), SHARE);
	assert_int_equal(table_find(columns, "coun", 4), -1);
	options.fields = "name,n,time";
	options.sort = "change";
	assert_int_equal(table_check(columns, &options, "x", &diag), 0);
	options.fields = "name,what,time";
	assert_int_equal(table_check(columns, &options, "x", &diag), -1);
	assert_string_equal(diag.text, "no column 'what' in '--x': there are count, count%, time, "
				       "change, word, name, place");
	options.fields = NULL;
	options.sort = "";
	assert_int_equal(table_check(columns, &options, "x", &diag), -1);
}

/* The rows that are shown and those that are cut are the total, whatever is cut and why. */
static void test_cut_adds_up(void **state)
{
	enum { N_ITEMS = 40 };
	struct item list[N_ITEMS];
	unsigned seed = 7;

	for (int round = 0; round < 300; round++) {
		struct table_options options = TABLE_OPTIONS_DEFAULT;
		struct items items;
		struct table table;
		char *text, *at;
		unsigned long sum = 0, n = 0, cut = 0;

		for (size_t i = 0; i < N_ITEMS; i++)
			list[i] = (struct item){ .name = "x", .count = rand_r(&seed) % 90 };
		table = make_table(&items, list, N_ITEMS);
		options.limit_permyriad = rand_r(&seed) % 500;
		options.n_rows = rand_r(&seed) % 2 ? 1u + rand_r(&seed) % N_ITEMS : TABLE_DEFAULT;
		options.sort = rand_r(&seed) % 2 ? "count" : NULL;
		text = print(&table, &options, 80);
		for (at = strchr(text, '\n') + 1; strstr(at, "total"); at = strchr(at, '\n') + 1)
			sum += strtoul(at, NULL, 10), n++;
		if (*at)
			assert_int_equal(sscanf(at, "(%lu more items", &cut), 1);
		assert_int_equal(n - 1 + cut, N_ITEMS);
		if (strstr(at, "together "))
			sum += strtoul(strstr(at, "together ") + 9, NULL, 10);
		assert_int_equal(sum, 2 * items.sum);
		free(text);
	}
}

static void test_reasons(void **state)
{
	static const struct item list[] = { { .name = "a", .count = 900 },
		{ .name = "b", .count = 50 }, { .name = "c", .count = 40 },
		{ .name = "d", .count = 4 }, { .name = "e", .count = 6 } };
	static const struct table_options options = { NULL, "count", 50, 2, TABLE_DEFAULT, 0 };
	struct items items;
	struct table table = make_table(&items, list, N(list));

	table.unit = "counted";
	shows(&table, &options, 60,
		"   n  name\n"
		" 900  a\n"
		"  50  b\n"
		"1000  total\n"
		"(3 more items: 1 below 0.5 % and 2 past the first 2, together 50 counted)\n");
}

static void test_tree(void **state)
{
	static const struct item list[] = { { .name = "a", .count = 10 },
		{ .name = "b", .count = 20 }, { .name = "c", .count = 4, .parent = 2 },
		{ .name = "d", .count = 6, .parent = 2 }, { .name = "e", .count = 1, .parent = 4 },
		{ .name = "f", .count = 5, .parent = 4 } };
	static const struct table_options deep = { NULL, "count", 0, TABLE_DEFAULT, 2, 0 };
	static const struct table_options few = { NULL, "name", 0, 4, TABLE_DEFAULT, 0 };
	struct items items;
	struct table table = make_table(&items, list, N(list));

	table.is_tree = 1;
	table.order = "count";
	shows(&table, &all, 60,
		" n  name\n"
		"20  b\n"
		" 6  +-d\n"
		" 5  | +-f\n"
		" 1  | +-e\n"
		" 4  +-c\n"
		"10  a\n"
		"30  total\n");
	shows(&table, &deep, 60,
		" n  name\n"
		"20  b\n"
		" 6  +-d\n"
		" 4  +-c\n"
		"10  a\n"
		"30  total\n"
		"(2 more items below level 2, together 6)\n");
	shows(&table, &few, 60,
		" n  name\n"
		"10  a\n"
		"20  b\n"
		" 6  +-d\n"
		" 5    +-f\n"
		"30  total\n"
		"(2 more items past the first 4, together 5)\n");
}

/* Lines after the heading, one by one, as they stand; the total is the last. */
static size_t split(char *text, char *lines[], size_t n_most)
{
	size_t n = 0;

	for (char *at = strchr(text, '\n') + 1; n < n_most; at = strchr(at, '\0') + 1) {
		lines[n++] = at;
		*strchr(at, '\n') = '\0';
		if (strstr(at, "total"))
			break;
	}
	return n;
}

/* Names that differ anywhere, and places, in any width: rows that differ look different. */
static void test_names_stay_apart(void **state)
{
	enum { N_ITEMS = 24, MOST = 120 };
	static char names[N_ITEMS][MOST + 1], places[N_ITEMS][40];
	struct item list[N_ITEMS];
	unsigned seed = 3;

	for (int round = 0; round < 400; round++) {
		size_t length = 10 + rand_r(&seed) % (MOST - 10);
		struct items items;
		struct table table;
		char *text, *lines[N_ITEMS + 1];
		int width = 40 + rand_r(&seed) % 60;

		for (size_t i = 0; i < N_ITEMS; i++) {
			memset(names[i], 'a', length);
			names[i][length] = '\0';
			for (int k = rand_r(&seed) % 3; k > 0; k--)
				names[i][rand_r(&seed) % length] = "xyz"[rand_r(&seed) % 3];
			snprintf(places[i], sizeof(places[i]), "%.*s.c:%d", rand_r(&seed) % 25,
				"a_long_name_of_a_file_as_there_are", rand_r(&seed) % 20);
			list[i] = (struct item){ .name = names[i],
				.place = rand_r(&seed) % 2 ? places[i] : NULL,
				.count = 1 };
		}
		table = make_table(&items, list, N_ITEMS);
		text = print(&table, &all, width);
		assert_int_equal(split(text, lines, N_ITEMS + 1), N_ITEMS + 1);
		for (size_t i = 0; i < N_ITEMS; i++) {
			assert_true(text_width(lines[i]) <= (size_t)width);
			for (size_t k = 0; k < i; k++) {
				int is_same = strcmp(names[i], names[k]) == 0 &&
					      !list[i].place == !list[k].place &&
					      (!list[i].place || strcmp(places[i], places[k]) == 0);

				if (!is_same && strcmp(lines[i], lines[k]) == 0)
					fail_msg("%s and %s: both '%s'", names[i], names[k],
						lines[i]);
				/* What is the same may be the same function called twice. */
				if (is_same)
					assert_string_equal(lines[i], lines[k]);
			}
		}
		free(text);
	}
}

/* Names that differ where they are cut show where they differ, and a place if they differ in that alone. */
static void test_difference_is_seen(void **state)
{
	static const struct item list[] = {
		{ .name = "void library::detail::algorithm<int>::operator()(long, long)",
			.count = 3 },
		{ .name = "void library::detail::algorithm<char>::operator()(long, long)",
			.count = 2 },
		{ .name = "a_function_with_a_name_that_fills_it", .place = "one.c:1", .count = 1 },
		{ .name = "a_function_with_a_name_that_fills_it", .place = "two.c:1", .count = 1 },
	};
	struct items items;
	struct table table = make_table(&items, list, N(list));
	char *text = print(&table, &all, 40), *lines[5];

	assert_int_equal(split(text, lines, 5), 5);
	assert_non_null(strstr(lines[0], "<int>"));
	assert_non_null(strstr(lines[1], "<char"));
	assert_non_null(strstr(lines[2], "one.c:1"));
	assert_non_null(strstr(lines[3], "two.c:1"));
	free(text);
}

/* Nothing tells them apart on the screen, but they are not the same. */
static void test_numbers(void **state)
{
	static const struct item list[] = {
		{ .name = "init", .place = "util.c:7", .count = 3, .identity = 1 },
		{ .name = "init", .place = "util.c:7", .count = 2, .identity = 2 },
		{ .name = "init", .place = "util.c:7", .count = 1, .identity = 1 },
	};
	struct items items;
	struct table table = make_table(&items, list, N(list));

	shows(&table, &all, 30,
		"n  name\n"
		"3  init               util.c:7\n"
		"2  init #2            util.c:7\n"
		"1  init               util.c:7\n"
		"6  total\n"
		"(#2, #3: others that look the same when cut; see CSV)\n");
}

/* Each gets its number at once, not after all that were given before. */
static void test_many_numbers(void **state)
{
	enum { N_ITEMS = 20000, MOST_SECONDS = 20 };
	struct item *list = calloc(N_ITEMS, sizeof(*list));
	char last[32], *text;
	struct items items;
	struct table table;
	clock_t begin = clock();

	assert_non_null(list);
	/* Each is there twice; the second time as the first. */
	for (size_t i = 0; i < N_ITEMS; i++)
		list[i] = (struct item){ .name = "init", .count = 1, .identity = 1 + i / 2 };
	table = make_table(&items, list, N_ITEMS);
	text = print(&table, &all, 80);
	snprintf(last, sizeof(last), "1  init #%d\n", N_ITEMS / 2);
	assert_non_null(strstr(text, last));
	assert_true(strncmp(strstr(text, last) + strlen(last), "    1  init #10000\n", 19) == 0);
	snprintf(last, sizeof(last), "#%d", N_ITEMS / 2 + 1);
	assert_null(strstr(text, last));
	assert_true(clock() - begin < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC);
	free(text);
	free(list);
}

static void test_what_follows_stays(void **state)
{
	static const struct item list[] = {
		{ .name = "a_name_that_is_cut_in_its_middle", .after = " (x4)", .count = 1 }
	};
	struct items items;
	struct table table = make_table(&items, list, N(list));

	shows(&table, &all, 26,
		"n  name\n"
		"1  a_name_t..s_middle (x4)\n"
		"1  total\n");
}

static void test_wide_characters(void **state)
{
	static const struct item list[] = {
		{ .name = "\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0"
			  "\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95"
			  "\xb0",
			.count = 1 },
		{ .name = "e\xcc\x81\xcc\x81\xe2\x80\x8b", .place = "a.c:1", .count = 1 },
	};
	struct items items;
	struct table table = make_table(&items, list, N(list));
	char *lines[3], *text = print(&table, &all, 23);

	assert_int_equal(split(text, lines, 3), 3);
	assert_true(text_width(lines[0]) <= 23 && text_width(lines[0]) >= 21);
	assert_int_equal(text_width(lines[1]), 23);
	free(text);
}

static void test_csv(void **state)
{
	static const struct item list[] = {
		{ .name = "plain",
			.after = " (x4)",
			.count = 1,
			.ns = 1234567891,
			.change_ns = -5 },
		{ .name = "a, \"b\"", .count = 2, .change_ns = 1500000000 },
		{ .name = "a,b" },
		{ .name = "two\r\nlines\033[31m", .count = 100000001 },
		{ .name = "=1+1", .count = 0, .ns = 1 },
		{ .name = "", .count = 5, .ns = 10000000000 },
	};
	static const struct table_options csv = { NULL, NULL, TABLE_DEFAULT, TABLE_DEFAULT,
		TABLE_DEFAULT, 1 };
	static const struct table_options chosen = { "name,count", "count", TABLE_DEFAULT, 2,
		TABLE_DEFAULT, 1 };
	struct items items;
	struct table table = make_table(&items, list, N(list));

	table.limit_permyriad = 5000;
	table.n_most = 1;
	shows(&table, &csv, 30,
		"count,count_share,time_s,change_s,name\r\n"
		"1,0.00000001,1.234567891,-0.000000005,plain\r\n"
		"2,0.00000002,0.0,1.5,\"a, \"\"b\"\"\"\r\n"
		"0,0.0,0.0,0.0,\"a,b\"\r\n"
		"100000001,0.99999992,0.0,0.0,two??lines?[31m\r\n"
		"0,0.0,0.000000001,0.0,\"'=1+1\"\r\n"
		"5,0.00000005,10.0,0.0,\r\n");
	shows(&table, &chosen, 30,
		"name,count\r\n"
		"two??lines?[31m,100000001\r\n"
		",5\r\n");
}

/* A name of 100 kB: text fits, and CSV has what it has room for. */
static void test_endless_name(void **state)
{
	static char name[100001];
	static const struct table_options csv = { NULL, NULL, TABLE_DEFAULT, TABLE_DEFAULT,
		TABLE_DEFAULT, 1 };
	struct item list[] = { { .name = name, .count = 1 } };
	struct items items;
	struct table table = make_table(&items, list, N(list));
	char *text;

	memset(name, ',', sizeof(name) - 1);
	text = print(&table, &all, 60);
	assert_int_equal(strcspn(strchr(text, '\n') + 1, "\n"), 60);
	free(text);
	text = print(&table, &csv, 60);
	assert_true(strlen(text) > 60000 && strlen(text) < 70000);
	free(text);
}

enum { J_N, J_SHARE, J_TIME, J_NULL, J_ABSENT, J_NAME, J_HIDDEN };

static const struct table_column json_columns[] = {
	[J_N] = { "n", "n", TABLE_COUNT, 0, 0, 0, .json = "number" },
	[J_SHARE] = { "part%", "%", TABLE_SHARE, 0, 0, 0 },
	[J_TIME] = { "time", "s", TABLE_DURATION, 0, 0, 0 },
	[J_NULL] = { "line", "line", TABLE_NUMBER, TABLE_NULL, 0, 0 },
	[J_ABSENT] = { "rank", "rank", TABLE_NUMBER, TABLE_ABSENT, 0, 0 },
	[J_NAME] = { "name", "name", TABLE_NAME, 0, 0, 0 },
	[J_HIDDEN] = { "mpi", "mpi", TABLE_SECONDS, 0, 0, 0 },
	{ .key = NULL },
};

/* Row 0 has it all, row 1 is empty, row 2 has nothing but a number that tables do not show. */
static void fill_json(const void *data, size_t index, struct table_row *row)
{
	row->is_empty = index == 1;
	row->cells[J_N].value = 7;
	if (index)
		return;
	table_set_all(row, J_N, UINT64_MAX);
	table_set_part(row, J_SHARE, 1, 8);
	table_set_all(row, J_TIME, 1500000001, 12, 3);
	table_set_name(row, J_NAME, "before ", "\"text\"", " after");
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	json_number(json, nth ? "second" : "first", index);
}

static void test_json(void **state)
{
	const struct table table = { .columns = json_columns,
		.hidden = 1 << J_HIDDEN,
		.n_rows = 3,
		.fill = fill_json,
		.members = "* name n part% time line rank mpi *",
		.put_more = put_more };
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	struct json json = { .out = out };

	table_put_json(&table, &json, "rows");
	fclose(out);
	assert_string_equal(text, "\"rows\":[\n"
				  "{\"first\":0,\"name\":\"\\\"text\\\"\","
				  "\"number\":18446744073709551615,\"part_share\":0.125,"
				  "\"time_s\":1.500000001,\"line\":12,\"rank\":3,\"second\":0},\n"
				  "{\"first\":2,\"name\":\"\",\"number\":7,\"part_share\":0.0,"
				  "\"time_s\":0.0,\"line\":null,\"second\":2}]");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_estimates),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_cut_adds_up),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_names_stay_apart),
		cmocka_unit_test(test_difference_is_seen),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_many_numbers),
		cmocka_unit_test(test_what_follows_stays),
		cmocka_unit_test(test_wide_characters),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_endless_name),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
