/* SPDX-License-Identifier: Apache-2.0 */
/* How the parts of the summary share a screen; see view_summary_internal.h. */
#include "src/views/view_causes.h"
#include "src/views/view_filter.h"
#include "src/views/view_summary_internal.h"

enum {
	SCREEN_LINES = 24,
	WARNINGS = 4,
	WRAPS = 2,
	FUNCTIONS_LEAST = 3,
	CAUSES_LEAST = 7, /* rows of the table of causes before a screen is full */
	CAUSES_FEWEST = 4,
	ADVICE_LEAST = 3,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void summary_lay_out(struct summary *summary, size_t n_regions)
{
	struct layout *layout = &summary->layout;
	size_t n_functions = summary_count_functions(&summary->flat);
	/* Less the headings and a line that says how many more functions there are. */
	size_t used = summary->n_lines + 1 + (n_functions > 0) + (n_regions > 0);
	size_t space = SCREEN_LINES > used ? SCREEN_LINES - used : 0;

	layout->n_functions = least(n_functions, FUNCTIONS_LEAST);
	layout->n_regions = least(n_regions, SUMMARY_REGIONS_MOST);
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	while (layout->n_functions + layout->n_regions + layout->n_warnings > space) {
		size_t *least_needed = layout->n_regions > 1     ? &layout->n_regions
				       : layout->n_warnings > 1  ? &layout->n_warnings
				       : layout->n_functions > 1 ? &layout->n_functions
				       : layout->n_regions > 0   ? &layout->n_regions
				       : layout->n_functions > 0 ? &layout->n_functions
								 : &layout->n_warnings;
		if (*least_needed == 0)
			break;
		--*least_needed;
	}
	if (space < layout->n_functions + layout->n_regions + layout->n_warnings)
		space = layout->n_functions + layout->n_regions + layout->n_warnings;
	space -= layout->n_functions + layout->n_regions + layout->n_warnings;
	layout->n_wraps =
		least(least(summary_count_long(summary, layout->n_warnings), WRAPS), space);
	space -= layout->n_wraps;
	if (space >= 2) {
		layout->has_blanks = 1;
		space -= 2;
	}
	while (space > 0 && layout->n_functions < least(n_functions, SUMMARY_FUNCTIONS_MOST)) {
		layout->n_functions++;
		space--;
	}
	layout->n_more_functions = n_functions - layout->n_functions;
	layout->n_warnings = least(summary->n_warnings, layout->n_warnings + space);
}

/*
 * Lines of the measured parts and the warnings: a blank one, the table of causes with its heading, a
 * blank one, the advice with its heading and last line.
 */
static size_t count_measured(const struct layout *layout)
{
	size_t advice = layout->n_advice ? 2 + 2 * layout->n_advice : !layout->is_filtered;

	return (layout->has_blanks ? 2 : 0) + 1 + layout->n_causes + advice + layout->n_warnings;
}

void summary_lay_out_measured(struct summary *summary)
{
	struct layout *layout = &summary->layout;
	size_t n_causes = view_count_causes(&summary->report->metrics);
	size_t n_functions = summary_count_functions(&summary->flat), space, least_warnings;

	space = SCREEN_LINES - summary->n_lines;
	layout->has_blanks = 1;
	layout->n_causes = least(n_causes, CAUSES_LEAST);
	layout->is_filtered = view_count_filters(summary->report, summary->terminal) > 0;
	layout->n_advice = layout->is_filtered ? 0 : summary->report->advice.n;
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	least_warnings = least(layout->n_warnings, 2);
	while (count_measured(layout) > space) {
		if (layout->n_advice > ADVICE_LEAST)
			layout->n_advice--;
		else if (layout->n_warnings > least_warnings)
			layout->n_warnings--;
		else if (layout->has_blanks)
			layout->has_blanks = 0;
		else if (layout->n_advice > 1)
			layout->n_advice--;
		else if (layout->n_causes > CAUSES_FEWEST)
			layout->n_causes--;
		else if (layout->n_warnings > 0)
			layout->n_warnings--;
		else
			break;
	}
	if (space < count_measured(layout))
		space = count_measured(layout);
	space -= count_measured(layout);
	while (space > 0 && layout->n_warnings < summary->n_warnings) {
		layout->n_warnings++;
		space--;
	}
	layout->n_wraps =
		least(least(summary_count_long(summary, layout->n_warnings), WRAPS), space);
	space -= layout->n_wraps;
	while (space > 0 && layout->n_causes < n_causes) {
		layout->n_causes++;
		space--;
	}
	/* A blank line, the heading, and how many more there are. */
	if (space >= FUNCTIONS_LEAST + 3)
		layout->n_functions = least(least(n_functions, SUMMARY_FUNCTIONS_MOST), space - 3);
	layout->n_more_functions = layout->n_functions ? n_functions - layout->n_functions : 0;
}
