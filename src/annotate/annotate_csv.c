/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotated source or code as a CSV table, described in ompprof-annotate(1); see annotate_print.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "src/annotate/annotate_print.h"
#include "src/text/table.h"

enum { TAB_COLUMNS = 8 };

/* The columns of both tables except the last, which differs. */
#define FIGURES(X)                                                                                 \
	X(SHARE, "self%", "self%", TABLE_SHARE, TABLE_IN_BOTH, 0)                                  \
	X(TIME, "time", "time s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(EVENTS, "events", "events", TABLE_COUNT, TABLE_IN_BOTH, 0)                               \
	X(WORK, "work", "work s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(WAIT, "wait", "wait s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(OVERHEAD, "overhead", "ovhd s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                         \
	X(BLAME, "blame", "blame s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                              \
	X(SAMPLES, "samples", "samples", TABLE_COUNT, TABLE_IN_BOTH, 0)                            \
	X(TOTAL, "total", "total s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                              \
	X(TOTAL_EVENTS, "total_events", "total events", TABLE_COUNT, TABLE_IN_BOTH, 0)             \
	X(SYMBOL, "symbol", "symbol", TABLE_WORD, TABLE_IN_BOTH, 0)                                \
	X(ADDRESS, "address", "address", TABLE_WORD, TABLE_IN_BOTH, 0)                             \
	X(FILE_NAME, "file", "file", TABLE_WORD, TABLE_IN_BOTH, 0)                                 \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_BOTH, 0)

#define LINE_COLUMNS(X) FIGURES(X) X(TEXT, "source", "source", TABLE_NAME, TABLE_IN_BOTH, 0)
#define CODE_COLUMNS(X)                                                                            \
	FIGURES(X) X(TEXT, "instruction", "instruction", TABLE_NAME, TABLE_IN_BOTH, 0)

enum column { LINE_COLUMNS(TABLE_ENUM) };
static const struct table_column line_columns[] = { LINE_COLUMNS(TABLE_COLUMN){ .key = NULL } };
static const struct table_column code_columns[] = { CODE_COLUMNS(TABLE_COLUMN){ .key = NULL } };

/*
 * A row: an instruction of a part, a line of a section, or without either the time without a line.
 */
struct item {
	const struct annotate_section *section;
	const struct annotate_part *part;
	const struct annotate_instruction *instruction;
	uint32_t line;
};

struct items {
	const struct annotate_listing *listing;
	struct item *items;
	size_t n;
};

static void fill_figures(
	struct table_row *row, const struct report *report, const struct annotate_figures *figures)
{
	table_set_part(row, SHARE, figures->amount,
		report_metric(report, &report->totals.all, METRIC_TOTAL));
	table_set(row, report->is_event ? EVENTS : TIME, figures->amount);
	table_set(row, WORK, figures->work_ns);
	table_set(row, WAIT, figures->wait_ns);
	table_set(row, OVERHEAD, figures->overhead_ns);
	table_set(row, BLAME, figures->blame_ns);
	table_set(row, SAMPLES, figures->samples);
}

static void fill_line(const struct items *items, const struct item *item, struct table_row *row)
{
	const struct report *report = items->listing->report;
	const struct annotate_row *of = item->section ? annotate_row_at(item->section, item->line)
						      : &items->listing->plan.nowhere;
	char text[SOURCE_LINE_BYTES];

	if (of) {
		fill_figures(row, report,
			items->listing->options->is_inclusive ? &of->total : &of->self);
		table_set(row, report->is_event ? TOTAL_EVENTS : TOTAL, of->total.amount);
	}
	if (!item->section)
		return;
	table_set_text(row, FILE_NAME, item->section->file);
	table_set(row, LINE, item->line);
	source_text(text, sizeof(text), &item->section->source, item->line, TAB_COLUMNS);
	table_set_text(row, TEXT, table_print_text(row, "%s", text));
}

static void fill_instruction(
	const struct items *items, const struct item *item, struct table_row *row)
{
	const struct annotate_instruction *at = item->instruction;

	fill_figures(row, items->listing->report, &at->self);
	table_set_text(row, SYMBOL, item->part->extent.name);
	table_set_text(row, ADDRESS, table_print_text(row, "0x%" PRIx64, at->addr));
	table_set_text(row, FILE_NAME, at->file);
	if (at->line)
		table_set(row, LINE, at->line);
	table_set_text(row, TEXT, at->text);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct items *items = data;

	if (index >= items->n)
		return;
	if (items->items[index].instruction)
		fill_instruction(items, &items->items[index], row);
	else
		fill_line(items, &items->items[index], row);
}

static size_t count_items(const struct annotate_listing *listing)
{
	const struct annotate_plan *plan = &listing->plan;
	size_t n = 1;

	for (size_t i = 0; listing->has_code && i < listing->code.n_parts; i++)
		n += listing->code.parts[i].n;
	for (size_t i = 0; i < plan->n_sections; i++)
		for (size_t k = 0; k < plan->sections[i].n_ranges; k++)
			n += plan->sections[i].ranges[k].last - plan->sections[i].ranges[k].first +
			     1;
	return n;
}

static void list_code(struct items *items)
{
	const struct annotate_code *code = &items->listing->code;

	for (size_t i = 0; i < code->n_parts; i++)
		for (size_t k = 0; k < code->parts[i].n; k++)
			items->items[items->n++] = (struct item){ .part = &code->parts[i],
				.instruction = &code->parts[i].instructions[k] };
}

static void list_lines(struct items *items)
{
	const struct annotate_plan *plan = &items->listing->plan;

	for (size_t i = 0; i < plan->n_sections; i++)
		for (size_t k = 0; k < plan->sections[i].n_ranges; k++)
			for (uint32_t n = plan->sections[i].ranges[k].first;
				n <= plan->sections[i].ranges[k].last; n++)
				items->items[items->n++] =
					(struct item){ .section = &plan->sections[i], .line = n };
	if (!annotate_is_zero(&plan->nowhere.total))
		items->items[items->n++] = (struct item){ .line = 0 };
}

int annotate_print_csv(const struct annotate_listing *listing, struct terminal *terminal)
{
	static const struct table_options options = { .limit_permyriad = TABLE_DEFAULT,
		.n_rows = TABLE_DEFAULT,
		.max_depth = TABLE_DEFAULT,
		.is_csv = 1 };
	struct items items = { .listing = listing };
	uint64_t events = 1u << EVENTS | 1u << TOTAL_EVENTS, times = 1u << TIME | 1u << TOTAL;
	struct table table = {
		.columns = listing->has_code ? code_columns : line_columns,
		.hidden = listing->report->is_event ? times : events,
		.what = "line",
		.fill = fill,
		.data = &items,
	};
	int status;

	table.hidden |=
		listing->has_code ? 1u << TOTAL | 1u << TOTAL_EVENTS : 1u << SYMBOL | 1u << ADDRESS;
	items.items = calloc(count_items(listing), sizeof(*items.items));
	if (!items.items)
		return -1;
	if (listing->has_code)
		list_code(&items);
	else
		list_lines(&items);
	table.n_rows = items.n;
	status = table_print(&table, &options, terminal);
	free(items.items);
	return status;
}
