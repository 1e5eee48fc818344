/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary's lists of the functions and regions that take most time; see
 * view_summary_internal.h.
 */
#include <string.h>

#include "src/text/text.h"
#include "src/views/view_nodes.h"
#include "src/views/view_summary_internal.h"

/* The most columns left of a title, and the bytes of its words. */
enum { FIGURES_COLUMNS = 22, TITLE_BYTES = 64 };

static const struct table_options all_rows = TABLE_OPTIONS_DEFAULT;

static int is_place(const struct name_label *label)
{
	return label->kind == NAME_FUNCTION || names_is_construct(label->kind);
}

/* The rows of a list: nodes of flat.names. */
struct entries {
	const struct summary *summary;
	uint32_t nodes[SUMMARY_FUNCTIONS_MOST];
};

static void fill_entry(const void *data, size_t index, struct table_row *row)
{
	const struct entries *entries = data;
	const struct flat *flat = &entries->summary->flat;
	uint32_t node = entries->nodes[index];

	struct tree_metrics total = name_totals_get(&flat->totals, node);
	struct tree_metrics self = name_self(&flat->names, node);

	node_set_figures(row, entries->summary->report, &total, &self);
	node_set_label(row, &flat->names.nodes[node], self.n_executions);
}

/* "top functions, % of sampled time (ompprof report --flat)"; without what does not fit. */
static void make_title(char *text, size_t text_bytes, const struct summary *summary,
	const char *what, const char *option, int is_sampled)
{
	const char *sampled = is_sampled ? ", % of sampled time" : "";
	char command[SUMMARY_WARNING_BYTES];

	report_command(command, sizeof(command), summary->report, option);
	snprintf(text, text_bytes, "top %s%s (%s)", what, sampled, command);
	if (text_width(text) + FIGURES_COLUMNS > (size_t)summary->terminal->width)
		snprintf(text, text_bytes, "top %s%s (%s)", what, sampled, option);
	if (text_width(text) + FIGURES_COLUMNS > (size_t)summary->terminal->width)
		snprintf(text, text_bytes, "top %s%s", what, sampled);
}

static int put_entries(
	const struct entries *entries, size_t n, const char *fields, const char *title)
{
	const struct table table = {
		.columns = node_columns,
		.fields = fields,
		.title = title,
		.what = "function",
		.n_rows = n,
		.fill = fill_entry,
		.data = entries,
	};

	return table_print(&table, &all_rows, entries->summary->terminal);
}

/* Whether the entry is a function or construct with time of its own. */
static int is_listed(const struct flat *flat, uint32_t i)
{
	struct tree_metrics self = name_self(&flat->names, i);

	return is_place(flat->names.nodes[i].label) && node_has_figures(&self);
}

void summary_put_functions(struct summary *summary)
{
	const struct flat *flat = &summary->flat;
	const struct report *report = summary->report;
	struct entries entries = { .summary = summary };
	char title[SUMMARY_WARNING_BYTES + TITLE_BYTES];
	size_t n = 0;

	if (summary->layout.n_functions == 0)
		return;
	make_title(title, sizeof(title), summary, "functions", "--flat",
		!report->is_event && !report->metrics.has_waits);
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	for (size_t i = 0; i < flat->n_order && n < summary->layout.n_functions; i++) {
		if (is_listed(flat, flat->order[i]))
			entries.nodes[n++] = flat->order[i];
	}
	put_entries(&entries, n,
		report->is_event ? "self%,self_events,name,place" : "self%,self,name,place", title);
	if (summary->layout.n_more_functions)
		fprintf(summary->terminal->out, "(%zu more function%s)\n",
			summary->layout.n_more_functions,
			text_plural(summary->layout.n_more_functions));
}

size_t summary_count_functions(const struct flat *flat)
{
	size_t n = 0;

	for (size_t i = 0; i < flat->n_order; i++)
		n += is_listed(flat, flat->order[i]);
	return n;
}

static uint64_t total_of(const struct summary *summary, uint32_t i)
{
	struct tree_metrics total = name_totals_get(&summary->flat.totals, i);

	return report_metric(summary->report, &total, METRIC_TOTAL);
}

size_t summary_find_regions(const struct summary *summary, uint32_t best[SUMMARY_REGIONS_MOST])
{
	const struct flat *flat = &summary->flat;
	size_t n = 0, n_best = 0;

	for (uint32_t i = 1; i < flat->names.n_nodes; i++) {
		uint64_t amount = total_of(summary, i);
		size_t at = n_best;

		if (flat->names.nodes[i].label->kind != NAME_REGION || amount == 0)
			continue;
		n++;
		for (; at > 0 && amount > total_of(summary, best[at - 1]); at--)
			if (at < SUMMARY_REGIONS_MOST)
				best[at] = best[at - 1];
		if (at < SUMMARY_REGIONS_MOST)
			best[at] = i;
		n_best = n_best < SUMMARY_REGIONS_MOST ? n_best + 1 : n_best;
	}
	return n;
}

void summary_put_regions(struct summary *summary, const uint32_t *best)
{
	const struct report *report = summary->report;
	struct entries entries = { .summary = summary };
	char title[SUMMARY_WARNING_BYTES + TITLE_BYTES];

	if (summary->layout.n_regions == 0)
		return;
	make_title(title, sizeof(title), summary, "regions", "--tree",
		!report->is_event && !report->metrics.has_waits);
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	memcpy(entries.nodes, best, summary->layout.n_regions * sizeof(*best));
	put_entries(&entries, summary->layout.n_regions,
		report->is_event ? "total%,events,name,place" : "total%,work,wait,name,place",
		title);
}
