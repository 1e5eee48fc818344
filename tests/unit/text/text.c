/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and names as text, JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/text/json.h"
#include "src/text/text.h"

/* Of a file that makes no sense. */
static void test_part_beyond_the_whole(void **state)
{
	char text[TEXT_NUMBER_BYTES];

	assert_string_equal(text_percent(text, UINT64_MAX, 1), "100000000.0");
}

static void test_seconds(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "<0.001" },
		{ 499999, "<0.001" },
		{ 500000, "0.001" },
		{ 12345678, "0.012" },
		{ 999499999, "0.999" },
		{ 999500000, "1.00" },
		{ 1234000000, "1.23" },
		{ 9994999999, "9.99" },
		{ 9995000000, "10.0" },
		{ 54649999999, "54.6" },
		{ 99950000000, "100" },
		{ 1234500000000, "1235" },
		{ 999999499999999, "999999" },
		{ 999999500000000, "999k" },
		{ UINT64_MAX, "18.4G" },
	};
	char text[TEXT_NUMBER_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_seconds(text, rows[i].ns), rows[i].text);
}

static void test_exact(void **state)
{
	char text[TEXT_NUMBER_BYTES];

	assert_string_equal(text_exact_seconds(text, 0), "0.0");
	assert_string_equal(text_exact_seconds(text, 1), "0.000000001");
	assert_string_equal(text_exact_seconds(text, 12300000000), "12.3");
	assert_string_equal(text_exact_seconds(text, UINT64_MAX), "18446744073.709551615");
	assert_string_equal(text_exact_share(text, 1, 3), "0.333333333");
	assert_string_equal(text_exact_share(text, 2, 3), "0.666666667");
	assert_string_equal(text_exact_share(text, 5, 0), "0.0");
	assert_string_equal(text_ratio(text, 149, 100, 2), "1.49");
	assert_string_equal(text_ratio(text, 2, 3, 3), "0.667");
	assert_string_equal(text_ratio(text, 1, 0, 2), "0.00");
}

/* What differs is seen wherever it is, in the width that there is. */
static void test_shorten_at(void **state)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[sizeof(name)];

	for (size_t width = 16; width < sizeof(name); width++)
		for (size_t at = 0; at + 1 < sizeof(name); at++) {
			strcpy(text, name);
			text_shorten_at(text, width, at);
			assert_true(text_width(text) <= width && text_width(text) + 2 >= width);
			assert_non_null(strchr(text, name[at]));
		}
	strcpy(text, name);
	text_shorten_at(text, 24, 30);
	assert_string_equal(text, "abcde..BCDEFGHIJK..VWXYZ");
}

static void test_duration(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.00 us" },
		{ 9994, "9.99 us" },
		{ 9995, "10.0 us" },
		{ 99949, "99.9 us" },
		{ 99950, "100 us" },
		{ 999499, "999 us" },
		{ 999500, "1.00 ms" },
		{ 13000000, "13.0 ms" },
		{ 155000000, "155 ms" },
		{ 1700000000, "1.70 s" },
		{ 99950000000, "100 s" },
		{ 1234500000000, "1235 s" },
	};
	char text[TEXT_NUMBER_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_duration(text, rows[i].ns), rows[i].text);
}

static void test_percent(void **state)
{
	char text[TEXT_NUMBER_BYTES];

	assert_string_equal(text_percent(text, 1, 3), "33.3");
	assert_string_equal(text_percent(text, 2, 3), "66.7");
	assert_string_equal(text_percent(text, 0, 3), "0.0");
	assert_string_equal(text_percent(text, 3, 0), "0.0");
	assert_string_equal(text_percent(text, UINT64_MAX, UINT64_MAX), "100.0");
}

