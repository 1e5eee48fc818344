/* SPDX-License-Identifier: Apache-2.0 */
/* A streaming JSON writer; see json.h. */
#include "src/text/json.h"

#include <string.h>

#include "src/text/text.h"

/* The length of the text up to the first character that is not ASCII or needs an escape. */
static size_t count_plain(const char *text)
{
	size_t n = 0;

	while (text[n] >= 0x20 && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

/* Collects the text of a value, so that it is written at once: there may be millions. */
struct piece {
	size_t n;
	char text[512];
};

/* PIECE_REST: the bytes of a piece that are kept free for quotes, commas and a number. */
enum { PIECE_REST = 64, KEY_BYTES = 64 };

static void flush(struct json *json, struct piece *piece)
{
	fwrite_unlocked(piece->text, 1, piece->n, json->out);
	piece->n = 0;
}

static void add(struct piece *piece, char c)
{
	piece->text[piece->n++] = c;
}

static void add_bytes(struct json *json, struct piece *piece, const char *bytes, size_t n)
{
	if (piece->n + n > sizeof(piece->text) - PIECE_REST)
		flush(json, piece);
	if (n > sizeof(piece->text) - PIECE_REST) {
		fwrite_unlocked(bytes, 1, n, json->out);
		return;
	}
	memcpy(piece->text + piece->n, bytes, n);
	piece->n += n;
}

/* Adds a character that is not ASCII or needs an escape. Returns its length in the text. */
static size_t add_special(struct json *json, struct piece *piece, const char *text)
{
	char escape[16];
	uint32_t code;
	size_t n = text_decode(text, &code);

	if (n == 0)
		strcpy(escape, "\\ufffd");
	else if (code == '"' || code == '\\')
		snprintf(escape, sizeof(escape), "\\%c", (char)code);
	else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029)
		snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)code);
	else
		snprintf(escape, sizeof(escape), "%.*s", (int)n, text);
	add_bytes(json, piece, escape, strlen(escape));
	return n ? n : 1;
}

static void add_text(struct json *json, struct piece *piece, const char *text)
{
	add(piece, '"');
	for (;;) {
		size_t n = count_plain(text);

		add_bytes(json, piece, text, n);
		text += n;
		if (!*text)
			break;
		text += add_special(json, piece, text);
	}
	add(piece, '"');
}

static void add_number(struct piece *piece, uint64_t number)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (n)
		add(piece, digits[--n]);
}

static void begin_value(struct json *json, struct piece *piece, const char *key)
{
	piece->n = 0;
	if (json->need_comma)
		add(piece, ',');
	json->need_comma = 1;
	if (key) {
		add_text(json, piece, key);
		add(piece, ':');
	}
}

static void put_value(struct json *json, const char *key, const char *value)
{
	struct piece piece;

	begin_value(json, &piece, key);
	add_bytes(json, &piece, value, strlen(value));
	flush(json, &piece);
}

void json_object(struct json *json, const char *key)
{
	put_value(json, key, "{");
	json->need_comma = 0;
}

void json_array(struct json *json, const char *key)
{
	put_value(json, key, "[");
	json->need_comma = 0;
}

void json_end_object(struct json *json)
{
	putc_unlocked('}', json->out);
	json->need_comma = 1;
}

void json_end_array(struct json *json)
{
	putc_unlocked(']', json->out);
	json->need_comma = 1;
}

void json_string(struct json *json, const char *key, const char *text)
{
	struct piece piece;

	begin_value(json, &piece, key);
	add_text(json, &piece, text);
	flush(json, &piece);
}

void json_number(struct json *json, const char *key, uint64_t number)
{
	struct piece piece;

	begin_value(json, &piece, key);
	add_number(&piece, number);
	flush(json, &piece);
}

void json_known(struct json *json, int is_known, const char *key, uint64_t number)
{
	if (is_known)
		json_number(json, key, number);
	else
		json_null(json, key);
}

void json_integer(struct json *json, const char *key, int64_t number)
{
	struct piece piece;

	begin_value(json, &piece, key);
	if (number < 0)
		add(&piece, '-');
	add_number(&piece, number < 0 ? -(uint64_t)number : (uint64_t)number);
	flush(json, &piece);
}

void json_seconds(struct json *json, const char *key, uint64_t ns)
{
	char text[TEXT_NUMBER_BYTES];

	put_value(json, key, text_exact_seconds(text, ns));
}

void json_share(struct json *json, const char *key, uint64_t part, uint64_t whole)
{
	char text[TEXT_NUMBER_BYTES];

	put_value(json, key, text_exact_share(text, part, whole));
}

void json_address(struct json *json, const char *key, uint64_t address)
{
	char text[TEXT_NUMBER_BYTES];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	json_string(json, key, text);
}

void json_bool(struct json *json, const char *key, int is_true)
{
	put_value(json, key, is_true ? "true" : "false");
}

void json_null(struct json *json, const char *key)
{
	put_value(json, key, "null");
}

void json_raw(struct json *json, const char *key)
{
	put_value(json, key, "");
}

/* Copies the next of several keys. Returns 0 after the last key. */
static int take_key(char key[KEY_BYTES], const char **keys)
{
	size_t n = strcspn(*keys, " ");

	snprintf(key, KEY_BYTES, "%.*s", (int)n, *keys);
	*keys += n + strspn(*keys + n, " ");
	return n > 0;
}

void json_put_numbers(struct json *json, const char *keys, const uint64_t *numbers, size_t n)
{
	char key[KEY_BYTES];

	for (; n && take_key(key, &keys); numbers++, n--) {
		size_t bytes = strlen(key);

		if (key[bytes - 1] == '?') {
			key[bytes - 1] = '\0';
			json_bool(json, key, *numbers != 0);
		} else if (bytes > 2 && strcmp(key + bytes - 2, "_s") == 0) {
			json_seconds(json, key, *numbers);
		} else {
			json_number(json, key, *numbers);
		}
	}
}

void json_put_strings(struct json *json, const char *keys, const char *const *strings, size_t n)
{
	char key[KEY_BYTES];

	for (; n && take_key(key, &keys); strings++, n--) {
		if (*strings)
			json_string(json, key, *strings);
		else
			json_null(json, key);
	}
}

void json_newline(struct json *json)
{
	if (json->need_comma)
		putc_unlocked(',', json->out);
	putc_unlocked('\n', json->out);
	json->need_comma = 0;
}

void json_row(struct json *json)
{
	json_newline(json);
	json_object(json, NULL);
}

void json_list(struct json *json, const char *key, char *const *strings, size_t n)
{
	json_array(json, key);
	for (size_t i = 0; i < n; i++)
		json_string(json, NULL, strings[i]);
	json_end_array(json);
}
