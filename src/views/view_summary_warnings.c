/* SPDX-License-Identifier: Apache-2.0 */
/* The summary's last lines: what to doubt; see view_summary_internal.h. */
#include <string.h>

#include "src/text/text.h"
#include "src/views/view_summary_internal.h"

/* Warning i as it is shown, in the buffer: in one line if it cannot be `whole`. */
static void make_warning(
	const struct summary *summary, size_t i, int whole, char *clean, size_t clean_bytes)
{
	size_t width = summary->terminal->width - strlen("warning: ");
	char text[SUMMARY_WARNING_BYTES];

	text_clean(clean, clean_bytes, report_warning(summary->report, i, text, sizeof(text)));
	if (whole || text_width(clean) <= width)
		return;
	/* What follows a semicolon says what comes of it, and can be spared. */
	if (strstr(clean, "; "))
		*strstr(clean, "; ") = '\0';
	text_cut(clean, width);
}

/* Prints a warning, on a second line what does not fit on the first. Returns how many it took. */
static size_t put_warning(struct terminal *terminal, const char *clean)
{
	size_t width = terminal->width - strlen("warning: "), columns = 0, end = 0;
	char rest[SUMMARY_WARNING_BYTES];

	for (size_t i = 0; clean[i] && columns <= width; i++) {
		columns += ((unsigned char)clean[i] & 0xc0) != 0x80;
		if (clean[i] == ' ' && columns <= width + 1)
			end = i;
	}
	if (columns <= width || end == 0)
		end = strlen(clean);
	fprintf(terminal->out, "%swarning:%s %.*s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), (int)end, clean);
	if (!clean[end])
		return 1;
	snprintf(rest, sizeof(rest), "%s", clean + end + 1);
	text_cut(rest, width);
	fprintf(terminal->out, "%9s%s\n", "", rest);
	return 2;
}

void summary_put_warnings(struct summary *summary)
{
	size_t n_shown = summary->layout.n_warnings, n_spare = summary->layout.n_wraps;
	char clean[SUMMARY_WARNING_BYTES];

	for (size_t i = 0; i < n_shown; i++) {
		if (i + 1 == n_shown && summary->n_warnings > n_shown)
			snprintf(clean, sizeof(clean), "and %zu more: 'ompprof report --warnings'",
				summary->n_warnings - i);
		else
			make_warning(summary, i, n_spare > 0, clean, sizeof(clean));
		n_spare -= put_warning(summary->terminal, clean) - 1;
	}
}

size_t summary_count_long(const struct summary *summary, size_t n)
{
	size_t width = summary->terminal->width - strlen("warning: "), n_long = 0;
	char clean[SUMMARY_WARNING_BYTES];

	for (size_t i = 0; i < n; i++) {
		make_warning(summary, i, 1, clean, sizeof(clean));
		n_long += text_width(clean) > width;
	}
	return n_long;
}
