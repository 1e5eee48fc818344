/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated source as text; see annotate_print.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/annotate/annotate_print.h"
#include "src/text/text.h"
#include "src/views/view.h"

enum {
	MOST_SOURCES = 16,
	NAME_BYTES = 1024,
	TAB_COLUMNS = 4,
	FIGURES_COLUMNS = 28,
	OVERHEAD_COLUMNS = 7,
	TOTAL_COLUMNS = 8,
	TEXT_COLUMNS_LEAST = 8
};

/* A line of output: figures (NULL: none), `where` at the right of its column, and text. */
struct line {
	const struct annotate_figures *own;
	/* with callees, for the last column; or NULL */
	const struct annotate_figures *total;
	const char *where;
	char mark;  /* printed after `where` */
	char *text; /* clean; cut to the width */
	int is_remark;
};

struct layout {
	struct terminal *terminal;
	const struct report *report;
	uint64_t hot; /* figures of at least this amount are highlighted */
	int has_total;
	int has_overhead;
	int where_width;
	const char *where_heading, *text_heading;
	int is_inclusive;
};

static void put_heading(const struct layout *layout)
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

static int findings_columns(const struct layout *layout)
{
	return FIGURES_COLUMNS + (layout->has_overhead ? OVERHEAD_COLUMNS : 0);
}

static void put_own(const struct layout *layout, const struct annotate_figures *own)
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

static void put_figures(const struct layout *layout, const struct line *line)
{
	FILE *out = layout->terminal->out;
	char number[TEXT_NUMBER_BYTES];

	if (line->own && !annotate_is_zero(line->own))
		put_own(layout, line->own);
	else
		fprintf(out, "%*s", findings_columns(layout), "");
	if (layout->has_total)
		fprintf(out, " %7s",
			line->total ? amount_text(layout->report, number, line->total->amount)
				    : "");
}

static void put_line(const struct layout *layout, const struct line *line)
{
	struct terminal *terminal = layout->terminal;
	int used = findings_columns(layout) + (layout->has_total ? TOTAL_COLUMNS : 0) + 1 +
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

/* Whether overhead is large enough for a column. */
static int has_overhead(const struct annotate_figures *figures)
{
	return figures->overhead_ns > figures->amount / 200;
}

static void put_warning(struct terminal *terminal, const char *text)
{
	char clean[1024];

	text_clean(clean, sizeof(clean), text);
	fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
		terminal_style(terminal, STYLE_NONE), clean);
}

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
	if (!terminal_is_endless((size_t)terminal->width)) {
		text_shorten(file, 40);
		text_shorten(module, 30);
		text_shorten(place, 40);
	}
	text_shorten(name,
		terminal->width - text_width(place) - (module[0] ? text_width(module) + 6 : 0));
	fprintf(terminal->out, "%s%s%s%s", terminal_style(terminal, STYLE_HEADING), name,
		terminal_style(terminal, STYLE_NONE), place);
	if (module[0])
		fprintf(terminal->out, "  in %s", module);
	fputc('\n', terminal->out);
}

/* "also: B::run (1.10 s), C::run (0.200 s) and 3 more" */
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

static const struct annotate_figures *shown_of(
	const struct layout *layout, const struct annotate_row *row)
{
	return layout->is_inclusive ? &row->total : &row->self;
}

static void put_constructs(const struct layout *layout, const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t line)
{
	const struct annotate_construct *construct;
	char text[NAME_BYTES], name[NAME_BYTES], count[TEXT_NUMBER_BYTES];

	for (size_t k = 0; (construct = annotate_construct_at(plan, section, line, k)); k++) {
		struct line remark = { .where = "", .text = text, .is_remark = 1 };

		/* A filter can leave none. */
		if (construct->n == 0)
			continue;
		text_clean(name, sizeof(name), construct->label->name);
		snprintf(text, sizeof(text), "%.900s x%s", name, text_count(count, construct->n));
		put_line(layout, &remark);
	}
}

