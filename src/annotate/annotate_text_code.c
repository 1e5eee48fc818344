/* SPDX-License-Identifier: Apache-2.0 */
/* Annotated instructions as text; see annotate_print.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/annotate/annotate_print.h"
#include "src/text/text.h"

enum { MOST_SOURCES = 16, TAB_COLUMNS = 4, TEXT_BYTES = SOURCE_LINE_BYTES };

/* Sources of lines that are shown between instructions, opened as they come. */
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

/* "ljmd.c:90" at the left, and what the line says. */
static void put_source(const struct annotate_layout *layout, struct sources *sources,
	const struct annotate_instruction *instruction)
{
	const struct source *source = find_source(sources, instruction->file);
	char file[128], text[TEXT_BYTES] = "", clean[TEXT_BYTES], whole[TEXT_BYTES + 160];
	struct annotate_text_line line = { .where = "", .text = whole, .is_remark = 1 };

	text_clean(file, sizeof(file), names_base(instruction->file));
	text_shorten(file, 30);
	if (source)
		source_text(text, sizeof(text), source, instruction->line, TAB_COLUMNS);
	text_clean(clean, sizeof(clean), text + strspn(text, " "));
	snprintf(whole, sizeof(whole), "%s:%u  %s", file, instruction->line, clean);
	annotate_put_line(layout, &line);
}

static int is_same_line(const struct annotate_instruction *a, const struct annotate_instruction *b)
{
	return a->line == b->line && a->file == b->file;
}

/* Whether an instruction is shown: it or one near it has figures. */
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

static void put_gap(const struct annotate_layout *layout)
{
	char nothing[1] = "";
	struct annotate_text_line line = { .where = "...", .text = nothing };

	annotate_put_line(layout, &line);
}

static void put_instruction(
	const struct annotate_layout *layout, const struct annotate_instruction *instruction)
{
	char where[24], clean[TEXT_BYTES];
	struct annotate_text_line line = {
		.own = annotate_is_zero(&instruction->self) ? NULL : &instruction->self,
		.where = where,
		.text = clean,
	};

	snprintf(where, sizeof(where), "%" PRIx64, instruction->addr);
	text_clean(clean, sizeof(clean), instruction->text);
	annotate_put_line(layout, &line);
}

static void put_part(const struct annotate_layout *layout, struct sources *sources,
	const struct annotate_part *part)
{
	const struct annotate_instruction *last = NULL;
	struct terminal *terminal = layout->terminal;
	char name[1024];
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
		if (at->line && (!last || !is_same_line(last, at)))
			put_source(layout, sources, at);
		put_instruction(layout, at);
		is_gap = 0;
		last = at;
	}
	if (is_gap)
		put_gap(layout);
}

static void put_sum(
	const struct annotate_layout *layout, const struct annotate_figures *sum, const char *text)
{
	char copy[64];
	struct annotate_text_line line = { .own = sum, .where = "", .text = copy };

	snprintf(copy, sizeof(copy), "%s", text);
	annotate_put_line(layout, &line);
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

void annotate_print_code(const struct annotate_listing *listing, struct terminal *terminal)
{
	const struct annotate_code *code = &listing->code;
	struct sources sources = { .listing = listing };
	struct annotate_figures strayed = { 0 };
	struct annotate_layout layout = {
		.terminal = terminal,
		.report = listing->report,
		.hot = code->self.amount / 10,
		.has_overhead = annotate_has_overhead(&code->self),
		.where_width = width_of(code),
		.where_heading = "address",
		.text_heading = "instruction",
	};

	annotate_put_heading(&layout);
	for (size_t i = 0; i < code->n_parts; i++) {
		annotate_add(&strayed, &code->parts[i].strayed);
		if (i == 0 || listing->options->show_all || !annotate_is_zero(&code->parts[i].self))
			put_part(&layout, &sources, &code->parts[i]);
	}
	if (!annotate_is_zero(&strayed))
		put_sum(&layout, &strayed, "(at no instruction)");
	put_sum(&layout, &code->self, "total, with what is inlined into it");
	for (size_t i = 0; i < sources.n; i++)
		source_release(&sources.opened[i].source);
}
