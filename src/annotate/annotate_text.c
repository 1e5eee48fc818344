/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated source as text; see annotate_print.h. */
#include <stdio.h>
#include <string.h>

#include "src/annotate/annotate_print.h"
#include "src/text/text.h"
#include "src/views/view.h"

enum {
	NAME_BYTES = 1024,
	TAB_COLUMNS = 4,
	FIGURES_COLUMNS = 28,
	OVERHEAD_COLUMNS = 7,
	TOTAL_COLUMNS = 8,
	TEXT_COLUMNS_LEAST = 8
};

/* --- lines of the table --- */

void annotate_put_heading(const struct annotate_layout *layout)
{
	struct terminal *terminal = layout->terminal;
	int is_event = layout->report->is_event;

	fprintf(terminal->out, "%s%6s %6s %6s", terminal_style(terminal, STYLE_HEADING),
		layout->is_inclusive ? "total%" : "self%", is_event ? "events" : "work s",
		"wait s");
	if (layout->has_overhead)
		fprintf(terminal->out, " %6s", "ovhd s");
	fprintf(terminal->out, " %7s", "blame s");
	if (layout->has_total)
		fprintf(terminal->out, " %7s", is_event ? "total" : "total s");
	fprintf(terminal->out, " %*s  %s%s\n", layout->where_width, layout->where_heading,
		layout->text_heading, terminal_style(terminal, STYLE_NONE));
}

static const char *amount_text(
	const struct report *report, char number[TEXT_NUMBER_BYTES], uint64_t amount)
{
	return report->is_event ? text_count(number, amount) : text_seconds(number, amount);
}

static int figures_columns(const struct annotate_layout *layout)
{
	return FIGURES_COLUMNS + (layout->has_overhead ? OVERHEAD_COLUMNS : 0);
}

static void put_own(const struct annotate_layout *layout, const struct annotate_figures *own)
{
	const struct report *report = layout->report;
	FILE *out = layout->terminal->out;
	char number[TEXT_NUMBER_BYTES];

	fprintf(out, "%6s",
		text_percent(number, own->amount,
			report_metric(report, &report->totals.all, METRIC_TOTAL)));
	fprintf(out, " %6s",
		amount_text(report, number, report->is_event ? own->amount : own->work_ns));
	fprintf(out, " %6s", text_seconds(number, own->wait_ns));
	if (layout->has_overhead)
		fprintf(out, " %6s", text_seconds(number, own->overhead_ns));
	fprintf(out, " %7s", text_seconds(number, own->blame_ns));
}

static void put_figures(const struct annotate_layout *layout, const struct annotate_text_line *line)
{
	FILE *out = layout->terminal->out;
	char number[TEXT_NUMBER_BYTES];

	if (line->own && !annotate_is_zero(line->own))
		put_own(layout, line->own);
	else
		fprintf(out, "%*s", figures_columns(layout), "");
	if (layout->has_total)
		fprintf(out, " %7s",
			line->total ? amount_text(layout->report, number, line->total->amount)
				    : "");
}

void annotate_put_line(const struct annotate_layout *layout, const struct annotate_text_line *line)
{
	struct terminal *terminal = layout->terminal;
	int used = figures_columns(layout) + (layout->has_total ? TOTAL_COLUMNS : 0) + 1 +
		   layout->where_width + 2;
	int is_hot = line->own && layout->hot && line->own->amount >= layout->hot;
	const char *none = terminal_style(terminal, STYLE_NONE);
	const char *style = line->is_remark ? terminal_style(terminal, STYLE_STATE)
			    : is_hot        ? terminal_style(terminal, STYLE_HOT)
					    : "";

	text_cut(line->text, terminal->width > used + TEXT_COLUMNS_LEAST ? terminal->width - used
									 : TEXT_COLUMNS_LEAST);
	fputs(line->is_remark ? "" : style, terminal->out);
	put_figures(layout, line);
	fputs(*style && !line->is_remark ? none : "", terminal->out);
	fprintf(terminal->out, " %*s", layout->where_width, line->where);
	if (line->text[0])
		fprintf(terminal->out, "%c %s%s%s", line->mark ? line->mark : ' ', style,
			line->text, *style ? none : "");
	fputc('\n', terminal->out);
}