static void put_source_line(const struct layout *layout, const struct annotate_plan *plan,
	const struct annotate_section *section, uint32_t n)
{
	const struct annotate_target *target = plan->target;
	const struct annotate_row *row = annotate_row_at(section, n);
	char text[SOURCE_LINE_BYTES], clean[SOURCE_LINE_BYTES], where[16];
	struct line line = {
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
	put_line(layout, &line);
	put_constructs(layout, plan, section, n);
}

/* Prints a line without a place in the source. `own` and `total` may be NULL. */
static void put_sum(const struct layout *layout, const struct annotate_figures *own,
	const struct annotate_figures *total, const char *text)
{
	char copy[64];
	struct line line = { .own = own, .total = total, .where = "", .text = copy };

	snprintf(copy, sizeof(copy), "%s", text);
	put_line(layout, &line);
}

static void put_gap(const struct layout *layout)
{
	put_line(layout, &(struct line){ .where = "...", .text = (char[1]){ "" } });
}

static void put_section(const struct layout *layout, const struct annotate_plan *plan,
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

static int has_calls(const struct annotate_plan *plan)
{
	for (size_t i = 0; i < plan->n_sections; i++)
		for (size_t k = 0; k < plan->sections[i].n_rows; k++)
			if (plan->sections[i].rows[k].total.amount !=
				plan->sections[i].rows[k].self.amount)
				return 1;
	return plan->nowhere.total.amount != plan->nowhere.self.amount;
}

/* The digits of the largest line number shown, at least 4. */
static int line_width(const struct annotate_plan *plan)
{
	int width = 4;

	for (size_t i = 0; i < plan->n_sections; i++) {
		const struct annotate_section *section = &plan->sections[i];
		int n = section->n_ranges ? snprintf(NULL, 0, "%u",
						    section->ranges[section->n_ranges - 1].last)
					  : 0;

		width = n > width ? n : width;
	}
	return width;
}

static void put_lines(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_plan *plan = &listing->plan;
	int is_inclusive = listing->options->is_inclusive;
	const struct annotate_figures *own = is_inclusive ? &plan->total : &plan->self;
	struct layout layout = {
		.terminal = terminal,
		.report = listing->report,
		.has_total = !is_inclusive && has_calls(plan),
		.has_overhead = has_overhead(own),
		.is_inclusive = is_inclusive,
		.hot = own->amount / 10,
		.where_width = line_width(plan),
		.where_heading = "line",
		.text_heading = "source",
	};

	put_heading(&layout);
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].n_ranges)
			put_section(&layout, plan, &plan->sections[i]);
	if (!annotate_is_zero(&plan->nowhere.total))
		put_sum(&layout, shown_of(&layout, &plan->nowhere), &plan->nowhere.total,
			"(no line known)");
	put_sum(&layout, own, &plan->total, "total");
}

/* The sources of lines between instructions, opened when they are first needed. */
struct sources {
	const struct annotate_listing *listing;
	struct {
		const char *file;
		struct source source;
	} opened[MOST_SOURCES];
	size_t n;
};

static const struct source *find_source(struct sources *sources, const char *file)
{
	struct diag diag;
	struct source *source;

	for (size_t i = 0; i < sources->n; i++)
		if (sources->opened[i].file == file)
			return &sources->opened[i].source;
	if (sources->n == MOST_SOURCES)
		return NULL;
	sources->opened[sources->n].file = file;
	source = &sources->opened[sources->n++].source;
	if (source_open(source, file, &sources->listing->options->rules, &diag) != 0)
		source_release(source);
	return source;
}

/* Prints "ljmd.c:90" and the text of the line. */
static void put_code_source(const struct layout *layout, struct sources *sources,
	const struct annotate_instruction *instruction)
{
	const struct source *source = find_source(sources, instruction->file);
	char file[128], text[SOURCE_LINE_BYTES] = "", clean[SOURCE_LINE_BYTES],
			whole[SOURCE_LINE_BYTES + 160];
	struct line line = { .where = "", .text = whole, .is_remark = 1 };

	text_clean(file, sizeof(file), names_base(instruction->file));
	if (!terminal_is_endless((size_t)layout->terminal->width))
		text_shorten(file, 30);
	if (source)
		source_text(text, sizeof(text), source, instruction->line, TAB_COLUMNS);
	text_clean(clean, sizeof(clean), text + strspn(text, " "));
	snprintf(whole, sizeof(whole), "%s:%u  %s", file, instruction->line, clean);
	put_line(layout, &line);
}

