/* SPDX-License-Identifier: Apache-2.0 */
/* What views have in common; see view.h. */
#include "src/views/view.h"

const struct view *const view_list[] = {
#define VIEW(name)               &view_##name,
#define VIEW_BY(word, name)      VIEW(name)
#define VIEW_BY_LAST(word, name) /* rank: the view of processes again */
#include "src/views/views.def"
	NULL
};

static void put_warning(struct terminal *terminal, const char *text)
{
	fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), text);
}

void view_put_incomplete(struct terminal *terminal, const struct report *report)
{
	char text[256];

	if (report->profile.header.flags & PROFILE_COMPLETE && !report->profile.is_truncated &&
		!report->totals.lost[PROFILE_LOST_HANDLER])
		return;
	/* It is the weightiest, so the first. */
	put_warning(terminal, report_warning(report, 0, text, sizeof(text)));
}

void view_put_doubts(struct terminal *terminal, const struct report *report)
{
	int has_runtime = (report->profile.header.flags & PROFILE_OMPT_STARTED) != 0;

	if (!report->metrics.has_waits)
		put_warning(terminal, has_runtime ? "no waits were measured: see 'ompprof info'"
						  : "no OpenMP runtime started ompprof: no waits "
						    "were measured");
	view_put_incomplete(terminal, report);
}

int view_put_table(const struct table *table, const struct view_options *options,
	const struct report *report, struct terminal *terminal)
{
	int status = table_print(table, &options->table, terminal);

	if (status == 0 && !options->table.is_csv)
		view_put_doubts(terminal, report);
	return status;
}
