/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON to a stream, value by value. These functions take care of commas, escapes and valid
 * UTF-8; the caller takes care of the nesting. Bytes that are not UTF-8 become U+FFFD. The locale
 * has no influence.
 */
#ifndef OMPPROF_SRC_TEXT_JSON_H
#define OMPPROF_SRC_TEXT_JSON_H

#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	int need_comma; /* the current object or array already has a value */
};

/* The begin and the end of an object or array. `key` is NULL in an array and at the top. */
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_end_object(struct json *json);
void json_end_array(struct json *json);

void json_string(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, uint64_t number);
void json_integer(struct json *json, const char *key, int64_t number);
/* A number, or null. */
void json_known(struct json *json, int is_known, const char *key, uint64_t number);
/* Nanoseconds as seconds, exactly: 1500000000 is 1.5. */
void json_seconds(struct json *json, const char *key, uint64_t ns);
/* part / whole to nine decimals; 0.0 if the whole is 0. */
void json_share(struct json *json, const char *key, uint64_t part, uint64_t whole);
/* A string, "0x401390": numbers in JSON need not have 64 bits. */
void json_address(struct json *json, const char *key, uint64_t address);
void json_bool(struct json *json, const char *key, int is_true);
void json_null(struct json *json, const char *key);
/* Writes the key alone. The caller then prints the number. */
void json_raw(struct json *json, const char *key);

/*
 * Several numbers. `keys`: a key for each, with blanks between; "KEY_s": ns as s; "KEY?": a bool.
 */
#define json_numbers(json, keys, ...)                                                              \
	json_put_numbers(json, keys, (const uint64_t[]){ __VA_ARGS__ },                            \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
void json_put_numbers(struct json *json, const char *keys, const uint64_t *numbers, size_t n);
/* Several strings; NULL is null. */
#define json_strings(json, keys, ...)                                                              \
	json_put_strings(json, keys, (const char *const[]){ __VA_ARGS__ },                         \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
void json_put_strings(struct json *json, const char *keys, const char *const *strings, size_t n);

/* Begins an object of an array, on a new line. */
void json_row(struct json *json);
/* An array of strings. */
void json_list(struct json *json, const char *key, char *const *strings, size_t n);

void json_newline(struct json *json);

#endif
