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

void json_integer(struct json *json, const char *key, int64_t number)
{
	begin_value(json, key);
	fprintf(json->out, "%lld", (long long)number);
}

void json_seconds(struct json *json, const char *key, uint64_t ns)
{
	char text[TEXT_NUMBER_BYTES];

	begin_value(json, key);
	fputs(text_exact_seconds(text, ns), json->out);
}

void json_share(struct json *json, const char *key, uint64_t part, uint64_t whole)
{
	char text[TEXT_NUMBER_BYTES];

	begin_value(json, key);
	fputs(text_exact_share(text, part, whole), json->out);
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
