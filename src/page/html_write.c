/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the page with its data; see html.h. The summary replaces the line "@SUMMARY@" of the page,
 * all data the line "@DATA@".
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "src/page/html.h"

enum { BASE64_LINE = 57 }; /* bytes that give 76 characters */

static void put_base64(FILE *out, const unsigned char *bytes, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		uint32_t bits = (uint32_t)bytes[i] << 16 |
				(left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				(left > 2 ? bytes[i + 2] : 0);

		fputc(digits[bits >> 18], out);
		fputc(digits[bits >> 12 & 63], out);
		fputc(left > 1 ? digits[bits >> 6 & 63] : '=', out);
		fputc(left > 2 ? digits[bits & 63] : '=', out);
		if ((i + 3) % BASE64_LINE == 0)
			fputc('\n', out);
	}
}

/*
 * Compresses in one piece, with the largest window (15); adding 16 to it asks for a gzip header.
 * Returns 0 or -1.
 */
static int compress_part(const struct html_part *part, unsigned char **bytes, size_t *n)
{
	z_stream stream = { .next_in = (unsigned char *)part->text };
	size_t left = part->n_bytes;
	int status;

	if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -1;
	/* An upper bound of the result; it includes 18 bytes, and 5 bytes for each stored block. */
	*n = part->n_bytes + part->n_bytes / 1000 + 1024;
	*bytes = malloc(*n);
	stream.next_out = *bytes;
	if (!*bytes) {
		deflateEnd(&stream);
		return -1;
	}
	do {
		size_t room = *n - (size_t)(stream.next_out - *bytes);

		stream.avail_in = left > 1 << 30 ? 1 << 30 : (unsigned)left;
		stream.avail_out = room > 1 << 30 ? 1 << 30 : (unsigned)room;
		left -= stream.avail_in;
		status = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
		left += stream.avail_in;
	} while (status == Z_OK);
	*n = (size_t)(stream.next_out - *bytes);
	deflateEnd(&stream);
	return status == Z_STREAM_END ? 0 : -1;
}

static int put_part(FILE *out, const struct html_part *part)
{
	unsigned char *bytes = NULL;
	size_t n = 0;
	int status = compress_part(part, &bytes, &n);

	if (status == 0) {
		fprintf(out, "<script type=\"application/x-ompprof\" id=\"%s\">\n", part->id);
		put_base64(out, bytes, n);
		fputs("\n</script>\n", out);
	}
	free(bytes);
	return status;
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else
			fputc(*text, out);
	}
}

static int is_line(const char *line, size_t n, const char *word)
{
	return n == strlen(word) && memcmp(line, word, n) == 0;
}

int html_write(FILE *out, const struct html_template *page, const char *summary,
	const struct html_part *parts, size_t n_parts)
{
	const char *line = (const char *)page->text, *end = line + page->n_bytes;
	int status = 0;

	while (status == 0 && line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t n = stop ? (size_t)(stop - line) : (size_t)(end - line);

		if (is_line(line, n, "@SUMMARY@")) {
			put_escaped(out, summary);
		} else if (is_line(line, n, "@DATA@")) {
			for (size_t i = 0; status == 0 && i < n_parts; i++)
				status = put_part(out, &parts[i]);
		} else {
			fwrite(line, 1, n, out);
			fputc('\n', out);
		}
		line += n + 1;
	}
	return status != 0 || ferror(out) ? -1 : 0;
}
