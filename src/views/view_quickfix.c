/* SPDX-License-Identifier: Apache-2.0 */
/* --format quickfix: the advice that has a line, as "FILE:LINE: TEXT", which editors read. */
#include <stdio.h>

#include "src/text/text.h"
#include "src/views/view.h"

enum { LINE_BYTES = 4096 + 2 * ADVICE_NAME_BYTES };

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	(void)options;
	for (size_t i = 0; i < report->advice.n; i++) {
		const struct advice *advice = &report->advice.entries[i];
		char gain[TEXT_NUMBER_BYTES], line[LINE_BYTES], clean[LINE_BYTES];

		if (!advice->line)
			continue;
		snprintf(line, sizeof(line), "%s:%u: -%s s %s, %s: %s", advice->file, advice->line,
			text_seconds(gain, advice->gain_ns), advice_word(advice->cause),
			advice->name, advice->text);
		text_clean(clean, sizeof(clean), line);
		fprintf(terminal->out, "%s\n", clean);
	}
	return 0;
}

const struct view view_quickfix = { .name = "format quickfix", .is_of_user = 1, .print = print };
