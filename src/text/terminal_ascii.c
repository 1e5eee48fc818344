/* SPDX-License-Identifier: Apache-2.0 */
/* Lets only ASCII through; see terminal_ascii.h. */
#include "src/text/terminal_ascii.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/text/text.h"

/* The stream behind, and the bytes of a character that is not complete yet. */
struct ascii {
	FILE *under;
	char begun[5];
	size_t n_begun;
};

int terminal_has_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *locale = getenv(names[i]);

		if (locale && locale[0])
			return strcasestr(locale, "UTF-8") || strcasestr(locale, "utf8");
	}
	return 0;
}

/* How many bytes a character has that begins with `first`. */
static size_t length_of(unsigned char first)
{
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

static void put_character(struct ascii *ascii)
{
	ascii->begun[ascii->n_begun] = '\0';
	for (size_t n = text_width(ascii->begun); n > 0; n--)
		fputc('?', ascii->under);
	ascii->n_begun = 0;
}

static ssize_t write_ascii(void *cookie, const char *bytes, size_t n)
{
	struct ascii *ascii = cookie;

	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (ascii->n_begun && (byte & 0xc0) != 0x80)
			put_character(ascii);
		if (byte < 0x80) {
			fputc(byte, ascii->under);
			continue;
		}
		ascii->begun[ascii->n_begun++] = bytes[i];
		if (ascii->n_begun >= length_of((unsigned char)ascii->begun[0]))
			put_character(ascii);
	}
	return ferror(ascii->under) ? 0 : (ssize_t)n;
}

static int close_ascii(void *cookie)
{
	struct ascii *ascii = cookie;

	if (ascii->n_begun)
		put_character(ascii);
	free(ascii);
	return 0;
}

FILE *terminal_ascii_open(FILE *under)
{
	static const cookie_io_functions_t functions = { .write = write_ascii,
		.close = close_ascii };
	struct ascii *ascii = calloc(1, sizeof(*ascii));
	FILE *stream = NULL;

	if (ascii) {
		ascii->under = under;
		stream = fopencookie(ascii, "w", functions);
	}
	if (!stream)
		free(ascii);
	return stream;
}
