/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated source or code as CSV (RFC 4180), described in ompprof-annotate(1); see annotate_print.h. */
#include <inttypes.h>
#include <stdio.h>

#include "src/annotate_print.h"
#include "src/report_text.h"

enum { TAB_COLUMNS = 8 };

/* Nanoseconds as seconds, exactly; by hand because printf asks the locale for the decimal point. */
static void put_seconds(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64 ",", ns / 1000000000, ns % 1000000000);
}

/* What a terminal would obey is in no form of output. */
static void put_text(FILE *out, const char *text)
{
	char clean[SOURCE_LINE_BYTES];

	text_clean(clean, sizeof(clean), text);
	fputc('"', out);
	for (const char *at = clean; *at; at++) {
		if (*at == '"')
			fputc('"', out);
		fputc(*at, out);
	}
	fputc('"', out);
}

/* The columns of figures: those in a row itself. */
static void put_figures(
	FILE *out, const struct report *report, const struct annotate_figures *figures)
{
	if (!figures) {
		fputs(",,,,,,", out);
		return;
	}
	if (report->is_event)
		fprintf(out, "%" PRIu64 ",", figures->amount);
	else
		put_seconds(out, figures->amount);
	put_seconds(out, figures->work_ns);
	put_seconds(out, figures->wait_ns);
	put_seconds(out, figures->overhead_ns);
	put_seconds(out, figures->blame_ns);
	fprintf(out, "%" PRIu64 ",", figures->samples);
}

static void put_heading(FILE *out, const struct report *report, const char *total, const char *rest)
{
	fprintf(out, "%s,work_s,wait_s,overhead_s,blame_s,samples,%s%s\n",
		report->is_event ? "events" : "time_s", total, rest);
}

static void put_total(FILE *out, const struct report *report, const struct annotate_row *row)
{
	if (!row)
		fputc(',', out);
	else if (report->is_event)
		fprintf(out, "%" PRIu64 ",", row->total.amount);
	else
		put_seconds(out, row->total.amount);
}

static void put_line(FILE *out, const struct annotate_listing *listing,
	const struct annotate_section *section, uint32_t n)
{
	const struct annotate_row *row = annotate_row_at(section, n);
	char text[SOURCE_LINE_BYTES];

	put_figures(out, listing->report,
		!row                             ? NULL
		: listing->options->is_inclusive ? &row->total
						 : &row->self);
	put_total(out, listing->report, row);
	put_text(out, section->file);
	fprintf(out, ",%" PRIu32 ",", n);
	source_text(text, sizeof(text), &section->source, n, TAB_COLUMNS);
	put_text(out, text);
	fputc('\n', out);
}

static void put_lines(FILE *out, const struct annotate_listing *listing)
{
	const struct annotate_plan *plan = &listing->plan;

	put_heading(out, listing->report, listing->report->is_event ? "total_events," : "total_s,",
		"file,line,source");
	for (size_t i = 0; i < plan->n_sections; i++)
		for (size_t k = 0; k < plan->sections[i].n_ranges; k++)
			for (uint32_t n = plan->sections[i].ranges[k].first;
				n <= plan->sections[i].ranges[k].last; n++)
				put_line(out, listing, &plan->sections[i], n);
	if (!annotate_is_zero(&plan->nowhere.total)) {
		put_figures(out, listing->report,
			listing->options->is_inclusive ? &plan->nowhere.total
						       : &plan->nowhere.self);
		put_total(out, listing->report, &plan->nowhere);
		fputs("\"\",,\"\"\n", out);
	}
}

static void put_code(FILE *out, const struct annotate_listing *listing)
{
	put_heading(out, listing->report, "", "symbol,address,file,line,instruction");
	for (size_t i = 0; i < listing->code.n_parts; i++) {
		const struct annotate_part *part = &listing->code.parts[i];

		for (size_t k = 0; k < part->n; k++) {
			const struct annotate_instruction *at = &part->instructions[k];

			put_figures(out, listing->report, &at->self);
			put_text(out, part->extent.name);
			fprintf(out, ",0x%" PRIx64 ",", at->addr);
			put_text(out, at->file);
			fprintf(out, ",%" PRIu32 ",", at->line);
			put_text(out, at->text);
			fputc('\n', out);
		}
	}
}

void annotate_print_csv(const struct annotate_listing *listing, struct terminal *terminal)
{
	if (listing->has_code)
		put_code(terminal->out, listing);
	else
		put_lines(terminal->out, listing);
}
