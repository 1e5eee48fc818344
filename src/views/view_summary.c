/* SPDX-License-Identifier: Apache-2.0 */
/* The default view: one screen that says what ran, where the time went and what to doubt. */
#include <string.h>

#include "src/text/text.h"
#include "src/views/view_causes.h"
#include "src/views/view_filter.h"
#include "src/views/view_summary_internal.h"
#include "src/views/view.h"

enum {
	WARNINGS_MOST = 64,
	WARNINGS = 4,
	WRAPS = 2,
	FUNCTIONS_LEAST = 3,
	CAUSES_LEAST = 7, /* rows of the table of causes to begin with */
	CAUSES_FEWEST = 4,
	ADVICE_LEAST = 3,
	PROCESSES_MOST = 4,    /* the most processes shown */
	PROCESSES_SAMPLED = 2, /* likewise, if the longer table of classes is shown */
};

static const struct table_options all_rows = TABLE_OPTIONS_DEFAULT;

/* warnings */

/* Writes warning i in clean text, cut to one line unless `whole`. */
static void make_warning(
	const struct summary *summary, size_t i, int whole, char *clean, size_t clean_bytes)
{
	size_t width = summary->terminal->width - strlen("warning: ");
	char text[SUMMARY_WARNING_BYTES];

	text_clean(clean, clean_bytes,
		report_warning(summary->report, summary->has_contention + i, text, sizeof(text)));
	if (whole || text_width(clean) <= width)
		return;
	/* The consequence, after a semicolon, can be left out. */
	if (strstr(clean, "; "))
		*strstr(clean, "; ") = '\0';
	text_cut(clean, width);
}

/* Prints a warning on one line or two. Returns the number of lines. */
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

/* Says how many warnings there are from warning i on, and the command for them if it fits. */
static void put_rest(const struct summary *summary, size_t i, char *clean, size_t clean_bytes)
{
	size_t width = summary->terminal->width - strlen("warning: ");
	char command[SUMMARY_WARNING_BYTES - 64];

	report_command(command, sizeof(command), summary->report, "--warnings");
	snprintf(clean, clean_bytes, "and %zu more: %s", summary->n_warnings - i, command);
	if (text_width(clean) > width)
		snprintf(clean, clean_bytes, "and %zu more: --warnings", summary->n_warnings - i);
}

/* If some are left out, the last line says how many. */
static void put_warnings(struct summary *summary)
{
	size_t n_shown = summary->layout.n_warnings, n_spare = summary->layout.n_wraps;
	char clean[SUMMARY_WARNING_BYTES];

	for (size_t i = 0; i < n_shown; i++) {
		if (i + 1 == n_shown && summary->n_warnings > n_shown)
			put_rest(summary, i, clean, sizeof(clean));
		else
			make_warning(summary, i, n_spare > 0, clean, sizeof(clean));
		n_spare -= put_warning(summary->terminal, clean) - 1;
	}
}

/* How many of the first n warnings are too long for a line. */
static size_t count_long(const struct summary *summary, size_t n)
{
	size_t width = summary->terminal->width - strlen("warning: "), n_long = 0;
	char clean[SUMMARY_WARNING_BYTES];

	for (size_t i = 0; i < n; i++) {
		make_warning(summary, i, 1, clean, sizeof(clean));
		n_long += text_width(clean) > width;
	}
	return n_long;
}

/* --- how the parts share a screen --- */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The lines of a layout of sampled classes below their table, without headings and wraps. */
static size_t count_sampled(const struct layout *layout)
{
	return layout->n_functions + layout->n_regions + layout->n_warnings;
}

/* Takes a line from the part that can spare it best. Returns 0 if no part has a line. */
static int shrink_sampled(struct layout *layout)
{
	size_t *least_needed = layout->n_regions > 1     ? &layout->n_regions
			       : layout->n_warnings > 1  ? &layout->n_warnings
			       : layout->n_functions > 1 ? &layout->n_functions
			       : layout->n_regions > 0   ? &layout->n_regions
			       : layout->n_functions > 0 ? &layout->n_functions
							 : &layout->n_warnings;

	if (*least_needed == 0)
		return 0;
	--*least_needed;
	return 1;
}

