/* SPDX-License-Identifier: Apache-2.0 */
/* --warnings: all warnings. The summary has room for some of them. */
#include "src/text/text.h"
#include "src/views/view.h"

/* a warning can have long file names */
enum { SENTENCE_BYTES = 4096, INDENT = 2 };

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	char text[SENTENCE_BYTES], clean[SENTENCE_BYTES];
	size_t i;

	(void)options;
	for (i = 0; report_warning(report, i, text, sizeof(text)); i++) {
		text_clean(clean, sizeof(clean), text);
		text_put(terminal->out, clean, (struct text_lines){ terminal->width, 0, INDENT });
	}
	if (i == 0)
		fprintf(terminal->out, "nothing makes the figures doubtful\n");
	return 0;
}

const struct view view_warnings = { .name = "warnings", .print = print };