static void test_count(void **state)
{
	char text[TEXT_NUMBER_BYTES];

	assert_string_equal(text_count(text, 0), "0");
	assert_string_equal(text_count(text, 99999), "99999");
	assert_string_equal(text_count(text, 123456), "123k");
	assert_string_equal(text_count(text, 1234567), "1.23M");
	assert_string_equal(text_count(text, 34500000000), "34.5G");
	assert_string_equal(text_count(text, UINT64_MAX), "18.4E");
}

static void test_clean(void **state)
{
	static const char *const rows[][2] = {
		{ "plain", "plain" }, { "a\033[31mb\n\tc\177", "a?[31mb??c?" },
		{ "gr\xc3\xb6\xc3\x9f", "gr\xc3\xb6\xc3\x9f" },
		{ "\xc2\x9b"
		  "31m",
			"?31m" }, /* a control character of two bytes */
		{ "\xe2\x80\xae"
		  "abc",
			"?abc" },               /* right-to-left override */
		{ "\xff\xfe", "??" },           /* not UTF-8 */
		{ "\xc0\xaf", "??" },           /* overlong */
		{ "\xed\xa0\x80", "???" },      /* a surrogate */
		{ "\xf4\x90\x80\x80", "????" }, /* past U+10FFFF */
		{ "cut\xe6\x95", "cut??" },     /* ends in the middle */
	};
	char clean[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		text_clean(clean, sizeof(clean), rows[i][0]);
		assert_string_equal(clean, rows[i][1]);
	}
	text_clean(clean, 4, "ab\xc3\xb6");
	assert_string_equal(clean, "ab");
}

static void test_shorten(void **state)
{
	static const struct {
		const char *text;
		size_t width;
		const char *shortened;
	} rows[] = {
		{ "unchanged", 9, "unchanged" },
		{ "abcdefghij", 8, "abc..hij" },
		{ "abcdefghij", 7, "ab..hij" },
		{ "abcdefghij", 4, "abcd" },
		{ "abcdefghij", 0, "" },
		{ "\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6\xc3\xb6", 6,
			"\xc3\xb6\xc3\xb6..\xc3\xb6\xc3\xb6" },
		{ "\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0\xe6\x95\xb0", 7,
			"\xe6\x95\xb0..\xe6\x95\xb0" },
	};
	char text[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strcpy(text, rows[i].text);
		text_shorten(text, rows[i].width);
		assert_string_equal(text, rows[i].shortened);
		assert_true(text_width(text) <= rows[i].width);
	}
}

static void test_json(void **state)
{
	char *text = NULL;
	size_t size = 0;
	struct json json = { .out = open_memstream(&text, &size) };

	json_object(&json, NULL);
	json_string(&json, "a\"\\",
		"\x01\n\x7f\xff"
		"gr\xc3\xb6\xe2\x80\xa8");
	json_array(&json, "list");
	json_number(&json, NULL, UINT64_MAX);
	json_seconds(&json, NULL, 1500000000);
	json_seconds(&json, NULL, 0);
	json_seconds(&json, NULL, 1);
	json_seconds(&json, NULL, 2010000000);
	json_share(&json, NULL, 2, 3);
	json_share(&json, NULL, 5, 2);
	json_share(&json, NULL, 1, 0);
	json_share(&json, NULL, UINT64_MAX - 1, UINT64_MAX);
	json_null(&json, NULL);
	json_array(&json, NULL);
	json_end_array(&json);
	json_end_array(&json);
	json_bool(&json, "yes", 1);
	json_bool(&json, "no", 0);
	json_end_object(&json);
	fclose(json.out);
	assert_string_equal(text,
		"{\"a\\\"\\\\\":\"\\u0001\\u000a\\u007f\\ufffdgr\xc3\xb6\\u2028\","
		"\"list\":[18446744073709551615,1.5,0.0,0.000000001,2.01,0.666666667,2.5,0.0,1.0,"
		"null,[]],"
		"\"yes\":true,\"no\":false}");
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_part_beyond_the_whole),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_shorten_at),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_shorten),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}
