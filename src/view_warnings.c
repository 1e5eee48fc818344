/* SPDX-License-Identifier: Apache-2.0 */
/* --warnings: all that makes the figures doubtful, of which the summary has room for a part. */
#include <string.h>

#include "src/report_text.h"
#include "src/view.h"

/* Of a sentence; names of files may be long. */
enum { SENTENCE_BYTES = 4096, INDENT = 2 };

/* Prints a sentence in lines of the terminal's width, broken at blanks where there are any. */
static void put_sentence(struct terminal *terminal, const char *text)
{
	size_t width = terminal->width > 20 ? (size_t)terminal->width : 20;
	size_t column = 0;

	while (*text) {
		size_t n = strcspn(text, " ");
		char word[SENTENCE_BYTES];
		size_t columns;

		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		columns = text_width(word);
		if (column && column + 1 + columns > width) {
			fprintf(terminal->out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (column) {
			fputc(' ', terminal->out);
			column++;
		}
		fputs(word, terminal->out);
		column += columns;
		text += n + strspn(text + n, " ");
	}
	fputc('\n', terminal->out);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	char text[SENTENCE_BYTES], clean[SENTENCE_BYTES];
	size_t i;

	(void)options;
	for (i = 0; report_warning(report, i, text, sizeof(text)); i++) {
		text_clean(clean, sizeof(clean), text);
		put_sentence(terminal, clean);
	}
	if (i == 0)
		fprintf(terminal->out, "nothing makes the figures doubtful\n");
	return 0;
}

const struct view view_warnings = { .name = "warnings", .print = print };
