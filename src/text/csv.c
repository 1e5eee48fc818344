/* SPDX-License-Identifier: Apache-2.0 */
/* Text in comma-separated values; see csv.h. */
#include "src/text/csv.h"

#include <string.h>

static int is_formula(const char *text)
{
	return text[0] && strchr("=+-@\t\r", text[0]);
}

void csv_put(FILE *out, const char *text)
{
	if (is_formula(text) || strpbrk(text, ",\"\r\n") || text[0] == ' ')
		csv_put_quoted(out, text);
	else
		fputs(text, out);
}

void csv_put_quoted(FILE *out, const char *text)
{
	csv_begin_quoted(out, text);
	for (; *text; text++)
		csv_put_byte(out, *text);
	fputc('"', out);
}

void csv_begin_quoted(FILE *out, const char *text)
{
	fputs(is_formula(text) ? "\"'" : "\"", out);
}

void csv_put_byte(FILE *out, char byte)
{
	if (byte == '"')
		fputc('"', out);
	fputc(byte, out);
}