/* It has a column where it is worth one. */
int annotate_has_overhead(const struct annotate_figures *figures)
{
	return figures->overhead_ns > figures->amount / 200;
}

void annotate_put_warning(struct terminal *terminal, const char *text)
{
	char clean[1024];

	text_clean(clean, sizeof(clean), text);
	fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), clean);
}

/* --- what stands above --- */

static void put_title(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_plan *plan = &listing->plan;
	const struct name_label *label = plan->annotate->places.nodes[plan->node].label;
	char name[NAME_BYTES], place[512] = "", file[256], module[256];

	text_clean(name, sizeof(name), label->name[0] ? label->name : label->file);
	text_clean(file, sizeof(file), names_base(label->file));
	text_clean(module, sizeof(module), names_base(label->module));
	if (label->name[0] && label->decl_line)
		snprintf(place, sizeof(place), "  %s:%u", file, label->decl_line);
	else if (label->name[0] && file[0])
		snprintf(place, sizeof(place), "  %s", file);
	text_shorten(file, 40);
	text_shorten(module, 30);
	text_shorten(place, 40);
	text_shorten(name,
		terminal->width - text_width(place) - (module[0] ? text_width(module) + 6 : 0));
	fprintf(terminal->out, "%s%s%s%s", terminal_style(terminal, STYLE_HEADING), name,
		terminal_style(terminal, STYLE_NONE), place);
	if (module[0])
		fprintf(terminal->out, "  in %s", module);
	fputc('\n', terminal->out);
}

/* "also: B::run (1.10 s), C::run (0.2 s) and 3 more" */
static void put_others(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_target *target = &listing->target;
	const struct annotate *a = &listing->functions;
	char line[1024], number[TEXT_NUMBER_BYTES], name[256];
	size_t used, i;

	if (target->n_others == 0)
		return;
	used = snprintf(line, sizeof(line), "also:");
	for (i = 0; i < target->n_others && i < ANNOTATE_MOST_OTHERS; i++) {
		int is_file = target->other_files[i] != NULL;

		text_clean(name, sizeof(name),
			is_file ? target->other_files[i]
				: a->places.nodes[target->others[i]].label->name);
		text_shorten(name, 50);
		used += snprintf(line + used, sizeof(line) - used, "%s %s", i ? "," : "", name);
		if (!is_file)
			used += snprintf(line + used, sizeof(line) - used, " (%s%s)",
				amount_text(a->report, number, a->self[target->others[i]].amount),
				a->report->is_event ? "" : " s");
	}
	if (i < target->n_others)
		snprintf(line + used, sizeof(line) - used, " and %zu more", target->n_others - i);
	text_cut(line, terminal->width);
	fprintf(terminal->out, "%s\n", line);
}

/* --- the lines of a file --- */

static const struct annotate_figures *shown_of(
	const struct annotate_layout *layout, const struct annotate_row *row)
{
	return layout->is_inclusive ? &row->total : &row->self;
}

static void put_constructs(const struct annotate_layout *layout, const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line)
{
	const struct annotate_construct *construct;
	char text[NAME_BYTES], name[NAME_BYTES], count[TEXT_NUMBER_BYTES];

	for (size_t k = 0; (construct = annotate_construct_at(plan, section, line, k)); k++) {
		struct annotate_text_line remark = { .where = "", .text = text, .is_remark = 1 };

		text_clean(name, sizeof(name), construct->label->name);
		snprintf(text, sizeof(text), "%.900s x%s", name, text_count(count, construct->n));
		annotate_put_line(layout, &remark);
	}
}