/* Gives lines to *n, up to n_most in all. Returns the lines that are left. */
static size_t grow(size_t *n, size_t n_most, size_t space)
{
	size_t more = *n < n_most ? least(n_most - *n, space) : 0;

	*n += more;
	return space - more;
}

/* Gives lines to warnings that need two. Returns the lines that are left. */
static size_t wrap_warnings(struct summary *summary, size_t space)
{
	struct layout *layout = &summary->layout;

	return grow(&layout->n_wraps, least(count_long(summary, layout->n_warnings), WRAPS), space);
}

/*
 * Fills summary->layout, given n_lines and n_warnings, unless summary_is_measured. Each part below
 * the table of classes gets a few lines. The rest goes to long warnings, blank lines, functions,
 * and at last to more warnings.
 */
static void lay_out(struct summary *summary, size_t n_regions)
{
	struct layout *layout = &summary->layout;
	size_t n_functions = summary_count_functions(&summary->flat);
	/* The headings, and the line that says how many more functions there are. */
	size_t used = summary->n_lines + 1 + (n_functions > 0) + (n_regions > 0);
	size_t height = (size_t)summary->terminal->height;
	size_t space = height > used ? height - used : 0;

	layout->n_functions = least(n_functions, FUNCTIONS_LEAST);
	layout->n_regions = least(n_regions, SUMMARY_REGIONS_MOST);
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	while (count_sampled(layout) > space && shrink_sampled(layout))
		;
	space -= least(count_sampled(layout), space);
	space = wrap_warnings(summary, space);
	layout->has_blanks = space >= 2;
	space -= layout->has_blanks ? 2 : 0;
	space = grow(&layout->n_functions, least(n_functions, SUMMARY_FUNCTIONS_MOST), space);
	layout->n_more_functions = n_functions - layout->n_functions;
	grow(&layout->n_warnings, summary->n_warnings, space);
}

/*
 * The lines of a layout with measured waits, without functions: blank lines, the heading and table
 * of causes, the advice with its heading and last line, the warnings.
 */
static size_t count_measured(const struct summary *summary)
{
	const struct layout *layout = &summary->layout;
	size_t advice = layout->is_filtered ? 0
					    : view_count_advice(summary->report, summary->terminal,
						      layout->n_advice);

	return (layout->has_blanks ? 2 : 0) + 1 + layout->n_causes + advice + layout->n_warnings;
}

/* Takes a line from the part that can spare it best. Returns 0 if no part has a line to spare. */
static int shrink_measured(struct layout *layout, size_t least_warnings)
{
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
		return 0;
	return 1;
}

/* Functions and regions get the lines that causes, advice and warnings leave. */
static void lay_out_top(struct summary *summary, size_t n_regions, size_t space)
{
	struct layout *layout = &summary->layout;
	size_t n_functions = summary_count_functions(&summary->flat);

	/* 3: a blank line, the heading and the line that says how many more there are. */
	if (space < FUNCTIONS_LEAST + 3)
		return;
	space = grow(&layout->n_functions, least(n_functions, SUMMARY_FUNCTIONS_MOST), space - 3);
	if (layout->n_functions == 0)
		return;
	layout->n_more_functions = n_functions - layout->n_functions;
	/* 2: a blank line and the heading. */
	if (layout->has_blanks && space >= 3)
		layout->n_regions = least(least(n_regions, SUMMARY_REGIONS_MOST), space - 2);
}

