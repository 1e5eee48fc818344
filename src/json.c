/* SPDX-License-Identifier: Apache-2.0 */
/* A streaming JSON writer; see json.h. */
#include "src/json.h"

#include "src/report_text.h"

/* How many characters from here on are themselves in JSON, in ASCII: most of all text. */
static size_t count_plain(const char *text)
{
	size_t n = 0;

	while (text[n] >= 0x20 && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

static void put_text(struct json *json, const char *text)
{
	fputc('"', json->out);
	while (*text) {
		uint32_t code;
		size_t n = count_plain(text);

		if (n) {
			fwrite(text, 1, n, json->out);
			text += n;
			continue;
		}
		n = text_decode(text, &code);
		if (n == 0)
			fputs("\\ufffd", json->out);
		else if (code == '"' || code == '\\')
			fprintf(json->out, "\\%c", (char)code);
		else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
			 code == 0x2029)
			fprintf(json->out, "\\u%04x", (unsigned)code);
		else
			fwrite(text, 1, n, json->out);
		text += n ? n : 1;
	}
	fputc('"', json->out);
}

static void begin_value(struct json *json, const char *key)
{
	if (json->need_comma)
		fputc(',', json->out);
	json->need_comma = 1;
	if (key) {
		put_text(json, key);
		fputc(':', json->out);
	}
}

void json_object(struct json *json, const char *key)
{
	begin_value(json, key);
	fputc('{', json->out);
	json->need_comma = 0;
}

void json_array(struct json *json, const char *key)
{
	begin_value(json, key);
	fputc('[', json->out);
	json->need_comma = 0;
}

void json_end_object(struct json *json)
{
	fputc('}', json->out);
	json->need_comma = 1;
}

void json_end_array(struct json *json)
{
	fputc(']', json->out);
	json->need_comma = 1;
}

void json_string(struct json *json, const char *key, const char *text)
{
	begin_value(json, key);
	put_text(json, text);
}

void json_number(struct json *json, const char *key, uint64_t number)
{
	begin_value(json, key);
	fprintf(json->out, "%llu", (unsigned long long)number);
}

/* A whole number and billionths of one, without trailing zeros. */
static void put_decimal(struct json *json, uint64_t whole, uint64_t fraction)
{
	int digits = 9;

	while (digits > 1 && fraction % 10 == 0) {
		fraction /= 10;
		digits--;
	}
	fprintf(json->out, "%llu.%0*llu", (unsigned long long)whole, digits,
		(unsigned long long)fraction);
}

void json_seconds(struct json *json, const char *key, uint64_t ns)
{
	begin_value(json, key);
	put_decimal(json, ns / 1000000000, ns % 1000000000);
}

void json_share(struct json *json, const char *key, uint64_t part, uint64_t whole)
{
	uint64_t number = whole ? part / whole : 0, rest = whole ? part % whole : 0;
	uint64_t fraction = whole ? (uint64_t)((double)rest / (double)whole * 1e9 + 0.5) : 0;

	begin_value(json, key);
	put_decimal(json, number + fraction / 1000000000, fraction % 1000000000);
}

void json_bool(struct json *json, const char *key, int is_true)
{
	begin_value(json, key);
	fputs(is_true ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}

void json_raw(struct json *json, const char *key)
{
	begin_value(json, key);
}

void json_newline(struct json *json)
{
	if (json->need_comma) {
		fputs(",\n", json->out);
		json->need_comma = 0;
	} else {
		fputc('\n', json->out);
	}
}