/* Whether an instruction is shown: it, or an instruction near it, has figures. */
static int is_shown(
	const struct annotate_part *part, size_t at, const struct annotate_options *options)
{
	size_t first = at > options->context ? at - options->context : 0;

	if (options->show_all)
		return 1;
	for (size_t i = first; i < part->n && i <= at + options->context; i++)
		if (!annotate_is_zero(&part->instructions[i].self))
			return 1;
	return 0;
}

static void put_instruction(
	const struct layout *layout, const struct annotate_instruction *instruction)
{
	char where[24], clean[SOURCE_LINE_BYTES];
	struct line line = {
		.own = annotate_is_zero(&instruction->self) ? NULL : &instruction->self,
		.where = where,
		.text = clean,
	};

	snprintf(where, sizeof(where), "%" PRIx64, instruction->addr);
	text_clean(clean, sizeof(clean), instruction->text);
	put_line(layout, &line);
}

static void put_code_part(
	const struct layout *layout, struct sources *sources, const struct annotate_part *part)
{
	const struct annotate_instruction *last = NULL;
	struct terminal *terminal = layout->terminal;
	char name[NAME_BYTES];
	int is_gap = 0;

	text_clean(name, sizeof(name), part->extent.name);
	text_shorten(name, terminal->width);
	fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), name,
		terminal_style(terminal, STYLE_NONE));
	for (size_t i = 0; i < part->n; i++) {
		const struct annotate_instruction *at = &part->instructions[i];

		if (!is_shown(part, i, sources->listing->options)) {
			is_gap = 1;
			continue;
		}
		if (is_gap)
			put_gap(layout);
		if (at->line && (!last || last->line != at->line || last->file != at->file))
			put_code_source(layout, sources, at);
		put_instruction(layout, at);
		is_gap = 0;
		last = at;
	}
	if (is_gap)
		put_gap(layout);
}

static int width_of(const struct annotate_code *code)
{
	int width = 7;

	for (size_t i = 0; i < code->n_parts; i++) {
		int n = snprintf(NULL, 0, "%" PRIx64, code->parts[i].extent.high);
		width = n > width ? n : width;
	}
	return width;
}

static void print_code(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_code *code = &listing->code;
	struct sources sources = { .listing = listing };
	struct annotate_figures strayed = { 0 };
	struct layout layout = {
		.terminal = terminal,
		.report = listing->report,
		.hot = code->self.amount / 10,
		.has_overhead = has_overhead(&code->self),
		.where_width = width_of(code),
		.where_heading = "address",
		.text_heading = "instruction",
	};

	put_heading(&layout);
	for (size_t i = 0; i < code->n_parts; i++) {
		annotate_add(&strayed, &code->parts[i].strayed);
		if (i == 0 || listing->options->show_all || !annotate_is_zero(&code->parts[i].self))
			put_code_part(&layout, &sources, &code->parts[i]);
	}
	if (!annotate_is_zero(&strayed))
		put_sum(&layout, &strayed, NULL, "(at no instruction)");
	put_sum(&layout, &code->self, NULL, "total, with what is inlined into it");
	for (size_t i = 0; i < sources.n; i++)
		source_release(&sources.opened[i].source);
}

void annotate_print_text(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_plan *plan = &listing->plan;

	put_title(listing, terminal);
	if (!listing->options->n_most)
		put_others(listing, terminal);
	if (listing->remark[0])
		put_warning(terminal, listing->remark);
	for (size_t i = 0; i < plan->n_sections; i++)
		if (plan->sections[i].problem[0])
			put_warning(terminal, plan->sections[i].problem);
	if (listing->has_code)
		print_code(listing, terminal);
	else
		put_lines(listing, terminal);
	view_put_incomplete(terminal, listing->report);
}
