/* SPDX-License-Identifier: Apache-2.0 */
/* The default view: one screen with what ran, where the time went and what to doubt. */
#include "src/views/view_causes.h"
#include "src/views/view_filter.h"
#include "src/views/view_process.h"
#include "src/views/view_summary_internal.h"
#include "src/views/view.h"

enum {
	WARNINGS_MOST = 64,
	PROCESSES_MOST = 4,    /* of a job */
	PROCESSES_SAMPLED = 2, /* beside a table of classes, which is longer */
};

static const struct table_options all_rows = TABLE_OPTIONS_DEFAULT;

static void put_measured(struct summary *summary)
{
	struct terminal *terminal = summary->terminal;
	struct cause_rows causes;

	view_put_efficiency(terminal, &summary->report->metrics);
	summary->n_lines++;
	summary_lay_out_measured(summary);
	if (summary->layout.has_blanks)
		fputc('\n', terminal->out);
	view_list_causes(&causes, summary->report, summary->layout.n_causes);
	view_print_causes(&causes, &all_rows, terminal);
	if (summary->layout.has_blanks && !summary->layout.is_filtered)
		fputc('\n', terminal->out);
	if (!summary->layout.is_filtered)
		view_put_advice(terminal, summary->report, summary->layout.n_advice);
	summary_put_functions(summary);
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
	summary_lay_out(summary, summary_find_regions(summary, best));
	summary_put_functions(summary);
	summary_put_regions(summary, best);
}

/* For programs: where the time went, and nothing else. */
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
	/* Each is found anew: of a program with any number of objects only so many are counted. */
	while (summary.n_warnings < WARNINGS_MOST &&
		report_warning(report, summary.n_warnings, text, sizeof(text)))
		summary.n_warnings++;
	summary.n_lines =
		view_count_filters(report, terminal) + view_count_phases(report, terminal);
	summary_put_run(&summary);
	summary_put_sampling(&summary);
	put_processes(&summary, summary_is_measured(report) ? PROCESSES_MOST : PROCESSES_SAMPLED);
	if (summary_is_measured(report))
		put_measured(&summary);
	else
		put_sampled(&summary);
	summary_put_warnings(&summary);
	flat_release(&summary.flat);
	return 0;
}

const struct view view_summary = {
	.name = "summary", .columns = cause_columns, .filters = FILTER_ALL, .print = print
};