static void lay_out_measured(struct summary *summary, size_t n_regions)
{
	struct layout *layout = &summary->layout;
	size_t n_causes = view_count_causes(&summary->report->metrics);
	size_t space = (size_t)summary->terminal->height - summary->n_lines, least_warnings;

	layout->has_blanks = 1;
	layout->n_causes = least(n_causes, CAUSES_LEAST);
	layout->is_filtered = view_has_filters(summary->report);
	layout->n_advice = layout->is_filtered ? 0 : summary->report->advice.n;
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	least_warnings = least(layout->n_warnings, 2);
	while (count_measured(summary) > space && shrink_measured(layout, least_warnings))
		;
	space -= least(count_measured(summary), space);
	space = grow(&layout->n_warnings, summary->n_warnings, space);
	space = wrap_warnings(summary, space);
	space = grow(&layout->n_causes, n_causes, space);
	lay_out_top(summary, n_regions, space);
}

/*
 * --- the whole summary ---
 */

static void put_measured(struct summary *summary)
{
	struct terminal *terminal = summary->terminal;
	uint32_t best[SUMMARY_REGIONS_MOST];
	struct cause_rows causes;

	view_put_efficiency(terminal, &summary->report->metrics);
	summary->n_lines++;
	lay_out_measured(summary, summary_find_regions(summary, best));
	if (summary->layout.has_blanks)
		fputc('\n', terminal->out);
	view_list_causes(&causes, summary->report, summary->layout.n_causes);
	view_print_causes(&causes, &all_rows, terminal);
	if (summary->layout.has_blanks && !summary->layout.is_filtered)
		fputc('\n', terminal->out);
	if (!summary->layout.is_filtered)
		view_put_advice(terminal, summary->report, summary->layout.n_advice);
	summary_put_functions(summary);
	summary_put_regions(summary, best);
}

static void put_processes(struct summary *summary, size_t n_most)
{
	if (summary->report->job.n_counted < 2)
		return;
	summary->n_lines += view_put_processes(summary->terminal, summary->report, n_most);
	fputc('\n', summary->terminal->out);
	summary->n_lines++;
}

static void put_sampled(struct summary *summary)
{
	uint32_t best[SUMMARY_REGIONS_MOST];
	struct cause_rows classes;

	view_list_classes(&classes, summary->report, 0);
	view_print_causes(&classes, &all_rows, summary->terminal);
	summary->n_lines += classes.n + 2;
	lay_out(summary, summary_find_regions(summary, best));
	summary_put_functions(summary);
	summary_put_regions(summary, best);
}

/* CSV has only where the time went. */
static int print_csv(
	const struct report *report, const struct table_options *options, struct terminal *terminal)
{
	struct cause_rows causes;

	if (summary_is_measured(report))
		view_list_causes(&causes, report, SIZE_MAX);
	else
		view_list_classes(&causes, report, 1);
	return view_print_causes(&causes, options, terminal);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct summary summary = { .report = report, .terminal = terminal };
	char text[SUMMARY_WARNING_BYTES];

	if (options->table.is_csv)
		return print_csv(report, &options->table, terminal);
	if (flat_make(&summary.flat, report, flat_by_function) != 0) {
		flat_release(&summary.flat);
		return -1;
	}
	/*
	 * Each call makes all warnings up to its own again. They can be many, so their count is
	 * bounded.
	 */
	while (summary.n_warnings < WARNINGS_MOST &&
		report_warning(report, summary.n_warnings, text, sizeof(text)))
		summary.n_warnings++;
	summary.n_lines = view_count_filters(report, terminal);
	summary_put_run(&summary);
	summary_put_contention(&summary);
	summary.n_warnings -= summary.has_contention;
	summary_put_sampling(&summary);
	put_processes(&summary, summary_is_measured(report) ? PROCESSES_MOST : PROCESSES_SAMPLED);
	if (summary_is_measured(report))
		put_measured(&summary);
	else
		put_sampled(&summary);
	put_warnings(&summary);
	flat_release(&summary.flat);
	return 0;
}

const struct view view_summary = {
	.name = "summary", .columns = cause_columns, .filters = FILTER_ALL, .print = print
};