static void put_source_line(const struct annotate_layout *layout, const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t n)
{
	const struct annotate_target *target = plan->target;
	const struct annotate_row *row = annotate_row_at(section, n);
	char text[SOURCE_LINE_BYTES], clean[SOURCE_LINE_BYTES], where[16];
	struct annotate_text_line line = {
		.own = row ? shown_of(layout, row) : NULL,
		.total = row ? &row->total : NULL,
		.where = where,
		.text = clean,
	};

	if (target->line == n && target->file && strcmp(target->file, section->file) == 0)
		line.mark = '>';
	snprintf(where, sizeof(where), "%u", n);
	source_text(text, sizeof(text), &section->source, n, TAB_COLUMNS);
	text_clean(clean, sizeof(clean), text);
	annotate_put_line(layout, &line);
	put_constructs(layout, plan, section, n);
}

static void put_gap(const struct annotate_layout *layout)
{
	char nothing[1] = "";
	struct annotate_text_line line = { .where = "...", .text = nothing };

	annotate_put_line(layout, &line);
}

static void put_section(const struct annotate_layout *layout, const struct annotate_plan *plan,
	const struct annotate_section *section)
{
	const struct name_label *label = plan->annotate->places.nodes[plan->node].label;
	struct terminal *terminal = layout->terminal;
	char path[NAME_BYTES];

	text_clean(path, sizeof(path), section->has_source ? section->source.path : section->file);
	text_shorten(path, terminal->width);
	if (label->name[0] || strcmp(path, label->file) != 0)
		fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), path,
			terminal_style(terminal, STYLE_NONE));
	for (size_t i = 0; i < section->n_ranges; i++) {
		const struct annotate_range *range = &section->ranges[i];

		if (i > 0)
			put_gap(layout);
		for (uint32_t n = range->first; n <= range->last; n++)
			put_source_line(layout, plan, section, n);
	}
}

static void put_row(
	const struct annotate_layout *layout, const struct annotate_row *row, const char *text)
{
	char copy[64];
	struct annotate_text_line line = {
		.own = shown_of(layout, row), .total = &row->total, .where = "", .text = copy
	};

	snprintf(copy, sizeof(copy), "%s", text);
	annotate_put_line(layout, &line);
}

static int has_calls(const struct annotate_plan *plan)
{
	for (size_t i = 0; i < plan->n_sections; i++)
		for (size_t k = 0; k < plan->sections[i].n_rows; k++)
			if (plan->sections[i].rows[k].total.amount !=
				plan->sections[i].rows[k].self.amount)
				return 1;
	return plan->nowhere.total.amount != plan->nowhere.self.amount;
}

/* Columns of the largest line that is shown. */
static int line_width(const struct annotate_plan *plan)
{
	int width = 4;

	for (size_t i = 0; i < plan->n_sections; i++) {
		const struct annotate_section *section = &plan->sections[i];
		int n = snprintf(NULL, 0, "%u", section->ranges[section->n_ranges - 1].last);

		width = n > width ? n : width;
	}
	return width;
}

static void put_lines(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_plan *plan = &listing->plan;
	struct annotate_row sum = { .self = plan->self, .total = plan->total };
	struct annotate_layout layout = {
		.terminal = terminal,
		.report = listing->report,
		.has_total = !listing->options->is_inclusive && has_calls(plan),
		.has_overhead = annotate_has_overhead(
			listing->options->is_inclusive ? &plan->total : &plan->self),
		.is_inclusive = listing->options->is_inclusive,
		.hot = plan->self.amount / 10,
		.where_width = line_width(plan),
		.where_heading = "line",
		.text_heading = "source",
	};

	if (layout.is_inclusive)
		layout.hot = plan->total.amount / 10;
	annotate_put_heading(&layout);
	for (size_t i = 0; i < plan->n_sections; i++)
		put_section(&layout, plan, &plan->sections[i]);
	if (!annotate_is_zero(&plan->nowhere.total))
		put_row(&layout, &plan->nowhere, "(no line known)");
	put_row(&layout, &sum, "total");
}

void annotate_print_text(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_plan *plan = &listing->plan;

	put_title(listing, terminal);
	put_others(listing, terminal);
	if (listing->remark[0])
		annotate_put_warning(terminal, listing->remark);
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].problem[0])
			annotate_put_warning(terminal, plan->sections[i].problem);
	if (listing->has_code)
		annotate_print_code(listing, terminal);
	else
		put_lines(listing, terminal);
	view_put_incomplete(terminal, listing->report);
}
